import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { build, classesOf, classOf, codesOf, diagnosticsOf, manifest, skill } from './support.ts';

test('an excluded file has no row, no diagnostic and no document', async () => {
  const { index, report } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [secret, skills/a/notes.md]\n'),
      'secret/s/SKILL.md': 'not a skill',
      'secret/SKILLCDN.md': 'not a manifest',
      'skills/a/SKILL.md': skill('a'),
      'skills/a/notes.md': '# Notes\n',
    }),
  );
  expect(classesOf(index)).toEqual({ 'SKILLCDN.md': 'manifest', 'skills/a/SKILL.md': 'skill' });
  expect(diagnosticsOf(index)).toEqual([]);
  expect(index.docCount).toBe(1);
  expect(report.excluded).toEqual(['secret/SKILLCDN.md', 'secret/s/SKILL.md', 'skills/a/notes.md']);
  expect(report.counts.excluded).toBe(3);
});

test('an exclusion names whole segments', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [draft]\ndocuments: ["."]\n'),
      'draft.md': '# Draft\n',
      'draft/a.md': '# A\n',
      'drafts/a.md': '# A\n',
    }),
  );
  expect(Object.keys(classesOf(index))).toEqual(['SKILLCDN.md', 'draft.md', 'drafts/a.md']);
});

test('exclusions of nested manifests add up', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [a/one]\n'),
      'a/SKILLCDN.md': manifest('exclude: [two]\n'),
      'a/one/SKILL.md': skill('one'),
      'a/two/SKILL.md': skill('two'),
      'a/three/SKILL.md': skill('three'),
      'two/SKILL.md': skill('two', '', 'Another.'),
    }),
  );
  expect(Object.keys(classesOf(index))).toEqual([
    'SKILLCDN.md',
    'a/SKILLCDN.md',
    'a/three/SKILL.md',
    'two/SKILL.md',
  ]);
});

test('excluding a manifest withholds its folder as if it did not exist', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [a/SKILLCDN.md]\n'),
      'a/SKILLCDN.md': manifest('exclude: [hidden-truth]\n'),
      'a/s/SKILL.md': skill('s'),
      'b/s/SKILL.md': skill('s'),
    }),
  );
  expect(Object.keys(classesOf(index))).toEqual(['SKILLCDN.md', 'b/s/SKILL.md']);
  expect(codesOf(index)).toEqual(['SKILLCDN.md excluded_policy']);
});

test('a manifest that cannot be read closes its folder and nothing beside it', async () => {
  const { index } = await build(
    repository({
      'a/SKILLCDN.md': 'broken',
      'a/s/SKILL.md': skill('s'),
      'a/b/SKILLCDN.md': manifest(),
      'a-b/SKILL.md': skill('a-b'),
      'docs/d.md': '[to](../a/s/SKILL.md)\n',
    }),
  );
  expect(classesOf(index)).toEqual({
    'a-b/SKILL.md': 'skill',
    'a/SKILLCDN.md': 'withheld closed_scope',
    'a/b/SKILLCDN.md': 'withheld closed_scope',
    'a/s/SKILL.md': 'withheld closed_scope',
    'docs/d.md': 'document',
  });
  expect(index.closedFolders).toEqual(['a']);
  expect(codesOf(index)).toEqual(['a closed_scope', 'a/SKILLCDN.md no_front_matter']);
});

test('an exclusion from above holds in a closed folder', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [a/s]\n'),
      'a/SKILLCDN.md': 'broken',
      'a/s/SKILL.md': skill('s'),
    }),
  );
  expect(classOf(index, 'a/s/SKILL.md')).toBe('none');
});

test('a manifest at the root that cannot be read closes everything', async () => {
  const { index } = await build(repository({ 'SKILLCDN.md': '', 's/SKILL.md': skill('s') }));
  expect(index.closedFolders).toEqual(['']);
  expect(index.skillCount).toBe(0);
});

