// Markdown that hurts parsers, links that go where they should not, and includes that ask for too much.
import { type Expectation, type Oddity, odd, oddAmong } from './oddity.ts';
import { LFS_POINTER } from './places.ts';

const DOCUMENT: Expectation = { class: 'document' };
const REFERENCE: Expectation = { class: 'reference' };
const NONE: Expectation = { class: 'none' };

/** Documents under `docs/` that are slow or deep for a careless parser. */
export function pathologicalOddities(): Oddity[] {
  const texts: Readonly<Record<string, string>> = {
    'quotes.md': '>'.repeat(5_000),
    'quotes-links.md': `${'> '.repeat(2_000)}[x](a.md)`,
    'lists.md': Array.from({ length: 400 }, (_, i) => `${' '.repeat(i * 2)}- item`).join('\n'),
    'brackets.md': '['.repeat(100_000),
    'brackets-closed.md': `${'['.repeat(30_000)}x${']'.repeat(30_000)}(a.md)`,
    'images.md': '![['.repeat(30_000),
    'emphasis.md': '*a _b '.repeat(30_000),
    'stars.md': `${'*'.repeat(50_000)}x`,
    'backticks.md': Array.from({ length: 400 }, (_, i) => '`'.repeat(i + 1)).join(' '),
    'open-links.md': '[a](<b'.repeat(20_000),
    'parentheses.md': `[a](${'('.repeat(50_000)}`,
    'definitions.md': Array.from({ length: 5_000 }, (_, i) => `[r${i}]: target-${i}.md`).join('\n'),
    'definitions-same.md': `${'[r]: a.md\n'.repeat(5_000)}${'[r] '.repeat(20_000)}`,
    'entities.md': '&'.repeat(100_000),
    'html.md': '<a href="'.repeat(20_000),
    'comments.md': '<!--'.repeat(30_000),
    'autolinks.md': '<http://'.repeat(20_000),
    'table.md': `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${`${'|b'.repeat(500)}|\n`.repeat(200)}`,
    'one-line.md': 'word '.repeat(40_000),
    'fence.md': `${'```'.repeat(20_000)}`,
    'nul.md': '\0'.repeat(10_000),
    'surrogates.md': '👩‍👩‍👧‍👦'.repeat(5_000),
    'combining.md': `e${'\u0301'.repeat(50_000)}`,
    'front-matter-open.md': `---\n${'a: b\n'.repeat(20_000)}`,
  };
  return Object.entries(texts).map(([name, text]) =>
    odd(`Markdown that is all ${name}`, `docs/hard/${name}`, text, DOCUMENT),
  );
}

