import { expect, test } from 'vitest';
import { showPath } from './show-path.ts';

test.each([
  ['docs/a b.md', 'docs/a b.md'],
  ['資料/案内 1.md', '資料/案内 1.md'],
  [' leading.md', '" leading.md"'],
  ['docs/trailing.md ', '"docs/trailing.md "'],
  ['docs/two  spaces.md', '"docs/two  spaces.md"'],
  ['\u3000wide.md', '"\u3000wide.md"'],
  ['"quoted"', '"\\"quoted\\""'],
  ['say "so".md', 'say "so".md'],
  ['a\nb', 'a\\u{a}b'],
])('the path %j is written %s', (path, line) => {
  expect(showPath(path)).toBe(line);
});
