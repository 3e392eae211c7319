// `skillquay registry …` as a program runs it, on a real repository of this machine.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { addRegistryCommands } from '../src/registry/command.ts';
import { folder, type Ran, skillquay } from './command.ts';
import { inSession } from './command-session.ts';

const SKILL = (name: string, description = `Does ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nBody of ${name}.\n`;

const root = mkdtempSync(join(tmpdir(), 'skillquay-registry-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let home: string;
let remote: TestRepository;
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  remote = repository({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'Validates signatures') });
});

const GIT_CONFIG = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };

const options = (env: Record<string, string> = {}, cwd = home) => ({
  cwd,
  env: {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: home,
    SKILLS_REGISTRY: `file://${remote.dir}`,
    ...GIT_CONFIG,
    ...env,
  },
});

function registry(args: readonly string[], env?: Record<string, string>, cwd?: string): Ran {
  return inSession(['registry', ...args], options(env, cwd));
}

function json(args: readonly string[], env?: Record<string, string>, cwd?: string) {
  return read(registry([...args, '--json'], env, cwd));
}

const read = ({ code, err, out }: Ran) => ({ code, err, data: JSON.parse(out) });

const tree = () => remote.git('ls-tree', '-r', '--name-only', 'main').split('\n');

describe('every command', () => {
  // What a whole process of its own makes of it.
  const registry = (args: readonly string[], env?: Record<string, string>, cwd?: string) =>
    skillquay(['registry', ...args], options(env, cwd));
  const json = (args: readonly string[], env?: Record<string, string>, cwd?: string) =>
    read(registry([...args, '--json'], env, cwd));

  it.each([
    ['list'],
    ['search', 'x'],
    ['get', 'x'],
    ['publish', '.'],
    ['remove', 'x', '--yes'],
    ['add', '.', '--yes'],
    ['sync', '.', '--yes'],
    ['update'],
    ['status'],
    ['doctor'],
  ])('%s answers with one document and 78 where no registry is configured', (...args) => {
    const dir = folder({ 'SKILL.md': SKILL('one'), 'two/SKILL.md': SKILL('two') });
    const { code, data, err } = json(args, { SKILLS_REGISTRY: '' }, dir);
    expect([code, err]).toEqual([78, '']);
    expect(data.error).toEqual({ code: 'config', message: expect.stringContaining('registry init') });
  });

  it.each([['get'], ['frobnicate'], ['list', '--nope'], ['remove'], ['add']])(
    '%s answers with one document and 64 to a wrong argument',
    (...args) => {
      const { code, data } = json(args);
      expect([code, data.error.code]).toEqual([64, 'usage']);
    },
  );

  it('teaches by --help', () => {
    for (const name of addRegistryCommands(new Command()).commands.map((command) => command.name())) {
      const { code, out } = registry([name, '--help']);
      expect([name, code, out.includes('--json')]).toEqual([name, 0, true]);
    }
    expect(registry(['--help']).out).toContain('skillquay registry init me/skills');
  });

  it('says nothing interactive where nobody is: it refuses, and names --yes', () => {
    const { code, err } = registry(['remove', 'auth-skill']);
    expect([code, err]).toEqual([64, expect.stringContaining('--yes')]);
    expect(tree()).toContain('auth-skill/SKILL.md');
  });
});

