import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { openWorktree } from '@skillquay/git/worktree';
import { expect, test } from 'vitest';
import { checkout } from '../../../test-support/folder.ts';
import { asNobody } from '../../../test-support/nobody.ts';
import { buildIndex } from '../src/build.ts';
import { openIndex } from '../src/index-file.ts';
import { classesOf, codesOf, skill } from './support.ts';

async function build(dir: string) {
  const privateDir = mkdtempSync(join(tmpdir(), 'skillquay-private-'));
  const worktree = await openWorktree(dir, privateDir, { maxFileBytes: DEFAULT_LIMITS.readFileBytes });
  const { repo, tree } = await asNobody([dir, privateDir], () => worktree.snapshot());
  const { chunks } = await buildIndex({
    identity: { repository: 'local/acme/library', commit: `worktree:${tree}`, rules: '1' },
    ...{ git: repo, tree, limits: DEFAULT_LIMITS, serving: 'licensed', workers: 0, workerUrl: null },
  });
  await worktree.close();
  return openIndex(Buffer.concat(chunks));
}

test('a file of a folder that is too large is withheld as such, with its size', async () => {
  const repo = checkout({ 'a/SKILL.md': skill('a'), 'c/SKILL.md': skill('c') });
  const huge = 'x'.repeat(DEFAULT_LIMITS.readFileBytes + 1);
  repo.write({ 'a/data.bin': huge, 'b/SKILL.md': skill('b') + huge, 'c/SKILLCDN.md': huge });
  const index = await build(repo.dir);
  expect(classesOf(index)).toMatchObject({
    'a/SKILL.md': 'skill',
    'a/data.bin': 'withheld too_large',
    'b/SKILL.md': 'withheld too_large',
  });
  expect(index.size[index.rowOf('a/data.bin')]).toBe(huge.length);
  expect(codesOf(index)).toEqual(expect.arrayContaining(['b/SKILL.md too_large', 'c/SKILLCDN.md too_large']));
  expect(codesOf(index).filter((code) => code.includes('missing'))).toEqual([]);
});

test('a file of a folder that cannot be opened is told, and not served', async () => {
  const repo = checkout({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b'), 'c/SKILL.md': skill('c') });
  repo.write({ 'c/SKILLCDN.md': '---\ntitle: C\n---\n', 'a/data.txt': 'x' });
  for (const path of ['b/SKILL.md', 'c/SKILLCDN.md', 'a/data.txt']) chmodSync(join(repo.dir, path), 0);
  const index = await build(repo.dir);
  expect(codesOf(index)).toEqual(
    expect.arrayContaining([
      'a/data.txt unreadable_file',
      'b/SKILL.md unreadable_file',
      'c/SKILLCDN.md unreadable_file',
    ]),
  );
  expect(codesOf(index).filter((code) => code.includes('missing'))).toEqual([]);
  expect(classesOf(index)).toMatchObject({
    'a/SKILL.md': 'skill',
    'a/data.txt': 'withheld object_missing',
    'b/SKILL.md': 'withheld object_missing',
  });
  expect(codesOf(index).filter((code) => code.startsWith('c/SKILL.md'))).toEqual([]);
});
