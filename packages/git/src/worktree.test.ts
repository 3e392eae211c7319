import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { checkout, folder, type TestFolder } from '../../../test-support/folder.ts';
import { streamObjects } from './objects.ts';
import { listTree } from './tree.ts';
import { EMPTY_TREE, openWorktree, type Worktree, type WorktreeSnapshot } from './worktree.ts';

const opened: Worktree[] = [];
afterEach(async () => {
  for (const worktree of opened.splice(0)) await worktree.close();
});

async function open(dir: string): Promise<Worktree> {
  const worktree = await openWorktree(dir, mkdtempSync(join(tmpdir(), 'skillquay-private-')));
  opened.push(worktree);
  return worktree;
}

/** Path to content, with a mark for what is no regular file. */
async function contents(snapshot: WorktreeSnapshot): Promise<Record<string, string>> {
  const tree = await listTree(snapshot.repo, snapshot.tree);
  const found: Record<string, string> = {};
  await streamObjects(snapshot.repo, tree.oids, (i, content) => {
    const mark = ['', 'exec:', 'link:', 'submodule:'][tree.modes[i] ?? 0];
    found[tree.path(i)] = `${mark}${content?.toString() ?? ''}`;
  });
  return found;
}

/** Every file of a repository's own directory with a digest: what must not change. */
function fingerprint(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${statSync(path).mtimeMs} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
    })
    .sort();
}

test('a folder without changes is its commit', async () => {
  const repo = checkout({ a: 'x', 'd/b': 'y' });
  const worktree = await open(repo.dir);
  const snapshot = await worktree.snapshot();
  expect(snapshot).toMatchObject({ clean: true, head: repo.git('rev-parse', 'HEAD') });
  expect(snapshot.tree).toBe(repo.git('rev-parse', 'HEAD^{tree}'));
});

test('modified, added, deleted, staged, renamed and retyped files are read as they are now', async () => {
  const repo = checkout({
    modified: 'old',
    deleted: 'x',
    'dir/inside': 'x',
    file: 'x',
    'linked/deep': 'x',
    tool: 'x',
    plain: 'same',
  });
  repo.write({ staged: 'in the index' });
  repo.git('add', 'staged');
  repo.write({
    modified: 'new',
    deleted: null,
    added: 'untracked',
    dir: null,
    file: null,
    linked: { symlink: '/etc' },
    tool: { executable: 'x' },
    staged: 'and changed again',
  });
  repo.write({ dir: 'now a file', 'file/inside': 'now a folder' });
  const snapshot = await (await open(repo.dir)).snapshot();
  expect(snapshot.clean).toBe(false);
  expect(await contents(snapshot)).toEqual({
    added: 'untracked',
    dir: 'now a file',
    'file/inside': 'now a folder',
    linked: 'link:/etc',
    modified: 'new',
    plain: 'same',
    staged: 'and changed again',
    tool: 'exec:x',
  });
});

test('the repository is not written to', async () => {
  const repo = checkout({ a: 'x', b: 'y' });
  repo.write({ a: 'changed', c: 'new' });
  const before = fingerprint(repo.dir);
  const worktree = await open(repo.dir);
  await worktree.snapshot();
  repo.git('update-index', '-q', '--refresh', '--really-refresh', '--unmerged');
  expect(fingerprint(join(repo.dir, '.git', 'objects'))).toEqual(
    before.filter((line) => line.includes('/.git/objects/')).sort(),
  );
  await worktree.snapshot();
  expect(fingerprint(repo.dir).filter((line) => !line.includes('/.git/index'))).toEqual(
    before.filter((line) => !line.includes('/.git/index')),
  );
});

test('each snapshot sees what changed since the last, and coming back is clean again', async () => {
  const repo = checkout({ a: 'one' });
  const worktree = await open(repo.dir);
  expect((await worktree.snapshot()).clean).toBe(true);
  repo.write({ a: 'two', b: 'new' });
  expect(await contents(await worktree.snapshot())).toEqual({ a: 'two', b: 'new' });
  repo.write({ a: 'one', b: null });
  expect((await worktree.snapshot()).clean).toBe(true);
  repo.write({ a: 'TWO' });
  const head = repo.commit();
  expect(await worktree.snapshot()).toMatchObject({ clean: true, head });
});

