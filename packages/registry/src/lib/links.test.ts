import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldersOf, staysInside } from './links.ts';

const folders = foldersOf(['SKILL.md', 'a/b/c/file', 'd/link']);

it('the folders of paths are those above them', () => {
  expect([...folders].sort()).toEqual(['', 'a', 'a/b', 'a/b/c', 'd']);
});

describe('a link stays inside', () => {
  it.each([
    ['link', 'SKILL.md'],
    ['link', './a/b'],
    ['link', 'not/there'],
    ['link', '.'],
    ['a/b/link', '../../SKILL.md'],
    ['a/b/link', '../..'],
    ['link', 'a/b/../../SKILL.md'],
    ['link', 'a//b'],
  ])('at %s to %s', (path, target) => {
    expect(staysInside(path, target, folders)).toBe(true);
  });
});

describe('a link leads out', () => {
  it.each([
    ['link', ''],
    ['link', '/etc/passwd'],
    ['link', '..'],
    ['link', '../skill/SKILL.md'],
    ['a/b/link', '../../../x'],
    ['link', 'a/b/../../../x'],
    // Through what may be a link to somewhere deeper, or spelled otherwise on disk.
    ['link', 'd/link/../../x'],
    ['link', 'A/b/../../x'],
    ['link', 'not/../x'],
    ['link', 'C:\\x'],
    ['link', 'c:x'],
    ['link', '..\\x'],
    ['link', 'a\0'],
  ])('at %s to %j', (path, target) => {
    expect(staysInside(path, target, folders)).toBe(false);
  });
});

it('whatever links a skill has, those that stay inside never lead out of it, one through the other', () => {
  const part = fc.constantFrom('..', '.', 'a', 'b', 'l', 'm', 'n');
  const target = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
  const links = fc.tuple(target, target, target);
  fc.assert(
    fc.property(links, ([l, m, n]) => {
      const given = new Map([
        ['l', l],
        ['a/m', m],
        ['a/b/n', n],
      ]);
      const known = foldersOf([...given.keys(), 'a/b/file']);
      const kept = new Map([...given].filter(([path, to]) => staysInside(path, to, known)));
      for (const path of kept.keys()) expect(leavesBy(path, kept)).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});

/** Follows a link as a kernel would. */
function leavesBy(path: string, links: ReadonlyMap<string, string>): boolean {
  const todo = path.split('/');
  const at: string[] = [];
  for (let steps = 0; todo.length > 0 && steps < 200; steps += 1) {
    const part = todo.shift() ?? '.';
    if (part === '.') continue;
    if (part === '..') {
      if (at.length === 0) return true;
      at.pop();
      continue;
    }
    const target = links.get([...at, part].join('/'));
    if (target === undefined) at.push(part);
    else todo.unshift(...target.split('/'));
  }
  return false;
}
