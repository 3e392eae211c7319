import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { resolveLink } from './lib/links.ts';
import { MAX_LINK_CHARACTERS, MAX_LINK_TARGETS } from './limits.ts';
import { mayContainLocalLink, readMarkdown } from './markdown.ts';

function introduction(text: string, path = 'docs/a.md') {
  const { title, summary } = readMarkdown(text, path, { title: true }).value;
  return [title, summary];
}

function links(text: string, path = 'docs/a.md') {
  return readMarkdown(text, path, { title: false }).value.links;
}

describe('title and summary', () => {
  it.each([
    [
      'heading and paragraph',
      '# Guide\n\nHow to do it.\nOn two lines.\n\nMore.',
      'Guide',
      'How to do it. On two lines.',
    ],
    ['an underlined heading', 'Guide\n=====\n\nHow.', 'Guide', 'How.'],
    ['no heading', 'How to do it.', undefined, 'How to do it.'],
    ['a heading of the second level', '## Part\n\nHow.', undefined, 'How.'],
    ['the first heading of two', '# One\n\nHow.\n\n# Two\n\nWhy.', 'One', 'How.'],
    ['a paragraph before the heading', 'Before.\n\n# Guide\n\nAfter.', 'Guide', 'After.'],
    ['a paragraph before the heading alone', 'Before.\n\n# Guide', 'Guide', 'Before.'],
    [
      'links as their words',
      '# The [guide](g.md)\n\nSee [this *one*](x.md) and <https://example.com/>.',
      'The guide',
      'See this one and https://example.com/.',
    ],
    ['links by reference', '# [A][g] b\n\nSee [c].\n\n[g]: x.md\n[c]: y.md', 'A b', 'See c.'],
    ['marks of emphasis and code', '# *A* `b` **c**\n\n~~d~~ `e`', 'A b c', 'd e'],
    ['character references and escapes', '# A &amp; B\n\n1 \\* 2 &lt; 3', 'A & B', '1 * 2 < 3'],
    ['badges', '# Guide\n\n[![build](b.svg)](ci) ![x](y.png)\n\nHow.', 'Guide', 'How.'],
    [
      'HTML',
      '# <img src="x"> Guide\n\n<p align="center">Centre</p>\n\n<!-- note -->\n\n<b>How</b> so.',
      'Guide',
      'How so.',
    ],
    ['lists', '# Guide\n\n- a\n- b\n\n1. c\n\nHow.', 'Guide', 'How.'],
    ['quotes', '# Guide\n\n> Note\n\nHow.', 'Guide', 'How.'],
    ['code', '# Guide\n\n```sh\nrm\n```\n\n    indented\n\nHow.', 'Guide', 'How.'],
    ['tables and rules', '# Guide\n\n|a|b|\n|-|-|\n|c|d|\n\n---\n\nHow.', 'Guide', 'How.'],
    ['other headings', '# Guide\n\n## Part\n\nHow.', 'Guide', 'How.'],
    ['marks alone', '# Guide\n\n— ✅ —\n\nHow.', 'Guide', 'How.'],
    ['a heading in a list', '- # Item\n\n# Guide\n\nHow.', 'Guide', 'How.'],
    ['a comment that looks like a heading', '```\n# no\n```\n\n# Guide', 'Guide', undefined],
    ['a heading without words', '# ![](logo.png)\n\nHow.', undefined, 'How.'],
    ['CRLF', '# Guide\r\n\r\nHow\r\nso.\r\n', 'Guide', 'How so.'],
    ['a byte order mark', '\ufeff# Guide\n\nHow.', 'Guide', 'How.'],
    ['nothing', '', undefined, undefined],
    ['what cannot be seen', '# Gu\u202eide\u200b\n\nHow\u0007.', 'Guide', 'How.'],
  ])('come from a text with %s', (_, text, title, summary) => {
    expect(introduction(text)).toEqual([title, summary]);
  });

  it('come from front matter first', () => {
    expect(introduction('---\ntitle: "T"\ndescription: |\n  D\n  E\n---\n# Guide\n\nHow.')).toEqual([
      'T',
      'D E',
    ]);
    expect(introduction('---\ntitle: T\n---\n# Guide\n\nHow.')).toEqual(['T', 'How.']);
    expect(introduction('---\ndescription: D\n---\n# Guide\n\nHow.')).toEqual(['Guide', 'D']);
    expect(introduction('---\ntitle: [a]\ndescription: ""\n---\n# Guide\n\nHow.')).toEqual(['Guide', 'How.']);
  });

  it('do not come from front matter that cannot be read, nor from its lines', () => {
    expect(introduction('---\ntitle: a: b\n---\n# Guide\n\nHow.')).toEqual(['Guide', 'How.']);
  });

  it('may stand behind a rule', () => {
    expect(introduction('---\n\nBefore.\n\n---\n\n# Guide')).toEqual(['Guide', 'Before.']);
  });

  it('pass over the imports of MDX', () => {
    expect(
      introduction("import A from 'a'\n\nexport const b = 1\n\n# Guide\n\n<A />\n\nHow.", 'a.mdx'),
    ).toEqual(['Guide', 'How.']);
    expect(introduction("import A from 'a'\n\nHow.", 'a.mdx')).toEqual([undefined, 'How.']);
  });

  it('have at most 200 characters, ended at a word', () => {
    const [title, summary] = introduction(`# ${'title '.repeat(60)}\n\n${'word '.repeat(100)}`);
    expect(title).toMatch(/^title .* title…$/);
    expect(summary).toMatch(/^word .* word…$/);
    expect(summary?.length).toBeLessThanOrEqual(200);
    expect([...(introduction('数'.repeat(300))[1] ?? '')]).toHaveLength(200);
  });
});

