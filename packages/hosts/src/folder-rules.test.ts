// What becomes ignored is no longer served, wherever the rule for it is written.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, parseAddress } from '@skillquay/core/address';
import { listTree } from '@skillquay/git/tree';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkout, folder } from '../../../test-support/folder.ts';
import type { Host } from './host.ts';
import { createHosts, type Hosts } from './hosts.ts';
import { sourceFrom } from './sources.ts';

let storeDir: string;
const opened: Hosts[] = [];
beforeEach(() => {
  storeDir = mkdtempSync(join(tmpdir(), 'skillquay-store-'));
});
afterEach(async () => {
  for (const hosts of opened.splice(0)) await hosts.close();
  rmSync(storeDir, { recursive: true, force: true });
});

const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function serve(dir: string): Promise<Host> {
  const found = await sourceFrom(dir, { cwd: '/', as: 'a/b' });
  if (!found.ok) throw new Error(found.message);
  const remotes = { gh: 'http://127.0.0.1:1', gl: 'http://127.0.0.1:1', cb: 'http://127.0.0.1:1' };
  const hosts = await createHosts({
    sources: [found.source],
    remotes,
    open: false,
    storeDir,
    refTtlMs: 60_000,
    // What is in memory never grows old: only a change that is seen ends it.
    now: () => 0,
  });
  opened.push(hosts);
  const host = hosts.byKey.get('local');
  if (!host) throw new Error('no host');
  return host;
}

function here(): Address {
  const parsed = parseAddress('/local/a/b');
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.address;
}

async function names(host: Host): Promise<string[]> {
  const resolution = await host.resolve(here());
  const { count, path } = await listTree(await host.bring(resolution), resolution.tree);
  return Array.from({ length: count }, (_, i) => path(i));
}

/** Serves a folder until what was seen of it is believed, so that a change must be noticed to count. */
async function settled(dir: string): Promise<Host> {
  const host = await serve(dir);
  await names(host);
  await moment(500);
  await names(host);
  return host;
}

/** The system tells of a change a moment later. */
const soon = (host: Host, expected: string[]) =>
  expect.poll(() => names(host), { timeout: 2_000, interval: 20 }).toEqual(expected);

test('by info/exclude, whether the folder of it was there or not', async () => {
  const repo = checkout({ a: 'x' });
  repo.write({ '.git/info': null, private: 'x', other: 'x' });
  const host = await settled(repo.dir);
  repo.write({ '.git/info/exclude': 'private\n' });
  await soon(host, ['a', 'other']);
  await moment(500);
  repo.write({ '.git/info/exclude': 'private\nother\n' });
  await soon(host, ['a']);
});

test('by core.excludesFile, when it is set, when the file comes and when it changes', async () => {
  const repo = checkout({ a: 'x' });
  const user = folder({ 'dotfiles/ignore': 'none\n', 'home/link': { symlink: '../dotfiles/ignore' } });
  repo.write({ private: 'x', other: 'x' });
  const host = await settled(repo.dir);
  repo.git('config', 'core.excludesFile', join(user.dir, 'home/not/yet'));
  await soon(host, ['a', 'other', 'private']);
  await moment(500);
  user.write({ 'home/not/yet': 'private\n' });
  await soon(host, ['a', 'other']);
  repo.git('config', 'core.excludesFile', join(user.dir, 'home/link'));
  await soon(host, ['a', 'other', 'private']);
  await moment(500);
  user.write({ 'dotfiles/ignore': 'other\n' });
  await soon(host, ['a', 'private']);
});

test('by a .gitignore above the folder', async () => {
  const repo = checkout({ 'in/deep/a': 'x' });
  repo.write({ 'in/deep/private': 'x', 'in/deep/other': 'x' });
  const host = await settled(join(repo.dir, 'in/deep'));
  repo.write({ 'in/.gitignore': 'private\n' });
  await soon(host, ['a', 'other']);
  await moment(500);
  repo.write({ '.gitignore': 'other\n' });
  await soon(host, ['a']);
});
