import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ContextPart } from './answers.ts';
import type { SkillFacts } from './facts.ts';
import { assembleDocument, documentHead, servedFrontMatter, whyNotPortable } from './skill-document.ts';
import { codePointLength } from './text.ts';

const FACTS: SkillFacts = { name: 'ad-copy', description: 'Writes ads.' };
const PARTS: readonly ContextPart[] = [
  { kind: 'rules', path: 'SKILLCDN.md', text: 'Write plain English.\n' },
  {
    kind: 'instructions',
    path: 'marketing/ad-copy/SKILL.md',
    text: '\n# Ad copy\n\nWrite three variants: 大 😀',
  },
  { kind: 'included', path: 'marketing/ad-copy/tone.json', text: '{ "tone": "warm" }\r\n' },
];
const head = (facts: Partial<SkillFacts>) =>
  documentHead({ facts: { ...FACTS, ...facts }, sources: ['a/SKILL.md'], leftOut: [] });

test('a document is its front matter, its sources, what is left out, and the context', () => {
  const document = assembleDocument(
    documentHead({
      facts: {
        ...FACTS,
        license: 'MIT',
        compatibility: 'Needs "git" # and C:\\tools.',
        allowedTools: 'Read Bash(git:*)',
        metadata: { version: '1.0', 'a key: with #': ' spaced ' },
        include: ['docs/voice.md'],
        translations: { de: { description: 'Schreibt.' } },
      },
      sources: PARTS.map(({ path }) => path),
      leftOut: [
        {
          path: 'marketing/fonts.zip',
          reason: 'too_large',
          size: 4_194_304,
          url: 'https://raw.example/0123/marketing/fonts.zip',
        },
        { path: 'marketing/ odd\nname', reason: 'unaddressable_path' },
      ],
    }),
    PARTS,
  );
  expect(document).toBe(`---
name: "ad-copy"
description: "Writes ads."
license: "MIT"
compatibility: "Needs \\"git\\" # and C:\\\\tools."
allowed-tools: "Read Bash(git:*)"
metadata:
  "version": "1.0"
  "a key: with #": " spaced "
---
assembled from:
- SKILLCDN.md
- marketing/ad-copy/SKILL.md
- marketing/ad-copy/tone.json
left out:
- marketing/fonts.zip (too large to be served here, 4194304 bytes): https://raw.example/0123/marketing/fonts.zip
- marketing/ odd\\u{a}name (its path cannot be written in an address)
--- applicable rules: SKILLCDN.md ---
Write plain English.

--- instructions ---

# Ad copy

Write three variants: 大 😀
--- included file: marketing/ad-copy/tone.json ---
{ "tone": "warm" }\r

`);
  // Hosts have shown this digest to people. If it must change, raise READING_RULES, so that no index keeps the old one.
  expect(createHash('sha256').update(document).digest('hex')).toBe(
    '236c95a895ac8909d5211937361386ed229d6f347e596ac25451d11df593b4da',
  );
});

test('a body is carried as it is, line ends and all', () => {
  const text = '\r\nOne\r\n---\r\n--- instructions ---\n\n\n';
  const parts = [{ kind: 'instructions' as const, path: 'a/SKILL.md', text }];
  expect(assembleDocument('HEAD\n', parts)).toBe(`HEAD\n--- instructions ---\n${text}\n`);
});

describe('a description of more than 1,024 characters', () => {
  const long = `${'word '.repeat(204)}123 end of it`;

  test('is cut at a word, and stands whole in the document', () => {
    const { description } = servedFrontMatter({ ...FACTS, description: long });
    expect(description).toBe(`${'word '.repeat(204)}123…`);
    expect(codePointLength(description)).toBe(1_024);
    expect(head({ description: long })).toContain(
      `\nassembled from:\n- a/SKILL.md\n--- full description ---\n${long}\n`,
    );
  });

  test('stands nowhere twice when it fits', () => {
    const fits = '😀'.repeat(1_024);
    expect(servedFrontMatter({ ...FACTS, description: fits }).description).toBe(fits);
    expect(head({ description: fits })).not.toContain('full description');
  });

  test.each([
    ['a family', '👩‍👩‍👧‍👦'],
    ['a skin tone', '👋🏽'],
    ['a flag', '🇩🇪'],
    ['a letter and its mark', 'e\u0301'],
    ['a heart in colour', '❤️'],
    ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ])('is never cut inside %s', (_, sign) => {
    for (let before = 0; before < codePointLength(sign); before += 1) {
      const description = 'x'.repeat(1_015 + before) + sign.repeat(300);
      const cut = servedFrontMatter({ ...FACTS, description }).description;
      expect(codePointLength(cut)).toBeLessThanOrEqual(1_024);
      const signs = cut.slice(1_015 + before, -1);
      expect(signs).toBe(sign.repeat(signs.length / sign.length));
    }
  });
});

describe('a strict host refuses', () => {
  test.each<[string, Partial<SkillFacts>, string]>([
    ['capitals and spaces', { name: 'Ad Copy' }, 'the name "Ad Copy" must be'],
    ['two hyphens in a row', { name: 'ad--copy' }, 'the name "ad--copy" must be'],
    ['a hyphen at the beginning', { name: '-a' }, 'the name'],
    ['an underscore', { name: 'a_b' }, 'the name'],
    ['a letter beyond a to z', { name: 'größe' }, 'the name'],
    ['a name of 65 characters', { name: 'a'.repeat(65) }, 'the name'],
    [
      'a compatibility of 501 characters',
      { compatibility: 'x'.repeat(501) },
      'compatibility must have 1 to 500 characters and has 501',
    ],
    [
      'the key __proto__',
      { metadata: Object.fromEntries([['__proto__', 'x']]) },
      'the metadata key "__proto__" has a name that',
    ],
    [
      'a key longer than YAML allows',
      { metadata: { ['k'.repeat(1_023)]: 'x' } },
      'is longer than YAML allows a key to be; give it another',
    ],
  ])('%s', (_, facts, why) => {
    expect(whyNotPortable({ ...FACTS, ...facts })).toContain(why);
  });

  test('nothing else', () => {
    const facts: SkillFacts = {
      name: 'a'.repeat(64),
      description: 'x'.repeat(9_999),
      compatibility: '😀'.repeat(500),
      metadata: { constructor: 'a', 'io.modelcontextprotocol/x': 'b', '': 'c', 1: 'd' },
    };
    expect(whyNotPortable(facts)).toBeNull();
  });
});
