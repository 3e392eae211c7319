import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RegistryEntry } from './backend.ts';
import { blobId } from './git-id.ts';
import { MACHINE } from './lib/own-name.ts';
import { openSkillCache, type SkillTree } from './skill-cache.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-cache-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = join(root, 'skills');
beforeEach(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 's');
const signal = new AbortController().signal;
const at = (name: string) => join(path, name);
const text = (name: string) => readFileSync(at(name), 'utf8');

type File = string | { mode: RegistryEntry['mode']; text: string | Uint8Array };

/** A skill of these files, and what gives its blobs. */
function skill(files: Readonly<Record<string, File>>, slug = 's', repo = 'o/r') {
  const blobs = new Map<string, Uint8Array>();
  const entries = Object.entries(files).map(([path, file]): RegistryEntry => {
    const { mode, text } = typeof file === 'string' ? { mode: '100644' as const, text: file } : file;
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    const oid = blobId(bytes);
    blobs.set(oid, bytes);
    return { path, mode, oid, size: bytes.length };
  });
  const tree: SkillTree = { slug, repo, tree: blobId(Buffer.from(JSON.stringify(entries))), entries };
  const asked: string[] = [];
  const fetch = async (oids: readonly string[]) => {
    asked.push(...oids);
    return new Map(oids.map((oid) => [oid, blobs.get(oid) ?? Buffer.of()]));
  };
  return { tree, fetch, asked };
}
const get = ({ tree, fetch }: ReturnType<typeof skill>, cache = openSkillCache(folder)) =>
  cache.get(tree, fetch, { signal });
const around = () => readdirSync(folder).filter((name) => name !== '.locks');

it('a skill is a folder of its files, with what it is beside it, for this user alone', async () => {
  const one = skill({
    'SKILL.md': 'main',
    'a/b/c': 'deep',
    'a/run': { mode: '100755', text: '#!' },
    empty: '',
  });
  expect(await get(one)).toEqual({ path, notes: [] });
  expect([text('SKILL.md'), text('a/b/c'), text('a/run'), text('empty')]).toEqual(['main', 'deep', '#!', '']);
  expect(JSON.parse(readFileSync(`${path}.meta.json`, 'utf8'))).toEqual({
    tree_sha: one.tree.tree,
    repo: 'o/r',
  });
  const modes = [folder, path, at('a'), at('a/run'), at('a/b/c'), `${path}.meta.json`];
  expect(modes.map((file) => (statSync(file).mode & 0o777).toString(8))).toEqual([
    '700',
    '700',
    '700',
    '700',
    '600',
    '600',
  ]);
  expect(around().sort()).toEqual(['s', 's.meta.json']);
});

it('it is fetched once, also when three ask at once, also of two caches', async () => {
  const one = skill({ 'SKILL.md': 'main', x: 'x' });
  const cache = openSkillCache(folder);
  const all = await Promise.all([get(one, cache), get(one, cache), get(one)]);
  expect(all.map((found) => found.path)).toEqual([path, path, path]);
  expect(one.asked).toHaveLength(2);
});

