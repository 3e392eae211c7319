import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import { streamObjects } from '@skillquay/git/objects';
import { listTree } from '@skillquay/git/tree';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkout, folder } from '../../../test-support/folder.ts';
import { type GitServer, gitServer } from '../../../test-support/git-http.ts';
import { repository } from '../../../test-support/repository.ts';
import { address, source } from '../test/asked.ts';
import type { Host, Resolution } from './host.ts';
import { createHosts, type GitFault, type Hosts, type HostsOptions } from './hosts.ts';
import type { Source } from './sources.ts';

let storeDir: string;
const opened: Hosts[] = [];
const servers: GitServer[] = [];

beforeEach(() => {
  storeDir = mkdtempSync(join(tmpdir(), 'skillquay-store-'));
});
afterEach(async () => {
  for (const hosts of opened.splice(0)) await hosts.close();
  for (const server of servers.splice(0)) await server.close();
  rmSync(storeDir, { recursive: true, force: true });
});

async function serve(repositories: Record<string, string>): Promise<GitServer> {
  const server = await gitServer(repositories);
  servers.push(server);
  return server;
}

async function open(sources: readonly Source[], options: Partial<HostsOptions> = {}): Promise<Host> {
  const base = options.remotes?.gh ?? 'http://127.0.0.1:1';
  const hosts = await createHosts({
    sources,
    remotes: { gh: base, gl: base, cb: base },
    open: false,
    storeDir,
    refTtlMs: 60_000,
    ...options,
  });
  opened.push(hosts);
  const host = hosts.byKey.get('local');
  if (!host) throw new Error('no host');
  return host;
}

async function contents(host: Host, resolution: Resolution): Promise<Record<string, string>> {
  const repo = await host.bring(resolution);
  const tree = await listTree(repo, resolution.tree);
  const found: Record<string, string> = {};
  await streamObjects(repo, tree.oids, (i, content) => {
    found[tree.path(i)] = content?.toString() ?? '';
  });
  return found;
}

describe('a local repository', () => {
  test('knows a commit, a branch and a tag as soon as they are made', async () => {
    const repo = repository({ a: 'x' });
    const host = await open([await source(repo.dir, { as: 'a/b' })], { now: () => 0 });
    const commit = async (ref: string) => (await host.resolve(address(`/local/a/b${ref}`))).commit;
    await commit('');
    for (const name of ['one', 'two', 'three']) {
      const head = repo.commit({ a: name });
      repo.git('tag', name);
      const ref = { one: head, two: head.slice(0, 8), three: name }[name];
      expect(await commit(`@${ref}`)).toBe(head);
    }
  });

  test('that is bare is read in place at its HEAD', async () => {
    const repo = repository({ a: 'x' });
    const host = await open([await source(repo.dir, { as: 'acme/library' })]);
    const resolution = await host.resolve(address('/local/acme/library'));
    expect(resolution).toMatchObject({
      repository: 'local/acme/library',
      commit: repo.head,
      isDefaultBranch: true,
      defaultBranch: 'main',
      worktree: false,
      scope: 'private',
    });
    expect(await contents(host, resolution)).toEqual({ a: 'x' });
  });

  test('gives branches, tags, commits and shortened hashes by the same rules as a remote one', async () => {
    const repo = repository({ a: 'x' });
    const first = repo.head;
    repo.git('tag', '-a', '-m', 'x', 'v1');
    const other = repo.commit({ b: 'x' }, { branch: 'wip/bread', from: first });
    const next = repo.commit({ c: 'x' });
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    const commit = async (ref: string) => (await host.resolve(address(`/local/a/b${ref}`))).commit;
    expect(await commit('@v1')).toBe(first);
    expect(await commit('@wip/bread:')).toBe(other);
    expect(await commit(`@${first}`)).toBe(first);
    expect(await commit(`@${first.slice(0, 8)}`)).toBe(first);
    expect(await commit('')).toBe(next);
    for (const ref of [`@${other}`, `@${other.slice(0, 8)}`, `@${'0'.repeat(40)}`, '@nothing'])
      await expect(commit(ref)).rejects.toMatchObject({ code: 'mount.ref_not_found' });
  });

  test('serves no tag that names a file or a folder', async () => {
    const repo = repository({ a: 'x', 'b/c': 'y' });
    repo.git('tag', 'file', 'HEAD:a');
    repo.git('tag', '-a', '-m', 'x', 'folder', 'HEAD:b');
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    for (const tag of ['file', 'folder']) {
      const named = host.resolve(address(`/local/a/b@${tag}`)).then((resolution) => host.bring(resolution));
      await expect(named).rejects.toMatchObject({ code: 'mount.ref_not_found' });
    }
  });

  test('that is a partial clone says that objects are missing, and fetches none', async () => {
    const origin = repository({ a: 'content' });
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(mkdtempSync(join(tmpdir(), 'skillquay-clone-')), 'clone.git');
    origin.git('clone', '--quiet', '--bare', '--filter=blob:none', `file://${origin.dir}`, clone);
    const host = await open([await source(clone, { as: 'a/b' })]);
    expect(await contents(host, await host.resolve(address('/local/a/b')))).toEqual({ a: '' });
  });

  test('whose HEAD is detached is read at that commit', async () => {
    const repo = repository({ a: 'x' });
    const first = repo.head;
    repo.commit({ b: 'x' });
    repo.git('update-ref', '--no-deref', 'HEAD', first);
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    expect(await host.resolve(address('/local/a/b'))).toMatchObject({ commit: first, defaultBranch: null });
  });

  test('without a commit says so', async () => {
    const host = await open([await source(repository().dir, { as: 'a/b' })]);
    await expect(host.resolve(address('/local/a/b'))).rejects.toMatchObject({
      message: expect.stringContaining('no commits yet'),
    });
  });

  test('is never written to', async () => {
    const repo = repository({ a: 'x' });
    const list = () => readdirSync(repo.dir, { recursive: true }).sort();
    const before = list();
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    await contents(host, await host.resolve(address('/local/a/b')));
    expect(list()).toEqual(before);
  });
});