describe('init', () => {
  it('makes a bare repository, names it in the file, and prints lines for each client', () => {
    const path = join(home, 'mine.git');
    const { code, data } = json(['init', path, '--yes'], { SKILLS_REGISTRY: '' });
    expect(code).toBe(0);
    expect(data).toMatchObject({ registry: `file://${path}`, state: 'created' });
    expect(readFileSync(data.config, 'utf8')).toBe(`[registry]\nrepo = "file://${path}"\n`);
    expect(data.clients.map(({ client }: { client: string }) => client)).toEqual([
      'Claude Code',
      'Codex',
      'Cursor',
      'VS Code',
      'Gemini CLI',
      'OpenCode',
      'Goose',
      'Windsurf',
    ]);
    const again = json(['init', path], { SKILLS_REGISTRY: '' });
    expect([again.code, again.data.state]).toEqual([0, 'empty']);
  });

  it('asks for a name where there is none, and prints the lines again where there is one', () => {
    expect(json(['init'], { SKILLS_REGISTRY: '' }).code).toBe(64);
    registry(['init', `file://${remote.dir}`], { SKILLS_REGISTRY: '' });
    const { code, data } = json(['init'], { SKILLS_REGISTRY: '' });
    expect([code, data.registry, data.clients.length]).toEqual([0, `file://${remote.dir}`, 8]);
  });

  it('says what is set in this shell and a client may start the server without', () => {
    const XDG_CONFIG_HOME = join(home, 'xdg');
    const { data } = json(['init', `file://${remote.dir}`], {
      SKILLS_REGISTRY: '',
      XDG_CONFIG_HOME,
      GH_TOKEN: 'x',
    });
    expect(data.notes).toEqual([expect.stringMatching(/^XDG_CONFIG_HOME must be set for the server too/)]);
  });

  it('keeps branch, folder and what else is in the file', () => {
    const config = join(home, '.config/skills-mcp/registry.toml');
    mkdirSync(join(config, '..'), { recursive: true });
    writeFileSync(config, '[other]\nkey = 1\n');
    const { code } = registry(['init', `file://${remote.dir}#main`, '--dir', 'skills/', '--yes'], {
      SKILLS_REGISTRY: '',
    });
    expect(code).toBe(0);
    const text = readFileSync(config, 'utf8');
    expect(text).toContain('[other]\nkey = 1\n');
    expect(text).toContain('default_branch = "main"\ndir = "skills"\n');
  });

  it('does not replace another registry unasked', () => {
    registry(['init', join(home, 'a.git'), '--yes'], { SKILLS_REGISTRY: '' });
    const { code, err } = registry(['init', `file://${remote.dir}`], { SKILLS_REGISTRY: '' });
    expect([code, err]).toEqual([64, expect.stringContaining('a.git')]);
  });

  it('refuses to keep a password in a file, and does not print it', () => {
    const { code, out, err } = registry(['init', 'https://me:s3cret@git.example.com/a/b']);
    expect(code).toBe(64);
    expect(out + err).not.toContain('s3cret');
    expect(existsSync(join(home, '.config/skills-mcp/registry.toml'))).toBe(false);
  });
});

describe('publish', () => {
  it('publishes a folder, then finds it unchanged', () => {
    const dir = folder({ 'SKILL.md': SKILL('release-notes'), 'a/b.md': 'x', '.env': 'SECRET=1' });
    const first = json(['publish', dir]);
    expect(first.data).toMatchObject({
      kind: 'published',
      slug: 'release-notes',
      commit: remote.git('rev-parse', 'main'),
    });
    expect(tree()).toEqual(['auth-skill/SKILL.md', 'release-notes/SKILL.md', 'release-notes/a/b.md']);
    const again = json(['publish', dir]);
    expect([again.code, again.data.kind]).toEqual([0, 'unchanged']);
    expect(remote.git('log', '-1', '--format=%s', 'main')).toBe('publish: release-notes');
  });

  it('refuses what only `check` calls an error, and takes it with --force', () => {
    const dir = folder({ 'SKILL.md': '---\nname: loose\ndescription: Use when: always\n---\nBody\n' });
    const refused = json(['publish', dir]);
    expect([refused.code, refused.data.error.code]).toEqual([65, 'invalid']);
    expect(refused.data.error.message).toMatch(/SKILL\.md:3: .*[^.]\. Mend it .*--force/);
    expect(tree()).toEqual(['auth-skill/SKILL.md']);
    expect(json(['publish', dir, '--force']).data).toMatchObject({
      slug: 'loose',
      problems: [expect.any(String)],
    });
  });

  it('takes even what nobody can read with --force', () => {
    const dir = folder({ 'SKILL.md': '---\nname: broken\n---\n' });
    const refused = json(['publish', dir]);
    expect([refused.code, refused.data.error.code]).toEqual([65, 'invalid']);
    expect(refused.data.error.message).toContain('SKILL.md');
    expect(tree()).toEqual(['auth-skill/SKILL.md']);
    expect(json(['publish', dir, '--name', 'broken', '--force']).code).toBe(0);
    expect(tree()).toContain('broken/SKILL.md');
  });

  it('names the link that leads out, and reads nothing through it', () => {
    const dir = folder({ 'SKILL.md': SKILL('leaky') });
    writeFileSync(join(home, 'secret'), 'TOP SECRET');
    symlinkSync(join(home, 'secret'), join(dir, 'notes.md'));
    const { code, data } = json(['publish', dir, '--force']);
    expect(code).toBe(65);
    expect(data.error.message).toContain("'notes.md'");
    expect(tree()).toEqual(['auth-skill/SKILL.md']);
  });
});