describe('a copy is not served but made anew when', () => {
  const one = () =>
    skill({ 'SKILL.md': 'main', 'a/run': { mode: '100755', text: '#!' }, l: { mode: '120000', text: 'a' } });
  it.each<[string, () => void]>([
    ['its meta is missing', () => rmSync(`${path}.meta.json`)],
    ['its meta is cut', () => writeFileSync(`${path}.meta.json`, '{"tree_sha": "')],
    ['its meta is no table', () => writeFileSync(`${path}.meta.json`, 'null')],
    ['its meta is a folder', () => [rmSync(`${path}.meta.json`), mkdirSync(`${path}.meta.json`)]],
    [
      'its meta is of another tree',
      () => writeFileSync(`${path}.meta.json`, '{"tree_sha":"x","repo":"o/r"}'),
    ],
    ['it is missing itself', () => rmSync(path, { recursive: true })],
    ['it is a file', () => [rmSync(path, { recursive: true }), writeFileSync(path, '')]],
    ['it is a link', () => [renameSync(path, `${path}2`), symlinkSync(`${path}2`, path)]],
    ['a file of it is missing', () => rmSync(at('a/run'))],
    ['a file was written', () => writeFileSync(at('SKILL.md'), 'mine')],
    ['a file was added', () => writeFileSync(at('a/more'), '')],
    ['a folder was added', () => mkdirSync(at('more'))],
    ['a file can no longer be run', () => chmodSync(at('a/run'), 0o600)],
    ['a file can be run now', () => chmodSync(at('SKILL.md'), 0o700)],
    ['a link leads elsewhere', () => [rmSync(at('l')), symlinkSync('SKILL.md', at('l'))]],
    ['a link is a file', () => [rmSync(at('l')), writeFileSync(at('l'), 'a')]],
    [
      'a file is a link to the same content',
      () => [renameSync(at('SKILL.md'), `${path}.x`), symlinkSync(`${path}.x`, at('SKILL.md'))],
    ],
  ])('%s', async (_, spoil) => {
    await get(one());
    spoil();
    const again = one();
    await get(again);
    expect(again.asked.length).toBeGreaterThan(1);
    expect([text('SKILL.md'), text('a/run'), readlinkSync(at('l'))]).toEqual(['main', '#!', 'a']);
    expect(statSync(at('a/run')).mode & 0o777).toBe(0o700);
    const third = one();
    await get(third);
    expect(third.asked).toHaveLength(1);
  });

  it('it is of another registry', async () => {
    await get(skill({ 'SKILL.md': 'main' }, 's', 'o/other'));
    const again = skill({ 'SKILL.md': 'main' });
    await get(again);
    expect(again.asked).toHaveLength(1);
  });
});

it('what a skill leaves behind when it is used is no reason to fetch it again', async () => {
  const one = skill({ 'SKILL.md': 'main', 'a/b': '' });
  await get(one);
  mkdirSync(at('a/__pycache__'));
  writeFileSync(at('a/__pycache__/x.pyc'), '');
  mkdirSync(at('node_modules'));
  writeFileSync(at('.DS_Store'), '');
  await get(one);
  expect(one.asked).toHaveLength(2);
});

it('the folder of an older tree is never emptied under a reader, and goes at the next start', async () => {
  const cache = openSkillCache(folder);
  await get(skill({ 'SKILL.md': 'old', old: '' }), cache);
  await get(skill({ 'SKILL.md': 'new' }), cache);
  expect(text('SKILL.md')).toBe('new');
  expect(existsSync(at('old'))).toBe(false);
  const [aside = ''] = around().filter((name) => name.startsWith('.old-'));
  expect(readFileSync(join(folder, aside, 'SKILL.md'), 'utf8')).toBe('old');
  await get(skill({ 'SKILL.md': 'new' }));
  expect(around().sort()).toEqual(['s', 's.meta.json']);
});

it('what a process that ended was making goes at the next start, what others make stays for a day', async () => {
  const ended = 2 ** 22 - 1;
  const elsewhere = `.new-${'0'.repeat(12)}-${ended}-abc`;
  const running = `.new-${MACHINE}-${process.ppid}-abc`;
  mkdirSync(join(folder, `.new-${MACHINE}-${ended}-abc`), { recursive: true });
  for (const name of [elsewhere, running, '.other']) mkdirSync(join(folder, name));
  await get(skill({ 'SKILL.md': 'x' }));
  expect(around().sort()).toEqual(['.other', elsewhere, running, 's', 's.meta.json'].sort());
  vi.setSystemTime(Date.now() + 25 * 3_600_000);
  await get(skill({ 'SKILL.md': 'x' }));
  vi.useRealTimers();
  expect(around().sort()).toEqual(['.other', 's', 's.meta.json']);
});

it('a folder is made when a skill is kept, and not before', () => {
  openSkillCache(folder);
  expect(existsSync(folder)).toBe(false);
});

