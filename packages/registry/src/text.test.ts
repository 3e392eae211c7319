import { expect, it } from 'vitest';
import { listText, notFoundText, publishedText, removedText, severalText, unchangedText } from './text.ts';

const COMMIT = 'abc1234def5678901234567890123456789012ab';

it('the list is the table of the contract', () => {
  const skills = [
    {
      slug: 'auth-skill',
      name: 'Auth skill',
      description: 'Validates JWT signatures against your KMS.',
    },
    { slug: 'csv-export', name: 'CSV export', description: 'Streams query results\nto CSV.' },
  ];
  expect(listText('owner/repo', skills)).toBe(
    [
      'Registry: `owner/repo` (2 skills)',
      '',
      '| slug | name | description |',
      '| --- | --- | --- |',
      '| `auth-skill` | Auth skill | Validates JWT signatures against your KMS. |',
      '| `csv-export` | CSV export | Streams query results to CSV. |',
      '',
      'Use `get_skill(slug="<slug>")` to download a skill. Then read its `SKILL.md` first, and after that only the files it names.',
    ].join('\n'),
  );
  expect(listText('owner/repo', skills.slice(1))).toMatch(/^Registry: `owner\/repo` \(1 skill\)\n/);
  expect(listText('owner/repo', [])).toBe('No skills found in owner/repo.');
});

it.each([
  ['a | b', 'a \\| b'],
  ['a \\| b', 'a \\\\\\| b'],
  ['a\r\n\r\n| x |\u2028b', 'a \\| x \\| b'],
  ['a\0b\u0007\u202ec\u2066d\u200be', 'a b cde'],
  ['x'.repeat(300), 'x'.repeat(300)],
  ['x'.repeat(301), `${'x'.repeat(299)}…`],
  ['🙂'.repeat(301), `${'🙂'.repeat(299)}…`],
  ['|'.repeat(301), `${'\\|'.repeat(299)}…`],
])('a cell with %j shows it in one cell of the table', (description, shown) => {
  const row = listText('o/r', [{ slug: 's', name: 'n', description }]).split('\n')[4];
  expect(row).toBe(`| \`s\` | n | ${shown} |`);
});

it('a slug with backticks is still one code span', () => {
  const row = (slug: string) => listText('o/r', [{ slug, name: 'n', description: 'd' }]).split('\n')[4];
  expect(row('a`b')).toBe('| `` a`b `` | n | d |');
  expect(row('a``|`b')).toBe('| ``` a``\\|`b ``` | n | d |');
});

it('each result says what the contract says', () => {
  const url = 'https://github.com/owner/repo/tree/abc1234/auth-skill';
  expect(publishedText('owner/repo', 'auth-skill', COMMIT, url)).toBe(
    `Published \`auth-skill\` to owner/repo@abc1234. View: ${url}`,
  );
  expect(publishedText('owner/repo', 'auth-skill', COMMIT, null)).toBe(
    'Published `auth-skill` to owner/repo@abc1234.',
  );
  expect(unchangedText('owner/repo', 'auth-skill', COMMIT)).toBe(
    '`auth-skill` is unchanged at owner/repo@abc1234.',
  );
  expect(notFoundText('owner/repo', 'foo')).toBe("Skill 'foo' not found in owner/repo.");
  expect(notFoundText('owner/repo', 'a\u202e\nb')).toBe("Skill 'a b' not found in owner/repo.");
  expect(severalText('owner/repo', 'HyPhen', ['hy-phen', 'hy_phen'])).toContain('`hy-phen`, `hy_phen`');
});

it('a folder that somebody else named neither ends a sentence nor turns it round', () => {
  const slug = 'a\n\u202e`b';
  const texts = [
    publishedText('o/r', slug, COMMIT, null),
    unchangedText('o/r', slug, COMMIT),
    removedText('o/r', slug, COMMIT),
    severalText('o/r', 'a b', [slug, 'x'.repeat(400)]),
    listText('o/r', [{ slug, name: 'x'.repeat(400), description: 'd' }]).split('\n')[4],
  ];
  expect(texts).toEqual([
    'Published `` a `b `` to o/r@abc1234.',
    '`` a `b `` is unchanged at o/r@abc1234.',
    'Removed `` a `b `` from o/r@abc1234.',
    `'a b' could be each of these skills in o/r: \`\` a \`b \`\`, \`${'x'.repeat(299)}…\`. Name one of them exactly.`,
    `| \`\` a \`b \`\` | ${'x'.repeat(299)}… | d |`,
  ]);
});

it('of very many skills that could be meant some are named', () => {
  const slugs = Array.from({ length: 12 }, (_, i) => `s${i}`);
  expect(severalText('o/r', 's', slugs)).toMatch(/: `s0`, .*, `s9` and 2 more\. Name one of them exactly\.$/);
});

it('joiners that scripts and emoji need stay', () => {
  const row = listText('o/r', [{ slug: 's', name: '👩‍💻', description: 'می‌خواهم' }]).split('\n')[4];
  expect(row).toBe('| `s` | 👩‍💻 | می‌خواهم |');
});
