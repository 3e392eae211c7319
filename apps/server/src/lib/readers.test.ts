import { afterAll, afterEach, expect, test } from 'vitest';
import { repository } from '../../../../test-support/repository.ts';
import { createReaders, type Readers } from './readers.ts';

const repo = repository({ a: 'one', b: 'two' });
const [one, two] = [repo.git('rev-parse', 'HEAD:a'), repo.git('rev-parse', 'HEAD:b')];
let readers: Readers;
afterEach(() => readers.close());
afterAll(() => repo.remove());

/** The same objects, as another repository: a reader belongs to a directory and its environment. */
const as = (name: number) => ({ gitDir: repo.dir, env: { GIT_COMMITTER_NAME: `r${name}` } });
const text = (body: Uint8Array | null) => (body === null ? null : Buffer.from(body).toString());

test('more repositories are read at a time than readers are kept', async () => {
  readers = createReaders(4);
  const reads = Array.from({ length: 12 }, (_, i) => readers.read(as(i), one));
  expect((await Promise.all(reads)).map(text)).toEqual(reads.map(() => 'one'));
  // Those that had to make way can be read again.
  expect(text(await readers.read(as(0), two))).toBe('two');
});

test('what is read when everything is closed comes to an end', async () => {
  readers = createReaders();
  const reading = readers.read(as(0), one);
  const ended = expect(reading).rejects.toThrow();
  await readers.close();
  await ended;
});

test('nothing is read after everything was closed, by those who had begun either', async () => {
  readers = createReaders();
  const late = readers.read(as(0), one).catch(() => readers.read(as(0), two));
  await readers.close();
  await expect(late).rejects.toThrow('closed');
  await expect(readers.read(as(1), one)).rejects.toThrow('closed');
});
