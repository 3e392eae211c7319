import { expect, test } from 'vitest';
import { isTooDeep, MAX_LEVELS } from './levels.ts';

/** `levels` lists or records in one another, with something beside each. */
function nested(levels: number, inside: unknown = 1): unknown {
  let value = inside;
  for (let level = 0; level < levels; level += 1)
    value = level % 2 === 0 ? [null, value] : { a: 'x', b: value };
  return value;
}

test.each([undefined, null, 'text', 1, [], {}, nested(MAX_LEVELS), nested(MAX_LEVELS, null)])(
  'as deep as it may be: %#',
  (value) => expect(isTooDeep(value)).toBe(false),
);

test.each([MAX_LEVELS + 1, 10_000, 300_000])('%d levels are too many', (levels) => {
  expect(isTooDeep(nested(levels))).toBe(true);
  expect(isTooDeep(nested(levels, {}))).toBe(true);
});

test('width is not depth', () => {
  expect(isTooDeep(Array.from({ length: 200_000 }, () => [{}]))).toBe(false);
});
