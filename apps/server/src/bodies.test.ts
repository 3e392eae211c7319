import { afterEach, expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { type Bodies, createBodies } from './bodies.ts';

const opened: Bodies[] = [];
afterEach(async () => {
  for (const bodies of opened.splice(0)) await bodies.close();
});

function open(): Bodies {
  const bodies = createBodies();
  opened.push(bodies);
  return bodies;
}

test('what is no longer where it was brought to is brought again', async () => {
  const files = { a: 'one', b: 'two' };
  const first = repository(files);
  const second = repository(files);
  let here = first;
  let brought = 0;
  const objects = open().of('gh/acme/library', async () => {
    brought += 1;
    return { gitDir: here.dir, env: {} };
  });
  expect(String(await objects.read(first.git('rev-parse', 'HEAD:a')))).toBe('one');
  const other = first.git('rev-parse', 'HEAD:b');
  first.remove();
  here = second;
  expect(String(await objects.read(other))).toBe('two');
  expect(brought).toBe(2);
});

test('an object that was never there is looked for twice, and each read that fails ends', async () => {
  const repo = repository({ a: 'one' });
  let brought = 0;
  const objects = open().of('gh/acme/library', async () => {
    brought += 1;
    return { gitDir: repo.dir, env: {} };
  });
  expect(await objects.read('0'.repeat(40))).toBeNull();
  expect(brought).toBe(2);
});