describe('links', () => {
  it.each([
    ['inline', '[a](b.md)', ['docs/b.md']],
    ['with a title', '[a](b.md "t") [c](d.md (t))', ['docs/b.md', 'docs/d.md']],
    ['in angle brackets', '[a](<b c.md>)', ['docs/b c.md']],
    [
      'by reference',
      '[a][x] [y][] [z]\n\n[x]: b.md\n[y]: <c.md> "t"\n[Z]:\n  d.md',
      ['docs/b.md', 'docs/c.md', 'docs/d.md'],
    ],
    ['from the root', '[a](/b.md)', ['b.md']],
    ['upwards', '[a](../b.md) [c](./d/../e.md)', ['b.md', 'docs/e.md']],
    [
      'with fragment and query',
      '[a](b.md#c) [d](e.md?f=g#h) [i](j.md?k.txt)',
      ['docs/b.md', 'docs/e.md', 'docs/j.md'],
    ],
    [
      'with escapes',
      '[a](b%20c.md) [d](%C3%A9%2Emd) [e](f%23.md) [g](h\\_i.md)',
      ['docs/b c.md', 'docs/é.md', 'docs/f#.md', 'docs/h_i.md'],
    ],
    [
      'with character references',
      '[a](b&amp;c.md) [d](e&#46;md) [f](g&period;m&#x64;)',
      ['docs/b&c.md', 'docs/e.md', 'docs/g.md'],
    ],
    ['with escapes decoded once', '[a](b%2520c.md)', ['docs/b%20c.md']],
    ['to hidden files', '[a](../.github/b.md)', ['.github/b.md']],
    ['in any casing of the extension', '[a](b.MD)', ['docs/b.MD']],
    ['around an image', '[![i](j.png)](b.md)', ['docs/b.md']],
    [
      'in lists, quotes, tables and headings',
      '- [a](a.md)\n\n> [b](b.md)\n\n|c|\n|-|\n|[c](c.md)|\n\n# [d](d.md)',
      ['docs/a.md', 'docs/b.md', 'docs/c.md', 'docs/d.md'],
    ],
    ['each once, in order of appearance', '[a](c.md) [b](b.md) [c](./c.md#x)', ['docs/c.md', 'docs/b.md']],
    ['with CRLF', '[a]\r\n\r\n[a]: b.md\r\n', ['docs/b.md']],
  ])('are found %s', (_, text, found) => {
    expect(links(text)).toEqual(found);
  });

  it.each([
    [
      'other sites',
      '[a](https://example.com/b.md) [c](//example.com/b.md) [d](mailto:b.md) [e](C:b.md) <https://x.y/b.md>',
    ],
    ['the local machine', '[a](file:///etc/b.md) [b](javascript:b.md) [c](data:text/b.md)'],
    [
      'other kinds of file',
      '[a](b.txt) [c](b.mdx) [d](b.markdown) [e](b.md.txt) [f](b) [g](md) [h](#b.md) [i](?b.md) [j]()',
    ],
    ['what is outside', '[a](../../b.md) [c](/../b.md) [d](%2e%2e/%2e%2e/b.md)'],
    ['hidden separators', '[a](b%2Fc.md) [d](..%2f..%2fb.md) [e](b%5Cc.md)'],
    [
      'what no path may be',
      '[a](b//c.md) [d](b\\\\c.md) [e](b%00.md) [f](b%E2%80%AE.md) [g](b%zz.md) [h](b%ff.md)',
    ],
    ['code', '`[a](b.md)`\n\n```\n[a](b.md)\n```\n\n    [a](b.md)'],
    ['images', '![a](b.md)'],
    ['HTML', '<a href="b.md">a</a>\n\n<!-- [a](b.md) -->\n\n<div>\n[a](b.md)\n</div>'],
    ['definitions that nothing uses', '[a]: b.md'],
    ['references that nothing defines', '[a][b.md] [b.md]'],
    ['escaped brackets', '\\[a](b.md) [a\\](b.md)'],
    ['front matter', '---\na: "[a](b.md)"\n---\n'],
  ])('are not found in %s', (_, text) => {
    expect(links(text)).toEqual([]);
  });

  it('of a body begin behind the front matter that was read before', () => {
    const text = '---\na: "[a](b.md)"\n---\n[c](d.md)';
    expect(readMarkdown(text, 'SKILL.md', { title: false, bodyOffset: 23 }).value.links).toEqual(['d.md']);
  });

  it('are at most 200 of a file, with a diagnostic', () => {
    const list = (count: number) => Array.from({ length: count }, (_, i) => `[a](f${i}.md)`).join(' ');
    const whole = readMarkdown(`${list(MAX_LINK_TARGETS)} [a](f0.md)`, 'a.md', { title: false });
    expect([whole.value.links.length, whole.diagnostics]).toEqual([MAX_LINK_TARGETS, []]);
    const more = readMarkdown(list(MAX_LINK_TARGETS + 1), 'a.md', { title: false });
    expect(more.value.links).toEqual(whole.value.links);
    expect(more.diagnostics).toMatchObject([{ code: 'link_target_limit', path: 'a.md' }]);
  });

  it('are looked for in 262,144 characters, with a diagnostic where more may hold some', () => {
    const padded = (length: number) => `${'é👍 '.repeat(Math.floor(length / 3))}${'x'.repeat(length % 3)}`;
    const inside = readMarkdown(`${padded(MAX_LINK_CHARACTERS - 10)}\n[a](b.md)`, 'a.md', { title: false });
    expect(inside).toEqual({ value: { links: ['b.md'] }, diagnostics: [] });
    const outside = readMarkdown(`${padded(MAX_LINK_CHARACTERS)}\n[a](b.md)`, 'a.md', { title: false });
    expect(outside).toMatchObject({ value: { links: [] }, diagnostics: [{ code: 'link_text_limit' }] });
    const plain = readMarkdown(`[a](b.md)${padded(MAX_LINK_CHARACTERS)}`, 'a.md', { title: false });
    expect(plain).toMatchObject({ value: { links: ['b.md'] }, diagnostics: [] });
  });
});