/** Where links of one document lead, and where they must not. */
export function linkOddities(): Oddity[] {
  const links = [
    '../linked/plain.md',
    '/linked/from-root.md',
    '../linked/with%20space.md',
    '../linked/fragment.md#part',
    '../linked/query.md?raw=1',
    '../linked/.hidden/one.md',
    '../linked/Exact.md',
    '../linked/%E6%96%87.md',
    '/etc/passwd.md',
    '../../../../etc/passwd.md',
    '%2e%2e/%2e%2e/etc/passwd.md',
    'file:///etc/passwd.md',
    'https://example.com/x.md',
    '//example.com/x.md',
    'javascript:alert(1).md',
    'data:text/plain,x.md',
    '..\\linked\\backslash.md',
    '../linked/chain-1.md',
    '../linked/folder.md',
    '../linked/link.md',
    '../linked/exact.md',
    'links.md',
    '../linked/bad%ZZ.md',
    '../linked/nul%00.md',
    '../linked/bidi%E2%80%AE.md',
    '',
  ]; // prettier-ignore
  const list = `# Links\n\n${links.map((link, i) => `- [l${i}](<${link}>)`).join('\n')}\n- [by reference][ref]\n\n[ref]: ../linked/by-reference.md\n`;
  const chain = Array.from({ length: 10 }, (_, i) =>
    odd(
      `step ${i + 1} of a chain of links`,
      `linked/chain-${i + 1}.md`,
      `# Step\n\n[on](chain-${i + 2}.md) and [back](chain-1.md)\n`,
      i < 8 ? REFERENCE : NONE,
    ),
  );
  const linked = (name: string, what: string, expect: Expectation) =>
    odd(what, `linked/${name}`, `# ${name}\n`, expect);
  return [
    odd('a document with links of every kind', 'docs/links.md', list, DOCUMENT),
    odd(
      'a document with more links than are followed',
      'docs/many-links.md',
      Array.from({ length: 300 }, (_, i) => `[m${i}](/many/m${i}.md)`).join('\n'),
      DOCUMENT,
    ),
    odd('the last link that is followed', 'many/m199.md', '# m\n', REFERENCE),
    odd('the first link too many', 'many/m200.md', '# m\n', NONE),
    ...chain,
    linked('plain.md', 'a file that is linked', REFERENCE),
    linked('from-root.md', 'a file that is linked from the root', REFERENCE),
    linked('with space.md', 'a file that is linked with an escape', REFERENCE),
    linked('文.md', 'a file that is linked with escaped Chinese', REFERENCE),
    linked('fragment.md', 'a file that is linked with a fragment', REFERENCE),
    linked('query.md', 'a file that is linked with a query', REFERENCE),
    linked('by-reference.md', 'a file that is linked by a definition', REFERENCE),
    linked('.hidden/one.md', 'a hidden file that is linked', REFERENCE),
    linked('.hidden/sibling.md', 'a hidden file beside one that is linked', NONE),
    linked('sibling.md', 'a file beside one that is linked', NONE),
    linked('Exact.md', 'a file that is linked by its exact name', REFERENCE),
    linked('backslash.md', 'a file that is linked with backslashes', NONE),
    odd('a folder that is linked', 'linked/folder.md/inside.md', '# Inside\n', NONE),
    odd(
      'a symbolic link that is linked',
      'linked/link.md',
      { symlink: 'sibling.md' },
      { class: 'withheld', withheld: 'symlink' },
    ),
  ];
}

function including(name: string, include: readonly string[]): string {
  return `---\nname: ${name}\ndescription: Includes.\nskillcdn:\n  include:\n${include.map((path) => `    - ${JSON.stringify(path)}\n`).join('')}---\nDo it.\n`;
}

/** Skills whose includes ask for what they may not have, or for what is not there. */
export function includeOddities(): Oddity[] {
  const at = (slug: string) => `include/${slug}/SKILL.md`;
  const skill = (
    slug: string,
    what: string,
    include: readonly string[],
    code?: string,
    files: Record<string, string | Uint8Array> = {},
  ) =>
    oddAmong(
      what,
      at(slug),
      { [at(slug)]: including(slug, include), ...files },
      code ? { class: 'skill', code } : { class: 'skill' },
    );
  return [
    odd('a shared page', 'docs/shared.md', '# Shared\n', DOCUMENT),
    skill('shared', 'an include of a shared page', ['/docs/shared.md']),
    skill('missing', 'an include that is not there', ['gone.md'], 'file_unavailable'),
    skill(
      'missing-shared',
      'an include of a shared page that is not there',
      ['/docs/gone.md'],
      'file_unavailable',
    ),
    skill('pointer', 'an include that is an LFS pointer', ['p.md'], 'file_unavailable', {
      'include/pointer/p.md': LFS_POINTER,
    }),
    skill('latin', 'an include that is not text', ['l.md'], 'file_unavailable', {
      'include/latin/l.md': Buffer.from('é', 'latin1'),
    }),
    skill('huge', 'an include over the read limit', ['h.md'], 'file_unavailable', {
      'include/huge/h.md': 'word '.repeat(450_000),
    }),
    skill('escaping', 'an include out of the repository', ['../../../etc/passwd.md'], 'dropped_include'),
    skill('other-skill', 'an include of another skill', ['../shared/SKILL.md'], 'dropped_include'),
    skill('url', 'an include by URL', ['https://example.com/x.md'], 'dropped_include'),
    skill('script', 'an include that is not Markdown', ['run.sh'], 'dropped_include', {
      'include/script/run.sh': 'id\n',
    }),
    skill('itself', 'an include of the skill itself', ['SKILL.md'], 'dropped_include'),
    skill(
      'many',
      'too many includes',
      Array.from({ length: 21 }, () => '/docs/shared.md'),
      'dropped_include',
    ),
  ];
}
