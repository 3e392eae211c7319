import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { blobsThrough, openBlobCache } from './blob-cache.ts';
import { blobId } from './git-id.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-blobs-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = join(root, 'blobs');
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

const blob = (text: string, kind: 'sha1' | 'sha256' = 'sha1') => {
  const bytes = Buffer.from(text);
  return [blobId(bytes, kind), bytes] as const;
};
const fileOf = (oid: string) => join(folder, oid.slice(0, 2), oid.slice(2));
const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

it('an id is the one git gives', () => {
  // `git hash-object` of nothing and of "hello\n", in both kinds of repository.
  expect(blobId(Buffer.from(''))).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  expect(blobId(Buffer.from('hello\n'))).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
  expect(blobId(Buffer.from('hello\n'), 'sha256')).toBe(
    '2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4',
  );
});

it('what was kept is there for every cache on the folder, and for this user alone', async () => {
  const [a, b] = [blob('a'), blob('b', 'sha256')];
  await openBlobCache(folder).write(new Map([a, b]));
  const found = await openBlobCache(folder).read([a[0], b[0], blob('c')[0], '../../etc/passwd']);
  expect(new Map([...found].map(([oid, bytes]) => [oid, Buffer.from(bytes)]))).toEqual(new Map([a, b]));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(fileOf(a[0])).mode & 0o777).toBe(0o600);
});

it('what is not what its id says is not there, and goes', async () => {
  const cache = openBlobCache(folder);
  const [oid, bytes] = blob('content');
  await cache.write(new Map([[oid, bytes]]));
  writeFileSync(fileOf(oid), 'conten');
  expect((await cache.read([oid])).size).toBe(0);
  expect(files()).toEqual([]);
});

it('only what is missing is fetched, once', async () => {
  const cache = openBlobCache(folder);
  const all = new Map(['a', 'b', 'c'].map((text) => blob(text)));
  const asked: (readonly string[])[] = [];
  const fetch = async (oids: readonly string[]) => {
    asked.push(oids);
    return new Map(oids.map((oid) => [oid, all.get(oid) ?? Buffer.of()]));
  };
  const [a = '', b = '', c = ''] = all.keys();
  await blobsThrough(cache, [a, a], fetch);
  const found = await blobsThrough(cache, [a, b, c], fetch);
  await blobsThrough(cache, [a, b, c], fetch);
  expect(asked).toEqual([[a], [b, c]]);
  expect(found.size).toBe(3);
});

it('beyond its bound it loses what was used longest ago', async () => {
  const blobs = Array.from({ length: 20 }, (_, i) => blob(String(i).padEnd(100, '.')));
  const cache = openBlobCache(folder, 1_000);
  await cache.write(new Map(blobs.slice(0, 10)));
  for (const [i, [oid]] of blobs.slice(0, 10).entries()) utimesSync(fileOf(oid), i, i);
  const first = blobs[0]?.[0] ?? '';
  await cache.read([first]);
  await openBlobCache(folder, 1_000).write(new Map(blobs.slice(10, 14)));
  const left = [...(await cache.read(blobs.map(([oid]) => oid))).keys()].sort();
  expect(left).toEqual([first, ...blobs.slice(7, 14).map(([oid]) => oid)].sort());
});

it('a blob that would take much of it is not kept', async () => {
  const cache = openBlobCache(folder, 1_000);
  const [oid, bytes] = blob('x'.repeat(200));
  await cache.write(new Map([[oid, bytes]]));
  expect((await cache.read([oid])).size).toBe(0);
});

it('what a killed process was writing goes after a while', async () => {
  const [oid] = blob('x');
  mkdirSync(join(folder, oid.slice(0, 2)), { recursive: true });
  const [old, recent] = ['draft-1-a-1', 'draft-1-a-2'].map((name) => join(folder, oid.slice(0, 2), name));
  for (const path of [old, recent]) writeFileSync(path ?? '', 'half');
  utimesSync(old ?? '', 1, 1);
  await openBlobCache(folder).write(new Map([blob('y')]));
  expect(files().map(({ name }) => name)).toContain('draft-1-a-2');
  expect(files().map(({ name }) => name)).not.toContain('draft-1-a-1');
});

it('a folder that cannot be used is no failure', async () => {
  writeFileSync(join(root, 'file'), '');
  const cache = openBlobCache(join(root, 'file', 'blobs'));
  await cache.write(new Map([blob('a')]));
  expect((await cache.read([blob('a')[0]])).size).toBe(0);
});
