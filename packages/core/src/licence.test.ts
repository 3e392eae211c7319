import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPermissiveId, readLicenceField, strictest, UNRECOGNISED } from './licence.ts';

// Spellings found in published skills, and those a reader of package metadata meets.
describe('fields that let anyone redistribute', () => {
  it.each([
    ['MIT', 'MIT'],
    ['mit', 'MIT'],
    ['MIT license', 'MIT'],
    ['MIT License', 'MIT'],
    ['The MIT License (MIT)', 'MIT'],
    ['MIT (see LICENSE)', 'MIT'],
    ['MIT + file LICENSE', 'MIT'],
    ['MIT, see LICENSE.md', 'MIT'],
    ['MIT License. See LICENSE.txt for details.', 'MIT'],
    ['[MIT](LICENSE)', 'MIT'],
    ['[MIT](https://github.com/x/y/blob/main/LICENSE)', 'MIT'],
    ['`MIT`', 'MIT'],
    ['LICENSE-MIT', 'MIT'],
    ['https://opensource.org/licenses/MIT', 'MIT'],
    ['MIT-0', 'MIT-0'],
    ['Apache-2.0', 'Apache-2.0'],
    ['apache-2.0', 'Apache-2.0'],
    ['Apache 2', 'Apache-2.0'],
    ['Apache 2.0', 'Apache-2.0'],
    ['Apache-2.0 license', 'Apache-2.0'],
    ['Apache License, Version 2.0', 'Apache-2.0'],
    ['Apache License (>= 2)', 'Apache-2.0'],
    ['Licensed under the Apache License, Version 2.0', 'Apache-2.0'],
    ['Apache-2.0. See LICENSE for complete terms.', 'Apache-2.0'],
    ['https://www.apache.org/licenses/LICENSE-2.0', 'Apache-2.0'],
    ['Apache-2.0 WITH LLVM-exception', 'Apache-2.0 WITH LLVM-exception'],
    ['CC-BY-4.0 AND Apache-2.0', 'CC-BY-4.0 AND Apache-2.0'],
    ['CC-BY-4.0 OR Apache-2.0', 'CC-BY-4.0 OR Apache-2.0'],
    ['MIT/Apache-2.0', 'MIT OR Apache-2.0'],
    ['MIT and Apache 2.0', 'MIT AND Apache-2.0'],
    ['dual MIT/Apache-2.0', 'MIT OR Apache-2.0'],
    ['(MIT AND CC-BY-SA-4.0). See LICENSE-MIT and LICENSE-CC-BY-SA-4.0', 'MIT AND CC-BY-SA-4.0'],
    ['BSD', 'BSD'],
    ['BSD-3-Clause', 'BSD-3-Clause'],
    ['BSD-3-Clause license', 'BSD-3-Clause'],
    ['BSD_3_clause + file LICENSE', 'BSD-3-Clause'],
    ['3-Clause BSD License', 'BSD-3-Clause'],
    ['ISC License (ISC)', 'ISC'],
    ['GPL-2', 'GPL-2.0'],
    ['GPLv3', 'GPL-3.0'],
    ['GPL (>= 2)', 'GPL-2.0-or-later'],
    ['GPL v2 or later', 'GPL-2.0-or-later'],
    ['GNU GPL v3.0 (or later)', 'GPL-3.0-or-later'],
    ['GNU General Public License v3.0 or later', 'GPL-3.0-or-later'],
    ['GPL-1.0-or-later OR Artistic-2.0', 'GPL-1.0-or-later OR Artistic-2.0'],
    ['LGPL (>= 3)', 'LGPL-3.0-or-later'],
    ['AGPL-3.0', 'AGPL-3.0'],
    ['AGPLv3+', 'AGPL-3.0-or-later'],
    ['MPL 2.0', 'MPL-2.0'],
    ['Mozilla Public License 2.0', 'MPL-2.0'],
    ['BSL-1.0', 'BSL-1.0'],
    ['CC0', 'CC0-1.0'],
    ['CC0 1.0 Universal', 'CC0-1.0'],
    ['CC BY 4.0', 'CC-BY-4.0'],
    ['CC-BY 4.0', 'CC-BY-4.0'],
    ['cc-by-4.0', 'CC-BY-4.0'],
    ['Creative Commons Attribution 4.0 International (CC BY 4.0)', 'CC-BY-4.0'],
    ['https://creativecommons.org/licenses/by/4.0/', 'CC-BY-4.0'],
    ['CC BY-SA 4.0', 'CC-BY-SA-4.0'],
    ['Creative Commons Attribution-ShareAlike 4.0 International License', 'CC-BY-SA-4.0'],
    ['Unlicense', 'Unlicense'],
    ['UNLICENSE', 'Unlicense'],
    ['public domain', 'public domain'],
    ['Intel', 'Intel'],
    ['W3C', 'W3C'],
    ['MIT AND PostgreSQL', 'MIT AND PostgreSQL'],
    ['https://opensource.org/licenses/postgresql', 'PostgreSQL'],
    ['PostgreSQL License', 'PostgreSQL'],
    ['GNU General Public License', 'GPL'],
    ['SIL Open Font License', 'OFL-1.1'],
  ])('%s', (text, label) => {
    expect(readLicenceField(text)).toEqual({ kind: 'permissive', label });
  });
});

