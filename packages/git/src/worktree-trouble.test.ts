import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkout, folder } from '../../../test-support/folder.ts';
import { streamObjects } from './objects.ts';
import { listTree } from './tree.ts';
import { openWorktree, type Worktree, type WorktreeSnapshot } from './worktree.ts';

const opened: Worktree[] = [];
const path = process.env.PATH;
afterEach(async () => {
  process.env.PATH = path;
  for (const worktree of opened.splice(0)) await worktree.close();
});

async function open(dir: string) {
  const privateDir = mkdtempSync(join(tmpdir(), 'skillquay-private-'));
  const worktree = await openWorktree(dir, privateDir);
  opened.push(worktree);
  return { worktree, privateDir };
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
  repo.write({ a: 'changed' });
  expect(await contents(await worktree.snapshot())).toEqual({ a: 'changed', b: 'y' });
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

test('a repository that is gone is a failure until it is back', async () => {
  const repo = checkout({ a: 'x' });
  const { worktree } = await open(repo.dir);
  await worktree.snapshot();
  rmSync(repo.dir, { recursive: true });
  await expect(worktree.snapshot()).rejects.toMatchObject({ name: 'GitError' });
  expect(existsSync(repo.dir)).toBe(false);
});
