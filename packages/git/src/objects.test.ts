import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { objectSizes, openObjects, streamObjects, UNKNOWN_SIZE } from './objects.ts';
import { listTree } from './tree.ts';

const MISSING = '12'.repeat(20);
const bytes = (...oids: string[]) => new Uint8Array(Buffer.from(oids.join(''), 'hex'));
const blob = (repo: { git(...args: string[]): string }, path: string) =>
  repo.git('rev-parse', `HEAD:${path}`);

/** Overwrites a loose object with bytes that are none, so that git ends when it reads it. */
function breakObject(dir: string, oid: string): void {
  const file = join(dir, 'objects', oid.slice(0, 2), oid.slice(2));
  chmodSync(file, 0o644);
  writeFileSync(file, 'no object');
}

test('every blob of a tree is handed out once, in order, with its exact bytes', async () => {
  const large = randomBytes(300_000);
  const files: Record<string, string | Uint8Array> = { empty: '', large, 'with newline': 'a\n\nb\n' };
  for (let i = 0; i < 3_000; i++) files[`n/${i}`] = `file ${i}\n`.repeat(i % 50);
  const repo = repository(files);
  const tree = await listTree({ gitDir: repo.dir, env: {} }, 'HEAD');
  const seen: string[] = [];
  await streamObjects({ gitDir: repo.dir, env: {} }, tree.oids, (i, content, size) => {
    const expected = Buffer.from(files[tree.path(i)] ?? '');
    expect(size).toBe(expected.length);
    expect(content?.equals(expected)).toBe(true);
    seen.push(tree.path(i));
  });
  expect(seen).toHaveLength(3_003);
  expect(seen).toEqual(Object.keys(files).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
});

test('missing objects, trees and blobs over the bound are null, and the size says which', async () => {
  const repo = repository({ 'd/a': 'small', b: 'x'.repeat(200_000), c: 'last' });
  const oids = bytes(MISSING, blob(repo, 'b'), blob(repo, 'd'), blob(repo, 'c'));
  const seen: unknown[] = [];
  const git = { gitDir: repo.dir, env: {} };
  await streamObjects(git, oids, (_, content, size) => void seen.push([content?.toString(), size]), {
    maxBytes: 1_000,
  });
  expect(seen).toEqual([
    [undefined, UNKNOWN_SIZE],
    [undefined, 200_000],
    [undefined, UNKNOWN_SIZE],
    ['last', 4],
  ]);
  expect([...(await objectSizes(git, oids))]).toEqual([UNKNOWN_SIZE, 200_000, UNKNOWN_SIZE, 4]);
});

test('a stream waits for its reader', async () => {
  const repo = repository({ a: 'a', b: 'b', c: 'c' });
  const tree = await listTree({ gitDir: repo.dir, env: {} }, 'HEAD');
  const events: string[] = [];
  await streamObjects({ gitDir: repo.dir, env: {} }, tree.oids, async (i) => {
    events.push(`begin ${i}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    events.push(`end ${i}`);
  });
  expect(events).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1', 'begin 2', 'end 2']);
});

test('an object that git cannot read is missing, and the ones behind it are still read', async () => {
  const repo = repository({ keep: 'x' });
  const oids: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const file = join(repo.dir, text);
    writeFileSync(file, text);
    oids.push(repo.git('hash-object', '-w', file));
  }
  breakObject(repo.dir, oids[1]!);
  const git = { gitDir: repo.dir, env: {} };
  const seen: unknown[] = [];
  await streamObjects(git, bytes(...oids), (i, content) => void seen.push([i, content?.toString()]));
  expect(seen).toEqual([
    [0, 'one'],
    [1, undefined],
    [2, 'three'],
  ]);
  const objects = openObjects(git);
  const read = await Promise.all(oids.map((oid) => objects.read(oid)));
  expect(read.map((content) => content?.toString())).toEqual(['one', undefined, 'three']);
  await objects.close();
});

test('what the reader throws ends the stream and is thrown on', async () => {
  const repo = repository({ a: 'a', b: 'b' });
  const tree = await listTree({ gitDir: repo.dir, env: {} }, 'HEAD');
  const reading = streamObjects({ gitDir: repo.dir, env: {} }, tree.oids, () => {
    throw new RangeError('enough');
  });
  await expect(reading).rejects.toThrow('enough');
});

test('an aborted stream says that it was cancelled', async () => {
  const repo = repository({ a: 'a', b: 'b' });
  const tree = await listTree({ gitDir: repo.dir, env: {} }, 'HEAD');
  const abort = new AbortController();
  const reading = streamObjects({ gitDir: repo.dir, env: {} }, tree.oids, () => abort.abort(), {
    signal: abort.signal,
  });
  // Both objects may already have been on their way: then the stream is whole.
  await reading.catch((error: unknown) => expect(error).toMatchObject({ kind: 'cancelled' }));
  await expect(
    streamObjects({ gitDir: repo.dir, env: {} }, tree.oids, () => {}, { signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ kind: 'cancelled' });
});

test('single reads share one process, survive its end, and close when idle', async () => {
  const repo = repository({ a: 'first', b: 'x'.repeat(100_000) });
  const git = { gitDir: repo.dir, env: {} };
  const objects = openObjects(git, { maxBytes: 50_000, idleMs: 1 });
  const [a, missing, junk, again] = await Promise.all([
    objects.read(blob(repo, 'a')),
    objects.read(MISSING),
    objects.read('HEAD:a\n'),
    objects.read(blob(repo, 'a')),
  ]);
  expect([a?.toString(), missing, junk, again?.toString()]).toEqual(['first', null, null, 'first']);
  await expect(objects.read(blob(repo, 'b'))).rejects.toMatchObject({ kind: 'too_large' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await objects.read(blob(repo, 'a')))?.toString()).toBe('first');
  await objects.close();
  await expect(objects.read(blob(repo, 'a'))).rejects.toMatchObject({ kind: 'cancelled' });
});

test('a partial clone answers missing instead of asking its remote', async () => {
  const origin = repository({ a: 'content' });
  origin.git('config', 'uploadpack.allowFilter', 'true');
  const clone = repository({ other: 'x' });
  clone.git(
    '-c',
    'protocol.file.allow=always',
    'fetch',
    '--quiet',
    '--filter=blob:none',
    `file://${origin.dir}`,
    'main:got',
  );
  expect(readdirSync(join(clone.dir, 'objects', 'pack')).some((name) => name.endsWith('.promisor'))).toBe(
    true,
  );
  const oid = blob(origin, 'a');
  const seen: unknown[] = [];
  await streamObjects(
    { gitDir: clone.dir, env: {} },
    bytes(oid),
    (_, content, size) => void seen.push([content, size]),
  );
  expect(seen).toEqual([[null, UNKNOWN_SIZE]]);
});
