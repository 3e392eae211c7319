import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_SKILL_FILES, type PublishSource, readPayload } from './payload.ts';

const SKILL = '---\nname: x\ndescription: Does x\n---\n';
const home = mkdtempSync(join(tmpdir(), 'skillquay-payload-'));
afterAll(() => rmSync(home, { recursive: true }));

const signal = new AbortController().signal;
const options = { maxFileBytes: 100, home, signal };
const read = (source: PublishSource, name = 'A name', more = {}) =>
  readPayload(name, source, { ...options, ...more });
const refused = (source: PublishSource, name?: string, more?: object) =>
  read(source, name, more).then(
    () => 'taken',
    (error: Error) => error.message,
  );

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(home, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

it('files are taken as UTF-8 text at their paths, in byte order', async () => {
  const { slug, files } = await read({ files: { './b\\c.md': 'é', 'SKILL.md': SKILL, a: '' } });
  expect(slug).toBe('a-name');
  expect(files.map(({ path, mode, bytes }) => [path, mode, Buffer.from(bytes).toString()])).toEqual([
    ['SKILL.md', '100644', SKILL],
    ['a', '100644', ''],
    ['b/c.md', '100644', 'é'],
  ]);
});

it('a folder gives the same as its files do', async () => {
  const localFolder = folder('same', { 'SKILL.md': SKILL, a: '' });
  expect(await read({ localFolder })).toEqual(await read({ files: { 'SKILL.md': SKILL, a: '' } }));
});

describe('what is wrong is told in the order of the spec:', () => {
  const wrong = { '../x': 'y'.repeat(101), 'B.md': '' };
  it.each<[string, PublishSource, string, string]>([
    ['no source', {}, '!!!', 'Pass exactly one of `files` or `local_folder`.'],
    ['no source', { files: null, localFolder: null }, 'x', 'Pass exactly one of `files` or `local_folder`.'],
    ['both', { files: wrong, localFolder: '/x' }, '!!!', 'Pass exactly one of `files` or `local_folder`.'],
    [
      'no slug',
      { files: wrong },
      '!!!',
      "The name '!!!' holds neither a letter nor a digit. Name the skill, such as auth-skill.",
    ],
    [
      'a slug that is too long',
      { files: wrong },
      '日'.repeat(67),
      `The name '${'日'.repeat(67)}' makes a folder name of 201 bytes; limit is 200. Choose a shorter one.`,
    ],
    [
      'a path',
      { files: wrong },
      'x',
      'Path \'../x\' has a ".." part. A skill holds only files below its own folder.',
    ],
    [
      'no SKILL.md',
      { files: { 'b.md': 'y'.repeat(101), 'a.md': '', 'c/SKILL.md': '' } },
      'x',
      'Skill must contain a top-level SKILL.md. Got: a.md, b.md, c/SKILL.md.',
    ],
    ['no file', { files: {} }, 'x', 'Skill must contain a top-level SKILL.md. Got: no files.'],
    [
      'a size',
      { files: { 'SKILL.md': 'bad', a: 'é'.repeat(51) } },
      'x',
      "File 'a' is 102 bytes; limit is 100 (override with SKILLS_MAX_FILE_BYTES).",
    ],
    [
      'front matter',
      { files: { 'SKILL.md': 'bad' } },
      'x',
      'SKILL.md line 1: The file does not begin with front matter. Make `---` the first line, write `name: …` and `description: …` below it, and close with another `---`.',
    ],
  ])('%s', async (_, source, name, message) => {
    expect(await refused(source, name)).toBe(message);
  });

  it('a folder that is not there comes after the slug', async () => {
    expect(await refused({ localFolder: '/nowhere' }, '!!!')).toMatch(/letter nor a digit/);
    expect(await refused({ localFolder: '/nowhere' })).toMatch(/does not exist/);
  });
});

describe('paths are refused', () => {
  it.each([
    [['SKILL.md', './SKILL.md'], /'SKILL.md' is given twice/],
    [['SKILL.md', 'skill.md'], /one file where case/],
    [['SKILL.md', 'a', 'a/b'], /both a file and a folder/],
    [['SKILL.md', '.GIT/config'], /"\.git" part/],
    [['SKILL.md', 'C:/x'], /drive/],
  ])('%j', async (paths, reason) => {
    expect(await refused({ files: Object.fromEntries(paths.map((path) => [path, SKILL])) })).toMatch(reason);
  });

  it('with half a character in the text or the name', async () => {
    expect(await refused({ files: { 'SKILL.md': SKILL, a: '\ud800' } })).toMatch(
      /'a' holds half a character/,
    );
    expect(await refused({ files: { 'SKILL.md': SKILL, 'a\ud800': '' } })).toMatch(/half a character/);
  });
});

describe('links', () => {
  it('that stay in the skill are published as links', async () => {
    const localFolder = folder('links', { 'SKILL.md': SKILL });
    mkdirSync(join(localFolder, 'sub'));
    symlinkSync('../SKILL.md', join(localFolder, 'sub', 'main.md'));
    const { files } = await read({ localFolder });
    expect(files.map(({ path, mode, bytes }) => [path, mode, Buffer.from(bytes).toString()])).toEqual([
      ['SKILL.md', '100644', SKILL],
      ['sub/main.md', '120000', '../SKILL.md'],
    ]);
  });

  it.each([['/etc/passwd'], ['../secret'], ['sub/../../secret']])(
    'to %s are refused by name',
    async (target) => {
      const localFolder = folder(`out-${target.replaceAll('/', '-')}`, { 'SKILL.md': SKILL });
      symlinkSync(target, join(localFolder, 'leak'));
      expect(await refused({ localFolder })).toBe(
        `Link 'leak' leads out of the skill, to '${target}'. Links are not followed; put a copy of the file in its place.`,
      );
    },
  );

  it('do not stand for SKILL.md', async () => {
    const localFolder = folder('main', { 'x.md': SKILL });
    symlinkSync('x.md', join(localFolder, 'SKILL.md'));
    expect(await refused({ localFolder })).toBe('SKILL.md is a link. Put the file itself in its place.');
  });
});

describe('sizes', () => {
  it('equal to the limit are allowed', async () => {
    const text = SKILL.padEnd(100, 'x');
    expect((await read({ files: { 'SKILL.md': text } })).files[0]?.bytes).toHaveLength(100);
    expect(await refused({ files: { 'SKILL.md': `${text}x` } })).toMatch(/is 101 bytes; limit is 100/);
  });

  it('are the same for a folder', async () => {
    const localFolder = folder('large', { 'SKILL.md': SKILL, large: 'x'.repeat(101) });
    expect(await refused({ localFolder })).toBe(
      "File 'large' is 101 bytes; limit is 100 (override with SKILLS_MAX_FILE_BYTES).",
    );
  });

  it('and the number of files of a folder are told even where SKILL.md was not seen', async () => {
    const localFolder = folder('many', {});
    for (let i = 0; i <= MAX_SKILL_FILES; i += 1) writeFileSync(join(localFolder, `A${i}`), '');
    writeFileSync(join(localFolder, 'SKILL.md'), SKILL);
    expect(await refused({ localFolder })).toMatch(/more than 5000 files/);
  });

  it('are bounded in all, and so is the number of files', async () => {
    const bytes = new Uint8Array(60 * 1024 ** 2);
    const two = ['a', 'b'].map((path) => ({ path, mode: '100644' as const, bytes }));
    const main = { path: 'SKILL.md', mode: '100644' as const, bytes: Buffer.from(SKILL) };
    expect(await refused({ skillFiles: [main, ...two] }, 'x', { maxFileBytes: 2 ** 30 })).toMatch(
      /^The skill is \d+ bytes; limit is 104857600 in all/,
    );
    const many = Array.from({ length: MAX_SKILL_FILES }, (_, i) => [`f${i}`, '']);
    expect(await refused({ files: { 'SKILL.md': SKILL, ...Object.fromEntries(many) } })).toMatch(
      /more than 5000 files/,
    );
    expect(await refused({ files: { 'SKILL.md': SKILL, ...Object.fromEntries(many.slice(1)) } })).toBe(
      'taken',
    );
  });
});

describe('front matter', () => {
  it.each([
    ['---\nname: x\n---\n', /^SKILL\.md line 1: The file has no `description`/],
    ['---\nname: x\ndescription: x\n', /^SKILL\.md line 1: The front matter has no closing line/],
    ['---\nname: x\nname: y\ndescription: x\n---\n', /^SKILL\.md line 3: The key `name` stands twice/],
    ['---\nname: x\ndescription: [a]\n---\n', /^SKILL\.md line 3: The `description`/],
    ['---\nname: x\n- y\n---\n', /^SKILL\.md line \d: The front matter is not valid YAML/],
  ])('that the endpoint would not serve is refused with its line: %j', async (text, reason) => {
    expect(await refused({ files: { 'SKILL.md': text } })).toMatch(reason);
    expect(await refused({ files: { 'SKILL.md': text } }, 'x', { force: true })).toBe('taken');
  });

  it('that the endpoint recovers is taken', async () => {
    expect(await refused({ files: { 'SKILL.md': '---\nname: x\ndescription: Use when: now\n---\n' } })).toBe(
      'taken',
    );
  });

  it('is read as UTF-8 only', async () => {
    const bytes = Buffer.from('---\nname: x\ndescription: caf\xe9\n---\n', 'latin1');
    expect(await refused({ skillFiles: [{ path: 'SKILL.md', mode: '100644', bytes }] })).toMatch(
      /^SKILL\.md line 3: The file is not UTF-8/,
    );
  });
});
