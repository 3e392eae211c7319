import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderWatch } from './folder-watch.ts';

let root: string;
let folders: FolderWatch;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'skillquay-watch-')));
});
afterEach(() => {
  folders.close();
  rmSync(root, { recursive: true, force: true });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const covered = () => expect.poll(() => folders.complete, { timeout: 5_000 }).toBe(true);

/** Writes into a folder and waits until that is noticed. */
async function seen(path: string): Promise<void> {
  const before = folders.changes;
  writeFileSync(join(root, path, 'file'), path);
  await expect.poll(() => folders.changes, { timeout: 5_000, message: path }).toBeGreaterThan(before);
  await covered();
}

/** Lets what was noticed late arrive, so that it is not taken for something new. */
async function quiet(): Promise<void> {
  for (let last = -1; last !== folders.changes; ) {
    last = folders.changes;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await covered();
}

test('a folder that is made while the others are looked through is watched', async () => {
  for (let i = 0; i < 1_500; i++) mkdirSync(join(root, `n${i}`));
  folders = new FolderWatch([root], []);
  await covered();
  mkdirSync(join(root, 'first'));
  while (folders.complete) await turn();
  // The root has been listed; what lies in it takes longer.
  await new Promise((resolve) => setTimeout(resolve, 10));
  mkdirSync(join(root, 'second/deep'), { recursive: true });
  await quiet();
  await seen('second/deep');
});

test('folders that vanish while they are looked through do not end the watching', async () => {
  const made = Array.from({ length: 400 }, (_, i) => `n${i}`);
  for (const path of made) mkdirSync(join(root, path));
  folders = new FolderWatch([root], []);
  await turn();
  for (const path of made.slice(1)) rmSync(join(root, path), { recursive: true });
  await quiet();
  await seen('n0');
});

test('a folder that is made again under its name is watched', async () => {
  mkdirSync(join(root, 'a/b'), { recursive: true });
  folders = new FolderWatch([root], []);
  await covered();
  rmSync(join(root, 'a'), { recursive: true });
  mkdirSync(join(root, 'a/b'), { recursive: true });
  await quiet();
  await seen('a/b');
  renameSync(join(root, 'a'), join(root, 'c'));
  mkdirSync(join(root, 'a/b'), { recursive: true });
  await quiet();
  await seen('a/b');
  await seen('c/b');
});

test('those who listen are told once a new folder is watched, whatever was written there before', async () => {
  folders = new FolderWatch([root], []);
  await covered();
  const told: boolean[] = [];
  folders.onChange(() => told.push(folders.complete));
  mkdirSync(join(root, 'a'));
  await expect.poll(() => told, { timeout: 5_000 }).toContain(true);
});

test('a file that comes by a new name is told, and the folders need not be looked through for it', async () => {
  mkdirSync(join(root, 'a'));
  writeFileSync(join(root, 'a/file'), 'before');
  folders = new FolderWatch([root], []);
  await quiet();
  const told: boolean[] = [];
  folders.onChange(() => told.push(folders.complete));
  writeFileSync(join(root, 'a/file~'), 'after');
  renameSync(join(root, 'a/file~'), join(root, 'a/file'));
  await expect.poll(() => told.length, { timeout: 5_000 }).toBeGreaterThan(2);
  rmSync(join(root, 'a/file'));
  await quiet();
  expect(new Set(told)).toEqual(new Set([true]));
});

test('nothing is believed of a folder that is gone', async () => {
  const inner = join(root, 'served');
  mkdirSync(inner);
  folders = new FolderWatch([inner], []);
  await covered();
  rmSync(inner, { recursive: true });
  await expect.poll(() => folders.complete, { timeout: 5_000 }).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(folders.complete).toBe(false);
});

test('of a folder that is watched for a file other names do not count', async () => {
  for (const path of ['served', 'home']) mkdirSync(join(root, path));
  writeFileSync(join(root, 'home/rules'), 'before');
  const served = join(root, 'served');
  folders = new FolderWatch([served], [], [join(root, 'home/rules'), '/dev/null', '/nonexistent/rules']);
  await quiet();
  const before = folders.changes;
  writeFileSync(join(root, 'home/history'), 'x');
  writeFileSync('/dev/null', 'x');
  await quiet();
  expect(folders.changes).toBe(before);
  writeFileSync(join(root, 'home/new'), 'after');
  renameSync(join(root, 'home/new'), join(root, 'home/rules'));
  await expect.poll(() => folders.changes, { timeout: 5_000 }).toBeGreaterThan(before);
  await quiet();
  await seen('served');
});

test('files that are named later are watched, and those that are not any more are not', async () => {
  for (const path of ['served', 'one', 'two']) mkdirSync(join(root, path));
  folders = new FolderWatch([join(root, 'served')], [], [join(root, 'one/file')]);
  await quiet();
  await seen('one');
  await quiet();
  folders.watchFiles([join(root, 'two/file')]);
  expect(folders.complete).toBe(false);
  await quiet();
  await seen('two');
  await quiet();
  const before = folders.changes;
  writeFileSync(join(root, 'one/file'), 'x');
  await quiet();
  expect(folders.changes).toBe(before);
});