test('more manifests than the limit fail the commit', async () => {
  const files = { 'a/SKILLCDN.md': manifest(), 'b/SKILLCDN.md': manifest(), 'c/SKILLCDN.md': manifest() };
  await expect(build(repository(files), { limits: { manifests: 2 } })).rejects.toMatchObject({
    code: 'indexer.tree_truncated',
  });
  expect((await build(repository(files), { limits: { manifests: 3 } })).report.counts.manifest).toBe(3);
});

test('manifests are read beyond the limit of tree entries', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [a]\n'),
      'A.md': '',
      'a/SKILL.md': skill('a'),
      'b/SKILL.md': skill('b'),
    }),
    { limits: { treeEntries: 1 } },
  );
  expect(classesOf(index)).toEqual({ 'SKILLCDN.md': 'manifest' });
  // What is excluded does not count.
  expect(index.partial).toEqual(['2 files beyond the limit of 1 tree entries are left out.']);
});

test('language and image pass down, and nothing else does', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('name: Root\nlanguage: en\nimage: a.png\n'),
      'a/SKILLCDN.md': manifest('language: de\n'),
      'a/b/SKILLCDN.md': manifest(),
    }),
  );
  const records = index.manifests.map(({ folder, language, image, facts }) => [
    folder,
    language,
    image,
    facts.name,
  ]);
  expect(records).toEqual([
    ['', 'en', 'a.png', 'Root'],
    ['a', 'de', 'a.png', undefined],
    ['a/b', 'de', 'a.png', undefined],
  ]);
});

test('a name that is excluded and unaddressable is not mentioned', async () => {
  const files: [string, string][] = [
    ['SKILLCDN.md', manifest('exclude: [secret]\n')],
    ['secret/plain.md', 'x'],
    ['secret/two\nlines.md', 'x'],
    ['open/two\nlines.md', 'x'],
  ];
  const { index, report } = await build(repository(files));
  expect(codesOf(index)).toEqual(['open/two\nlines.md unaddressable_path']);
  expect(report.unaddressable).toEqual(['open/two\nlines.md']);
  expect(report.excluded).toEqual(['secret/plain.md', 'secret/two\nlines.md']);
});

test('an exclusion that names nothing is reported to its author, and stands in no index', async () => {
  const { index, report } = await build(
    repository({
      'SKILLCDN.md': manifest('exclude: [secrt]\n'),
      'A/skill.md': '',
      'secret/a.md': '',
      'z/skill.md': '',
    }),
  );
  const misnamed = ['A/skill.md misnamed_skill_file', 'z/skill.md misnamed_skill_file'];
  expect(codesOf(index)).toEqual(misnamed);
  expect(report.diagnostics.map(({ path, code }) => `${path} ${code}`)).toEqual(
    misnamed.toSpliced(1, 0, 'SKILLCDN.md unused_exclude'),
  );
});

test('a skill whose name is misspelled does not tell of an excluded one beside it', async () => {
  const files = { 'SKILLCDN.md': manifest('exclude: [a/SKILL.md]\n'), 'a/skill.md': '' };
  for (const more of [{}, { 'a/SKILL.md': skill('a') }]) {
    const { index } = await build(repository({ ...files, ...more }));
    expect(codesOf(index)).toEqual(['a/skill.md misnamed_skill_file']);
  }
});

test('excluded entries do not count towards the limit of tree entries', async () => {
  const files = {
    'SKILLCDN.md': manifest('exclude: [a, z]\n'),
    'b/SKILL.md': skill('b'),
    'c/SKILL.md': skill('c'),
  };
  for (const more of [{}, { 'a/SKILL.md': skill('a'), 'z/SKILL.md': skill('z') }]) {
    const { index } = await build(repository({ ...files, ...more }), { limits: { treeEntries: 2 } });
    expect(classesOf(index)).toEqual({ 'SKILLCDN.md': 'manifest', 'b/SKILL.md': 'skill' });
    expect(index.partial).toEqual(['1 file beyond the limit of 2 tree entries is left out.']);
  }
});
