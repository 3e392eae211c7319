// What the skills extension lists of a commit, why it does not list the rest, and that every digest is that of a read.
import { openObjects } from '@skillquay/git/objects';
import { afterAll, describe, expect, it, test } from 'vitest';
import { type Entry, repository, type TestRepository } from '../../../test-support/repository.ts';
import { listingReason } from '../src/not-listed.ts';
import { type Mount, openSnapshot } from '../src/reader.ts';
import { build, manifest, skill, type TestBuildOptions } from './support.ts';
import { allListed, filesBelow, sweep } from './sweep.ts';
import { answered, refused } from './tables.ts';

const MIB = 1024 ** 2;
const PATHS = { maxPaths: 100, maxPathBytes: 3_000 };
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`;
const RAW_URL = 'https://host.example/raw/{commit}/{path}';

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

type Files = Record<string, Entry>;

function made(files: Files): TestRepository {
  const repo = repository(files);
  closing.push(() => repo.remove());
  return repo;
}

async function opened(repo: TestRepository, options: TestBuildOptions & { readonly at?: string } = {}) {
  const { at = '', ...rest } = options;
  const { index } = await build(repo, rest);
  const objects = openObjects({ gitDir: repo.dir, env: {} });
  closing.push(() => objects.close());
  const nowhere = { raw: () => null, page: () => null };
  const maxFileBytes = rest.limits?.readFileBytes;
  const limits = maxFileBytes === undefined ? {} : { maxFileBytes };
  const mount = openSnapshot(index, objects, nowhere, limits).mount(at);
  if (mount === null) throw new Error(`There is no mount at "${at}".`);
  return { index, mount };
}

/** Reasons by path of the SKILL.md; '' = listed. */
async function reasons(files: Files, options?: TestBuildOptions): Promise<Record<string, string>> {
  const { index, mount } = await opened(made(files), options);
  await sweep(mount, Object.keys(files));
  return Object.fromEntries(
    Array.from(index.skillRow, (row, number) => [index.path(row), listingReason(index, number)]),
  );
}

async function document(mount: Mount, path: string): Promise<string> {
  return Buffer.from(answered(await mount.resource(path)).bytes).toString();
}

/** `count` files of `bytes` bytes each in a folder. */
function filesOf(folder: string, count: number, bytes = 1): Files {
  const content = Buffer.alloc(bytes, 'x');
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/f${i}.bin`, content]));
}