it('list prints a line for each skill to a pipe, and search the ones that match', () => {
  remote.commit({ 'b/SKILL.md': SKILL('b', 'Counts sheep') });
  expect(registry(['list']).out).toBe('auth-skill\tauth-skill\tValidates signatures\nb\tb\tCounts sheep\n');
  expect(json(['list']).data.skills).toHaveLength(2);
  expect(registry(['search', 'counting']).out).toBe('b\tb\tCounts sheep\n');
  expect(registry(['search', 'nothing', 'else']).out).toBe('');
});

it('remove takes one skill out, and a miss is an error', () => {
  remote.commit({ 'b/SKILL.md': SKILL('b') });
  expect(json(['remove', 'B', '--yes']).data).toMatchObject({ kind: 'removed', slug: 'b' });
  expect(tree()).toEqual(['auth-skill/SKILL.md']);
  expect(json(['remove', 'b', '--yes']).code).toBe(65);
});

describe('get', () => {
  it('prints the folder of the copy', () => {
    const path = registry(['get', 'Auth Skill']).out.trimEnd();
    expect(path).toBe(join(home, '.cache/skills-mcp/skills/auth-skill'));
    expect(readFileSync(join(path, 'SKILL.md'), 'utf8')).toBe(SKILL('auth-skill', 'Validates signatures'));
    expect(json(['get', 'nope']).code).toBe(65);
  });

  it('says beside the result what could not be brought', () => {
    remote.commit({ 'auth-skill/out': { symlink: '/etc/passwd' } });
    const { out, err } = registry(['get', 'auth-skill']);
    expect(out).toBe(`${join(home, '.cache/skills-mcp/skills/auth-skill')}\n`);
    expect(err).toMatch(/^note: .*out/);
  });

  it('installs for agents under the name of the front matter, each folder once', () => {
    remote.commit({ 'folder/SKILL.md': SKILL('real-name'), 'folder/run.sh': { executable: '#!/bin/sh\n' } });
    const { data } = json(['get', 'folder', '--all']);
    const paths = data.skills[0].installed.map(({ path }: { path: string }) => path.slice(home.length));
    expect(paths).toEqual([
      '/.claude/skills/real-name',
      '/.agents/skills/real-name',
      '/.cursor/skills/real-name',
      '/.copilot/skills/real-name',
      '/.gemini/skills/real-name',
      '/.config/opencode/skills/real-name',
      '/.codeium/windsurf/skills/real-name',
    ]);
    for (const path of paths)
      expect(readFileSync(join(home, path, 'SKILL.md'), 'utf8')).toBe(SKILL('real-name'));
    const project = folder({});
    json(['get', 'folder', '--agent', 'vscode', '--project'], {}, project);
    expect(existsSync(join(project, '.github/skills/real-name/run.sh'))).toBe(true);
    expect(json(['get', 'folder', '--agent', 'nobody']).code).toBe(64);
  });

  it('installs none where one of several names means nothing', () => {
    const { code } = json(['get', 'auth-skill', 'nope', '--agent', 'claude']);
    expect([code, existsSync(join(home, '.claude/skills/auth-skill'))]).toEqual([65, false]);
  });

  it('leaves a copy that its user changed, or that was there before, and shows what differs', () => {
    const copy = join(home, '.claude/skills/auth-skill');
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, 'SKILL.md'), 'mine\n');
    const { code, data } = json(['get', 'auth-skill', '--agent', 'claude']);
    expect([code, data.error.code]).toEqual([65, 'changed_here']);
    expect(data.skills[0].installed[0]).toMatchObject({
      state: 'kept',
      diff: expect.stringContaining('-mine'),
    });
    expect(readFileSync(join(copy, 'SKILL.md'), 'utf8')).toBe('mine\n');
    expect(json(['get', 'auth-skill', '--agent', 'claude', '--force']).code).toBe(0);
    expect(readFileSync(join(copy, 'SKILL.md'), 'utf8')).toContain('Body of auth-skill');
  });

  it('never leaves a project through a link of the project', () => {
    const [project, outside] = [folder({ 'inside/x': '' }), folder({})];
    symlinkSync(outside, join(project, '.claude'));
    symlinkSync('inside', join(project, '.cursor'));
    const refused = json(['get', 'auth-skill', '--agent', 'claude', '--project'], {}, project);
    expect([refused.code, refused.data.error.message]).toEqual([
      65,
      expect.stringMatching(/leads out of its project/),
    ]);
    expect(readdirSync(outside)).toEqual([]);
    expect(json(['get', 'auth-skill', '--agent', 'cursor', '--project'], {}, project).code).toBe(0);
    expect(existsSync(join(project, 'inside/skills/auth-skill/SKILL.md'))).toBe(true);
  });

  it('never writes through a link', () => {
    mkdirSync(join(home, '.claude/skills'), { recursive: true });
    mkdirSync(join(home, 'elsewhere'));
    symlinkSync(join(home, 'elsewhere'), join(home, '.claude/skills/auth-skill'));
    expect(json(['get', 'auth-skill', '--agent', 'claude', '--force']).code).toBe(65);
    expect(existsSync(join(home, 'elsewhere/SKILL.md'))).toBe(false);
  });
});