describe('a failure leaves the old copy exactly as it was:', () => {
  const old = () => skill({ 'SKILL.md': 'old', a: 'a' });
  const next = () => skill({ 'SKILL.md': 'new', b: 'b' });
  const isOld = async () => {
    const again = old();
    await get(again);
    expect(again.asked).toEqual([]);
    expect(text('SKILL.md')).toBe('old');
    expect(around().sort()).toEqual(['s', 's.meta.json']);
  };

  it('a blob that does not come', async () => {
    await get(old());
    const fetch = async () => {
      throw new Error('offline');
    };
    await expect(get({ ...next(), fetch })).rejects.toThrow('offline');
    await isOld();
  });

  it('a blob that is not what it should be', async () => {
    await get(old());
    const fetch = async (oids: readonly string[]) => new Map(oids.map((oid) => [oid, Buffer.from('other')]));
    await expect(get({ ...next(), fetch })).rejects.toThrow(/did not arrive whole/);
    await isOld();
  });

  it('two paths that are one, or lead through a link', async () => {
    await get(old());
    await expect(
      get(skill({ 'SKILL.md': 'x', a: { mode: '120000', text: 'b' }, 'a/x': 'x', 'b/x': 'y' })),
    ).rejects.toThrow();
    await isOld();
  });

  it('a meta that cannot be written', async () => {
    await get(old());
    const fetch = withDraft((draft) => mkdirSync(`${draft}.meta.json`));
    await expect(get({ ...next(), fetch })).rejects.toThrow(/EEXIST at open/);
    rmSync(join(folder, around().find((name) => name.startsWith('.new-')) ?? ''), { recursive: true });
    await isOld();
  });

  it('a rename that is refused when another has been made', async () => {
    await get(old());
    // Nothing can be renamed to the place of a folder that is not empty.
    const fetch = withDraft((draft) =>
      mkdirSync(join(draft.replace('.new-', '.old-'), 'full'), { recursive: true }),
    );
    await expect(get({ ...next(), fetch })).rejects.toThrow(/ENOTEMPTY at rename/);
    await isOld();
  });

  /** Gives the blobs, when something was done about the draft of the folder. */
  function withDraft(spoil: (draft: string) => void) {
    return async (oids: readonly string[]) => {
      const [draft = ''] = around().filter((name) => name.startsWith('.new-'));
      spoil(join(folder, draft));
      return next().fetch(oids);
    };
  }
});

