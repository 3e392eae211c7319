// The repositories of tests: many of them, and nothing left of them.
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { repository } from '../test-support/repository.ts';

it('repositories take one listener of the process, however many there are', () => {
  const before = process.listenerCount('exit');
  const repositories = Array.from({ length: 12 }, () => repository());
  expect(process.listenerCount('exit')).toBe(before);
  for (const { dir, remove } of repositories) {
    expect(existsSync(dir)).toBe(true);
    remove();
    expect(existsSync(dir)).toBe(false);
  }
});