describe('status and update', () => {
  const copy = () => join(home, '.claude/skills/auth-skill/SKILL.md');
  const states = () => json(['status']).data.copies.map(({ state }: { state: string }) => state);
  beforeEach(() => {
    registry(['get', 'auth-skill', '--agent', 'claude']);
  });

  it('tell what is current, behind, changed, both, missing and withdrawn', () => {
    expect(states()).toEqual(['current']);
    expect(registry(['status']).out).toBe('');
    remote.commit({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'New') });
    expect(states()).toEqual(['behind']);
    writeFileSync(copy(), 'mine\n');
    expect(states()).toEqual(['diverged']);
    remote.commit({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'Validates signatures') });
    expect(states()).toEqual(['changed']);
    rmSync(join(copy(), '..'), { recursive: true });
    expect(states()).toEqual(['missing']);
    registry(['get', 'auth-skill', '--agent', 'claude']);
    registry(['remove', 'auth-skill', '--yes']);
    expect(states()).toEqual(['withdrawn']);
  });

  it('show what changes before it does', () => {
    remote.commit({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'New'), 'auth-skill/more.md': 'more\n' });
    const unasked = registry(['update']);
    expect([unasked.code, unasked.out]).toEqual([64, expect.stringContaining('+description: New')]);
    expect(readFileSync(copy(), 'utf8')).toContain('Validates signatures');
    const { code, out } = registry(['update', '--yes']);
    expect(code).toBe(0);
    expect(out.indexOf('+description: New')).toBeLessThan(out.indexOf('updated: '));
    expect(readFileSync(copy(), 'utf8')).toContain('New');
    expect(states()).toEqual(['current']);
    expect(json(['update', 'nope']).code).toBe(64);
  });

  it('leave what tools put into the folder', () => {
    const modules = join(copy(), '../node_modules/x.js');
    mkdirSync(join(modules, '..'));
    writeFileSync(modules, 'x');
    expect(states()).toEqual(['current']);
    remote.commit({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'New') });
    expect(registry(['update', '--yes']).code).toBe(0);
    expect(readFileSync(modules, 'utf8')).toBe('x');
  });

  it('keep what was changed here, --yes or not', () => {
    writeFileSync(copy(), 'mine\n');
    remote.commit({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'New') });
    expect(json(['update', '--yes']).code).toBe(65);
    expect(readFileSync(copy(), 'utf8')).toBe('mine\n');
    expect(json(['update', '--force']).code).toBe(0);
    expect(readFileSync(copy(), 'utf8')).toContain('New');
  });

  it('know a copy that was changed and published', () => {
    writeFileSync(copy(), SKILL('auth-skill', 'Mine'));
    expect(registry(['publish', join(copy(), '..'), '--yes']).code).toBe(0);
    expect(states()).toEqual(['current']);
  });
});

