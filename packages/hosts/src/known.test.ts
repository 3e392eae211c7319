import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from '@skillquay/core/address';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkout, folder } from '../../../test-support/folder.ts';
import { gitServer } from '../../../test-support/git-http.ts';
import { repository } from '../../../test-support/repository.ts';
import { address, source } from '../test/asked.ts';
import type { Host } from './host.ts';
import { createHosts } from './hosts.ts';
import type { Source } from './sources.ts';

let storeDir: string;
let time: number;
const closing: { close(): Promise<void> }[] = [];

beforeEach(() => {
  storeDir = mkdtempSync(join(tmpdir(), 'skillquay-store-'));
  time = Date.now();
});
afterEach(async () => {
  for (const open of closing.splice(0)) await open.close();
  rmSync(storeDir, { recursive: true, force: true });
});

async function open(
  sources: readonly Source[],
  remote = 'http://127.0.0.1:1',
  maxRemembered?: number,
): Promise<Host> {
  const hosts = await createHosts({
    sources,
    remotes: { gh: remote, gl: remote, cb: remote },
    open: true,
    storeDir,
    refTtlMs: 60_000,
    now: () => time,
    ...(maxRemembered === undefined ? {} : { maxRemembered }),
  });
  closing.push(hosts);
  const host = hosts.byKey.get('local');
  if (!host) throw new Error('no host');
  return host;
}

const local = (path: string, options: { ref?: string } = {}) => source(path, { as: 'a/b', ...options });

/** What is known after a resolution: that resolution, the same object each time. */
async function expectKnown(host: Host, at: Address) {
  const resolution = await host.resolve(at);
  const known = host.known(at);
  expect(known).toBe(resolution);
  expect(host.known(at)).toBe(resolution);
  return known;
}

test.each([
  ['a repository on this machine', 1_000, '/local/a/b'],
  ['a repository at a host', 60_000, '/gh/acme/library'],
])('the default branch of %s is known for as long as its refs are trusted', async (_, trustedMs, text) => {
  const repo = repository({ a: 'x' });
  const server = await gitServer({ 'acme/library.git': repo.dir });
  closing.push(server);
  const host = await open([await local(repo.dir)], server.url);
  const at = address(text);
  expect(host.known(at)).toBeNull();

  const first = await expectKnown(host, at);
  const next = repo.commit({ a: 'y' });
  expect(host.known(at)).toBe(first);
  time += trustedMs;
  expect(host.known(at)).toBeNull();
  expect(await expectKnown(host, at)).toMatchObject({ commit: next });
});

test('nothing is known of other refs, of what was never asked for, and of what is not served', async () => {
  const repo = repository({ a: 'x' });
  const host = await open([await local(repo.dir)]);
  await expectKnown(host, address('/local/a/b'));
  const head = repo.git('rev-parse', 'HEAD');
  for (const text of ['/local/a/b@main', `/local/a/b@${head}`, '/local/a/other', '/gh/acme/library'])
    expect(host.known(address(text)), text).toBeNull();
});

test('what is asked for is not what is forgotten first', async () => {
  const { dir } = repository({ a: 'x' });
  const server = await gitServer({ 'acme/one.git': dir, 'acme/two.git': dir, 'acme/three.git': dir });
  closing.push(server);
  const host = await open([], server.url, 2);
  const [one, two, three] = ['one', 'two', 'three'].map((name) => address(`/gh/acme/${name}`));
  if (!one || !two || !three) throw new Error('three addresses');
  await host.resolve(one);
  await host.resolve(two);
  expect(host.known(one)).not.toBeNull();
  await host.resolve(three);
  expect(host.known(one)).not.toBeNull();
  expect(host.known(two)).toBeNull();
});

test('what was never resolved itself, but is known, is brought', async () => {
  const repo = repository({ a: 'x' });
  const server = await gitServer({ 'acme/library.git': repo.dir, 'acme/other.git': repo.dir });
  closing.push(server);
  const host = await open([], server.url, 1);
  await host.resolve(address('/gh/acme/library@main'));
  const known = host.known(address('/gh/acme/library'));
  expect(known).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), ref: null });
  // Forgotten, and made anew to bring it.
  await host.resolve(address('/gh/acme/other'));
  if (known === null) throw new Error('not known');
  expect(await host.bring(known)).toMatchObject({ gitDir: expect.any(String) });
});

test('a repository without a commit is not known', async () => {
  const repo = repository({});
  repo.git('update-ref', '-d', 'HEAD');
  const host = await open([await local(repo.dir)]);
  await expect(host.resolve(address('/local/a/b'))).rejects.toThrow();
  expect(host.known(address('/local/a/b'))).toBeNull();
});

test('a folder in a repository is not known: git says what its tree is', async () => {
  const whole = checkout({ 'in/a': 'x' });
  const host = await open([await local(join(whole.dir, 'in'), { ref: 'HEAD' })]);
  await host.resolve(address('/local/a/b'));
  expect(host.known(address('/local/a/b'))).toBeNull();
});

test('nothing is known of a served folder, which may have changed a moment ago', async () => {
  const host = await open([await local(folder({ 'a.md': 'one' }).dir)]);
  await host.resolve(address('/local/a/b'));
  expect(host.known(address('/local/a/b'))).toBeNull();
});

test('what is asked of a folder in the moment after a save is asked of what was saved', async () => {
  const { dir } = folder({ 'a.md': '0' });
  const host = await open([await local(dir)]);
  const at = address('/local/a/b');
  // Watched a moment later, the folder is believed to be as it was seen.
  const settled = async () => expect(await host.resolve(at)).toBe(await host.resolve(at));
  for (const text of ['1', '2', '3']) {
    await vi.waitFor(settled, 10_000);
    const before = await host.resolve(at);
    writeFileSync(join(dir, 'a.md'), text);
    expect(await host.resolve(at)).not.toEqual(before);
  }
});
