// The usual spellings of the licences that let anyone redistribute.

/**
 * What two spellings of a name have in common: lower case, words and versions apart, without "the", "licence",
 * "version" and a closing ".0". "Apache License, Version 2.0" and "apache-2" become `apache 2`.
 */
export function licenceKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bunlicen[cs]e\b/g, 'unlicense')
    .replace(/([a-z])[-_ ]?v(?:ersion)?\.? ?(?=\d)/g, '$1 ')
    .replace(/([a-z])(?=\d)/g, '$1 ')
    .replace(/(\d)\.0(?![.\d])/g, '$1')
    .replace(/ ?\+/g, ' +')
    .replace(/[^a-z0-9.+:]+/g, ' ')
    .split(' ')
    .map((word) => word.replace(/^[.:]+|[.:]+$/g, ''))
    .filter((word) => word !== '' && !SAYS_NOTHING.has(word))
    .join(' ');
}

const SAYS_NOTHING = new Set(
  'a an dual duallicensed is it licence license licenced licensed licences licenses of project released skill software terms the this under version work'.split(
    ' ',
  ),
);

const GNU = [
  ['GPL', ['gpl', 'gnu gpl', 'gnu general public', 'general public', 'gnu public'], ['1', '2', '3']],
  [
    'LGPL',
    ['lgpl', 'gnu lgpl', 'gnu lesser general public', 'lesser general public', 'gnu lesser public'],
    ['2', '2.1', '3'],
  ],
  [
    'AGPL',
    ['agpl', 'gnu agpl', 'gnu affero general public', 'affero general public', 'gnu affero'],
    ['1', '3'],
  ],
] as const;

const CREATIVE_COMMONS = [
  [
    'CC-BY',
    [
      'cc by',
      'creative commons by',
      'creative commons attribution',
      'creative commons attribution cc by',
      'cc attribution',
    ],
  ],
  [
    'CC-BY-SA',
    [
      'cc by sa',
      'creative commons by sa',
      'creative commons attribution sharealike',
      'creative commons attribution share alike',
      'cc attribution sharealike',
      'cc attribution share alike',
    ],
  ],
] as const;
const CREATIVE_COMMONS_VERSIONS = ['1', '2', '2.5', '3', '4'];

/** Spellings beside the identifier itself, each as `licenceKey` makes it. */
const SINGLE: readonly (readonly [label: string, ...spellings: string[]])[] = [
  ['MIT', 'mit', 'mit expat', 'expat', 'expat mit', 'mit x 11', 'massachusetts institute technology'],
  ['MIT-0', 'mit 0', 'mit no attribution'],
  ['Apache-2.0', 'apache 2', 'apache software 2', 'asl 2', 'apache public 2', 'apache 2 +'],
  ['Apache', 'apache', 'apache software'],
  ['BSD', 'bsd'],
  [
    'BSD-2-Clause',
    'bsd 2 clause',
    'bsd 2',
    '2 clause bsd',
    'simplified bsd',
    'freebsd',
    'bsd simplified',
    'bsd 2 clause simplified',
    'bsd 2 clauses',
  ],
  [
    'BSD-3-Clause',
    'bsd 3 clause',
    'bsd 3',
    '3 clause bsd',
    'new bsd',
    'modified bsd',
    'revised bsd',
    'bsd new',
    'bsd 3 clause new or revised',
    'bsd 3 clauses',
  ],
  ['0BSD', 'zero clause bsd', 'bsd zero clause', '0 clause bsd', 'bsd 0 clause', '0 bsd'],
  ['ISC', 'isc', 'internet systems consortium'],
  ['Zlib', 'zlib', 'zlib libpng'],
  ['BSL-1.0', 'boost', 'boost 1', 'boost software', 'boost software 1'],
  ['MPL-2.0', 'mpl 2', 'mozilla public 2', 'mpl 2 +'],
  ['MPL', 'mpl', 'mozilla public'],
  ['EPL-2.0', 'epl 2', 'eclipse public 2'],
  ['EPL-1.0', 'epl 1', 'eclipse public 1'],
  ['EPL', 'epl', 'eclipse public'],
  ['EUPL-1.2', 'eupl 1.2', 'european union public 1.2'],
  ['EUPL', 'eupl', 'european union public'],
  ['Artistic-2.0', 'artistic 2'],
  ['CDDL-1.0', 'cddl', 'cddl 1'],
  ['MS-PL', 'microsoft public', 'mspl'],
  ['MS-RL', 'microsoft reciprocal'],
  [
    'OFL-1.1',
    'ofl',
    'ofl 1.1',
    'sil ofl',
    'sil ofl 1.1',
    'sil open font',
    'sil open font 1.1',
    'open font',
    'open font 1.1',
  ],
  ['UPL-1.0', 'upl', 'upl 1', 'universal permissive', 'universal permissive 1'],
  ['BlueOak-1.0.0', 'blue oak', 'blueoak 1', 'blue oak model', 'blue oak model 1'],
  ['PostgreSQL', 'postgresql', 'postgres'],
  ['NCSA', 'ncsa', 'university illinois ncsa open source'],
  ['Python-2.0', 'psf', 'python', 'python 2', 'python software foundation', 'psf 2'],
  ['MulanPSL-2.0', 'mulan psl 2', 'mulanpsl 2', 'mulan permissive 2'],
  ['OSL-3.0', 'osl 3'],
  ['AFL-3.0', 'afl 3', 'academic free 3'],
  ['ECL-2.0', 'ecl 2', 'educational community 2'],
  ['Unlicense', 'unlicense'],
  [
    'CC0-1.0',
    'cc 0',
    'cc 0 1',
    'cc 0 1 universal',
    'cc zero',
    'creative commons zero',
    'creative commons 0',
    'creative commons zero 1 universal',
    'creative commons cc 0',
    'creative commons cc 0 1 universal',
    'cc 0 public domain dedication',
  ],
  ['PDDL-1.0', 'pddl', 'pddl 1'],
  ['public domain', 'public domain', 'in public domain'],
];