test('an untracked file leaves when it becomes ignored, a tracked one stays', async () => {
  const repo = checkout({ 'tracked.log': 'x', 'other.md': 'x' });
  repo.write({ 'untracked.log': 'x' });
  const worktree = await open(repo.dir);
  expect(Object.keys(await contents(await worktree.snapshot()))).toContain('untracked.log');
  repo.write({ '.gitignore': '*.log\n' });
  expect(Object.keys(await contents(await worktree.snapshot()))).toEqual([
    '.gitignore',
    'other.md',
    'tracked.log',
  ]);
});

test('what the repository and its checkout exclude is left out, and node_modules always', async () => {
  const repo = checkout({ a: 'x' });
  repo.write({
    '.git/info/exclude': 'private\n',
    private: 'x',
    'node_modules/p/SKILL.md': 'x',
    'n/node_modules': 'x',
  });
  expect(await contents(await (await open(repo.dir)).snapshot())).toEqual({ a: 'x' });
});

test('bytes are taken as they lie there: no filter, no line ends, nothing is run', async () => {
  const repo = checkout({ a: 'x' });
  const marker = join(repo.dir, '..', 'ran');
  const run = `sh -c "touch '${marker}'; cat"`;
  for (const [name, value] of [
    ['filter.evil.clean', run],
    ['filter.evil.smudge', run],
    ['filter.evil.process', run],
    ['core.fsmonitor', run],
    ['core.autocrlf', 'true'],
    ['core.hooksPath', join(repo.dir, 'hooks')],
  ] as const)
    repo.git('config', name, value);
  repo.write({
    '.gitattributes': '* filter=evil text eol=lf ident\n*.u16 working-tree-encoding=UTF-16\n',
    'crlf.md': 'a\r\n$Id$\r\n',
    'b.u16': 'no utf-16',
    'hooks/post-index-change': { executable: `#!/bin/sh\ntouch '${marker}'\n` },
    a: 'changed\r\n',
  });
  const found = await contents(await (await open(repo.dir)).snapshot());
  expect(found).toMatchObject({ 'crlf.md': 'a\r\n$Id$\r\n', 'b.u16': 'no utf-16', a: 'changed\r\n' });
  expect(existsSync(marker)).toBe(false);
});

test('a repository within the folder is a submodule; one without a commit is passed over', async () => {
  const repo = checkout({ a: 'x' });
  const inner = checkout({ secret: 'x' }, 'inner');
  repo.git('clone', '--quiet', inner.dir, 'nested');
  repo.git('init', '--quiet', 'empty');
  const snapshot = await (await open(repo.dir)).snapshot();
  expect(await contents(snapshot)).toEqual({ a: 'x', nested: 'submodule:' });
  const tree = await listTree(snapshot.repo, snapshot.tree);
  expect(Buffer.from(tree.oids.subarray(20, 40)).toString('hex')).toBe(inner.git('rev-parse', 'HEAD'));
});

test('a submodule that moved is named at its new commit', async () => {
  const inner = checkout({ a: 'x' }, 'inner');
  const repo = checkout({ b: 'y' });
  repo.git('clone', '--quiet', inner.dir, 'sub');
  repo.commit();
  const worktree = await open(repo.dir);
  expect((await worktree.snapshot()).clean).toBe(true);
  const nested: TestFolder = { ...inner, dir: join(repo.dir, 'sub') };
  repo.write({ 'sub/a': 'changed inside' });
  expect((await worktree.snapshot()).clean).toBe(true);
  repo.git('-C', nested.dir, 'commit', '--quiet', '-am', 'next');
  const snapshot = await worktree.snapshot();
  expect(snapshot.clean).toBe(false);
});

test('a folder that is no repository is read the same way', async () => {
  const plain = folder({
    'skills/a/SKILL.md': 'x',
    'node_modules/p/README.md': 'x',
    '.gitignore': 'tmp\n',
    tmp: 'x',
  });
  const worktree = await open(plain.dir);
  const first = await worktree.snapshot();
  expect(first).toMatchObject({ clean: false, head: null });
  expect(await contents(first)).toEqual({ '.gitignore': 'tmp\n', 'skills/a/SKILL.md': 'x' });
  plain.write({ 'skills/b/SKILL.md': 'y', 'skills/a': null });
  expect(await contents(await worktree.snapshot())).toEqual({
    '.gitignore': 'tmp\n',
    'skills/b/SKILL.md': 'y',
  });
});

