import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, parseAddress } from '@skillquay/core/address';
import { objectSizes } from '@skillquay/git/objects';
import { listTree } from '@skillquay/git/tree';
import { userRemote } from '@skillquay/git/user-remote';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GitServer, gitServer } from '../../../test-support/git-http.ts';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import type { Host, Resolution } from './host.ts';
import { GitSpace, HOLD_MS } from './lib/git-space.ts';
import { webTransport } from './lib/transport.ts';
import { NO_LINKS } from './links.ts';
import { type RemoteLimits, remoteHost } from './remote-host.ts';

let origin: TestRepository;
let server: GitServer;
let storeDir: string;
let time: number;
const hosts: Host[] = [];

beforeEach(async () => {
  origin = repository({ 'skills/a/SKILL.md': 'one' });
  origin.git('config', 'uploadpack.allowFilter', 'true');
  server = await gitServer({ 'acme/library.git': origin.dir });
  storeDir = mkdtempSync(join(tmpdir(), 'skillquay-store-'));
  time = Date.parse('2026-01-01T00:00:00Z');
});

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  await server.close();
  rmSync(storeDir, { recursive: true, force: true });
});

function open(limits: Partial<RemoteLimits> = {}, name = 'acme/library'): Host {
  const host = remoteHost({
    name: `gh/${name}`,
    transport: webTransport(`${server.url}/${name}.git`),
    links: NO_LINKS,
    scope: 'public',
    storeDir,
    refTtlMs: 60_000,
    now: () => time,
    limits,
  });
  hosts.push(host);
  return host;
}

function address(rest = ''): Address {
  const parsed = parseAddress(`/gh/acme/library${rest}`);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.address;
}

async function paths(host: Host, resolution: Resolution): Promise<string[]> {
  const repo = await host.bring(resolution);
  const tree = await listTree(repo, resolution.tree);
  const sizes = await objectSizes(repo, tree.oids);
  expect([...sizes]).not.toContain(0xffffffff);
  return Array.from({ length: tree.count }, (_, i) => tree.path(i));
}

/** A commit that no ref of the default branch leads to, as a fork's commit is at a host. */
function foreignCommit(ref = 'refs/pull/1/head'): string {
  const tree = origin.git('rev-parse', 'HEAD^{tree}');
  const commit = origin.git('commit-tree', tree, '-m', 'words in your mouth');
  origin.git('update-ref', ref, commit);
  return commit;
}

const asked = (part: string) => server.requests.filter(({ line }) => line.includes(part)).length;

describe('a ref means', () => {
  test('the default branch when none is named', async () => {
    const host = open();
    const resolution = await host.resolve(address());
    expect(resolution).toEqual({
      repository: 'gh/acme/library',
      commit: origin.head,
      tree: origin.head,
      ref: null,
      pinned: false,
      isDefaultBranch: true,
      defaultBranch: 'main',
      expiresAt: time + 60_000,
      worktree: false,
      scope: 'public',
    });
    expect(await paths(host, resolution)).toEqual(['skills/a/SKILL.md']);
  });

  test('a branch before a tag, and heads/ or tags/ choose', async () => {
    const main = origin.head;
    const branch = origin.commit({ b: 'on the branch' }, { branch: 'v1', from: main });
    origin.git('tag', 'v1', main);
    const host = open();
    for (const [ref, commit] of [
      ['@v1', branch],
      ['@heads/v1:', branch],
      ['@refs/heads/v1:', branch],
      ['@tags/v1:', main],
      ['@refs/tags/v1:', main],
    ] as const)
      expect(await host.resolve(address(ref))).toMatchObject({
        commit,
        pinned: false,
        isDefaultBranch: false,
      });
  });

  test('a branch with slashes, and the default branch by its name', async () => {
    const commit = origin.commit({ b: 'x' }, { branch: 'wip/bread', from: origin.head });
    const host = open();
    expect(await host.resolve(address('@wip/bread:'))).toMatchObject({ commit, ref: 'wip/bread' });
    expect(await host.resolve(address('@main'))).toMatchObject({ isDefaultBranch: true, ref: 'main' });
    await expect(host.resolve(address('@wip'))).rejects.toMatchObject({ code: 'mount.ref_not_found' });
  });

  test('the commit behind an annotated tag, however often it was tagged', async () => {
    origin.git('tag', '-a', '-m', 'x', 'inner');
    origin.git('tag', '-a', '-m', 'x', 'outer', 'inner');
    expect(await open().resolve(address('@outer'))).toMatchObject({ commit: origin.head });
  });

  test('nothing in other namespaces', async () => {
    foreignCommit('refs/pull/1/head');
    origin.git('update-ref', 'refs/notes/x', origin.head);
    const host = open();
    for (const ref of ['@pull/1/head:', '@refs/pull/1/head:', '@notes/x:', '@refs/notes/x:', '@HEAD'])
      await expect(host.resolve(address(ref))).rejects.toMatchObject({ code: 'mount.ref_not_found' });
  });

  test('a tag of a file names no commit', async () => {
    origin.git('tag', 'blob', 'HEAD:skills/a/SKILL.md');
    const host = open();
    const resolution = await host.resolve(address('@blob'));
    await expect(host.bring(resolution)).rejects.toMatchObject({ code: 'mount.ref_not_found' });
  });

  test('nothing yet where there is no commit', async () => {
    rmSync(join(origin.dir, 'refs/heads/main'));
    await expect(open().resolve(address())).rejects.toMatchObject({
      code: 'mount.ref_not_found',
      message: expect.stringContaining('no commits yet'),
    });
  });
});

