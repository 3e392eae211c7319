import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseReadme, isReadmePath } from './readme.ts';

describe('the README of a folder', () => {
  const inOrder = [
    'README.md',
    'readme.md',
    'README.MD',
    'ReadMe.md',
    'README.markdown',
    'readme.markdown',
    'README.mdx',
  ];

  it('is chosen by spelling, then by path, whatever the order of the files', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder, { minLength: 1 }), (names) => {
        expect(chooseReadme(names)).toBe(inOrder.find((name) => names.includes(name)));
      }),
    );
  });

  it.each([
    'README.zh-CN.md',
    'README_de.md',
    'README',
    'README.txt',
    'README.md.bak',
    'MYREADME.md',
    'README.json',
  ])('is never %s', (name) => {
    expect(chooseReadme([name])).toBeNull();
  });

  it.each([
    ['README.md', true],
    ['a/readme.MDX', true],
    ['a/readme/b.md', false],
    ['readme.md/x', false],
    ['a/MYREADME.md', false],
    ['a/', false],
    ['', false],
  ])('is known by the last name of a path: %j', (path, isOne) => {
    expect(isReadmePath(path)).toBe(isOne);
  });

  it('need not be there', () => {
    expect(chooseReadme([])).toBeNull();
  });
});