describe('a skill is listed or has the reason why it is not', () => {
  test.each<[string, Files, Record<string, string>]>([
    ['its directory has its name', { 'a/x/SKILL.md': skill('x') }, { 'a/x/SKILL.md': '' }],
    [
      'its directory has another name',
      { 'a/x/SKILL.md': skill('y') },
      { 'a/x/SKILL.md': 'name_directory_mismatch' },
    ],
    ['a root skill has no directory', { 'SKILL.md': skill('whole'), 'n.txt': 'n' }, { 'SKILL.md': '' }],
    [
      'a directory has the name of the root skill',
      { 'SKILL.md': skill('whole'), 'whole/n.md': 'n' },
      { 'SKILL.md': 'uri_collision' },
    ],
    [
      'the directory of that name is excluded, so there is none',
      { 'SKILL.md': skill('whole'), 'whole/n.md': 'n', 'SKILLCDN.md': manifest('exclude: [whole]\n') },
      { 'SKILL.md': '' },
    ],
    [
      'a strict host refuses its name',
      { 'a/X_x/SKILL.md': skill('X_x') },
      { 'a/X_x/SKILL.md': 'not_portable' },
    ],
    [
      'it is a copy',
      { 'a/x/SKILL.md': skill('x'), 'b/c/x/SKILL.md': skill('x') },
      { 'a/x/SKILL.md': '', 'b/c/x/SKILL.md': 'duplicate' },
    ],
    [
      'it is hidden beside visible ones',
      { '.h/x/SKILL.md': skill('x'), 'y/SKILL.md': skill('y') },
      { '.h/x/SKILL.md': 'hidden', 'y/SKILL.md': '' },
    ],
    ['it is hidden where all are', { '.h/x/SKILL.md': skill('x') }, { '.h/x/SKILL.md': '' }],
    [
      'what it includes is not there',
      { 'x/SKILL.md': skill('x', 'skillcdn:\n  include: [gone.md]\n') },
      { 'x/SKILL.md': 'file_unavailable' },
    ],
    [
      'what it includes cannot be read from its front matter',
      { 'x/SKILL.md': '---\nname: x\ndescription: Broken: yaml\nskillcdn:\n  include: [n.md]\n---\nDo.\n' },
      { 'x/SKILL.md': 'file_unavailable' },
    ],
    ['it has 512 files', { 'x/SKILL.md': skill('x'), ...filesOf('x', 511) }, { 'x/SKILL.md': '' }],
    [
      'it has 513 files',
      { 'x/SKILL.md': skill('x'), ...filesOf('x', 512) },
      { 'x/SKILL.md': 'too_many_files' },
    ],
    [
      'nested skills fill it up',
      { 'x/SKILL.md': skill('x'), ...filesOf('x', 511), 'x/in/SKILL.md': skill('in') },
      { 'x/SKILL.md': 'too_many_files', 'x/in/SKILL.md': '' },
    ],
    [
      'its files take 16 MiB less a little',
      { 'x/SKILL.md': skill('x'), ...filesOf('x', 15, MIB), 'x/last.bin': Buffer.alloc(MIB - 1_000) },
      { 'x/SKILL.md': '' },
    ],
    [
      'its files and its document take more than 16 MiB',
      { 'x/SKILL.md': skill('x'), ...filesOf('x', 15, MIB), 'x/last.bin': Buffer.alloc(MIB - 50) },
      { 'x/SKILL.md': 'too_large' },
    ],
    [
      'only the document, with its rules, takes it above 16 MiB',
      {
        'SKILLCDN.md': manifest('', 'r'.repeat(2_000)),
        'x/SKILL.md': skill('x'),
        ...filesOf('x', 15, MIB),
        'x/last.bin': Buffer.alloc(MIB - 1_000),
      },
      { 'x/SKILL.md': 'too_large' },
    ],
    [
      'a file over the read limit does not count',
      { 'x/SKILL.md': skill('x'), ...filesOf('x', 10, MIB), 'x/huge.bin': Buffer.alloc(8 * MIB) },
      { 'x/SKILL.md': '' },
    ],
    [
      'a file of it is kept in Git LFS',
      { 'x/SKILL.md': skill('x'), 'x/a.bin': pointer },
      { 'x/SKILL.md': '' },
    ],
  ])('%s', async (_, files, expected) => {
    expect(await reasons(files)).toEqual(expected);
  });

  it('lies beyond the limit of tree entries with a part of it', async () => {
    const files = { 'x/SKILL.md': skill('x'), 'x/a.txt': 'a', 'x/b.txt': 'b' };
    expect(await reasons(files, { limits: { treeEntries: 2 } })).toEqual({
      'x/SKILL.md': 'file_unavailable',
    });
  });

  it('has files for whose digest no bytes are left, which are served all the same', async () => {
    const files = { 'x/SKILL.md': skill('x'), 'x/a.bin': Buffer.alloc(3_000), 'y/SKILL.md': skill('y') };
    const { index, mount } = await opened(made(files), { limits: { blobBytes: 2_000 } });
    expect(listingReason(index, 0)).toBe('file_unavailable');
    expect(allListed(mount).map(({ path }) => path)).toEqual(['y/SKILL.md']);
    expect(answered(await mount.resource('x/a.bin')).bytes).toHaveLength(3_000);
    expect(index.partial).toEqual([]);
  });

  it('shares so much with others that all documents together are more than is read of a commit', async () => {
    const shared = 'skillcdn:\n  include: [/docs/shared.md]\n';
    const files = {
      'docs/shared.md': 's'.repeat(1_000),
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}/SKILL.md`, skill(name, shared)])),
    };
    const limits = { blobBytes: 2_500 };
    expect(await reasons(files, { limits })).toEqual({
      'a/SKILL.md': '',
      'b/SKILL.md': '',
      'c/SKILL.md': 'file_unavailable',
    });
    // What is taken over counts like what is made, or the next commit would list another skill.
    const repo = made(files);
    const { index: previous } = await build(repo, { limits });
    const next = repo.commit({ 'README.md': '# More' });
    const again = await build(repo, { limits, commit: next, previous });
    expect(again.bytes.equals((await build(repo, { limits, commit: next })).bytes)).toBe(true);
  });

  it('is made of more than is put together at once, and says to whoever loads it what is missing', async () => {
    const shared = Array.from({ length: 17 }, (_, i) => `docs/d${10 + i}.md`);
    const more = `skillcdn:\n  include: [${shared.map((path) => `/${path}`).join(', ')}]\n`;
    const text = 'Words of it. \n'.repeat(2 * MIB).slice(0, 2 * MIB);
    const { index, mount } = await opened(
      made({ 'x/SKILL.md': skill('x', more), ...Object.fromEntries(shared.map((path) => [path, text])) }),
    );
    expect(listingReason(index, 0)).toBe('too_large');
    const { parts, missing } = answered(await mount.context('x/SKILL.md'));
    expect(parts).toHaveLength(16);
    expect(missing).toHaveLength(1);
    expect(missing[0]).toMatchObject({ code: 'context_limit', path: 'x/SKILL.md' });
    expect(missing[0]?.message).toContain('more than 33,554,432 bytes; the last 2 of them');
  });

  it('is told to whoever loads it, with what to do', async () => {
    const { mount } = await opened(
      made({
        'a/x/SKILL.md': skill('x'),
        'b/c/x/SKILL.md': skill('x'),
        'X_x/SKILL.md': skill('X_x'),
        'n/SKILL.md': skill('m'),
      }),
    );
    const warnings = (path: string) =>
      answered(mount.skill(path, PATHS)).warnings.map(
        ({ code, severity, message }) => `${severity} ${code} ${message}`,
      );
    expect(warnings('a/x/SKILL.md')).toEqual([]);
    expect(warnings('b/c/x/SKILL.md')).toEqual([
      'info not_listed The skills extension does not list this skill: it is a copy of a/x/SKILL.md (duplicate).',
    ]);
    expect(warnings('X_x/SKILL.md').at(-1)).toMatch(/^warning not_listed .*\(not_portable\)\.$/);
    // The reader of the file has said it.
    expect(warnings('n/SKILL.md')).toHaveLength(1);
    expect(warnings('n/SKILL.md')[0]).toMatch(/^warning name_directory_mismatch .*does not list/);
  });

  it('does not name a copy outside the mount', async () => {
    const { mount } = await opened(made({ 'a/x/SKILL.md': skill('x'), 'b/c/x/SKILL.md': skill('x') }), {
      at: 'b',
    });
    expect(answered(mount.skill('b/c/x/SKILL.md', PATHS)).warnings[0]?.message).not.toContain('a/x');
  });
});

describe('an entry', () => {
  const repo = made({
    'SKILLCDN.md': manifest('', 'Root rules.'),
    'docs/shared.md': 'Shared.\n',
    'x/SKILL.md': skill('x', 'skillcdn:\n  include: [n.md, /docs/shared.md]\n'),
    'x/n.md': 'Notes.\n',
    'x/SKILLCDN.md': manifest('', 'Inner rules.'),
    'x/a.png': Buffer.from([0x89, 0x50, 0, 0xff]),
    'x/run.sh': { executable: 'echo run\n'.repeat(400) },
    'x/link': { symlink: 'n.md' },
    'x/big.bin': pointer,
    'x/.hidden.md': 'Hidden.\n',
    'x/.named.md': 'Named. [to](/x/.hidden.md)',
    'x/in/SKILL.md': skill('in', '', '[more](.far.md)'),
    'x/in/.far.md': 'Far.',
    'x/other/SKILL.md': skill('another'),
    'x/other/o.txt': 'o',
    'y/SKILL.md': skill('y'),
  });

  it('holds every served file below the directory, and of listed skills their documents', async () => {
    const { mount } = await opened(repo);
    await sweep(mount, ['x/link', 'x/big.bin', 'x/.named.md', 'x/a.png', 'docs/shared.md', 'gone', 'x', '']);
    expect(allListed(mount).map(({ path, name }) => `${path} ${name}`)).toEqual([
      'x/SKILL.md x',
      'x/in/SKILL.md in',
      'y/SKILL.md y',
    ]);
    expect(mount.listedAt('x/SKILL.md')?.resources.map(({ path }) => path)).toEqual([
      'x/SKILL.md',
      'x/SKILLCDN.md',
      'x/a.png',
      'x/in/.far.md',
      'x/in/SKILL.md',
      'x/n.md',
      'x/other/SKILL.md',
      'x/other/o.txt',
      'x/run.sh',
    ]);
    expect(mount.listedAt('x/other/SKILL.md')).toBeNull();
    expect(mount.listedAt('x')).toBeNull();
    // A skill that is not listed is read as it is stored.
    expect(await document(mount, 'x/other/SKILL.md')).toBe(skill('another'));
  });

  it('reads as a document that names its sources and what is left out, and no commit', async () => {
    const { mount } = await opened(repo);
    const text = await document(mount, 'x/SKILL.md');
    expect(text).toContain(
      'assembled from:\n- SKILLCDN.md\n- x/SKILLCDN.md\n- x/SKILL.md\n- x/n.md\n- docs/shared.md\n',
    );
    expect(text).toMatch(/- x\/big\.bin \(.*9 bytes\)\n/);
    expect(text).toMatch(/- x\/link \(.*\)\n/);
    expect(text).not.toContain(repo.head);
    expect(text.indexOf('Root rules.')).toBeLessThan(text.indexOf('Inner rules.'));
    expect(text.indexOf('Do the work.')).toBeLessThan(text.indexOf('Notes.'));
  });

  it('holds the commit where the URL of a file that is left out does', async () => {
    const { mount } = await opened(repo, { rawUrl: RAW_URL });
    const text = await document(mount, 'x/SKILL.md');
    expect(text).toContain(`https://host.example/raw/${repo.head}/x/big.bin`);
    expect(text.split(repo.head)).toHaveLength(2);
    await sweep(mount, []);
  });

  it('names the first 512 of the files that are left out, and counts the rest', async () => {
    const links = Array.from({ length: 600 }, (_, i) => [`x/l${1_000 + i}`, { symlink: 'n' }]);
    const { mount } = await opened(made({ 'x/SKILL.md': skill('x'), ...Object.fromEntries(links) }));
    await sweep(mount, []);
    const text = await document(mount, 'x/SKILL.md');
    expect(text.match(/^- x\/l\d+ \(/gm)).toHaveLength(512);
    expect(text).toContain('\n- 88 more\n');
  });

  it('is the same from every mount that holds it, and absent from others', async () => {
    const whole = await opened(repo);
    for (const at of ['x', 'x/in']) {
      const { mount } = await opened(repo, { at });
      for (const entry of allListed(mount)) expect(whole.mount.listedAt(entry.path)).toEqual(entry);
    }
    const { mount } = await opened(repo, { at: 'x/in' });
    expect(mount.listedCount).toBe(1);
    expect(mount.listedAt('x/SKILL.md')).toBeNull();
    expect(refused(await mount.resource('x/SKILL.md')).code).toBe('file.not_found');
    expect(mount.children('x')).toBeNull();
  });

  it('comes in pages in path order', async () => {
    const { mount } = await opened(repo);
    expect(Array.from(mount.listed(1, 1), ({ name }) => name)).toEqual(['in']);
    expect(Array.from(mount.listed(2, 5), ({ name }) => name)).toEqual(['y']);
    expect([...mount.listed(3, 5)]).toEqual([]);
  });
});

describe('a root skill that is listed', () => {
  const repo = made({
    'SKILL.md': skill('whole'),
    'docs/d.md': '# D\n',
    'README.md': '# R\n',
    '.git-x/a.md': 'a',
    'a/SKILL.md': skill('a'),
  });

  it('has every served file of the repository, and gives its name to all mounts', async () => {
    const { mount } = await opened(repo);
    expect(mount.rootName).toBe('whole');
    expect(mount.listedAt('SKILL.md')?.resources.map(({ path }) => path)).toEqual([
      'README.md',
      'SKILL.md',
      'a/SKILL.md',
      'docs/d.md',
    ]);
    expect(mount.listedAt('SKILL.md')?.directory).toBe('');
    expect((await opened(repo, { at: 'a' })).mount.rootName).toBe('whole');
    await sweep(mount, []);
  });

  it('gives no name where it is not listed', async () => {
    const { mount } = await opened(made({ 'SKILL.md': skill('a'), 'a/SKILL.md': skill('a', '', 'Other.') }));
    expect(mount.rootName).toBeNull();
  });
});

describe('a folder', () => {
  const repo = made({
    'a-b/n/SKILL.md': skill('n'),
    'a/SKILL.md': skill('a'),
    'a/z.txt': 'z',
    'a/z/y.txt': 'y',
    'a0.md': 'a0',
    'README.md': '# R\n\n[to](a0.md)\n',
    'only/links/l': { symlink: 'x' },
    'only/SKILL.md': { symlink: 'x' },
  });

  it('holds folders before files, both in byte order of their names, and nothing that is not served', async () => {
    const { mount } = await opened(repo);
    const shown = (path: string) => mount.children(path)?.map((child) => `${child.kind} ${child.path}`);
    expect(shown('')).toEqual(['folder a', 'folder a-b', 'file README.md', 'file a0.md']);
    expect(shown('a')).toEqual(['folder a/z', 'file a/SKILL.md', 'file a/z.txt']);
    expect(mount.children('only')).toBeNull();
    expect(mount.children('a/z.txt')).toBeNull();
    expect(mount.children('gone')).toBeNull();
    expect(filesBelow(mount, '')).toHaveLength(6);
  });
});

test('rules over the limit of files are read all the same: theirs is that of manifests', async () => {
  const long = 'Mind this rule. '.repeat(40);
  const files = {
    'SKILLCDN.md': manifest('', long),
    'x/SKILL.md': skill('x'),
    'x/SKILLCDN.md': manifest('', long),
    'x/long.md': long,
  };
  const { mount } = await opened(made(files), { limits: { readFileBytes: 400 } });
  await sweep(mount, Object.keys(files));
  expect(allListed(mount).map(({ resources }) => resources.map(({ path }) => path))).toEqual([
    ['x/SKILL.md', 'x/SKILLCDN.md'],
  ]);
  expect(await document(mount, 'x/SKILL.md')).toContain(
    `--- applicable rules: SKILLCDN.md ---\n${long.trim()}`,
  );
});

test('a document that is not the one that was digested is not answered, and the operator is told', async () => {
  const { index } = await build(made({ 'x/SKILL.md': skill('x') }));
  const other = { read: async () => Buffer.from(skill('x', '', 'Do something else.')) };
  const faults: string[] = [];
  const snapshot = openSnapshot(
    index,
    other,
    { raw: () => null, page: () => null },
    { onFault: (fault) => faults.push(fault) },
  );
  expect(refused(await (snapshot.mount('')?.resource('x/SKILL.md') ?? {})).code).toBe('file.unavailable');
  expect(faults).toHaveLength(1);
  const lost = openSnapshot(
    index,
    { read: async () => null },
    { raw: () => null, page: () => null },
    { onFault: (fault) => faults.push(fault) },
  );
  expect(refused(await (lost.mount('')?.resource('x/SKILL.md') ?? {})).code).toBe('file.unavailable');
  expect(faults).toHaveLength(1);
});
