import { openSegment } from '@skillquay/search/segment';
import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { build, classesOf, classOf, codesOf, diagnosticsOf, skill } from './support.ts';

test('tree entries beyond the limit are left out, and the index says so', async () => {
  const { index, report } = await build(
    repository({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b'), 'c/SKILL.md': skill('c') }),
    { limits: { treeEntries: 2 } },
  );
  expect(Object.keys(classesOf(index))).toEqual(['a/SKILL.md', 'b/SKILL.md']);
  expect(index.partial).toEqual(['1 file beyond the limit of 2 tree entries is left out.']);
  expect(codesOf(index)).toEqual([' beyond_limit']);
  expect(report.counts.entries).toBe(3);
});

test('files beyond the limit of indexed files are served and not searched', async () => {
  const { index } = await build(
    repository({ 'docs/a.md': 'one', 'docs/b.md': 'two', 'docs/c.md': 'three' }),
    { limits: { indexedFiles: 2 } },
  );
  expect([...index.doc]).toEqual([0, 1, -1]);
  expect(classOf(index, 'docs/c.md')).toBe('document');
  expect(index.partial).toEqual(['1 file beyond the limit of 2 indexed files is not searched.']);
});

test('text beyond the limit in all is served and not searched', async () => {
  const { index } = await build(
    repository({ 'docs/a.md': 'x'.repeat(60), 'docs/b.md': 'x'.repeat(60), 'docs/c.md': 'x' }),
    { limits: { indexedBytes: 100 } },
  );
  expect([...index.doc]).toEqual([0, -1, -1]);
  expect(index.partial).toEqual(['2 files beyond the limit of 100 bytes of indexed text are not searched.']);
});

test('of a long file the first bytes are searched, ended between two characters', async () => {
  const { index } = await build(
    repository({
      's/a.md': `early ${'é'.repeat(40)} late`,
      's/SKILL.md': skill('s', '', `early ${'x '.repeat(100)} late`),
    }),
    { limits: { indexedBytesPerFile: 49 } },
  );
  expect(index.docCount).toBe(2);
  const segment = openSegment(index.segment);
  const scope = { from: 0, to: 2, groupOf: Int32Array.of(0, 1), groupFrom: 0, groupTo: 2 };
  const hits = (query: string) => segment.search(query, scope, { after: null, limit: 10 }).hits.length;
  expect([hits('early'), hits('late')]).toEqual([2, 0]);
});

test('JSON over the limit of one file is no document, and still a supporting file', async () => {
  const json = `"${'x'.repeat(100)}"`;
  const { index } = await build(
    repository({ 'docs/big.json': json, 's/SKILL.md': skill('s'), 's/big.json': json }),
    { limits: { indexedBytesPerFile: 90 } },
  );
  expect(classOf(index, 'docs/big.json')).toBe('none');
  expect(classOf(index, 's/big.json')).toBe('supporting');
  expect(index.doc[index.rowOf('s/big.json')]).toBe(-1);
});

test('a file over the read limit is withheld where it would be served', async () => {
  const { index, report } = await build(
    repository({
      's/SKILL.md': skill('s'),
      's/big.bin': 'x'.repeat(101),
      'docs/big.md': 'x'.repeat(101),
      'src/big.ts': 'x'.repeat(101),
    }),
    { limits: { readFileBytes: 100 } },
  );
  expect(classesOf(index)).toEqual({
    'docs/big.md': 'withheld too_large',
    's/SKILL.md': 'skill',
    's/big.bin': 'withheld too_large',
  });
  expect(report.withheld[1]).toEqual({ path: 's/big.bin', reason: 'too_large', size: 101 });
  expect(index.owner[index.rowOf('s/big.bin')]).toBe(0);
});

test('a SKILL.md over the read limit is too large, not missing', async () => {
  const { index } = await build(repository({ 's/SKILL.md': skill('s', '', 'x'.repeat(100)), 's/a.md': '' }), {
    limits: { readFileBytes: 100 },
  });
  expect(classesOf(index)).toEqual({ 's/SKILL.md': 'withheld too_large' });
  expect(diagnosticsOf(index)).toMatchObject([
    { path: 's/SKILL.md', code: 'too_large', message: expect.stringContaining('100') },
  ]);
});

test('when the bytes that may be read run out, the rest is withheld in path order, skills first', async () => {
  const a = skill('a');
  const { index } = await build(
    repository({ 'a/SKILL.md': a, 'b/SKILL.md': skill('b'), 'c/SKILL.md': skill('c'), 'docs/d.md': 'x' }),
    { limits: { blobBytes: a.length + 10 } },
  );
  expect(classesOf(index)).toEqual({
    'a/SKILL.md': 'skill',
    'b/SKILL.md': 'withheld beyond_limit',
    'c/SKILL.md': 'withheld beyond_limit',
    'docs/d.md': 'withheld beyond_limit',
  });
  expect(index.partial).toEqual([
    `3 files beyond the limit of ${a.length + 10} bytes that are read are left out.`,
  ]);
  expect(codesOf(index)).toEqual([' beyond_limit', 'b/SKILL.md beyond_limit', 'c/SKILL.md beyond_limit']);
});
