import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkout, folder } from '../../../test-support/folder.ts';
import { asNobody } from '../../../test-support/nobody.ts';
import { objectSizes, streamObjects, UNKNOWN_SIZE } from './objects.ts';
import { isUnreadable, listTree } from './tree.ts';
import { openWorktree, type Worktree, type WorktreeOptions, type WorktreeSnapshot } from './worktree.ts';

const opened: Worktree[] = [];
const path = process.env.PATH;
afterEach(async () => {
  process.env.PATH = path;
  for (const worktree of opened.splice(0)) await worktree.close();
});

async function open(dir: string, options: WorktreeOptions = {}) {
  const privateDir = mkdtempSync(join(tmpdir(), 'skillquay-private-'));
  const worktree = await openWorktree(dir, privateDir, options);
  opened.push(worktree);
  return { worktree, privateDir };
}

function bytesBelow(dir: string): number {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

/** Puts a shell script in front of git; `$GIT` is git itself. */
function replaceGit(script: string): void {
  const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const bin = folder({ git: { executable: `#!/bin/sh\nGIT=${git}\n${script}\n` } });
  process.env.PATH = `${bin.dir}:${path}`;
}

async function contents({ repo, tree }: WorktreeSnapshot): Promise<Record<string, string | null>> {
  const listing = await listTree(repo, tree);
  const found: Record<string, string | null> = {};
  await streamObjects(repo, listing.oids, (i, content) => {
    found[listing.path(i)] = content === null ? null : content.toString();
  });
  return found;
}

test('what a git that was killed leaves behind ends nothing', async () => {
  const repo = checkout({ a: 'x' });
  const { worktree } = await open(repo.dir);
  const { gitDir } = (await worktree.snapshot()).repo;
  writeFileSync(join(gitDir, 'index.lock'), '');
  repo.write({ a: 'changed' });
  expect(await contents(await worktree.snapshot())).toEqual({ a: 'changed' });
});

test('an index that broke is made again', async () => {
  const repo = checkout({ a: 'x', b: 'y' });
  const { worktree } = await open(repo.dir);
  const { gitDir } = (await worktree.snapshot()).repo;
  writeFileSync(join(gitDir, 'index'), 'no index');
  writeFileSync(join(gitDir, 'objects/tmp_obj_half'), 'half');
  repo.write({ a: 'changed' });
  expect(await contents(await worktree.snapshot())).toEqual({ a: 'changed', b: 'y' });
  expect(readdirSync(join(gitDir, 'objects'))).not.toContain('tmp_obj_half');
});

test('a private folder that was removed is made again', async () => {
  const repo = checkout({ a: 'x' });
  repo.write({ b: 'new' });
  const { worktree, privateDir } = await open(repo.dir);
  await worktree.snapshot();
  rmSync(privateDir, { recursive: true });
  expect(await contents(await worktree.snapshot())).toEqual({ a: 'x', b: 'new' });
  await worktree.close();
  expect(readdirSync(privateDir)).toEqual([]);
});

test('files that git dies of are read as they are now, and everything beside them', async () => {
  const repo = checkout({ a: 'x', flux: 'x' });
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, `${i}`]));
  repo.write({ ...files, flux: { executable: 'torn' }, 'd/flux 2': 'torn too' });
  const { worktree } = await open(repo.dir);
  // Killed in the middle, as where a file that is read is cut short.
  replaceGit(`
    case "$*" in *"update-index"*"--stdin"*) ;; *) exec "$GIT" "$@";; esac
    input=$(mktemp); cat >"$input"
    if grep -qa flux "$input"; then touch "$GIT_INDEX_FILE.lock"; kill -BUS $$; fi
    exec "$GIT" "$@" <"$input"`);
  expect(await contents(await worktree.snapshot())).toEqual({
    a: 'x',
    ...files,
    flux: 'torn',
    'd/flux 2': 'torn too',
  });
  expect(repo.git('diff-files', '--name-only')).toBe('flux');
});