test('a folder of many files is stored in packs', async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f/${i}`, `${i % 200}`]));
  const snapshot = await (await open(folder(files).dir)).snapshot();
  expect(await contents(snapshot)).toEqual(files);
  expect(readdirSync(join(snapshot.repo.gitDir, 'objects/pack'))).toHaveLength(2);
});

test('an empty folder and a repository without a commit are read too', async () => {
  expect((await (await open(folder().dir)).snapshot()).tree).toBe(EMPTY_TREE);
  const unborn = folder({ a: 'x' });
  unborn.git('init', '--quiet');
  const snapshot = await (await open(unborn.dir)).snapshot();
  expect(snapshot).toMatchObject({ head: null, clean: false });
  expect(await contents(snapshot)).toEqual({ a: 'x' });
});

test('a folder within a repository is read alone', async () => {
  const repo = checkout({ 'skills/a/SKILL.md': 'x', 'other/secret': 'x' });
  const worktree = await open(join(repo.dir, 'skills'));
  expect((await worktree.snapshot()).clean).toBe(true);
  repo.write({ 'other/secret': 'changed' });
  expect((await worktree.snapshot()).clean).toBe(true);
  repo.write({ 'skills/b/SKILL.md': 'y' });
  const snapshot = await worktree.snapshot();
  expect(snapshot.clean).toBe(false);
  expect(await contents(snapshot)).toEqual({ 'a/SKILL.md': 'x', 'b/SKILL.md': 'y' });
});

test('a folder that its repository ignores is a folder of its own', async () => {
  const repo = checkout({ '.gitignore': 'dist\n' });
  repo.write({ 'dist/SKILL.md': 'x' });
  expect(await contents(await (await open(join(repo.dir, 'dist'))).snapshot())).toEqual({ 'SKILL.md': 'x' });
});

test('a repository below a folder whose name has a line feed in it is read with its ignored files left out', async () => {
  const dir = join(
    folder({ 'two\nlines/a': 'x', 'two\nlines/b': 'y', 'two\nlines/deep/c': 'z' }).dir,
    'two\nlines',
  );
  execFileSync('git', ['init', '--quiet', dir]);
  writeFileSync(join(dir, '.git/info/exclude'), 'b\n');
  expect(await contents(await (await open(dir)).snapshot())).toEqual({ a: 'x', 'deep/c': 'z' });
  expect(await contents(await (await open(join(dir, 'deep'))).snapshot())).toEqual({ c: 'z' });
});

test('names that are no UTF-8, and names with blanks, quotes and line feeds, survive', async () => {
  const repo = checkout({ a: 'x' });
  repo.git('-c', 'core.quotePath=false', 'config', 'core.quotePath', 'false');
  repo.write({ 'a "b"\n c': 'odd', 'ünïcode 한글': 'more' });
  writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/`), Buffer.from([0xff, 0x61])]), 'raw');
  const found = await contents(await (await open(repo.dir)).snapshot());
  expect(found).toEqual({ a: 'x', 'a "b"\n c': 'odd', 'ünïcode 한글': 'more', '\ufffda': 'raw' });
});

test('a merge conflict is read as the files stand', async () => {
  const repo = checkout({ a: 'base\n' });
  repo.git('checkout', '--quiet', '-b', 'other');
  repo.write({ a: 'theirs\n' });
  repo.commit();
  repo.git('checkout', '--quiet', 'main');
  repo.write({ a: 'ours\n' });
  repo.commit();
  expect(() => repo.git('merge', '--quiet', 'other')).toThrow();
  const found = await contents(await (await open(repo.dir)).snapshot());
  expect(found.a).toContain('<<<<<<<');
});

test('linked worktrees and split indexes are read', async () => {
  const repo = checkout({ a: 'x' });
  repo.git('worktree', 'add', '--quiet', '-b', 'side', '../side');
  const side = join(repo.dir, '..', 'side');
  expect((await (await open(side)).snapshot()).clean).toBe(true);
  repo.git('update-index', '--split-index');
  repo.write({ b: 'y' });
  expect(await contents(await (await open(repo.dir)).snapshot())).toEqual({ a: 'x', b: 'y' });
});

test('what git cannot read is left out, and everything beside it is read', async () => {
  const repo = checkout({ a: 'x', b: 'y' });
  repo.write({ a: null, b: 'changed', c: 'new' });
  execFileSync('mkfifo', [join(repo.dir, 'a')]);
  expect(await contents(await (await open(repo.dir)).snapshot())).toEqual({ b: 'changed', c: 'new' });
});

test('the private objects are removed on close', async () => {
  const privateDir = mkdtempSync(join(tmpdir(), 'skillquay-private-'));
  const worktree = await openWorktree(folder({ a: 'x' }).dir, privateDir);
  await worktree.snapshot();
  await worktree.close();
  expect(readdirSync(privateDir)).toEqual([]);
});