describe('what of a skill cannot be had is said, each time:', () => {
  const twice = async (files: Readonly<Record<string, File>>) => {
    const first = await get(skill({ 'SKILL.md': 'x', ...files }));
    expect(await get(skill({ 'SKILL.md': 'x', ...files }))).toEqual(first);
    return first.notes;
  };

  it('links that lead out are left out, the others are links', async () => {
    const link = (text: string) => ({ mode: '120000' as const, text });
    expect(
      await twice({
        'a/in': link('../SKILL.md'),
        'a/out': link('../../s.meta.json'),
        abs: link('/etc/passwd'),
      }),
    ).toEqual([
      "Link 'a/out' leads out of the skill, to '../../s.meta.json', and is left out.",
      "Link 'abs' leads out of the skill, to '/etc/passwd', and is left out.",
    ]);
    expect(readlinkSync(at('a/in'))).toBe('../SKILL.md');
    expect(readdirSync(at('a'))).toEqual(['in']);
  });

  it('links whose target is no path of this machine are left out, and the long ones not even fetched', async () => {
    const link = (text: string | Uint8Array) => ({ mode: '120000' as const, text });
    const one = skill({
      'SKILL.md': 'x',
      bytes: link(Uint8Array.of(0xff, 0x61)),
      long: link('x'.repeat(4_096)),
      mark: link('\ufeffx'),
    });
    expect((await get(one)).notes).toEqual([
      "Link 'bytes' has a target that is not UTF-8 and is left out.",
      "Link 'long' has a target that is longer than one can be and is left out.",
    ]);
    expect(readlinkSync(at('mark'))).toBe('\ufeffx');
    expect(one.asked).toHaveLength(3);
  });

  it('a large file that is kept elsewhere is a pointer', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 12345\n`;
    expect(await twice({ 'model.bin': pointer })).toEqual([
      "'model.bin' is a Git LFS pointer; the 12345 bytes it stands for are not downloaded.",
    ]);
  });

  it('another repository, and names that mean something else', async () => {
    expect(
      await twice({
        sub: { mode: '160000', text: 'x' },
        '../x': 'x',
        'a/.GIT/config': 'x',
        'a/.g\u200cit/x': 'x',
        'git~1/x': 'x',
        'a//b': 'x',
        '\ufffd': 'x',
      }),
    ).toEqual([
      "'sub' is another repository (a submodule) and is left out.",
      "'../x' has a name that cannot be written here and is left out.",
      "'a/.GIT/config' has a name that cannot be written here and is left out.",
      "'a/.g\\u{200c}it/x' has a name that cannot be written here and is left out.",
      "'git~1/x' has a name that cannot be written here and is left out.",
      "'a//b' has a name that cannot be written here and is left out.",
      "'\ufffd' has a name that is not UTF-8 and is left out.",
    ]);
    expect(readdirSync(path)).toEqual(['SKILL.md']);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });
});

it('names that this disk takes for one, or not at all, are left out', async () => {
  // As a disk shows itself that keeps both spellings of a name apart by nothing.
  mkdirSync(folder);
  symlinkSync(folder, join(root, 'SKILLS'));
  const long = 'x'.repeat(256);
  const one = () =>
    skill({
      'A/x': 'A',
      'README.md': 'R',
      'a/x/y': 'a',
      'e\u0301': 'e',
      'readme.md': 'r',
      [`${long}/x`]: 'l',
      \u00e9: 'é',
    });
  const { notes } = await get(one());
  rmSync(join(root, 'SKILLS'));
  expect(notes).toEqual([
    "'a/x/y' is 'A' to this disk and is left out.",
    "'readme.md' is 'README.md' to this disk and is left out.",
    `'${'x'.repeat(199)}…' has a name that cannot be written here and is left out.`,
    "'\u00e9' is 'e\u0301' to this disk and is left out.",
  ]);
  expect(readdirSync(path).sort()).toEqual(['A', 'README.md', 'e\u0301'].sort());
  expect((await get(one())).notes).toEqual([
    `'${'x'.repeat(199)}…' has a name that cannot be written here and is left out.`,
  ]);
  expect(readdirSync(path)).toHaveLength(6);
});

it('a slug that is no name of a folder is kept under one', async () => {
  for (const slug of ['..', 'a/b', 's.meta.json', '.new-1-x', 'con', 'x'.repeat(300), '!!']) {
    const { path } = await get(skill({ 'SKILL.md': slug }, slug));
    expect(join(path, '..')).toBe(folder);
    expect(readFileSync(join(path, 'SKILL.md'), 'utf8')).toBe(slug);
    expect(path.slice(folder.length + 1)).toMatch(/^[^.]{1,60}$/);
  }
});

it('a long slug of characters that are two units each is kept like any other', async () => {
  const slug = `a${'𠮷'.repeat(60)}`;
  const { path } = await get(skill({ 'SKILL.md': slug }, slug));
  expect(readFileSync(join(path, 'SKILL.md'), 'utf8')).toBe(slug);
  expect(around()).toContain(path.slice(folder.length + 1));
}, 5_000);

it('a folder that cannot be written is told, and where it is', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  const cache = openSkillCache(join(file, 'skills'));
  await expect(get(skill({ 'SKILL.md': 'x' }), cache)).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringMatching(
      /^`s` could not be kept \(ENOTDIR at \w+\)\. Set XDG_CACHE_HOME to a folder of yours/,
    ),
  });
});

it('ends with the call, and waits for nobody then', async () => {
  const one = skill({ 'SKILL.md': 'x' });
  await expect(
    openSkillCache(folder).get(one.tree, one.fetch, { signal: AbortSignal.abort() }),
  ).rejects.toThrow(/abort/i);
});