describe('a commit', () => {
  test('of the default branch is served by its full hash, and its history is asked for once', async () => {
    const first = origin.head;
    origin.commit({ b: 'x' });
    const host = open();
    const resolution = await host.resolve(address(`@${first}`));
    expect(resolution).toMatchObject({ commit: first, pinned: true, expiresAt: Number.POSITIVE_INFINITY });
    expect(await paths(host, resolution)).toEqual(['skills/a/SKILL.md']);
    const before = asked('/info/refs');
    const later = open();
    const again = await later.resolve(address(`@${first}`));
    expect(again).toMatchObject({ commit: first, pinned: true });
    expect(await paths(later, again)).toEqual(['skills/a/SKILL.md']);
    // The refs alone.
    expect(asked('/info/refs')).toBe(before + 1);
  });

  test('is not served by its full hash once its repository is gone or private', async () => {
    const host = open();
    const pinned = address(`@${origin.head}`);
    await host.resolve(pinned);
    server.mode = 'down';
    time += 61_000;
    expect(await host.resolve(pinned)).toMatchObject({ commit: origin.head, pinned: true });
    for (const status of [404, 401]) {
      server.mode = status;
      time += 61_000;
      await expect(host.resolve(pinned)).rejects.toMatchObject({ code: 'mount.repo_not_found' });
    }
    server.mode = 'down';
    time += 61_000;
    await expect(host.resolve(pinned)).rejects.toMatchObject({ code: 'mount.unavailable' });
  });

  test('of a fork or a pull request reads like one that does not exist', async () => {
    const foreign = foreignCommit();
    const host = open();
    const missing = await host.resolve(address(`@${'1'.repeat(40)}`)).catch((error: Error) => error);
    const refused = await host.resolve(address(`@${foreign}`)).catch((error: Error) => error);
    expect(missing).toMatchObject({ code: 'mount.ref_not_found' });
    expect(refused).toMatchObject({
      code: 'mount.ref_not_found',
      message: (missing as Error).message.replace('1'.repeat(40), foreign),
    });
    const short = host.resolve(address(`@${foreign.slice(0, 10)}`));
    await expect(short).rejects.toMatchObject({ code: 'mount.ref_not_found' });
  });

  test('of another branch alone is refused', async () => {
    const other = origin.commit({ b: 'x' }, { branch: 'other', from: origin.head });
    await expect(open().resolve(address(`@${other}`))).rejects.toMatchObject({ code: 'mount.ref_not_found' });
  });

  test('is found by a shortened hash, which moves', async () => {
    const first = origin.head;
    origin.commit({ b: 'x' });
    const resolution = await open().resolve(address(`@${first.slice(0, 7)}`));
    expect(resolution).toMatchObject({ commit: first, pinned: false, ref: first.slice(0, 7) });
    await expect(open().resolve(address(`@${first.slice(0, 6)}`))).rejects.toMatchObject({
      code: 'mount.ref_not_found',
    });
  });

  test('that was refused is served once it has been merged', async () => {
    const other = origin.commit({ b: 'x' }, { branch: 'other', from: origin.head });
    const host = open();
    await expect(host.resolve(address(`@${other}`))).rejects.toThrow();
    origin.git('update-ref', 'refs/heads/main', other);
    origin.commit({ c: 'x' });
    time += 60_000;
    expect(await host.resolve(address(`@${other}`))).toMatchObject({ commit: other, pinned: true });
  });

  test('that was pushed a moment ago is served, though the refs are trusted for a minute', async () => {
    const host = open();
    await host.resolve(address());
    const next = origin.commit({ b: 'x' });
    time += 5_000;
    expect(await host.resolve(address(`@${next}`))).toMatchObject({ commit: next, pinned: true });
    const last = origin.commit({ b: 'y' });
    origin.git('tag', 'v2');
    time += 5_000;
    expect(await host.resolve(address(`@${last.slice(0, 8)}`))).toMatchObject({ commit: last });
    expect(await host.resolve(address('@v2'))).toMatchObject({ commit: last });
    expect(await host.resolve(address())).toMatchObject({ commit: last });
  });

  test('that is made up asks the host once in a few seconds, however many there are', async () => {
    const host = open();
    await host.resolve(address());
    const madeUp = (i: number) =>
      host.resolve(address(`@${String(i).repeat(i < 5 ? 40 : 9)}`)).catch(() => {});
    const all = () => Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(madeUp));
    await all();
    // The history is here now.
    const before = asked('/info/refs');
    time += 5_000;
    await all();
    await all();
    expect(asked('/info/refs')).toBe(before + 1);
    server.mode = 'down';
    time += 5_000;
    await all();
    time += 5_000;
    await all();
    expect(asked('/info/refs')).toBe(before + 2);
    await expect(host.resolve(address(`@${'1'.repeat(40)}`))).rejects.toMatchObject({
      code: 'mount.ref_not_found',
    });
  });

  test('far back in a long history is found, and one that is not there is not', async () => {
    const first = origin.head;
    const tree = origin.git('rev-parse', 'HEAD^{tree}');
    const head = `commit refs/heads/main\ncommitter T <t@e> 1767225600 +0000\ndata 1\nx\n`;
    const next = `${head}from refs/heads/main^0\nM 040000 ${tree} \n`;
    const input = [next, ...Array.from({ length: 600 }, () => `${head}M 040000 ${tree} \n`)].join('\n');
    execFileSync('git', ['--git-dir', origin.dir, 'fast-import', '--quiet'], { input });
    const host = open();
    const near = origin.git('rev-parse', 'main~10');
    expect(await host.resolve(address(`@${near}`))).toMatchObject({ commit: near });
    // The refs, and the newest commits.
    expect(asked('/info/refs')).toBe(2);
    expect(await host.resolve(address(`@${first}`))).toMatchObject({ commit: first });
    expect(asked('/info/refs')).toBe(3);
    await expect(host.resolve(address(`@${foreignCommit()}`))).rejects.toMatchObject({
      code: 'mount.ref_not_found',
    });
  });

  test('is found although its history is swept for a newer head meanwhile', async () => {
    const first = origin.head;
    origin.commit({ b: 'x' });
    const host = open();
    await host.resolve(address());
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      server.beforePack = () => {
        resolve();
        server.beforePack = undefined;
        return new Promise((open) => {
          go = open;
        });
      };
    });
    const slow = host.resolve(address(`@${first}`));
    await held;
    const second = origin.git('rev-parse', 'HEAD');
    origin.commit({ c: 'x' });
    time += 61_000;
    expect(await host.resolve(address(`@${second}`))).toMatchObject({ commit: second });
    go();
    expect(await slow).toMatchObject({ commit: first });
  });

  test('is asked for in history without any content', async () => {
    const first = origin.head;
    origin.commit({ 'large.bin': Buffer.alloc(300_000, 'x') });
    const limits = { maxHistoryBytes: 20_000 };
    expect(await open(limits).resolve(address(`@${first}`))).toMatchObject({ commit: first });
  });
});

