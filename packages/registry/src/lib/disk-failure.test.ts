import { expect, it } from 'vitest';
import { diskFailureText, isDiskFailure } from './disk-failure.ts';

it.each([
  ['ENOSPC', /^It could not be kept \(ENOSPC at write\)\. Make room/],
  ['EDQUOT', /Make room/],
  ['ENOENT', /Set XDG_CACHE_HOME to a folder of yours/],
  ['EROFS', /Set XDG_CACHE_HOME to a folder of yours/],
  ['EACCES', /Set XDG_CACHE_HOME to a folder of yours/],
  ['ENAMETOOLONG', /rename it in the registry\.$/],
  ['EIO', /Try again\.$/],
])('of %s it is said what to do', (code, sentence) => {
  const error = Object.assign(new Error(), { code, syscall: 'write' });
  expect(isDiskFailure(error) && diskFailureText('It', error)).toMatch(sentence);
});

it('what no disk has said is none', () => {
  expect(isDiskFailure(new Error('no'))).toBe(false);
});
