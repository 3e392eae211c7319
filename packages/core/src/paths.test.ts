import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  basename,
  checkRepositoryPath,
  compareUtf8,
  dirname,
  isBelow,
  isHidden,
  isWithin,
  joinPath,
} from './paths.ts';

describe('the rule for a repository path', () => {
  test.each([
    'a',
    'docs/guide.md',
    '.github/skills/x/SKILL.md',
    'a..b/...',
    '..a/b..',
    'with space/ü/漢字.md',
    'a#b?c%20d',
    "it's/a:b@c",
    'warn ⚠️.md',
    '😀/x',
    'a'.repeat(1_024),
    '😀'.repeat(1_024),
  ])('%s may be written', (path) => {
    expect(checkRepositoryPath(path)).toBeNull();
  });

  test.each([
    ['', 'empty'],
    ['/a', 'leading "/"'],
    ['a/', 'no "/" at its end'],
    ['a//b', 'no empty part'],
    ['.', '".."'],
    ['..', '".."'],
    ['./a', '".."'],
    ['a/..', '".."'],
    ['a/../b', '".."'],
    ['a/./b', '".."'],
    ['a\\b', 'backslash'],
    ['a\nb', 'control'],
    ['a\u0000', 'control'],
    ['a\u007f', 'control'],
    ['a\u0085', 'control'],
    ['a\u2028b', 'control'],
    ['a\u200bb', 'invisible'],
    ['a\u200db', 'invisible'],
    ['a\ufff9b', 'invisible'],
    ['a\ufeffb', 'invisible'],
    ['a\u202eb', 'bidirectional'],
    ['a\u2066b', 'bidirectional'],
    ['a\u061cb', 'bidirectional'],
    ['a\u00adb', 'invisible'],
    ['a\u3164b', 'invisible'],
    ['a\u{e0041}b', 'invisible'],
    ['a\u{e0100}b', 'invisible'],
    ['a\ud800b', 'control'],
    ['a'.repeat(1_025), '1,024'],
    ['😀'.repeat(1_025), '1,024'],
  ])('%j may not: %s', (path, says) => {
    expect(checkRepositoryPath(path)).toContain(says);
  });

  test('the empty path is the root where the root is asked for', () => {
    expect(checkRepositoryPath('', { root: true })).toBeNull();
  });
});

test('paths are ordered as their bytes are', () => {
  const utf8 = new TextEncoder();
  const byBytes = (a: string, b: string): number => {
    const [x, y] = [utf8.encode(a), utf8.encode(b)];
    for (let i = 0; i < Math.min(x.length, y.length); i += 1) {
      const difference = (x[i] ?? 0) - (y[i] ?? 0);
      if (difference !== 0) return difference;
    }
    return x.length - y.length;
  };
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Math.sign(byBytes(a, b)));
    }),
  );
  expect(compareUtf8('\uffee', '😀')).toBeLessThan(0);
  expect(compareUtf8('\ue000', '\u{10000}')).toBeLessThan(0);
  expect(compareUtf8('a', 'a/b')).toBeLessThan(0);
});

test('a path is taken apart and put together', () => {
  expect([dirname('a/b/c'), dirname('a'), basename('a/b/c'), basename('a')]).toEqual(['a/b', '', 'c', 'a']);
  expect([joinPath('', 'a'), joinPath('a', ''), joinPath('a', 'b')]).toEqual(['a', 'a', 'a/b']);
});

test('a path is hidden below a segment that starts with a dot', () => {
  expect(['.a', 'a/.b/c', 'a.b/c', 'a/b.'].map(isHidden)).toEqual([true, true, false, false]);
});

test('a name that starts alike is not below', () => {
  expect([
    isBelow('a/b', 'a'),
    isBelow('ab', 'a'),
    isBelow('a', 'a'),
    isBelow('a', ''),
    isBelow('', ''),
  ]).toEqual([true, false, false, true, false]);
  expect([isWithin('a', 'a'), isWithin('a/b', 'a'), isWithin('ab', 'a'), isWithin('', '')]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});