describe('a fetch', () => {
  test('of the next commit brings only what changed', async () => {
    const files: Record<string, string> = {};
    for (let i = 0; i < 200; i++) files[`f/${i}`] = `${Math.sin(i)}`.repeat(100);
    origin.commit(files);
    const host = open();
    await host.bring(await host.resolve(address()));
    origin.commit({ 'f/1': 'changed' });
    time += 60_000;
    const resolution = await host.resolve(address());
    expect(await paths(host, resolution)).toHaveLength(201);
    const [dir] = readdirSync(join(storeDir, 'git'));
    const packs = join(storeDir, 'git', dir ?? '', 'content/git/objects/pack');
    const sizes = readdirSync(packs).filter((name) => name.endsWith('.pack')).length;
    expect(sizes).toBe(2);
    const counts = readdirSync(packs)
      .filter((name) => name.endsWith('.idx'))
      .map(
        (name) =>
          execFileSync('git', ['show-index'], { input: readFileSync(join(packs, name)) })
            .toString()
            .split('\n').length - 1,
      );
    expect(Math.min(...counts)).toBeLessThan(6);
  });

  test('brings a file that returns to what it was before the commit we have', async () => {
    origin.commit({ 'skills/a/SKILL.md': 'two' });
    const host = open();
    await host.bring(await host.resolve(address()));
    origin.commit({ 'skills/a/SKILL.md': 'one' });
    time += 60_000;
    expect(await paths(host, await host.resolve(address()))).toEqual(['skills/a/SKILL.md']);
  });

  test('brings what only a commit that we never had held, however many we have', async () => {
    origin.commit({ 'skills/a/SKILL.md': 'two' });
    const host = open();
    await host.bring(await host.resolve(address()));
    const [dir] = readdirSync(join(storeDir, 'git'));
    const store = join(storeDir, 'git', dir ?? '', 'content/git');
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', store, ...args])
        .toString()
        .trim();
    const person = ['-c', 'user.name=T', '-c', 'user.email=t@example.com'];
    for (let i = 0; i < 40; i++) {
      const commit = git(...person, 'commit-tree', `${origin.head}^{tree}`, '-m', `${i}`);
      writeFileSync(join(store, 'refs/snap', commit), `${commit}\n`);
    }
    origin.commit({ 'skills/a/SKILL.md': 'one' });
    time += 60_000;
    expect(await paths(host, await host.resolve(address()))).toEqual(['skills/a/SKILL.md']);
  });

  test('of one commit happens once, whoever asks', async () => {
    const host = open();
    const all = await Promise.all(Array.from({ length: 20 }, () => host.resolve(address())));
    await Promise.all(all.map((resolution) => host.bring(resolution)));
    expect(asked('/info/refs')).toBe(2);
    await host.bring(await host.resolve(address()));
    expect(asked('/info/refs')).toBe(2);
  });

  test('goes on when one who waits goes away', async () => {
    const host = open();
    const resolution = await host.resolve(address());
    const abort = new AbortController();
    server.beforePack = async () => abort.abort();
    const gone = host.bring(resolution, abort.signal);
    const stays = host.bring(resolution);
    await expect(gone).rejects.toThrow();
    await stays;
  });

  test('over its limit is refused and leaves nothing behind', async () => {
    origin.commit({ 'large.bin': randomBytes(200_000) });
    const host = open({ maxFetchBytes: 50_000 });
    const resolution = await host.resolve(address());
    await expect(host.bring(resolution)).rejects.toMatchObject({ code: 'mount.unsupported' });
    const [dir] = readdirSync(join(storeDir, 'git'));
    expect(readdirSync(join(storeDir, 'git', dir ?? '', 'content'))).toEqual(['git']);
  });

  test('from a server that gives only what refs name brings an old commit too', async () => {
    const first = origin.head;
    origin.commit({ b: 'x' });
    const host = open();
    const resolution = await host.resolve(address(`@${first}`));
    // A server that does not speak version 2 refuses hashes that no ref names.
    const old = await gitServer({ 'acme/library.git': origin.dir });
    old.old = true;
    const oldHost = remoteHost({
      name: 'gh/acme/library',
      transport: webTransport(`${old.url}/acme/library.git`),
      links: NO_LINKS,
      scope: 'public',
      storeDir,
      refTtlMs: 60_000,
      now: () => time,
    });
    expect(await paths(oldHost, resolution)).toEqual(['skills/a/SKILL.md']);
    expect(await paths(oldHost, await oldHost.resolve(address()))).toEqual(['b', 'skills/a/SKILL.md']);
    await oldHost.close();
    await old.close();
  });

  test('from such a server brings a commit whose descendants we have', async () => {
    const first = origin.head;
    origin.commit({ b: 'x' });
    server.old = true;
    const host = open();
    await host.bring(await host.resolve(address()));
    expect(await paths(host, await host.resolve(address(`@${first}`)))).toEqual(['skills/a/SKILL.md']);
  });

  test('happens again where objects were lost, without what was lost being offered', async () => {
    const host = open();
    const first = await host.resolve(address());
    await host.bring(first);
    origin.commit({ b: 'x' });
    time += 60_000;
    const second = await host.resolve(address());
    await host.bring(second);
    const [dir] = readdirSync(join(storeDir, 'git'));
    const packs = join(storeDir, 'git', dir ?? '', 'content/git/objects/pack');
    for (const name of readdirSync(packs)) rmSync(join(packs, name));
    const later = open();
    expect(await paths(later, second)).toEqual(['b', 'skills/a/SKILL.md']);
    expect(await paths(later, first)).toEqual(['skills/a/SKILL.md']);
  });

  test('whose process was killed leaves nothing that is read as whole', async () => {
    const host = open();
    const resolution = await host.resolve(address());
    await host.bring(resolution);
    const [dir] = readdirSync(join(storeDir, 'git'));
    const content = join(storeDir, 'git', dir ?? '', 'content');
    // As it stands when the process died between moving a pack and its index, with its directory not removed.
    const dead = spawn(process.execPath, ['-e', '']);
    const exited = new Promise((resolve) => dead.once('close', resolve));
    const left = join(content, `fetch-${hostname()}-${dead.pid}-abc`);
    await exited;
    cpSync(join(content, 'git'), left, { recursive: true });
    rmSync(join(content, 'git/refs/snap'), { recursive: true });
    for (const name of readdirSync(join(content, 'git/objects/pack')))
      if (name.endsWith('.idx')) rmSync(join(content, 'git/objects/pack', name));
    const next = open();
    expect(await paths(next, resolution)).toEqual(['skills/a/SKILL.md']);
    expect(existsSync(left)).toBe(false);
  });
});

