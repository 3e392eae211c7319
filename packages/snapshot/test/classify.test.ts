import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { build, classesOf, classOf, codesOf, manifest, mountOf, skill } from './support.ts';

test('an empty repository has an empty index', async () => {
  const repo = repository();
  repo.commit({ 'a.md': 'x' });
  repo.commit({ 'a.md': null });
  const { index, report } = await build(repo);
  expect([index.rowCount, index.skillCount, index.docCount]).toEqual([0, 0, 0]);
  expect(report.counts.entries).toBe(0);
});

test('a file belongs to the nearest valid skill above it', async () => {
  const { index } = await build(
    repository({
      's/SKILL.md': skill('s'),
      's/a.txt': 'a',
      's/inner/SKILL.md': skill('inner'),
      's/inner/b.txt': 'b',
      's/broken/SKILL.md': 'no front matter',
      's/broken/c.txt': 'c',
      's-other/d.txt': 'd',
    }),
  );
  const ownerOf = (path: string) => {
    const owner = index.owner[index.rowOf(path)] ?? -1;
    return owner === -1 ? null : index.path(index.skillRow[owner] ?? -1);
  };
  expect(ownerOf('s/a.txt')).toBe('s/SKILL.md');
  expect(ownerOf('s/inner/b.txt')).toBe('s/inner/SKILL.md');
  expect(ownerOf('s/broken/c.txt')).toBe('s/SKILL.md');
  expect(ownerOf('s/broken/SKILL.md')).toBe('s/SKILL.md');
  expect(classOf(index, 's/broken/SKILL.md')).toBe('supporting');
  expect(classOf(index, 's-other/d.txt')).toBe('none');
  expect(codesOf(index)).toEqual(['s/broken/SKILL.md no_front_matter']);
});

test('documents are the Markdown and JSON in docs at the root without a manifest', async () => {
  const { index } = await build(
    repository({
      'docs/a.md': '',
      'docs/deep/b.MARKDOWN': '',
      'docs/c.mdx': '',
      'docs/d.json': '{}',
      'docs/e.txt': '',
      'docs/.hidden/f.md': '',
      'other/docs/g.md': '',
      'docs.md': '',
    }),
  );
  expect(Object.keys(classesOf(index))).toEqual([
    'docs/a.md',
    'docs/c.mdx',
    'docs/d.json',
    'docs/deep/b.MARKDOWN',
  ]);
});

test('a JSON document introduces itself by its title and description, and is found by them', async () => {
  const menu = { title: 'Winter menu', description: 'What is served from December on.', items: [] };
  const { index } = await build(
    repository({
      'docs/menu.json': JSON.stringify(menu),
      'docs/plain.json': '{"title": 3}',
      's/SKILL.md': skill('s'),
      's/menu.json': JSON.stringify({ ...menu, items: [1] }),
    }),
  );
  const text = (path: string) => index.text(index.rowOf(path));
  expect(text('docs/menu.json')).toMatchObject({ title: menu.title, summary: menu.description });
  expect([text('docs/plain.json'), text('s/menu.json')]).toEqual([null, null]);
  const found = mountOf(index).search({ query: 'winter', after: null, limit: 9 });
  expect(found).toMatchObject({
    hits: [{ kind: 'document', path: 'docs/menu.json', title: menu.title }, { kind: 'skill' }],
  });
});

test('the nearest manifest alone says which directories hold documents', async () => {
  const { index } = await build(
    repository({
      'SKILLCDN.md': manifest('documents: [handbook, a/notes, .team]\n'),
      'docs/x.md': '',
      'handbook/x.md': '',
      '.team/x.md': '',
      '.team/.private/x.md': '',
      '.other/x.md': '',
      'a/SKILLCDN.md': manifest(),
      'a/docs/x.md': '',
      'a/notes/x.md': '',
      'b/SKILLCDN.md': manifest('documents: []\n'),
      'b/docs/x.md': '',
      'c/SKILLCDN.md': manifest('documents: ["."]\n'),
      'c/x.md': '',
    }),
  );
  const documents = Object.entries(classesOf(index)).filter(([, name]) => name === 'document');
  expect(documents.map(([path]) => path)).toEqual(['.team/x.md', 'a/docs/x.md', 'c/x.md', 'handbook/x.md']);
});

test('documents in a skill directory are supporting files, except under a root skill', async () => {
  const { index } = await build(
    repository({
      'SKILL.md': skill('root'),
      'docs/a.md': '',
      'docs/s/SKILL.md': skill('s'),
      'docs/s/docs/b.md': '',
      'src/x.ts': '',
    }),
  );
  expect(classesOf(index)).toEqual({
    'SKILL.md': 'skill',
    'docs/a.md': 'document',
    'docs/s/SKILL.md': 'skill',
    'docs/s/docs/b.md': 'supporting',
    'src/x.ts': 'supporting',
  });
});

