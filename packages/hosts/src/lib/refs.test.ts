import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRef, parseRefs } from './refs.ts';

const [A, B, C] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];

test('a listing is read whatever order its lines have', () => {
  const refs = parseRefs(
    `ref: refs/heads/main\tHEAD\n${A}\tHEAD\n${A}\trefs/heads/main\n${B}\trefs/tags/v1\n${C}\trefs/tags/v1^{}\n${B}\trefs/pull/1/head\n`,
  );
  expect(refs.head).toEqual({ commit: A, branch: 'main' });
  expect([...refs.branches]).toEqual([['main', A]]);
  expect([...refs.tags]).toEqual([['v1', C]]);
});

test('HEAD may be detached, or name a branch that is not there', () => {
  expect(parseRefs(`${A}\tHEAD\n${B}\trefs/heads/main\n`).head).toEqual({ commit: A, branch: null });
  expect(parseRefs(`ref: refs/heads/gone\tHEAD\n${B}\trefs/heads/main\n`).head).toBeNull();
  expect(parseRefs('').head).toBeNull();
});

test('a branch called like a longer spelling wins over it', () => {
  const refs = parseRefs(`${A}\trefs/heads/heads/x\n${B}\trefs/heads/x\n`);
  expect(findRef(refs, 'heads/x')).toEqual({ commit: A, branch: 'heads/x' });
  expect(findRef(refs, 'refs/heads/x')).toEqual({ commit: B, branch: 'x' });
});

test('any text is read, and only names that were listed are found', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, name) => {
      expect(findRef(parseRefs(text), name)).toBeNull();
    }),
  );
});
