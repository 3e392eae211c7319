// A folder is read by the ignore rules that hold when it is looked at, not by those of when it was opened.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkout, folder } from '../../../test-support/folder.ts';
import { listTree } from './tree.ts';
import { openWorktree, type Worktree } from './worktree.ts';

const opened: Worktree[] = [];
const { PATH, GIT_CONFIG_GLOBAL } = process.env;
afterEach(async () => {
  process.env.PATH = PATH;
  if (GIT_CONFIG_GLOBAL === undefined) delete process.env.GIT_CONFIG_GLOBAL;
  else process.env.GIT_CONFIG_GLOBAL = GIT_CONFIG_GLOBAL;
  for (const worktree of opened.splice(0)) await worktree.close();
});

async function open(dir: string): Promise<Worktree> {
  const worktree = await openWorktree(dir, mkdtempSync(join(tmpdir(), 'skillquay-private-')));
  opened.push(worktree);
  return worktree;
}

async function names(worktree: Worktree): Promise<string[]> {
  const { repo, tree } = await worktree.snapshot();
  const { count, path } = await listTree(repo, tree);
  return Array.from({ length: count }, (_, i) => path(i));
}

test('what info/exclude ignores from now on is left out, and is back when it no longer does', async () => {
  const repo = checkout({ a: 'x' });
  repo.write({ private: 'x', other: 'x' });
  const worktree = await open(repo.dir);
  expect(await names(worktree)).toEqual(['a', 'other', 'private']);
  repo.write({ '.git/info/exclude': 'private' });
  expect(await names(worktree)).toEqual(['a', 'other']);
  repo.write({ '.git/info': null });
  expect(await names(worktree)).toEqual(['a', 'other', 'private']);
});

test('what core.excludesFile ignores is left out once it is set, and once the file says so', async () => {
  const repo = checkout({ a: 'x' });
  const patterns = folder({ ignored: 'private\n', else: 'other\n' });
  repo.write({ private: 'x', other: 'x' });
  const worktree = await open(repo.dir);
  expect(await names(worktree)).toEqual(['a', 'other', 'private']);
  repo.git('config', 'core.excludesFile', join(patterns.dir, 'ignored'));
  expect(await names(worktree)).toEqual(['a', 'other']);
  expect(worktree.ruleFiles).toContain(join(patterns.dir, 'ignored'));
  patterns.write({ ignored: 'private\nother\n' });
  expect(await names(worktree)).toEqual(['a']);
  repo.git('config', 'core.excludesFile', join(patterns.dir, 'else'));
  expect(await names(worktree)).toEqual(['a', 'private']);
  repo.git('config', '--unset', 'core.excludesFile');
  expect(await names(worktree)).toEqual(['a', 'other', 'private']);
});

test.each([true, false])(
  'settings of the user that were not there at first count (repository: %s)',
  async (isRepo) => {
    const served = isRepo ? checkout({ a: 'x' }) : folder({ a: 'x' });
    const user = folder({ ignored: 'private\n' });
    served.write({ private: 'x' });
    process.env.GIT_CONFIG_GLOBAL = join(user.dir, 'settings');
    const worktree = await open(served.dir);
    expect(await names(worktree)).toEqual(['a', 'private']);
    user.write({ settings: '[include]\n\tpath = included\n', included: '' });
    expect(await names(worktree)).toEqual(['a', 'private']);
    user.write({
      included: `[core]\n\texcludesFile = ${join(user.dir, 'ignored')}\n`,
      settings: '[include]\npath=included\n',
    });
    expect(await names(worktree)).toEqual(['a']);
    user.write({ included: '[core]\n\texcludesFile = /nowhere\n' });
    expect(await names(worktree)).toEqual(['a', 'private']);
  },
);

test('patterns are taken as bytes, whatever encoding the names have and whatever mark stands before them', async () => {
  const repo = checkout({ a: 'x' });
  const raw = (text: string) => Buffer.from(text, 'latin1');
  writeFileSync(Buffer.concat([raw(`${repo.dir}/`), raw('\xff')]), 'raw');
  const patterns = folder({ ignored: raw('\xff\n') });
  repo.git('config', 'core.excludesFile', join(patterns.dir, 'ignored'));
  repo.write({ private: 'x', '.git/info/exclude': raw('\xef\xbb\xbfprivate\n') });
  expect(await names(await open(repo.dir))).toEqual(['a']);
});

test('the files that say how a folder is read are named, those above a folder that is served alone too', async () => {
  const repo = checkout({ 'in/deep/a': 'x', 'in/b': 'x' });
  repo.git('worktree', 'add', '--quiet', '-b', 'side', '../side');
  const side = join(repo.dir, '..', 'side');
  const { ruleFiles } = await open(join(side, 'in/deep'));
  expect(ruleFiles).toEqual(
    expect.arrayContaining([
      join(repo.dir, '.git/config'),
      join(repo.dir, '.git/info/exclude'),
      join(repo.dir, '.git/worktrees/side/config.worktree'),
      join(side, 'in/.gitignore'),
      join(side, '.gitignore'),
    ]),
  );
  expect(ruleFiles).not.toContain(join(side, '..', '.gitignore'));
  expect((await open(side)).ruleFiles).not.toContain(join(side, '.gitignore'));
});

test('git is asked for settings once, and again only after they changed', async () => {
  const repo = checkout({ a: 'x' });
  const git = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  const bin = folder({
    git: { executable: `#!/bin/sh\necho "$*" >>"$(dirname "$0")/log"\nexec ${git} "$@"\n` },
  });
  process.env.PATH = `${bin.dir}:${PATH}`;
  const log = join(bin.dir, 'log');
  const asked = () => (existsSync(log) ? readFileSync(log, 'utf8').split(' config --null ').length - 1 : 0);
  const worktree = await open(repo.dir);
  for (let i = 0; i < 3; i++) await worktree.snapshot();
  expect(asked()).toBe(1);
  repo.git('config', 'core.excludesFile', '/nowhere');
  for (let i = 0; i < 3; i++) await worktree.snapshot();
  expect(asked()).toBe(3);
});

test('settings that git cannot read leave those that held before', async () => {
  const repo = checkout({ a: 'x' });
  const user = folder({ ignored: 'private\n' });
  process.env.GIT_CONFIG_GLOBAL = join(user.dir, 'settings');
  user.write({ settings: `[core]\n\texcludesFile = ${join(user.dir, 'ignored')}\n` });
  repo.write({ private: 'x', other: 'x' });
  const worktree = await open(repo.dir);
  user.write({ settings: '[core' });
  expect(await names(worktree)).toEqual(['a', 'other']);
  user.write({ settings: '' });
  expect(await names(worktree)).toEqual(['a', 'other', 'private']);
});
