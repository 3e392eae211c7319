import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  cacheRoot,
  configPath,
  DEFAULT_MAX_FILE_BYTES,
  type Environment,
  readConfig,
  writeConfig,
} from './config.ts';
import { parseRegistry } from './registry-name.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-config-'));
afterAll(() => rmSync(root, { recursive: true }));
const env: Environment = { HOME: root };
const path = configPath(env);
beforeEach(() => rmSync(dirname(path), { recursive: true, force: true }));

function file(text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

it('the file lies where the XDG directories are, unless those are relative', () => {
  expect(path).toBe(join(root, '.config/skills-mcp/registry.toml'));
  expect(configPath({ XDG_CONFIG_HOME: '/x', HOME: root })).toBe('/x/skills-mcp/registry.toml');
  expect(configPath({ XDG_CONFIG_HOME: 'x', HOME: root })).toBe(path);
  expect(configPath({})).toBe(join(homedir(), '.config/skills-mcp/registry.toml'));
  expect(cacheRoot(env)).toBe(join(root, '.cache/skills-mcp'));
  expect(cacheRoot({ XDG_CACHE_HOME: '/c' })).toBe('/c/skills-mcp');
});

it('the environment wins over the file, unless it is blank', async () => {
  file('[registry]\nrepo = "acme/skills"\n');
  expect(await readConfig({ ...env, SKILLS_REGISTRY: ' me/mine@dev:skills ' })).toEqual({
    name: { kind: 'github', owner: 'me', repo: 'mine', branch: 'dev', dir: 'skills' },
    from: 'SKILLS_REGISTRY',
    maxFileBytes: DEFAULT_MAX_FILE_BYTES,
    cacheRoot: join(root, '.cache/skills-mcp'),
  });
  const { name, from } = await readConfig({ ...env, SKILLS_REGISTRY: '  ' });
  expect([name, from]).toEqual([
    { kind: 'github', owner: 'acme', repo: 'skills', branch: null, dir: '' },
    path,
  ]);
});

it('nothing configured says so to the letter, with the path that was looked at', async () => {
  await expect(readConfig(env)).rejects.toMatchObject({
    code: 'config',
    message: `No registry configured. Set SKILLS_REGISTRY=owner/repo or run \`skillquay registry init\`. Looked at ${path}.`,
  });
});

describe('the file', () => {
  it.each([
    ['repo = "a/b"\ndefault_branch = "trunk"\ndir = "/skills/"', { branch: 'trunk', dir: 'skills' }],
    [
      'repo = "a/b@trunk:skills"\ndefault_branch = "trunk"\ndir = "skills"',
      { branch: 'trunk', dir: 'skills' },
    ],
    ['repo = "a/b"\ndefault_branch = ""\ndir = ""\nother = 1', { branch: null, dir: '' }],
    ['repo = "/gh/a/b@x/y"', { branch: 'x', dir: 'y' }],
    ['repo = "https://example.com/a/b.git#dev"\ndir = "x"', { kind: 'git', branch: 'dev', dir: 'x' }],
  ])('%j is read', async (lines, name) => {
    file(`[registry]\n${lines}\n`);
    expect((await readConfig(env)).name).toMatchObject(name);
  });

  it.each([
    ['[registry]\nrepo = "unclosed\n', /registry\.toml:2:\d+ is no valid TOML: [^\n]+\.$/],
    ['registry = "a/b"', /`registry` is no table/],
    ['[other]\nrepo = "a/b"', /\[registry\] is missing/],
    ['[registry]\n', /key `repo` is missing/],
    ['[registry]\nrepo = 7', /key `repo` is no text/],
    ['[registry]\nrepo = "a/b/c"', /key `repo`: "a\/b\/c" names no registry/],
    ['[registry]\nrepo = "a/b@x"\ndefault_branch = "y"', /key `default_branch` and `repo` say two/],
    ['[registry]\nrepo = "a/b:x"\ndir = "y"', /key `dir` and `repo` say two/],
    ['[registry]\nrepo = "a/b"\ndir = "../y"', /folder "\.\.\/y" cannot be used/],
    ['[registry]\nrepo = "a/b"\ndefault_branch = "-x"', /"-x" cannot be the name of a branch/],
  ])('%j is refused with what is wrong', async (text, reason) => {
    file(text);
    const error = await readConfig(env).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'config', message: expect.stringMatching(reason) });
    expect(error).toMatchObject({ message: expect.stringContaining(path) });
  });

  it('shows no secret of it', async () => {
    file('[registry]\nrepo = "ftp://user:secret@example.com/x"\n');
    await expect(readConfig(env)).rejects.toThrow(/^(?!.*secret)/s);
    file('[registry]\nrepo = "https://user:secret@example.com/x');
    await expect(readConfig(env)).rejects.toThrow(/^(?!.*secret)/s);
  });

  it('that is a folder is no file that is missing', async () => {
    mkdirSync(path, { recursive: true });
    await expect(readConfig(env)).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});

it.each([['0'], ['-1'], ['2MiB'], ['1.5'], ['1e3']])('SKILLS_MAX_FILE_BYTES=%s is refused', async (given) => {
  const all = { ...env, SKILLS_REGISTRY: 'a/b', SKILLS_MAX_FILE_BYTES: given };
  await expect(readConfig(all)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining(given),
  });
});

it('SKILLS_MAX_FILE_BYTES is a number of bytes', async () => {
  const all = { ...env, SKILLS_REGISTRY: 'a/b', SKILLS_MAX_FILE_BYTES: ' 4096 ' };
  expect((await readConfig(all)).maxFileBytes).toBe(4096);
});

describe('writing the file', () => {
  it('leaves what else is in it, also beside the registry', async () => {
    file('[other]\nx = 1\n\n[registry]\nrepo = "a/b"\ndefault_branch = "old"\ndir = "old"\nextra = "kept"\n');
    await writeConfig(path, parseRegistry('me/mine@dev'));
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/\[other\]\nx = 1/);
    expect(text).toContain('extra = "kept"');
    expect(text).not.toContain('old');
    expect((await readConfig(env)).name).toEqual(parseRegistry('me/mine@dev'));
    expect(readdirSync(dirname(path))).toEqual(['registry.toml']);
  });

  it('goes through a link, which stays one', async () => {
    file('');
    const real = join(root, 'dotfiles.toml');
    writeFileSync(real, '[other]\nx = 1\n');
    rmSync(path);
    symlinkSync(real, path);
    await writeConfig(path, parseRegistry('me/mine'));
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toMatch(/x = 1.*repo = "me\/mine"/s);
  });

  it('leaves nothing behind where it fails', async () => {
    mkdirSync(path, { recursive: true });
    await expect(writeConfig(path, parseRegistry('me/mine'))).rejects.toThrow(/cannot be written \(EISDIR\)/);
    rmSync(path, { recursive: true });
    file('[x');
    await expect(writeConfig(path, parseRegistry('me/mine'))).rejects.toThrow(/no valid TOML/);
    expect(readdirSync(dirname(path))).toEqual(['registry.toml']);
  });
});