describe('where room is bounded', () => {
  function openIn(space: GitSpace, name: string): Host {
    const host = remoteHost({
      name: `gh/${name}`,
      transport: webTransport(`${server.url}/${name}.git`),
      links: NO_LINKS,
      scope: 'public',
      storeDir,
      refTtlMs: 60_000,
      now: () => time,
      space,
    });
    hosts.push(host);
    return host;
  }

  /** As if every process had said long ago that it uses them. */
  function age(): void {
    const past = new Date(Date.now() - 2 * HOLD_MS);
    const dir = join(storeDir, 'git');
    for (const file of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
      if (/\/users\//.test(file)) utimesSync(join(dir, file), past, past);
  }

  test('a repository that was given up is fetched again when it is asked for', async () => {
    const first = origin.head;
    origin.commit({ b: 'x' });
    const space = new GitSpace({ dir: join(storeDir, 'git'), maxBytes: 1 });
    const host = openIn(space, 'acme/library');
    const resolution = await host.resolve(address(`@${first}`));
    expect(await paths(host, resolution)).toEqual(['skills/a/SKILL.md']);
    age();
    await space.trim();
    expect(readdirSync(join(storeDir, 'git'))).toEqual([]);
    expect(await paths(host, resolution)).toEqual(['skills/a/SKILL.md']);
    age();
    await space.trim();
    const head = await host.resolve(address());
    expect(await paths(host, head)).toEqual(['b', 'skills/a/SKILL.md']);
  });

  test('one that was just brought stays, and another is not fetched until it may go', async () => {
    const other = repository({ c: 'x' });
    other.git('config', 'uploadpack.allowFilter', 'true');
    await server.close();
    server = await gitServer({ 'acme/library.git': origin.dir, 'acme/other.git': other.dir });
    const space = new GitSpace({ dir: join(storeDir, 'git'), maxBytes: 1 });
    const one = openIn(space, 'acme/library');
    const two = openIn(space, 'acme/other');
    const resolution = await one.resolve(address());
    await one.bring(resolution);
    const second = await two.resolve(address());
    await expect(two.bring(second)).rejects.toMatchObject({ code: 'mount.unavailable' });
    expect(await paths(one, resolution)).toEqual(['skills/a/SKILL.md']);
    age();
    expect(await paths(two, second)).toEqual(['c']);
    expect(readdirSync(join(storeDir, 'git')).map((name) => name.slice(0, 10))).toEqual(['gh+acme+ot']);
  });
});

describe('a host that', () => {
  test('is down is answered for from memory for an hour, then no more', async () => {
    const host = open();
    const known = await host.resolve(address());
    const since = new Date(time).toISOString();
    server.mode = 'down';
    time += 61_000;
    const stale = await host.resolve(address());
    expect(stale).toMatchObject({ commit: known.commit, staleSince: since, expiresAt: time + 10_000 });
    time += 3_500_000;
    expect(await host.resolve(address())).toMatchObject({ staleSince: since });
    time += 200_000;
    await expect(host.resolve(address())).rejects.toMatchObject({
      code: 'mount.unavailable',
      retryAfter: 10,
    });
    server.mode = 'up';
    time += 11_000;
    const back = await host.resolve(address());
    expect(back.staleSince).toBeUndefined();
  });

  test('is down from the start is unavailable, and is not asked at every request', async () => {
    server.mode = 'down';
    const host = open();
    await expect(host.resolve(address())).rejects.toMatchObject({ code: 'mount.unavailable' });
    const count = server.requests.length;
    await expect(host.resolve(address())).rejects.toMatchObject({ code: 'mount.unavailable' });
    expect(server.requests).toHaveLength(count);
  });

  test('does not answer is given up', async () => {
    server.mode = 'silent';
    await expect(open({ refsTimeoutMs: 200 }).resolve(address())).rejects.toMatchObject({
      code: 'mount.unavailable',
      message: expect.stringContaining('in time'),
    });
  });

  test.each([
    [401, 'mount.repo_not_found'],
    [403, 'mount.repo_not_found'],
    [404, 'mount.repo_not_found'],
    [301, 'mount.repo_not_found'],
    [302, 'mount.repo_not_found'],
    [429, 'mount.rate_limited'],
    [500, 'mount.unavailable'],
    [503, 'mount.unavailable'],
  ])('answers %i is %s', async (status, code) => {
    server.mode = status;
    const error: unknown = await open()
      .resolve(address())
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toMatch(/127\.0\.0\.1|secret|page of the host|moved/);
    expect(server.requests.every(({ line }) => !line.includes('/moved/'))).toBe(true);
  });

  test('refuses and one that has no such repository read alike', async () => {
    server.mode = 401;
    const refused = await open()
      .resolve(address())
      .catch((error: Error) => error.message);
    server.mode = 404;
    const missing = await open({}, 'acme/other')
      .resolve(address())
      .catch((error: Error) => error.message);
    expect(refused).toBe(missing);
  });

  test('no longer has the repository is not answered for from memory', async () => {
    const host = open();
    await host.resolve(address());
    server.mode = 404;
    time += 61_000;
    await expect(host.resolve(address())).rejects.toMatchObject({ code: 'mount.repo_not_found' });
    server.mode = 'down';
    time += 61_000;
    await expect(host.resolve(address())).rejects.toMatchObject({ code: 'mount.unavailable' });
  });
});

test('moving refs are trusted for their time, then asked again', async () => {
  const host = open();
  await host.resolve(address());
  const next = origin.commit({ b: 'x' });
  expect((await host.resolve(address())).commit).not.toBe(next);
  time += 60_000;
  expect((await host.resolve(address())).commit).toBe(next);
});

test('an anonymous host never sends what the machine knows of credentials', async () => {
  const home = mkdtempSync(join(tmpdir(), 'skillquay-home-'));
  writeFileSync(join(home, '.netrc'), 'machine 127.0.0.1 login me password secret\n');
  writeFileSync(join(home, '.gitconfig'), '[http]\n\textraHeader = Authorization: Basic c2VjcmV0\n');
  const before = process.env.HOME;
  process.env.HOME = home;
  try {
    server.credentials = 'me:secret';
    await expect(open().resolve(address())).rejects.toMatchObject({ code: 'mount.repo_not_found' });
    expect(server.requests.map(({ authorization }) => authorization)).toEqual(
      server.requests.map(() => undefined),
    );
  } finally {
    process.env.HOME = before;
  }
});

test('a password in a given URL reaches the host, and neither arguments nor errors', async () => {
  server.credentials = 'me:s3cret-token';
  const url = server.url.replace('http://', 'http://me:s3cret-token@');
  const transport = userRemote(`${url}/acme/library.git`);
  expect(transport.url).not.toContain('s3cret');
  const host = remoteHost({
    name: 'local/acme/library',
    transport,
    links: NO_LINKS,
    scope: 'private',
    storeDir,
    refTtlMs: 60_000,
    now: () => time,
  });
  hosts.push(host);
  expect(await paths(host, await host.resolve(address()))).toEqual(['skills/a/SKILL.md']);
  server.credentials = 'me:other';
  time += 61_000;
  const error: unknown = await host.resolve(address()).catch((error: unknown) => error);
  expect(error).toMatchObject({ code: 'mount.repo_not_found' });
  expect(String(error)).not.toContain('s3cret');
});

describe('what credentials opened', () => {
  function openAsUser(): Host {
    server.credentials = 'me:secret';
    const url = server.url.replace('http://', 'http://me:secret@');
    const host = remoteHost({
      name: 'gh/acme/library',
      transport: userRemote(`${url}/acme/library.git`),
      links: NO_LINKS,
      scope: 'private',
      storeDir,
      refTtlMs: 60_000,
      now: () => time,
    });
    hosts.push(host);
    return host;
  }

  test('is not there for who asks without them, in the same store', async () => {
    const secret = origin.head;
    const user = openAsUser();
    await user.bring(await user.resolve(address(`@${secret}`)));
    await expect(open().resolve(address(`@${secret}`))).rejects.toMatchObject({
      code: 'mount.repo_not_found',
    });
    // The repository is published, without the history that it had.
    server.credentials = undefined;
    const tree = origin.git('rev-parse', 'HEAD^{tree}');
    origin.git('update-ref', 'refs/heads/main', origin.git('commit-tree', tree, '-m', 'published'));
    await expect(open().resolve(address(`@${secret}`))).rejects.toMatchObject({
      code: 'mount.ref_not_found',
    });
  });

  test('is never answered for from memory while the host is down', async () => {
    const user = openAsUser();
    const pinned = address(`@${origin.head}`);
    await user.resolve(address());
    await user.resolve(pinned);
    server.mode = 'down';
    expect(await user.resolve(address())).toMatchObject({ commit: origin.head });
    time += 60_000;
    await expect(user.resolve(address())).rejects.toMatchObject({ code: 'mount.unavailable' });
    await expect(user.resolve(pinned)).rejects.toMatchObject({ code: 'mount.unavailable' });
  });
});

test('a SHA-256 repository is refused by name', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'skillquay-sha256-'));
  const git = (args: string[], input = '') =>
    execFileSync('git', ['--git-dir', dir, ...args], {
      input,
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: 'T',
        GIT_AUTHOR_EMAIL: 't@e',
        GIT_COMMITTER_NAME: 'T',
        GIT_COMMITTER_EMAIL: 't@e',
      },
    })
      .toString()
      .trim();
  git(['init', '-q', '--bare', '--object-format=sha256', '-b', 'main', dir]);
  const commit = git(['commit-tree', '-m', 'x', git(['mktree'])]);
  git(['update-ref', 'refs/heads/main', commit]);
  const other = await gitServer({ 'acme/library.git': dir });
  const host = remoteHost({
    name: 'gh/acme/library',
    transport: webTransport(`${other.url}/acme/library.git`),
    links: NO_LINKS,
    scope: 'public',
    storeDir,
    refTtlMs: 60_000,
    now: () => time,
  });
  await expect(host.resolve(address())).rejects.toMatchObject({
    code: 'mount.unsupported',
    message: expect.stringContaining('SHA-256'),
  });
  await host.close();
  await other.close();
  rmSync(dir, { recursive: true });
});