describe('a working folder', () => {
  test('without changes is its HEAD commit; with changes it is served as it is, and never pinned', async () => {
    const repo = checkout({ a: 'x' });
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    const clean = await host.resolve(address('/local/a/b'));
    expect(clean).toMatchObject({ commit: repo.git('rev-parse', 'HEAD'), worktree: false, scope: 'private' });
    expect(await contents(host, clean)).toEqual({ a: 'x' });
    repo.write({ a: 'changed', b: 'new' });
    const now = await resolveUntil(host, (resolution) => resolution.worktree);
    expect(now).toMatchObject({ commit: `worktree:${now.tree}`, pinned: false, scope: 'private' });
    expect(now.expiresAt).toBeLessThanOrEqual(Date.now());
    expect(await contents(host, now)).toEqual({ a: 'changed', b: 'new' });
  });

  test('gives its commits where a ref is named', async () => {
    const repo = checkout({ a: 'x' });
    const head = repo.git('rev-parse', 'HEAD');
    repo.write({ a: 'changed' });
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    const resolution = await host.resolve(address(`/local/a/b@${head}`));
    expect(await contents(host, resolution)).toEqual({ a: 'x' });
    expect(await host.resolve(address('/local/a/b@main'))).toMatchObject({ commit: head, worktree: false });
  });

  test('serves a commit instead where one was asked for at the start', async () => {
    const repo = checkout({ a: 'x' });
    repo.git('tag', 'v1');
    const head = repo.git('rev-parse', 'HEAD');
    repo.write({ a: 'changed' });
    for (const ref of ['v1', 'main', 'HEAD', head, head.slice(0, 9)]) {
      const host = await open([await source(repo.dir, { as: 'a/b', ref })]);
      const resolution = await host.resolve(address('/local/a/b'));
      expect(resolution).toMatchObject({ commit: head, ref: null, worktree: false });
      expect(await contents(host, resolution)).toEqual({ a: 'x' });
    }
    const host = await open([await source(repo.dir, { as: 'a/b', ref: 'nothing' })]);
    await expect(host.resolve(address('/local/a/b'))).rejects.toMatchObject({ code: 'mount.ref_not_found' });
  });

  test('within a repository is served alone, at its commits too', async () => {
    const repo = checkout({ 'skills/a/SKILL.md': 'x', secret: 's' });
    const host = await open([await source(join(repo.dir, 'skills'), { as: 'a/b' })]);
    const mounted = address('/local/a/b');
    const resolution = await host.resolve(mounted);
    expect(await contents(host, resolution)).toEqual({ 'a/SKILL.md': 'x' });
    expect(await contents(host, await host.resolve(address('/local/a/b@main')))).toEqual({
      'a/SKILL.md': 'x',
    });
    expect(host.links(mounted).raw(resolution.commit, 'a/SKILL.md')).toBe(
      `git show ${resolution.commit}:skills/a/SKILL.md`,
    );
  });

  test('that is no repository is served, and has no refs', async () => {
    const plain = folder({ 'a/SKILL.md': 'x' });
    const host = await open([await source(plain.dir, { as: 'a/b' })]);
    const resolution = await host.resolve(address('/local/a/b'));
    expect(resolution).toMatchObject({ worktree: true });
    expect(await contents(host, resolution)).toEqual({ 'a/SKILL.md': 'x' });
    await expect(host.resolve(address('/local/a/b@main'))).rejects.toMatchObject({
      code: 'mount.ref_not_found',
    });
    await expect(open([await source(plain.dir, { as: 'a/b', ref: 'v1' })])).rejects.toThrow(
      'no git repository',
    );
  });

  test('tells those who watch when it changes, in new folders too', async () => {
    const repo = checkout({ a: 'x' });
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    await host.resolve(address('/local/a/b'));
    for (const path of ['a', 'new/deep/file', 'new/deep/other']) {
      const told = new Promise<void>((resolve) => {
        const stop = host.watch?.(address('/local/a/b'), () => {
          stop?.();
          resolve();
        });
      });
      mkdirSync(join(repo.dir, path, '..'), { recursive: true });
      writeFileSync(join(repo.dir, path), `changed ${path}`);
      await told;
      const now = await resolveUntil(host, () => true);
      expect((await contents(host, now))[path]).toBe(`changed ${path}`);
    }
  });

  test('that is gone is unavailable, and its path is not told', async () => {
    const repo = checkout({ a: 'x' });
    const host = await open([await source(repo.dir, { as: 'a/b' })]);
    await host.resolve(address('/local/a/b'));
    repo.remove();
    for (let i = 0; i < 200; i++) {
      const answer: unknown = await host.resolve(address('/local/a/b')).catch((error: unknown) => error);
      if (answer instanceof Error) {
        expect(answer).toMatchObject({ code: 'mount.unavailable' });
        expect(answer.message).not.toContain(repo.dir);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect.unreachable();
  });

  test('keeps its private objects while it is served, and not longer', async () => {
    const host = await open([await source(folder({ a: 'x' }).dir, { as: 'a/b' })]);
    await host.resolve(address('/local/a/b'));
    expect(readdirSync(join(storeDir, 'worktrees'))).toHaveLength(1);
    await opened.pop()?.close();
    expect(readdirSync(join(storeDir, 'worktrees'))).toEqual([]);
  });
});

test('a failure of git is told once for the log, with what git said', async () => {
  const work = checkout({ a: 'x' });
  const faults: GitFault[] = [];
  const remote = 'http://127.0.0.1:1/acme/library';
  const host = await open([await source(work.dir, { as: 'acme/work' }), await source(remote)], {
    log: (fault) => void faults.push(fault),
  });
  rmSync(work.dir, { recursive: true });
  const local = host.resolve(address('/local/acme/work'));
  await expect(local).rejects.toMatchObject({ code: 'mount.unavailable' });
  expect(faults).toMatchObject([{ repository: 'local/acme/work', code: 'mount.unavailable' }]);
  for (let i = 0; i < 2; i++)
    await expect(host.resolve(address('/local/acme/library'))).rejects.toMatchObject({
      code: 'mount.unavailable',
    });
  expect(faults.slice(1)).toMatchObject([
    { repository: 'local/acme/library', stderr: expect.stringContaining('127.0.0.1') },
  ]);
  await expect(host.resolve(address('/local/acme/none'))).rejects.toMatchObject({
    code: 'mount.repo_not_found',
  });
  expect(faults).toHaveLength(2);
});

test('what is kept is made again when it was removed', async () => {
  const work = checkout({ a: 'x' });
  work.write({ b: 'y' });
  const bare = repository({ c: 'x' });
  const host = await open([
    await source(work.dir, { as: 'acme/work' }),
    await source(bare.dir, { as: 'acme/bare' }),
  ]);
  for (const ref of ['work', `work@${work.git('rev-parse', 'HEAD')}`, 'bare', `bare@${bare.head}`]) {
    const resolution = await host.resolve(address(`/local/acme/${ref}`));
    const before = await contents(host, resolution);
    rmSync(storeDir, { recursive: true });
    expect(await contents(host, resolution)).toEqual(before);
    rmSync(storeDir, { recursive: true });
    expect(await host.resolve(address(`/local/acme/${ref}`))).toMatchObject({ tree: resolution.tree });
  }
});

test('what is kept of repositories is for this user alone', async () => {
  const repo = repository({ a: 'x' });
  const store = join(storeDir, 'new');
  const sources = [
    await source(`file://${repo.dir}`, { as: 'a/remote' }),
    await source(repo.dir, { as: 'a/bare' }),
    await source(folder({ a: 'x' }).dir, { as: 'a/folder' }),
  ];
  const host = await open(sources, { storeDir: store });
  for (const { address } of sources) await contents(host, await host.resolve(address));
  await host.resolve(address(`/local/a/bare@${repo.head}`));
  const modes = ['', 'git', 'local', 'worktrees'].map((name) => statSync(join(store, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o700]);
});

/** Changes of files reach the process a moment later. */
async function resolveUntil(host: Host, good: (resolution: Resolution) => boolean): Promise<Resolution> {
  for (let i = 0; ; i++) {
    const resolution = await host.resolve(address('/local/a/b'));
    if (good(resolution) || i > 200) return resolution;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('an address', () => {
  test('that was not opened is not allowed, and a local name that is not there does not exist', async () => {
    const host = await open([await source(repository({ a: 'x' }).dir, { as: 'a/b' })]);
    await expect(host.resolve(address('/gh/acme/library'))).rejects.toMatchObject({
      code: 'mount.not_allowed',
    });
    await expect(host.resolve(address('/local/a/c'))).rejects.toMatchObject({ code: 'mount.repo_not_found' });
  });

  test('of a host key is served when it was opened, or when all are', async () => {
    const repo = repository({ a: 'x' });
    const server = await serve({ 'acme/library.git': repo.dir, 'acme/other.git': repo.dir });
    const remotes = { gh: server.url, gl: server.url, cb: server.url };
    const one = await open([await source('/gh/Acme/Library@main/skills')], { remotes });
    const resolution = await one.resolve(address('/gh/acme/library'));
    expect(resolution).toMatchObject({ commit: repo.head, scope: 'public' });
    expect(await contents(one, resolution)).toEqual({ a: 'x' });
    await expect(one.resolve(address('/gh/acme/other'))).rejects.toMatchObject({ code: 'mount.not_allowed' });
    const all = await open([], { remotes, open: true });
    expect(await all.resolve(address('/gh/acme/other'))).toMatchObject({ repository: 'gh/acme/other' });
    await expect(all.resolve(address('/gl/no/thing'))).rejects.toMatchObject({
      code: 'mount.repo_not_found',
    });
    expect(all.links(address('/gl/a~b/c')).page('f'.repeat(40), 'x y.md')).toBe(
      `${server.url}/a/b/c/-/blob/${'f'.repeat(40)}/x%20y.md`,
    );
  });

  test('that is forgotten for others is not while it is being fetched, and can be asked for again', async () => {
    const repo = repository({ a: 'x' });
    const server = await serve({ 'acme/library.git': repo.dir, 'acme/other.git': repo.dir });
    const remotes = { gh: server.url, gl: server.url, cb: server.url };
    const host = await open([], { remotes, open: true, maxRemembered: 1 });
    const library = await host.resolve(address('/gh/acme/library'));
    const other = await host.resolve(address('/gh/acme/other'));
    expect(await contents(host, library)).toEqual({ a: 'x' });
    const sent = new Promise<void>((resolve) => {
      server.beforePack = () => {
        resolve();
        server.beforePack = undefined;
        return new Promise(() => {});
      };
    });
    const brought = host.bring(other).catch((error: unknown) => error);
    await sent;
    await host.resolve(address('/gh/acme/library'));
    await opened.pop()?.close();
    expect(await brought).toBeInstanceOf(Error);
    const left = readdirSync(join(storeDir, 'git'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((path) => path.includes('fetch-'))).toEqual([]);
  });

  test('of a git URL is read by that URL', async () => {
    const repo = repository({ a: 'x' });
    const server = await serve({ 'team/library.git': repo.dir });
    const web = await source(`${server.url}/team/library.git`);
    expect(formatAddress(web.address)).toBe('/local/team/library');
    const file = await source(`file://${repo.dir}`, { as: 'a/file' });
    const host = await open([web, file]);
    for (const { address } of [web, file]) {
      const resolution = await host.resolve(address);
      expect(resolution).toMatchObject({ commit: repo.head, scope: 'private' });
      expect(await contents(host, resolution)).toEqual({ a: 'x' });
    }
  });

  test('given to two sources is an error that says what to do', async () => {
    const one = await source(repository({ a: 'x' }).dir, { as: 'a/b' });
    const two = await source(repository({ a: 'y' }).dir, { as: 'a/b' });
    await expect(open([one, two])).rejects.toThrow('owner/repo=<source>');
  });

  test('that named another repository before does not give its commits', async () => {
    const first = repository({ a: 'secret' });
    const commit = first.head;
    const before = await open([await source(first.dir, { as: 'a/b' })]);
    await before.resolve(address(`/local/a/b@${commit}`));
    const after = await open([await source(repository({ a: 'other' }).dir, { as: 'a/b' })]);
    await expect(after.resolve(address(`/local/a/b@${commit}`))).rejects.toMatchObject({
      code: 'mount.ref_not_found',
    });
  });
});
