// A strict host takes the front matter of an assembled document, and reads in it what the listing says.
import { skillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { SkillFacts } from '@skillquay/core/facts';
import {
  assembleDocument,
  documentHead,
  servedFrontMatter,
  whyNotPortable,
} from '@skillquay/core/skill-document';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nastyText } from '../packages/core/test/arbitraries.ts';

function documentOf(facts: SkillFacts): string {
  const path = `${facts.name}/SKILL.md`;
  const leftOut = [{ path: 'a/b\n---\nc', reason: 'too_large', size: 3 }];
  const head = documentHead({ facts, sources: [path], leftOut });
  return assembleDocument(head, [{ kind: 'instructions', path, text: '---\nname: other\n---\n' }]);
}

/** The front matter as data on the wire. */
function listed(facts: SkillFacts): unknown {
  return JSON.parse(JSON.stringify(servedFrontMatter(facts)));
}

/** What the official SDK reads, or null where it refuses the skill. */
async function readBySdk(facts: SkillFacts): Promise<unknown> {
  // An entry is refused as well if its directory has another name; a name that is no segment is refused anyway.
  const directory = /^[^/\\\0\p{Cs}]+$/u.test(facts.name) ? facts.name : 'other';
  try {
    const { frontmatter } = await skillEntry(`gh/acme/${directory}`, { 'SKILL.md': documentOf(facts) });
    return frontmatter;
  } catch {
    return null;
  }
}

/** What a full parser of YAML reads, or null where it refuses the front matter. */
function readByYaml(facts: SkillFacts): unknown {
  const [, front = ''] = documentOf(facts).split(/^---$/m);
  try {
    return parse(front);
  } catch {
    return null;
  }
}

async function expectAgreement(facts: SkillFacts): Promise<void> {
  const read = { sdk: await readBySdk(facts), yaml: readByYaml(facts) };
  if (whyNotPortable(facts) === null) {
    expect(read).toEqual({ sdk: listed(facts), yaml: listed(facts) });
  } else {
    expect(read.sdk === null || read.yaml === null).toBe(true);
  }
}

const SPECIAL = [
  ...[
    '',
    ' ',
    'null',
    '~',
    'true',
    '1.0',
    '0x1F',
    '.nan',
    '2024-01-01',
    '=',
    '<<',
    '-',
    '- a',
    '? a',
    '!tag',
  ],
  ...[
    '&a',
    '*a',
    '%a',
    '@a',
    '`a',
    '# a',
    'a #b',
    'a: b',
    'a:',
    ': a',
    '{a: b}',
    '[a',
    '|',
    '>-',
    "it's",
    '""',
  ],
  ...[
    '\\',
    '\\n',
    '\\u0041',
    'a\\',
    '"',
    '---',
    '\n---\n',
    '...',
    '\t',
    'a\tb',
    'a\r\nb',
    '\u0085',
    '\u00a0',
  ],
  ...[
    '\u2028---\u2028',
    '\u2029',
    '\ufeff',
    '\ufffe',
    '\uffff',
    '\ufdd0',
    '\ud800',
    '\u0000',
    '\u001b',
    '\u007f',
  ],
  ...[
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    '漢字',
    'क्‍ष',
    'می‌خواهم',
    '\u{e0041}',
    '\u{10ffff}',
    'e\u0301',
    '/',
    '</script>',
    '$a',
  ],
];
const KEYS = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '1', '-1', 'name', 'a.b', 'a b'],
  ...['io.modelcontextprotocol/skills', 'io.modelcontextprotocol.skills/x', 'skillcdn'],
];

const text = fc.oneof(
  nastyText,
  fc.constantFrom(...SPECIAL),
  fc.array(fc.constantFrom(...SPECIAL, 'a', ' '), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  nastyText.map((part) => `${part} words `.repeat(40)),
);
const name = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,2}$/) },
  text,
);
const optional = (arbitrary: fc.Arbitrary<string>) => fc.option(arbitrary, { nil: undefined });
const anyFacts: fc.Arbitrary<SkillFacts> = fc
  .record({
    name,
    description: text,
    license: optional(text),
    compatibility: optional(text),
    allowedTools: optional(text),
    metadata: fc.option(
      fc.array(fc.tuple(fc.oneof(text, fc.constantFrom(...KEYS)), text), { maxLength: 5 }),
      {
        nil: undefined,
      },
    ),
  })
  .map(({ name, description, license, compatibility, allowedTools, metadata }) => ({
    name,
    description,
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(metadata === undefined ? {} : { metadata: Object.fromEntries(metadata) }),
  }));

describe('what is portable is read as it is listed, and what is not is refused', () => {
  const plain: SkillFacts = { name: 'ad-copy', description: 'Writes ads.' };

  it.each([...SPECIAL, ...KEYS].map((special) => [JSON.stringify(special), special]))(
    '%s',
    async (_, special) => {
      await expectAgreement({ ...plain, description: special });
      await expectAgreement({ ...plain, name: special });
      await expectAgreement({ ...plain, compatibility: special });
      const metadata = Object.fromEntries([
        [special, special],
        ['last', `${special}x`],
      ]);
      await expectAgreement({ ...plain, license: special, allowedTools: ` ${special} `, metadata });
    },
  );

  it.each([1_019, 1_020, 1_021, 1_022, 1_023, 1_024])('a key of %i characters', async (length) => {
    await expectAgreement({ ...plain, metadata: { ['k'.repeat(length)]: 'v' } });
  });

  it.each([
    ['name', 64],
    ['compatibility', 500],
    ['description', 1_024],
  ])('%s of %i characters, and of one more', async (field, length) => {
    for (const characters of [length, length + 1]) {
      await expectAgreement({ ...plain, [field]: 'a'.repeat(characters) });
      await expectAgreement({ ...plain, [field]: '😀'.repeat(characters) });
    }
  });

  it('whatever the fields are', async () => {
    let portable = 0;
    await fc.assert(
      fc.asyncProperty(anyFacts, async (facts) => {
        if (whyNotPortable(facts) === null) portable += 1;
        await expectAgreement(facts);
      }),
      { numRuns: 500 },
    );
    expect(portable).toBeGreaterThan(100);
  });
});