test('files that cannot be opened are named, and everything beside them is read', async () => {
  const repo = checkout({ a: 'x', tracked: 'x', hidden: 'x' });
  repo.write({ a: 'changed', untracked: 'x', large: 'x'.repeat(2_000), hidden: 'changed' });
  for (const name of ['tracked', 'untracked', 'large']) chmodSync(join(repo.dir, name), 0);
  const { worktree, privateDir } = await open(repo.dir, { maxFileBytes: 1_000 });
  const read = () =>
    asNobody([repo.dir, privateDir], async () => {
      const now = await worktree.snapshot();
      const { oids, count, path } = await listTree(now.repo, now.tree);
      return Array.from({ length: count }, (_, i) => path(i)).filter((_, i) => isUnreadable(oids, i));
    });
  for (let i = 0; i < 2; i++) expect(await read()).toEqual(['large', 'tracked', 'untracked']);
  expect(await contents(await worktree.snapshot())).toMatchObject({ a: 'changed', hidden: 'changed' });
  for (const name of ['tracked', 'untracked', 'large']) chmodSync(join(repo.dir, name), 0o644);
  expect(await read()).toEqual([]);
  expect(await contents(await worktree.snapshot())).toMatchObject({
    tracked: 'x',
    untracked: 'x',
    large: null,
  });
});

test('a repository that is gone is a failure until it is back', async () => {
  const repo = checkout({ a: 'x' });
  const { worktree } = await open(repo.dir);
  await worktree.snapshot();
  rmSync(repo.dir, { recursive: true });
  await expect(worktree.snapshot()).rejects.toMatchObject({ name: 'GitError' });
  expect(existsSync(repo.dir)).toBe(false);
});

test('of a file that is too large to be read its hash and its size are known, and nothing is stored', async () => {
  const repo = checkout({ a: 'x', tracked: 'y'.repeat(2_000), touched: 'z'.repeat(2_000) });
  const { worktree, privateDir } = await open(repo.dir, { maxFileBytes: 1_000 });
  const past = new Date(Date.now() - 60_000);
  utimesSync(join(repo.dir, 'touched'), past, past);
  expect((await worktree.snapshot()).clean).toBe(true);
  for (let i = 0; i < 3; i++) {
    repo.write({ tracked: { executable: `${i}`.repeat(300_000) }, 'new\nname': randomBytes(1_001) });
    const { repo: git, tree, clean } = await worktree.snapshot();
    expect(clean).toBe(false);
    const listing = await listTree(git, tree);
    const expected = Array.from({ length: listing.count }, (_, at) =>
      repo.git('hash-object', '--', listing.path(at)),
    );
    expect(Buffer.from(listing.oids).toString('hex')).toBe(expected.join(''));
    expect([...(await objectSizes(git, listing.oids))]).toEqual([1, 1_001, 2_000, 300_000]);
    const streamed: (number | null)[] = [];
    await streamObjects(git, listing.oids, (_, content, size) => void streamed.push(content && size));
    expect(streamed).toEqual([1, null, 2_000, null]);
    const sizes: number[] = [];
    await streamObjects(git, listing.oids, (_, _content, size) => void sizes.push(size));
    expect(sizes).toEqual([1, 1_001, 2_000, 300_000]);
    expect([...(await objectSizes({ ...git, unkept: new Map() }, listing.oids))][1]).toBe(UNKNOWN_SIZE);
  }
  expect(bytesBelow(privateDir)).toBeLessThan(20_000);
  repo.write({ tracked: null, 'new\nname': null });
  repo.git('checkout', '--', 'tracked');
  expect((await worktree.snapshot()).clean).toBe(true);
});

test('what was stored is given up when it is much more than the folder holds', async () => {
  const repo = checkout({ a: 'x' });
  const { worktree, privateDir } = await open(repo.dir, { maxStaleBytes: 1_000_000 });
  let before: WorktreeSnapshot | undefined;
  for (let i = 0; i < 20; i++) {
    repo.write({ 'b.bin': randomBytes(250_000), c: `${i}` });
    const now = await worktree.snapshot();
    expect(Object.keys(await contents(now))).toEqual(['a', 'b.bin', 'c']);
    // Who was given the one before can still read it.
    if (before) expect(Object.values(await contents(before))).not.toContain(null);
    before = now;
  }
  expect(bytesBelow(privateDir)).toBeLessThan(4_000_000);
});

test('where no space is left on the disk that is said, and it goes on once there is', async () => {
  const repo = checkout({ a: 'x' });
  const { worktree, privateDir } = await open(repo.dir);
  await worktree.snapshot();
  repo.write({ a: 'changed' });
  replaceGit(`
    case "$*" in *"update-index"*"--stdin"*) ;; *) exec "$GIT" "$@";; esac
    echo half >"$GIT_DIR/objects/tmp_obj_1"
    echo "fatal: unable to write loose object file: No space left on device" >&2; exit 128`);
  await expect(worktree.snapshot()).rejects.toMatchObject({ kind: 'full' });
  expect(readdirSync(privateDir, { recursive: true })).toHaveLength(1);
  process.env.PATH = path;
  expect(await contents(await worktree.snapshot())).toEqual({ a: 'changed' });
});
