import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { SIZE_UNKNOWN } from '../src/tables.ts';
import { build, classesOf, classOf, codesOf, diagnosticsOf, manifest, skill } from './support.ts';

test('what skills, rules, overviews and documents link to is served, and nothing beside it', async () => {
  const { index } = await build(
    repository({
      's/SKILL.md': skill('s', '', '[a](../notes/from-skill.md)'),
      'SKILLCDN.md': manifest('', '[a](notes/from-rules.md)'),
      'README.md': '[a](notes/from-overview.md)\n',
      'docs/d.md': '[a](../notes/from-document.md)\n',
      'notes/from-skill.md': '',
      'notes/from-rules.md': '',
      'notes/from-overview.md': '',
      'notes/from-document.md': '',
      'notes/sibling.md': '',
    }),
  );
  const references = Object.entries(classesOf(index)).filter(([, name]) => name === 'reference');
  expect(references.map(([path]) => path)).toEqual([
    'notes/from-document.md',
    'notes/from-overview.md',
    'notes/from-rules.md',
    'notes/from-skill.md',
  ]);
});

test('a supporting file leads on only when something links to it', async () => {
  const { index } = await build(
    repository({
      's/SKILL.md': skill('s', '', '[a](linked.md)'),
      's/linked.md': '[x](../x.md)\n',
      's/other.md': '[y](../y.md)\n',
      'x.md': '',
      'y.md': '',
    }),
  );
  expect(classOf(index, 'x.md')).toBe('reference');
  expect(classOf(index, 'y.md')).toBe('none');
});

test('links reach neither excluded nor closed files', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [secret.md]\n', '[a](secret.md) [b](closed/x.md) [c](open.md)'),
      'secret.md': '',
      'closed/SKILLCDN.md': '',
      'closed/x.md': '',
      'open.md': '',
    }),
  );
  expect(classOf(index, 'secret.md')).toBe('none');
  expect(classOf(index, 'closed/x.md')).toBe('withheld closed_scope');
  expect(classOf(index, 'open.md')).toBe('reference');
});

test('the file at the last step says that its links are not followed', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [`c/${i}.md`, `[on](${i + 1}.md)\n`]),
  );
  const { index } = await build(repository({ 's/SKILL.md': skill('s', '', '[a](../c/0.md)'), ...chain }));
  expect(classOf(index, 'c/7.md')).toBe('reference');
  expect(classOf(index, 'c/8.md')).toBe('none');
  expect(codesOf(index)).toEqual(['c/7.md link_step_limit']);
});

test('a linked file that is too large, or a pointer, is withheld', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`;
  const { index } = await build(
    repository({
      's/SKILL.md': skill('s', '', '[a](../big.md) [b](../pointer.md)'),
      'big.md': 'x'.repeat(200),
      'pointer.md': pointer,
    }),
    { limits: { readFileBytes: 150 } },
  );
  expect(classOf(index, 'big.md')).toBe('withheld too_large');
  expect(classOf(index, 'pointer.md')).toBe('withheld lfs_pointer');
});

test('a file in Git LFS has the size that its pointer tells, where a row can hold it', async () => {
  const pointer = (size: number) =>
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize ${size}\n`;
  const files = {
    'SKILL.md': pointer(5_000_000),
    's/SKILL.md': skill('s', '', '[a](../pointer.md)'),
    's/model.bin': pointer(734_003_200),
    's/huge.bin': pointer(6_442_450_944),
    's/docs/SKILL.md': pointer(4_000),
    'pointer.md': pointer(123_456),
  };
  const { index, report } = await build(repository(files));
  const sizes = Object.keys(files).map((path) => [path, index.size[index.rowOf(path)]]);
  expect(Object.fromEntries(sizes)).toMatchObject({
    'SKILL.md': 5_000_000,
    's/model.bin': 734_003_200,
    's/huge.bin': SIZE_UNKNOWN,
    's/docs/SKILL.md': 4_000,
    'pointer.md': 123_456,
  });
  expect(report.withheld).toContainEqual({ path: 's/model.bin', reason: 'lfs_pointer', size: 734_003_200 });
  expect(report.withheld).toContainEqual({ path: 's/huge.bin', reason: 'lfs_pointer' });
});

const including = (...paths: string[]) =>
  `skillcdn:\n  include: [${paths.map((path) => JSON.stringify(path)).join(', ')}]\n`;

test('an include is a file of the skill or a shared document governed from above', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('documents: [shared]\n'),
      'shared/page.md': '# Page\n',
      'shared/data.json': '{}',
      'other/page.md': '# Other\n',
      'area/SKILLCDN.md': manifest('documents: [pages]\n'),
      'area/pages/p.md': '# P\n',
      's/SKILL.md': skill(
        's',
        including(
          'own.md',
          '.shared/hid.md',
          '/shared/page.md',
          '/other/page.md',
          '/area/pages/p.md',
          '/t/x.md',
        ),
      ),
      's/own.md': '',
      's/.shared/hid.md': '',
      's/.shared/sibling.md': '',
      't/SKILL.md': skill('t'),
      't/x.md': '',
      'area/s/SKILL.md': skill('s', including('/area/pages/p.md', '/shared/data.json')),
    }),
  );
  const includes = (number: number) => index.skill(number).includes.map((row) => index.path(row));
  expect(includes(0)).toEqual(['area/pages/p.md', 'shared/data.json']);
  expect(includes(1)).toEqual(['s/own.md', 's/.shared/hid.md', 'shared/page.md']);
  expect(classOf(index, 's/.shared/hid.md')).toBe('supporting');
  expect(classOf(index, 's/.shared/sibling.md')).toBe('none');
  expect(codesOf(index).filter((code) => code.includes('include'))).toEqual(
    Array(3).fill('s/SKILL.md dropped_include'),
  );
});

test('an include that is excluded is answered like one that never existed', async () => {
  const files = { 's/SKILL.md': skill('s', including('secret.md', '/docs/secret.md')) };
  const there = await build(
    repository({
      ...files,
      'SKILLCDN.md': manifest('exclude: [s/secret.md, docs/secret.md]\n'),
      's/secret.md': 'x',
      'docs/secret.md': 'x',
    }),
  );
  const never = await build(repository({ ...files, 'SKILLCDN.md': manifest() }));
  expect(there.index.skill(0).missingIncludes).toEqual(['s/secret.md', 'docs/secret.md']);
  expect(there.index.skill(0)).toEqual(never.index.skill(0));
  const unavailable = (built: typeof there) =>
    diagnosticsOf(built.index).filter(({ code }) => code === 'file_unavailable');
  expect(unavailable(there)).toEqual(unavailable(never));
  expect(unavailable(there)).toHaveLength(2);
});

test('a large JSON file of a skill can be included', async () => {
  const { index } = await build(
    repository({ 's/SKILL.md': skill('s', including('big.json')), 's/big.json': `"${'x'.repeat(300)}"` }),
    { limits: { indexedBytesPerFile: 200 } },
  );
  expect(index.skill(0).includes).toEqual([index.rowOf('s/big.json')]);
  expect(index.doc[index.rowOf('s/big.json')]).toBe(-1);
});
