// Paths that no address can name: nothing is served of them, and nothing of them disappears.
import { isAnswerError } from '@skillquay/core/answers';
import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { build, codesOf, entriesOf, manifest, mountOf, skill } from './support.ts';

/** A path in Latin-1, whose bytes are not UTF-8. */
const latin1 = (path: string) => Buffer.from(path, 'latin1');

test('a path that cannot be named is listed with the reason where its folder is visible', async () => {
  const { index, report } = await build(
    repository([
      ['docs/a.md', ''],
      [latin1('docs/caf\xe9.md'), ''],
      ['docs/two\nlines.md', ''],
      ['docs/z.md', ''],
      ['src/back\\slash.md', ''],
    ]),
  );
  expect(entriesOf(index)).toEqual(['folder docs']);
  expect(entriesOf(index, 'docs')).toEqual([
    'document docs/a.md',
    'withheld docs/caf\\xe9.md unaddressable_path',
    'withheld docs/two\nlines.md unaddressable_path',
    'document docs/z.md',
  ]);
  expect(report.counts).toMatchObject({ unaddressable: 3, withheld: 0 });
  expect(report.withheld).toEqual([]);
  expect(codesOf(index)).toContain('docs/caf\\xe9.md unaddressable_path');
});

test('what lies in a folder that cannot be named is listed in the nearest that can', async () => {
  const { index } = await build(
    repository([
      ['docs/a.md', ''],
      [latin1('docs/caf\xe9/deep/menu.md'), ''],
      [latin1('\xe9/SKILL.md'), skill('e')],
    ]),
  );
  expect(entriesOf(index)).toEqual(['folder docs', 'withheld \\xe9/SKILL.md unaddressable_path']);
  expect(entriesOf(index, 'docs')).toEqual([
    'document docs/a.md',
    'withheld docs/caf\\xe9/deep/menu.md unaddressable_path',
  ]);
});

test('a skill leaves out the files that cannot be named, and a nested skill takes its own', async () => {
  const { index } = await build(
    repository([
      ['s/SKILL.md', skill('s')],
      [latin1('s/caf\xe9.md'), ''],
      [latin1('s/.hidden/caf\xe9.md'), ''],
      ['s/inner/SKILL.md', skill('inner')],
      ['s/inner/two\nlines.txt', ''],
    ]),
  );
  const leftOut = (path: string) => {
    const answer = mountOf(index).skill(path, { maxPaths: 9, maxPathBytes: 999 });
    if (isAnswerError(answer)) throw new Error(answer.error.message);
    return answer.leftOut.map((entry) => `${entry.path} ${entry.reason}`);
  };
  expect(leftOut('s/SKILL.md')).toEqual(['s/caf\\xe9.md unaddressable_path']);
  expect(leftOut('s/inner/SKILL.md')).toEqual(['s/inner/two\nlines.txt unaddressable_path']);
});

test('a path that is spelled like the bytes of another is not taken for it', async () => {
  const { index, report } = await build(
    repository([
      ['docs/a\ufffd.md', ''],
      ['docs/a\\xff.md', ''],
      [latin1('docs/a\xff.md'), ''],
    ]),
  );
  expect(entriesOf(index, 'docs')).toEqual([
    'withheld docs/a\\xff.md unaddressable_path',
    'document docs/a\ufffd.md',
  ]);
  expect(report.counts).toMatchObject({ entries: 3, unaddressable: 2 });
});

test('an exclusion and a closed folder hide such a path too', async () => {
  const { index } = await build(
    repository([
      ['SKILLCDN.md', manifest('exclude: [docs/secret]\n')],
      ['docs/a.md', ''],
      [latin1('docs/secret/caf\xe9.md'), ''],
      ['shut/SKILLCDN.md', 'broken'],
      [latin1('shut/caf\xe9.md'), ''],
    ]),
  );
  expect(Array.from({ length: index.rowCount }, (_, row) => index.path(row))).toEqual([
    'SKILLCDN.md',
    'docs/a.md',
    'shut/SKILLCDN.md',
  ]);
});

test('an index made from another is the same', async () => {
  const repo = repository([
    ['docs/a.md', '# A\n'],
    [latin1('docs/caf\xe9.md'), ''],
    ['s/SKILL.md', skill('s')],
  ]);
  const before = await build(repo);
  const commit = repo.commit([
    ['docs/b.md', '# B\n'],
    ['s/two\nlines.md', ''],
  ]);
  const { bytes } = await build(repo, { commit, previous: before.index });
  expect(bytes.equals((await build(repo, { commit })).bytes)).toBe(true);
});
