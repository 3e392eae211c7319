import { expect, it } from 'vitest';
import { table } from './table.ts';

it('is aligned under its headings, and cut at the edge of the terminal', () => {
  expect(
    table(
      ['A', 'LAST'],
      [
        ['one', 'word '.repeat(30)],
        ['日本', 'x'],
      ],
      40,
    ).split('\n'),
  ).toEqual(['A     LAST', 'one   word word word word word word…', '日本  x']);
});

it('is tabs and nothing else to a program', () => {
  expect(
    table(
      ['A', 'B'],
      [
        ['a', 'b\tc\nd'],
        ['e', ''],
      ],
      null,
    ),
  ).toBe('a\tb c d\ne\t');
});

it('obeys nothing that it shows', () => {
  expect(table(['A'], [['\u001b[31mred\u202e']], null)).toBe('\\u001b[31mred\\u202e');
});