describe('brackets', () => {
  it('are read up to 20,000 in a file, with a diagnostic', () => {
    const full = `${'[x] '.repeat(19_998)}\n\n[a](a.md)\n\n`;
    const whole = readMarkdown(`[r]: c.md\n\n${full}[b](b.md)`, 'a.md', { title: false });
    expect(whole).toEqual({ value: { links: ['a.md', 'b.md'] }, diagnostics: [] });
    const more = readMarkdown(`[r]: c.md\n\n${full}[b](b.md) [d](d.md)`, 'a.md', { title: false });
    expect(more).toMatchObject({
      value: { links: ['a.md', 'b.md'] },
      diagnostics: [{ code: 'link_work_limit' }],
    });
  });
});

describe('the filters before the parser', () => {
  const marks = fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      ':',
      '<',
      '>',
      '!',
      '`',
      '*',
      '\\',
      '"',
      ' ',
      '\n',
      '\r\n',
      '\n\n',
      '> ',
      '- ',
      '|',
      '\0',
      'é',
    ],
    ...[
      '[a]',
      '](',
      ']:',
      ']: b.md',
      '](b.md)',
      '[a](b.md)',
      '[a]: c%2Emd',
      '[a]: d\n',
      '[a][a]',
      '# ',
      '    ',
    ],
  );
  const spelled = (...ways: string[]) => fc.constantFrom(...ways);
  const destination = fc
    .tuple(
      spelled('a', 'a', '', '../', '/b/', 'c.', '&amp;'),
      spelled('.', '.', '%2e', '%2E', '&#46;', '&#x2E;', '&period;', '&percnt;2e', '&#37;2E', '\\.', ''),
      spelled('m', 'm', 'M', '%6d', '%4D', '&#109;', '&#x4d;'),
      spelled('d', 'd', 'D', '%64', '%44', '&#100;', 'x'),
      spelled('', '', '', '#e', '?f', 'x', '%'),
    )
    .map((parts) => parts.join(''));
  const link = fc.oneof(
    destination.map((to) => `[a](${to})`),
    destination.map((to) => `[b](<${to}> "t")`),
    destination.map((to) => `\n\n[r]:\n${to}\n\n[r] [x][R]\n\n`),
  );
  const piece = fc.oneof(marks, marks, link, destination);
  const text = fc.oneof(
    link,
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  );

  /** Every link that the parser finds where nothing is spared. */
  const parser = new MarkdownIt({ html: true });
  parser.normalizeLink = (to) => to;
  parser.validateLink = () => true;
  function allLinks(source: string): string[] {
    const tokens = parser.parse(source, {}).flatMap(({ children }) => children ?? []);
    const found = tokens.flatMap((token) =>
      token.type === 'link_open' ? [String(token.attrGet('href'))] : [],
    );
    return [...new Set(found.flatMap((to) => resolveLink(to, 'a.md') ?? []))];
  }

  it('never miss what the parser finds', () => {
    let found = 0;
    fc.assert(
      fc.property(text, (source) => {
        const expected = allLinks(source);
        if (expected.length > 0) found += 1;
        expect(mayContainLocalLink(source) || expected.length === 0).toBe(true);
        expect(readMarkdown(source, 'a.md', { title: false, bodyOffset: 0 }).value.links).toEqual(expected);
      }),
      { numRuns: 4_000 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it.each([
    '',
    'Plain words. And more.',
    '[a](b.txt) and c.md before'.slice(0, 10),
    'see b.md',
    '[x] done: a.md',
    'a[0](b)',
  ])('spares the parser %j', (source) => {
    expect(mayContainLocalLink(source)).toBe(false);
  });
});

describe('hostile Markdown', () => {
  const filled = (unit: string, length: number) =>
    unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  const WHOLE = MAX_LINK_CHARACTERS - 20;
  const PART = 32_768;

  it.each([
    ['brackets', filled('[', WHOLE)],
    ['images', filled('![', WHOLE)],
    ['lines of brackets', filled('[a\n', WHOLE)],
    ['quotes', `${'>'.repeat(5_000)} a\n`.repeat(50)],
    ['nested lists', Array.from({ length: 700 }, (_, i) => `${' '.repeat(i)}- a`).join('\n')],
    ['open links', filled('[a](<', PART)],
    ['emphasis', filled('**a_b*', PART)],
    ['code marks', Array.from({ length: 250 }, (_, i) => '`'.repeat(i)).join(' ')],
    ['HTML', filled('<a ', PART)],
    ['declarations', filled('<![CDATA[', PART)],
    ['lists in one line', filled('- ', PART)],
    ['definitions', filled('[a]: b "\n', PART)],
    ['a wide table', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'x\n'.repeat(20_000)}`],
  ])('is read to its end: %s', (_, text) => {
    const reading = readMarkdown(`[first](first.md) ${text}`, 'a.md', { title: true, bodyOffset: 0 });
    expect(reading.value.links).toEqual(['first.md']);
  });
});
