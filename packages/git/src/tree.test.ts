import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { listTree, parseListing } from './tree.ts';

test('a listing has every kind of entry in the byte order of whole paths', async () => {
  const repo = repository([
    ['a/x', 'in a'],
    ['a.txt', 'dot sorts before slash'],
    ['a0', 'zero sorts after slash'],
    ['run.sh', { executable: '#!/bin/sh\n' }],
    ['link', { symlink: '../outside' }],
    ['sub', { submodule: 'ab'.repeat(20) }],
    ['한글/파일 이름.md', 'hangul'],
    [Buffer.from([0x66, 0xff, 0xfe]), 'no utf-8'],
  ]);
  const tree = await listTree({ gitDir: repo.dir, env: {} }, 'HEAD');
  const paths = Array.from({ length: tree.count }, (_, i) => tree.path(i));
  expect(paths).toEqual([
    'a.txt',
    'a/x',
    'a0',
    'f\ufffd\ufffd',
    'link',
    'run.sh',
    'sub',
    '한글/파일 이름.md',
  ]);
  expect([...tree.modes]).toEqual([0, 0, 0, 0, 2, 1, 3, 0]);
  expect(paths.filter((_, i) => !tree.validUtf8(i))).toEqual(['f\ufffd\ufffd']);
  expect(Buffer.from(tree.oids.subarray(6 * 20, 7 * 20)).toString('hex')).toBe('ab'.repeat(20));
  expect(Buffer.from(tree.oids.subarray(0, 20)).toString('hex')).toBe(repo.git('rev-parse', 'HEAD:a.txt'));
});

test('a made-up tree that is out of order or repeats a name is put in order, first entry kept', () => {
  const line = (path: string, digit: string) => `100644 blob ${digit.repeat(40)}\t${path}\0`;
  const tree = parseListing(Buffer.from(line('b', '1') + line('a', '2') + line('b', '3')));
  expect([tree.path(0), tree.path(1), tree.count]).toEqual(['a', 'b', 2]);
  expect(Buffer.from(tree.oids).toString('hex')).toBe('2'.repeat(40) + '1'.repeat(40));
});

test('a path that begins with a byte order mark keeps it', async () => {
  const repo = repository({ '\ufeffa.md': 'x' });
  const tree = await listTree({ gitDir: repo.dir, env: {} }, 'HEAD');
  expect(tree.path(0)).toBe('\ufeffa.md');
});

test('a SHA-256 repository is refused by name', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'skillquay-sha256-'));
  const git = (args: string[], input = '') =>
    execFileSync('git', ['--git-dir', dir, ...args], { input })
      .toString()
      .trim();
  git(['init', '-q', '--bare', '--object-format=sha256', dir]);
  const blob = git(['hash-object', '-w', '--stdin'], 'x');
  const tree = git(['mktree'], `100644 blob ${blob}\ta\n`);
  await expect(listTree({ gitDir: dir, env: {} }, tree)).rejects.toMatchObject({ kind: 'unsupported' });
  rmSync(dir, { recursive: true });
});

test('a listing over its bound is refused', async () => {
  const repo = repository(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`file-${i}`, 'x'])));
  const listing = listTree({ gitDir: repo.dir, env: {} }, 'HEAD', { maxBytes: 1_000 });
  await expect(listing).rejects.toMatchObject({ kind: 'too_large' });
});

test('a treeish that looks like an option is not one', async () => {
  const repo = repository({ a: 'x' });
  await expect(listTree({ gitDir: repo.dir, env: {} }, '--name-only')).rejects.toMatchObject({
    kind: 'failed',
  });
});