describe('sync', () => {
  it('publishes what differs, says so first, and takes nothing away', () => {
    const dir = folder({
      'auth-skill/SKILL.md': SKILL('auth-skill', 'Validates signatures'),
      'new/SKILL.md': SKILL('new'),
      'bad/SKILL.md': 'no front matter\n',
      'notes/README.md': 'no skill',
      '.hidden/SKILL.md': SKILL('hidden'),
    });
    const before = remote.git('rev-parse', 'main');
    const unasked = registry(['sync', dir]);
    expect([unasked.code, unasked.out]).toEqual([64, expect.stringMatching(/new {8}new[\s\S]*\+ SKILL\.md/)]);
    expect(remote.git('rev-parse', 'main')).toBe(before);
    const { code, data } = json(['sync', dir, '--yes']);
    expect(code).toBe(65);
    expect(data.skills.map(({ place, kind }: { place: string; kind: string }) => [place, kind])).toEqual([
      ['auth-skill', 'unchanged'],
      ['bad', 'refused'],
      ['new', 'published'],
    ]);
    expect(tree()).toEqual(['auth-skill/SKILL.md', 'new/SKILL.md']);
  });

  it('publishes one of two skills with one name, and names both', () => {
    const dir = folder({ 'a/SKILL.md': SKILL('twin', 'first'), 'b/SKILL.md': SKILL('Twin', 'second') });
    const { code, data } = json(['sync', dir, '--yes']);
    expect([code, data.error.message]).toEqual([65, expect.stringMatching(/^b: .*`twin`.*which a is/)]);
    expect(remote.git('show', 'main:twin/SKILL.md')).toContain('first');
  });

  it('never reads through a link: neither to a skill nor out of one', () => {
    const secret = folder({ 'SKILL.md': SKILL('secret') });
    const dir = folder({ 'ok/SKILL.md': SKILL('ok'), 'leaky/SKILL.md': SKILL('leaky'), 'only/x': '' });
    symlinkSync(secret, join(dir, 'linked'));
    symlinkSync(join(secret, 'SKILL.md'), join(dir, 'leaky/more.md'));
    symlinkSync(join(secret, 'SKILL.md'), join(dir, 'only/SKILL.md'));
    const { data } = json(['sync', dir, '--yes']);
    expect(data.skills.map(({ place, kind }: { place: string; kind: string }) => [place, kind])).toEqual([
      ['leaky', 'refused'],
      ['ok', 'published'],
    ]);
    expect(remote.git('log', '-p', 'main')).not.toContain('Body of secret');
  });
});