test('a README introduces the root and the folders in which something is', async () => {
  const { index } = await build(
    repository({
      'README.md': '# Root\n\nAll of it.\n',
      'README.de.md': '# Wurzel\n',
      'a/readme.md': '# A\n',
      'a/README.markdown': '# Other\n',
      'a/s/SKILL.md': skill('s'),
      'a/s/README.md': '# S\n',
      'empty/README.md': '# Nothing below\n',
      'docs/README.md': '# Documents\n',
      '.hidden/README.md': '# Hidden\n',
      '.hidden/s/SKILL.md': skill('hidden'),
    }),
  );
  const overviews = index.overviews.map(({ folder, row }) => [
    folder,
    index.path(row),
    index.text(row)?.title,
  ]);
  expect(overviews).toEqual([
    ['', 'README.md', 'Root'],
    ['a', 'a/readme.md', 'A'],
    ['a/s', 'a/s/README.md', 'S'],
    ['docs', 'docs/README.md', 'Documents'],
  ]);
  expect(classesOf(index)).toEqual({
    '.hidden/s/SKILL.md': 'skill',
    'README.md': 'overview',
    'a/readme.md': 'overview',
    'a/s/README.md': 'supporting',
    'a/s/SKILL.md': 'skill',
    'docs/README.md': 'document',
  });
});

test('folders of overviews are in byte order', async () => {
  const { index } = await build(
    repository({
      'README.md': '',
      'b/README.md': '',
      'b/SKILL.md': skill('b'),
      'b-c/README.md': '',
      'b-c/SKILL.md': skill('b-c'),
      'B/README.md': '',
      'B/SKILL.md': skill('b'),
    }),
  );
  expect(index.overviews.map(({ folder }) => folder)).toEqual(['', 'B', 'b', 'b-c']);
});

test('a link where a skill should be is reported: as an error where nobody would find the skill', async () => {
  const { index } = await build(
    repository({
      'real/a/SKILL.md': skill('a'),
      '.store/b/SKILL.md': skill('b'),
      'skills/a': { symlink: '../real/a' },
      'skills/b': { symlink: '../.store/b' },
      'skills/c': { symlink: '../nowhere' },
      'skills/d': { symlink: '../../outside' },
    }),
  );
  expect(codesOf(index)).toEqual(['skills/a symlink', 'skills/b skill_is_symlink']);
});

test('paths that differ in case alone are reported', async () => {
  const { index } = await build(
    repository({
      'docs/A.md': '',
      'docs/a.md': '',
      'docs/É.md': '',
      'docs/é.md': '',
      'src/A.ts': '',
      'src/a.ts': '',
    }),
  );
  expect(codesOf(index)).toEqual(['docs/a.md case_collision', 'docs/é.md case_collision']);
});

test('a path in a closed folder is not named for what it differs from', async () => {
  const { index } = await build(
    repository({
      'A/SKILLCDN.md': 'broken',
      'A/secret.md': '',
      'a/SECRET.md': '',
      'a/SKILL.md': skill('a'),
      'a/SKILLCDN.md': manifest(),
    }),
  );
  expect(codesOf(index)).toEqual(['A closed_scope', 'A/SKILLCDN.md no_front_matter']);
});

test('copies agree in files, modes, rules and includes; the one nearest to the root counts', async () => {
  const s = skill('s');
  const { index } = await build(
    repository({
      'a/b/s/SKILL.md': s,
      'a/b/s/x.txt': 'x',
      'z/s/SKILL.md': s,
      'z/s/x.txt': 'x',
      '.h/s/SKILL.md': s,
      '.h/s/x.txt': 'x',
      'other-file/s/SKILL.md': s,
      'other-file/s/x.txt': 'y',
      'other-mode/s/SKILL.md': s,
      'other-mode/s/x.txt': { executable: 'x' },
      'other-name/s/SKILL.md': s,
      'other-name/s/y.txt': 'x',
      'other-rules/SKILLCDN.md': manifest(),
      'other-rules/s/SKILL.md': s,
      'other-rules/s/x.txt': 'x',
    }),
  );
  const copies = Array.from({ length: index.skillCount }, (_, i) => {
    const { row, copyOf, discoverable } = index.skill(i);
    return [index.path(row), copyOf === -1 ? null : index.path(index.skillRow[copyOf] ?? -1), discoverable];
  });
  expect(copies).toEqual([
    ['.h/s/SKILL.md', 'z/s/SKILL.md', false],
    ['a/b/s/SKILL.md', 'z/s/SKILL.md', false],
    ['other-file/s/SKILL.md', null, true],
    ['other-mode/s/SKILL.md', null, true],
    ['other-name/s/SKILL.md', null, true],
    ['other-rules/s/SKILL.md', null, true],
    ['z/s/SKILL.md', null, true],
  ]);
});

test('the same rules in two places do not tell copies apart', async () => {
  const files = (area: string) => ({
    [`${area}/SKILLCDN.md`]: manifest(),
    [`${area}/s/SKILL.md`]: skill('s'),
  });
  const { index } = await build(repository({ ...files('a'), ...files('b') }));
  expect([...index.skillCopyOf]).toEqual([-1, 0]);
});