describe('fields that do not', () => {
  it.each([
    'Proprietary',
    'Proprietary. LICENSE.txt has complete terms',
    'Proprietary. See License-Skills for complete terms',
    'NVIDIA Proprietary',
    'Commercial',
    'UNLICENSED',
    'License for use in this project',
    'The license is for use in this repository',
    'MIT (license for use with this project)',
    'All rights reserved',
    '© 2025 Example, Inc. All rights reserved.',
    'No license',
    'NONE',
    'NOASSERTION',
    'not MIT',
    'MIT (non-commercial)',
    'MIT with Commons Clause',
    'MIT WITH Commons-Clause',
    'MIT or other appropriate license',
    'MIT OR CC-BY-NC-4.0',
    '{MIT/Apache-2.0/None}',
    'String (e.g., "MIT", "Apache-2.0")',
    '<license-type>',
    'Optional license identifier',
    'CC-BY-NC-4.0',
    'CC BY-NC-SA 4.0',
    'CC-BY-ND-4.0',
    'Creative Commons Attribution-NonCommercial 4.0',
    'Creative Commons',
    'http://creativecommons.org/licenses/by-nc/4.0/',
    'BSL 1.1',
    'BUSL-1.1',
    'Business Source License 1.1',
    'SSPL-1.0',
    'Elastic-2.0',
    'WTFPL',
    'JSON',
    'LicenseRef-Example',
    'MIT OR LicenseRef-Example',
    'LICENSE-COMMERCIAL',
    'LICENSE-CC-BY-NC-SA 4.0 in LICENSE.txt',
    'SEE LICENSE IN EULA.txt',
    'https://github.com/sympy/sympy/blob/master/LICENSE',
    'MIT（禁止商业使用）',
    'MIT 仅限非商业用途',
    'CC BY 4.0 非商用',
    'Apache 2.0 🚫💰',
    '!MIT',
    '¬MIT',
    '~MIT',
    'MIT?',
    'intel',
    'nokia',
    'NOKIA',
    'fair',
    'Fair skill',
    'JAM',
    'ipa',
    'icu',
    'w3c',
    'multics',
    'Blessing',
    'MIT, intel',
    'python',
    'python skill',
    'Python 2',
    'general public',
    'Postgres',
    'postgresql',
    'boost',
    'open font',
    'MIT\u200b',
    'MIT and more terms in LICENSE',
    'MIT AND LICENSE.commercial',
    'https://creativecommons.org/licenses/by/4.0/nc',
    'Same as the repository',
    'Free for personal use',
  ])('%s', (text) => {
    expect(readLicenceField(text)).toEqual({ kind: 'restrictive', label: text });
  });

  it('a field too long to be a name, whatever it names, with a label of one line', () => {
    const licence = readLicenceField(`MIT\n${' AND MIT'.repeat(1_000)}`);
    expect(licence?.kind).toBe('restrictive');
    expect(licence?.label).toMatch(/^MIT AND [^\n]*…$/);
    expect(licence?.label).toHaveLength(80);
  });
});

describe('fields that say nothing', () => {
  it.each([
    '',
    ' \n',
    'LICENSE',
    'LICENSE.txt',
    './LICENSE',
    'file LICENSE',
    '[LICENSE](LICENSE)',
    'See LICENSE',
    'See LICENSE.txt for details.',
    'SEE LICENSE IN LICENSE',
    'Complete terms in LICENSE.txt',
    'LICENSE.txt has complete terms',
    'See LICENSE file in the repository root for full terms',
  ])('%j', (text) => {
    expect(readLicenceField(text)).toBeNull();
  });
});

describe('any field', () => {
  const word = fc.constantFrom(
    'MIT',
    'Apache 2.0',
    'see LICENSE',
    'and',
    'OR',
    '/',
    '(',
    ')',
    '+',
    ', ',
    '. ',
    'GPL',
  );

  it('has an answer of one line', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(word).map((words) => words.join(' ')),
        ),
        (text) => {
          const licence = readLicenceField(text);
          if (licence === null) return;
          expect(licence.label).toMatch(/^[^\n]{1,160}$/u);
        },
      ),
    );
  });

  it('is restrictive with a word added that is no part of a name', () => {
    const added = fc.constantFrom(
      'non-commercial',
      'proprietary',
      'evaluation only',
      'internal use',
      'NC',
      'ND',
      'modified',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), added, fc.boolean(), (words, addition, before) => {
        const text = (before ? [addition, ...words] : [...words, addition]).join(' ');
        expect(readLicenceField(text)?.kind).toBe('restrictive');
      }),
    );
  });

  it('means the same with other white space', () => {
    fc.assert(
      fc.property(fc.array(word), (words) => {
        expect(readLicenceField(`\n ${words.join(' \t ')}  `)).toEqual(readLicenceField(words.join(' ')));
      }),
    );
  });
});

describe('several licences', () => {
  const mit = { kind: 'permissive', label: 'MIT' } as const;
  const own = { kind: 'restrictive', label: 'Proprietary' } as const;

  it('count as the strictest', () => {
    expect(strictest([mit, own, UNRECOGNISED])).toBe(own);
    expect(strictest([mit, { kind: 'permissive', label: 'ISC' }])).toBe(mit);
  });

  it('are unrecognised where there is none', () => {
    expect(strictest([])).toEqual({ kind: 'restrictive', label: 'unrecognised' });
  });
});

it.each([
  ['CC-BY-SA-3.0', true],
  ['AGPL-1.0-only', true],
  ['CC-BY-NC-4.0', false],
  ['SSPL-1.0', false],
  ['JSON', false],
])('%s: anyone may redistribute: %s', (id, permissive) => {
  expect(isPermissiveId(id)).toBe(permissive);
});