describe('add', () => {
  const library = () =>
    repository({
      'skills/pdf/SKILL.md': SKILL('pdf'),
      'skills/pdf/run.sh': { executable: '#!/bin/sh\n' },
      'skills/pdf/part/SKILL.md': SKILL('part'),
      'skills/docx/SKILL.md': SKILL('docx'),
      'leaky/SKILL.md': SKILL('leaky'),
      'leaky/out': { symlink: '/etc/passwd' },
    });

  it('takes one skill of a repository, modes kept, and names them when it is not told which', () => {
    const { dir } = library();
    const unclear = json(['add', dir, '--yes']);
    expect([unclear.code, unclear.data.error.message]).toEqual([
      64,
      expect.stringContaining('leaky, skills/docx, skills/pdf.'),
    ]);
    const { code, data } = json(['add', `file://${dir}`, '--skill', 'pdf', '--yes']);
    expect(code).toBe(0);
    expect(data.skills).toMatchObject([{ place: 'skills/pdf', kind: 'published', slug: 'pdf' }]);
    expect(remote.git('ls-tree', '-r', 'main', 'pdf')).toMatch(
      /^100644 .*pdf\/SKILL\.md\n.*part\/SKILL\.md\n100755 .*run\.sh$/,
    );
  });

  it('passes over a folder whose name is no text', () => {
    const dir = folder({ 'ok/SKILL.md': SKILL('ok') });
    mkdirSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.of(0xff)]));
    expect(json(['add', dir, '--all', '--yes'])).toMatchObject({ code: 0 });
    expect(tree()).toContain('ok/SKILL.md');
  });

  it('refuses a skill with a link that leads out, and goes on with the rest', () => {
    const { code, data } = json(['add', library().dir, '--all', '--yes']);
    expect(code).toBe(65);
    expect(data.skills.map(({ place, kind }: { place: string; kind: string }) => [place, kind])).toEqual([
      ['leaky', 'refused'],
      ['skills/docx', 'published'],
      ['skills/pdf', 'published'],
    ]);
    expect(data.error.message).toContain("'out'");
  });

  it('takes a folder as it is now, uncommitted', () => {
    const dir = folder({ 'a/b/SKILL.md': SKILL('b') });
    expect(json(['add', dir, '--yes']).data.skills).toMatchObject([{ place: 'a/b', kind: 'published' }]);
  });

  it('says that a source is not there', () => {
    expect(json(['add', join(home, 'nothing'), '--yes']).code).toBe(64);
    expect(json(['add', folder({ 'x.md': '' }), '--yes']).code).toBe(65);
  });
});

describe('doctor', () => {
  it('finds nothing wrong', () => {
    const { code, data } = json(['doctor']);
    expect([code, data.ok]).toEqual([0, true]);
    expect(data.checks.map(({ check }: { check: string }) => check)).toEqual([
      'git',
      'server',
      'configuration',
      'cache',
      'credential',
      'repository',
    ]);
  });

  it('says what to do about a repository that is not there', () => {
    const { code, data } = json(['doctor'], { SKILLS_REGISTRY: `file://${home}/gone.git` });
    expect([code, data.ok, data.error.code]).toEqual([78, false, 'not_found']);
    expect(data.error.message).toContain('registry init');
  });

  it('says what to do about a cache that cannot be written', () => {
    writeFileSync(join(home, 'file'), '');
    const { code, data } = json(['doctor'], { XDG_CACHE_HOME: join(home, 'file') });
    const message = expect.stringMatching(/cannot be written \(ENOTDIR\)\. Set XDG_CACHE_HOME/);
    expect([code, data.ok, data.error.code]).toEqual([77, false, 'denied']);
    expect(data.checks).toContainEqual({ check: 'cache', ok: false, message });
  });
});
