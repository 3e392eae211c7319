import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { writeDurably } from '../src/lib/build-file.ts';
import { type IndexStore, openStore } from '../src/store.ts';
import type { IndexIdentity } from '../src/tables.ts';
import { build, skill } from './support.ts';

const directories: string[] = [];
const newDirectory = () => {
  const directory = mkdtempSync(join(tmpdir(), 'skillquay-store-'));
  directories.push(directory);
  return directory;
};
const repo = repository({ 's/SKILL.md': skill('s') });
afterAll(() => {
  repo.remove();
  for (const directory of directories) rmSync(directory, { recursive: true });
});

const identity = (commit: string, repository = 'gh/acme/library'): IndexIdentity => ({
  repository,
  commit,
  rules: '1-x',
});

async function put(store: IndexStore, of: IndexIdentity): Promise<number> {
  const { bytes } = await build(repo, { identity: of });
  const draft = store.draft(of);
  await writeDurably(draft.path, [bytes]);
  await draft.publish();
  return bytes.length;
}

const files = (directory: string) => readdirSync(join(directory, 'index'));
/** Gives each index another time of last use, in the order of the commits. */
function age(directory: string, order: readonly string[]): void {
  for (const name of files(directory)) {
    const path = join(directory, 'index', name);
    const at = order.findIndex((commit) => readFileSync(path).includes(`"${commit}"`));
    utimesSync(path, 1_000 + at, 1_000 + at);
  }
}

test('a store whose directory was removed is made again', async () => {
  const directory = newDirectory();
  const store = await openStore({ directory, maxBytes: 1e9 });
  rmSync(join(directory, 'index'), { recursive: true });
  expect(await store.open(identity('c1'))).toBeNull();
  expect(await store.previousFile(identity('c1'))).toBeNull();
  await put(store, identity('c1'));
  expect(await store.open(identity('c1'))).not.toBeNull();
  expect(statSync(join(directory, 'index')).mode & 0o777).toBe(0o700);
});

test('a store that is made is for this user alone', async () => {
  const directory = join(newDirectory(), 'new');
  await openStore({ directory, maxBytes: 1e9 });
  for (const path of [directory, join(directory, 'index')]) expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('an index that was published is opened, by its identity alone', async () => {
  const store = await openStore({ directory: newDirectory(), maxBytes: 1e9 });
  await put(store, identity('c1'));
  const opened = await store.open(identity('c1'));
  expect(opened?.index.identity).toEqual(identity('c1'));
  expect(await store.open(identity('c2'))).toBeNull();
  expect(await store.open({ ...identity('c1'), rules: '2-x' })).toBeNull();
  expect(await store.open(identity('c1', 'gh/acme/other'))).toBeNull();
});

test('a draft is not an index until it is published, and nothing once it is discarded', async () => {
  const directory = newDirectory();
  const store = await openStore({ directory, maxBytes: 1e9 });
  const draft = store.draft(identity('c1'));
  await writeDurably(draft.path, [new Uint8Array(8)]);
  expect(await store.open(identity('c1'))).toBeNull();
  await draft.discard();
  expect(files(directory)).toEqual([]);
});

test('a torn file is deleted and not there', async () => {
  const directory = newDirectory();
  const store = await openStore({ directory, maxBytes: 1e9 });
  const size = await put(store, identity('c1'));
  const path = join(directory, 'index', files(directory)[0] ?? '');
  truncateSync(path, size - 1);
  expect(await store.open(identity('c1'))).toBeNull();
  expect(existsSync(path)).toBe(false);
});

test('a file under the name of another index is not served', async () => {
  const directory = newDirectory();
  const store = await openStore({ directory, maxBytes: 1e9 });
  const { bytes } = await build(repo, { identity: identity('c2') });
  const draft = store.draft(identity('c1'));
  await writeDurably(draft.path, [bytes]);
  await draft.publish();
  expect(await store.open(identity('c1'))).toBeNull();
});

test('beyond the budget the longest unused are given up', async () => {
  const directory = newDirectory();
  const store = await openStore({ directory, maxBytes: 1e9 });
  const size = await put(store, identity('c1'));
  for (const commit of ['c2', 'c3']) await put(store, identity(commit));
  age(directory, ['c1', 'c2', 'c3']);
  (await store.open(identity('c1')))?.close();
  const bounded = await openStore({ directory, maxBytes: 3 * size });
  await put(bounded, identity('c4'));
  expect(await bounded.open(identity('c2'))).toBeNull();
  for (const commit of ['c1', 'c3', 'c4']) expect(await bounded.open(identity(commit))).not.toBeNull();
});

test('an index in use is never given up, nor is the one just written', async () => {
  const directory = newDirectory();
  const store = await openStore({ directory, maxBytes: 1 });
  await put(store, identity('c1'));
  const used = await store.open(identity('c1'));
  await put(store, identity('c2'));
  expect(files(directory)).toHaveLength(2);
  used?.close();
  used?.close();
  await put(store, identity('c3'));
  expect(files(directory)).toHaveLength(1);
  expect(await store.open(identity('c3'))).not.toBeNull();
});

test('the index used last of the same repository and rules is what a build starts from', async () => {
  const directory = newDirectory();
  const store = await openStore({ directory, maxBytes: 1e9 });
  expect(await store.previousFile(identity('c1'))).toBeNull();
  await put(store, identity('c1'));
  await put(store, identity('c2'));
  await put(store, identity('other', 'gh/acme/other'));
  age(directory, ['c2', 'c1', 'other']);
  const previous = await store.previousFile(identity('c3'));
  expect(readFileSync(previous ?? '').includes('"c1"')).toBe(true);
  expect(await store.previousFile({ ...identity('c3'), rules: '2-x' })).toBeNull();
});

test('what a build that was killed left behind is removed; what another builds now is not', async () => {
  const directory = newDirectory();
  await openStore({ directory, maxBytes: 1 });
  const at = (name: string) => join(directory, 'index', name);
  writeFileSync(at('4194305-dead.tmp'), 'x');
  writeFileSync(at(`${process.pid}-mine.tmp`), 'x');
  writeFileSync(at(`${process.ppid}-theirs.tmp`), 'x');
  writeFileSync(at('1-ancient.tmp'), 'x');
  utimesSync(at('1-ancient.tmp'), 1_000, 1_000);
  await openStore({ directory, maxBytes: 1 });
  expect(files(directory)).toEqual([`${process.ppid}-theirs.tmp`]);
});
