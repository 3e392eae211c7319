import { expect, it } from 'vitest';
import { isJsonPath, isMarkdownPath } from './file-kind.ts';

it.each([
  ['a/b.md', true, false],
  ['B.MD', true, false],
  ['b.markdown', true, false],
  ['b.mdx', true, false],
  ['.md', true, false],
  ['b.json', false, true],
  ['b.JSON', false, true],
  ['b.jsonc', false, false],
  ['b.md.txt', false, false],
  ['md', false, false],
  ['a.md/b', false, false],
])('%s is Markdown: %s, JSON: %s', (path, markdown, json) => {
  expect([isMarkdownPath(path), isJsonPath(path)]).toEqual([markdown, json]);
});
