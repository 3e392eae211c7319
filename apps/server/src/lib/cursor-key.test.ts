import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cursorMac } from './cursor-key.ts';

let parent: string;
let store: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'skillquay-key-'));
  store = join(parent, 'store');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const message = new TextEncoder().encode('a cursor');
const seal = async (configured: string | null = null) =>
  Buffer.from((await cursorMac(configured, store))(message)).toString('hex');

test('processes that start at the same time, and later ones, share one key', async () => {
  const seals = await Promise.all(Array.from({ length: 20 }, () => seal()));
  expect(new Set(seals)).toEqual(new Set([await seal()]));
  expect(readdirSync(store)).toEqual(['cursor.key']);
});

test('the key, and the store that is made for it, are for this user alone', async () => {
  await seal();
  expect(statSync(store).mode & 0o777).toBe(0o700);
  expect(statSync(join(store, 'cursor.key')).mode & 0o777).toBe(0o600);
});

test.each(['', 'torn', 'f'.repeat(63)])('a file that holds %j is an error, never a key', async (text) => {
  await seal();
  writeFileSync(join(store, 'cursor.key'), text);
  await expect(seal()).rejects.toThrow('holds no key. Remove it');
});

test('a store that cannot keep a key is an error', async () => {
  writeFileSync(store, 'a file');
  await expect(seal()).rejects.toThrow();
});

test('a configured key is used and nothing is written', async () => {
  expect(await seal('configured')).not.toBe(await seal('other'));
  expect(readdirSync(parent)).toEqual([]);
});