/** Spellings that name a licence only with that word beside them: without it they are languages, products and phrases. */
export const NEEDS_LICENCE: ReadonlySet<string> = new Set([
  'academic free 3',
  'affero general public',
  'artistic 2',
  'boost',
  'blue oak',
  'eclipse public',
  'european union public',
  'expat',
  'freebsd',
  'general public',
  'gnu public',
  'lesser general public',
  'microsoft public',
  'microsoft reciprocal',
  'mozilla public',
  'open font',
  'postgres',
  'postgresql',
  'python',
  'python 2',
  'universal permissive',
]);

/** Where licences are published: what follows the host names one. */
const ADDRESSES: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  [
    /^creativecommons\.org\/licenses\/(by|by-sa)\/(\d\.\d)(?:\/(?:deed|legalcode)(?:\.[\w-]+)?)?\/?$/,
    (kind, version) => `cc-${kind}-${version}`,
  ],
  [
    /^creativecommons\.org\/publicdomain\/zero\/1\.0(?:\/(?:deed|legalcode)(?:\.[\w-]+)?)?\/?$/,
    () => 'cc0-1.0',
  ],
  [/^apache\.org\/licenses\/license-2\.0(?:\.txt|\.html)?$/, () => 'apache-2.0'],
  [/^gnu\.org\/licenses\/(a?gpl|lgpl)-(\d\.\d)(?:\.\w+)*$/, (family, version) => `${family}-${version}`],
  [/^mozilla\.org\/(?:\w\w-\w\w\/)?mpl\/2\.0\/?$/, () => 'mpl-2.0'],
  [/^opensource\.org\/licenses?\/([\w.-]+?)(?:\.php|\.html)?\/?$/, (id) => id.replace(/(\d)-(\d)$/, '$1.$2')],
  [/^spdx\.org\/licenses\/([\w.-]+?)(?:\.html|\.json)?\/?$/, (id) => id],
  [/^choosealicense\.com\/licenses\/([\w.-]+?)\/?$/, (id) => id],
  [/^unlicense\.org\/?$/, () => 'unlicense'],
];

/** The SPDX identifier, in lower case, that the address of a licence stands for. */
export function idOfAddress(address: string): string | undefined {
  const rest = /^https?:\/\/(?:www\.)?(.+)$/.exec(address.toLowerCase())?.[1];
  if (rest === undefined) return undefined;
  for (const [pattern, id] of ADDRESSES) {
    const match = pattern.exec(rest);
    if (match !== null) return id(...match.slice(1));
  }
  return undefined;
}

function names(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [label, ...spellings] of SINGLE) for (const spelling of spellings) found.set(spelling, label);
  for (const [family, spellings, versions] of GNU) {
    for (const spelling of spellings) {
      found.set(spelling, family).set(`${spelling} +`, family);
      for (const version of versions) {
        const id = `${family}-${version.includes('.') ? version : `${version}.0`}`;
        found.set(`${spelling} ${version}`, id).set(`${spelling} ${version} only`, `${id}-only`);
        found.set(`${spelling} ${version} +`, `${id}-or-later`);
      }
    }
  }
  for (const [family, spellings] of CREATIVE_COMMONS) {
    for (const spelling of spellings) {
      for (const form of [spelling, `${spelling} international`]) found.set(form, family);
      for (const version of CREATIVE_COMMONS_VERSIONS) {
        const id = `${family}-${version.includes('.') ? version : `${version}.0`}`;
        for (const port of ['', ' international', ' international public', ' unported', ' generic'])
          found.set(`${spelling} ${version}${port}`, id);
        found.set(`${spelling} international ${version}`, id);
        // As the title of the deed has it, where only a version makes it a name.
        const title = family === 'CC-BY' ? 'attribution' : 'attribution sharealike';
        found.set(`${title} ${version} international`, id).set(`${title} ${version} unported`, id);
      }
    }
  }
  return found;
}

/** From the key of a spelling to the label it stands for. */
export const LICENCE_NAMES: ReadonlyMap<string, string> = names();
