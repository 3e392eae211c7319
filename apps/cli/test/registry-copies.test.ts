// Copies for agents: what happens to several of them, to those of a project, and after a run that was killed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { BIN, folder } from './command.ts';
import { inSession } from './command-session.ts';

const SKILL = (name: string, description = `Does ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nBody of ${name}.\n`;

const root = mkdtempSync(join(tmpdir(), 'skillquay-copies-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let home: string;
let remote: TestRepository;
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  remote = repository({ 'a/SKILL.md': SKILL('a'), 'b/SKILL.md': SKILL('b') });
});

const env = (more: Record<string, string> = {}) => ({
  PATH: process.env.PATH,
  TMPDIR: process.env.TMPDIR,
  HOME: home,
  SKILLS_REGISTRY: `file://${remote.dir}`,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...more,
});
const registry = (args: readonly string[], more?: Record<string, string>, cwd = home) =>
  inSession(['registry', ...args], { cwd, env: env(more) });

function json(args: readonly string[], more?: Record<string, string>, cwd?: string) {
  const { code, out } = registry([...args, '--json'], more, cwd);
  return { code, data: JSON.parse(out) };
}

const copy = (slug: string, agent = '.claude') => join(home, agent, 'skills', slug, 'SKILL.md');
const text = (path: string) => readFileSync(path, 'utf8');
const states = (copies: readonly { state: string }[]) => copies.map(({ state }) => state);
const status = () => states(json(['status']).data.copies);

describe('several copies', () => {
  beforeEach(() => {
    registry(['get', 'a', 'b', '--agent', 'claude']);
    writeFileSync(copy('a'), 'mine\n');
    remote.commit({ 'a/SKILL.md': SKILL('a', 'New'), 'b/SKILL.md': SKILL('b', 'New') });
  });

  it('are all as they were when somebody had to be asked', () => {
    const { code, out } = registry(['update']);
    expect([code, out]).toEqual([64, expect.stringContaining('+description: New')]);
    expect([text(copy('a')), text(copy('b'))]).toEqual(['mine\n', SKILL('b')]);
  });

  it('that change alike are shown once', () => {
    registry(['get', 'b', '--agent', 'codex,gemini']);
    remote.commit({ 'b/SKILL.md': SKILL('b', 'Newer') });
    const { out } = registry(['update', 'b']);
    expect(out.match(/^\+description: Newer$/gm)).toHaveLength(2);
    expect(out).toContain(`.gemini/skills/b:\nthe same as in ${join(home, '.agents/skills/b')}\n`);
  });

  it('are all replaced by --force', () => {
    const { code, data } = json(['update', '--force']);
    expect([code, states(data.copies)]).toEqual([0, ['updated', 'updated']]);
    expect([text(copy('a')), text(copy('b'))]).toEqual([SKILL('a', 'New'), SKILL('b', 'New')]);
  });

  it('are updated as far as they can be', () => {
    registry(['get', 'b', '--agent', 'codex']);
    remote.commit({ 'b/SKILL.md': SKILL('b', 'Newer') });
    rmSync(join(copy('b', '.agents'), '..'), { recursive: true });
    symlinkSync(home, join(home, '.agents/skills/b'));
    const { code, data } = json(['update', 'a', 'b', '--yes']);
    expect([code, states(data.copies)]).toEqual([65, ['blocked', 'kept', 'updated']]);
    expect(data.error.message).toMatch(/\.agents\/skills\/b is a link.*skills\/a\. Publish it/);
    expect(text(copy('b'))).toBe(SKILL('b', 'Newer'));
  });
});

it('a link in the folder of one agent keeps no other from its copy', () => {
  mkdirSync(join(home, '.cursor/skills'), { recursive: true });
  symlinkSync(home, join(home, '.cursor/skills/a'));
  const { code, data } = json(['get', 'a', '--all']);
  const { installed } = data.skills[0];
  expect(code).toBe(65);
  expect(states(installed)).toEqual(['installed', 'installed', 'blocked', ...Array(4).fill('installed')]);
  expect(installed[2].error).toEqual({
    code: 'invalid',
    message: expect.stringContaining('.cursor/skills/a'),
  });
  expect(existsSync(copy('a', '.codeium/windsurf'))).toBe(true);
});

it('two skills of one name have one copy, and the other is named', () => {
  remote.commit({ 'b/SKILL.md': SKILL('a', 'Another') });
  const { code, data } = json(['get', 'a', 'b', '--agent', 'claude']);
  expect([code, states(data.skills[1].installed)]).toEqual([65, ['blocked']]);
  expect(data.error.message).toContain('is the place of `a`');
  expect(text(copy('a'))).toBe(SKILL('a'));
});

describe('a project', () => {
  it('is the work tree that the folder lies in', () => {
    const project = folder({ '.git/HEAD': '', 'sub/deep/x': '' });
    const { out } = registry(['get', 'a', '--agent', 'claude', '--project'], {}, join(project, 'sub/deep'));
    expect(out).toBe(`installed: ${join(project, '.claude/skills/a')} (claude)\n`);
    const none = folder({ 'sub/x': '' });
    registry(['get', 'a', '--agent', 'claude', '--project'], {}, join(none, 'sub'));
    expect(existsSync(join(none, 'sub/.claude/skills/a/SKILL.md'))).toBe(true);
  });

  it('is not even mended through a link that came later', () => {
    const [project, outside] = [folder({}), folder({ 'skills/.a.new-999999999-0123abcd/x': '' })];
    registry(['get', 'a', '--agent', 'claude', '--project'], {}, project);
    rmSync(join(project, '.claude'), { recursive: true });
    symlinkSync(outside, join(project, '.claude'));
    const { copies } = json(['status']).data;
    expect(copies).toMatchObject([{ state: 'unreadable', reason: expect.stringContaining('leads out') }]);
    expect(json(['update', '--yes']).code).toBe(65);
    expect(readdirSync(join(outside, 'skills'))).toEqual(['.a.new-999999999-0123abcd']);
  });

  it('is never left through a link that came later', () => {
    const [project, outside] = [folder({}), folder({})];
    registry(['get', 'a', '--agent', 'claude', '--project'], {}, project);
    renameSync(join(project, '.claude'), join(outside, '.claude'));
    symlinkSync(join(outside, '.claude'), join(project, '.claude'));
    remote.commit({ 'a/SKILL.md': SKILL('a', 'New') });
    const { code, data } = json(['update', 'a', '--yes']);
    expect([code, states(data.copies), data.error.message]).toEqual([
      65,
      ['blocked'],
      expect.stringContaining('leads out of its project'),
    ]);
    expect(text(join(outside, '.claude/skills/a/SKILL.md'))).toBe(SKILL('a'));
  });
});

describe('a run that was killed', () => {
  const dead = () => `${spawnSync(process.execPath, ['-e', '']).pid}-0123abcd`;
  const skills = () => join(home, '.claude/skills');
  beforeEach(() => {
    registry(['get', 'a', '--agent', 'claude']);
    writeFileSync(copy('a'), 'mine\n');
  });

  it('leaves the copy where it was', () => {
    renameSync(join(skills(), 'a'), join(skills(), `.a.old-${dead()}`));
    mkdirSync(join(skills(), `.a.new-${dead()}`));
    expect(status()).toEqual(['changed']);
    expect(text(copy('a'))).toBe('mine\n');
    expect(readdirSync(skills())).toEqual(['a']);
  });

  it('keeps what it moved away when something is in its place, and says where it is', () => {
    const aside = join(skills(), `.a.old-${dead()}`);
    mkdirSync(aside);
    writeFileSync(join(aside, 'SKILL.md'), 'former\n');
    const { err } = registry(['get', 'a', '--agent', 'claude', '--force']);
    expect(err).toContain(aside);
    expect([text(copy('a')), text(join(aside, 'SKILL.md'))]).toEqual([SKILL('a'), 'former\n']);
  });

  it('takes nothing from one that is at work', () => {
    const busy = join(skills(), `.a.new-${process.pid}-0123abcd`);
    mkdirSync(busy);
    registry(['get', 'a', '--agent', 'claude', '--force']);
    expect(existsSync(busy)).toBe(true);
  });

  it('leaves one whole copy, whenever it was killed, and nothing hidden after the next', async () => {
    const big = (mark: string) =>
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`a/${at}.md`, `${mark}${at}\n`]));
    for (const mark of ['x', 'y', 'z']) {
      remote.commit(big(mark));
      registry(['get', 'a']);
      const child = spawn(process.execPath, [BIN, 'registry', 'get', 'a', '--agent', 'claude', '--force'], {
        env: env(),
      });
      const ended = once(child, 'close');
      for (let wait = 0; wait < 400 && !readdirSync(skills()).some((name) => name.startsWith('.')); wait += 1)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      child.kill('SIGKILL');
      await ended;
      registry(['status']);
      expect(['mine\n', SKILL('a')]).toContain(text(copy('a')));
    }
    registry(['get', 'a', '--agent', 'claude', '--force']);
    expect(readdirSync(skills())).toEqual(['a']);
    expect(text(join(skills(), 'a/7.md'))).toBe('z7\n');
  }, 60_000);
});

describe('one registry', () => {
  it('is one by whatever it is called, and its copies are no others', () => {
    registry(['get', 'a', '--agent', 'claude']);
    const other = repository({ 'a/SKILL.md': SKILL('a', 'Other') });
    const look = (name: string) => json(['status'], { SKILLS_REGISTRY: name }).data;
    expect(states(look(`file://${remote.dir}#main`).copies)).toEqual(['current']);
    expect(states(look(`file://${remote.dir}/`).copies)).toEqual(['current']);
    expect(look(`file://${other.dir}`)).toMatchObject({ copies: [], others: 1 });
    registry(['get', 'b', '--agent', 'claude'], { SKILLS_REGISTRY: `file://${remote.dir}#main` });
    expect(states(look(`file://${remote.dir}`).copies)).toEqual(['current', 'current']);
    remote.commit({ 'a/SKILL.md': SKILL('a') }, { branch: 'next', from: 'main' });
    expect(look(`file://${remote.dir}#next`)).toMatchObject({ others: 1 });
  });

  it('that cannot be seen has not lost its skills', () => {
    registry(['get', 'a', '--agent', 'claude']);
    renameSync(remote.dir, `${remote.dir}.gone`);
    for (const command of ['status', 'update']) {
      const { code, data } = json([command]);
      expect([code, data.error.code]).toEqual([78, 'not_found']);
    }
    renameSync(`${remote.dir}.gone`, remote.dir);
  });
});

it('two agents whose folders are one by a link have one copy', () => {
  mkdirSync(join(home, '.agents/skills'), { recursive: true });
  mkdirSync(join(home, '.claude'));
  symlinkSync(join(home, '.agents/skills'), join(home, '.claude/skills'));
  const { data } = json(['get', 'a', '--agent', 'claude,codex']);
  expect(data.skills[0].installed).toMatchObject([{ state: 'installed', agents: ['claude', 'codex'] }]);
  registry(['get', 'a', '--agent', 'codex']);
  expect(status()).toEqual(['current']);
});

describe('update by name', () => {
  beforeEach(() => {
    registry(['get', 'a', '--agent', 'claude']);
  });

  it('takes a name as get does', () => {
    remote.commit({ 'a/SKILL.md': SKILL('a', 'New') });
    expect(states(json(['update', 'A', '--yes']).data.copies)).toEqual(['updated']);
  });

  it('brings back what has gone', () => {
    rmSync(join(copy('a'), '..'), { recursive: true });
    expect(json(['update']).data.copies).toEqual([]);
    expect(states(json(['update', 'a']).data.copies)).toEqual(['installed']);
    expect(text(copy('a'))).toBe(SKILL('a'));
  });

  it('says of a skill that the registry has no more that it has not, as get does', () => {
    remote.commit({ 'a/SKILL.md': null });
    for (const command of ['update', 'get']) {
      const { code, data } = json([command, 'a']);
      expect([code, data.error.code]).toEqual([65, 'no_such_skill']);
    }
    expect(existsSync(copy('a'))).toBe(true);
  });

  it('says what could not be brought, and that a skill has another name than its copy', () => {
    remote.commit({ 'a/SKILL.md': SKILL('renamed'), 'a/out': { symlink: '/etc/passwd' } });
    const { code, err } = registry(['update', 'a', '--yes']);
    expect(code).toBe(0);
    expect(err).toMatch(/^note: .*out/m);
    expect(err).toMatch(/^note: `a` calls itself "renamed" now.*skills\/a\./m);
    expect(text(copy('a'))).toBe(SKILL('renamed'));
    remote.commit({ 'a/more.md': 'more' });
    expect(json(['update', 'a', '--yes']).data.copies).toMatchObject([
      { state: 'updated', newName: 'renamed', notes: [expect.stringContaining('out')] },
    ]);
  });
});

it('a copy that cannot be read keeps no other from being compared', () => {
  registry(['get', 'a', 'b', '--agent', 'claude']);
  // More than can be read at once, and nothing on the disk.
  truncateSync(copy('a'), 5 * 1024 ** 3);
  const { data } = json(['status']);
  expect(states(data.copies)).toEqual(['unreadable', 'current']);
  expect(data.copies[0].reason).toEqual(expect.any(String));
  rmSync(copy('a'));
});

describe('one bad copy keeps no other from being updated:', () => {
  const update = (...args: string[]) => json(['update', ...args, '--yes']);
  const path = (slug: string) => expect.stringContaining(`skills/${slug}`);
  beforeEach(() => {
    registry(['get', 'a', 'b', '--agent', 'claude']);
    remote.commit({ 'b/SKILL.md': SKILL('b', 'New') });
  });

  it('one that is too large to be read', () => {
    truncateSync(copy('a'), 5 * 1024 ** 3);
    const { code, data } = update();
    expect([code, states(data.copies)]).toEqual([65, ['blocked', 'updated']]);
    expect(data.error.message).toMatch(/skills\/a\/SKILL\.md is larger than 2 GiB/);
    expect(text(copy('b'))).toBe(SKILL('b', 'New'));
    rmSync(copy('a'));
  });

  it('one that is unreadable, of a skill that was removed', () => {
    truncateSync(copy('a'), 5 * 1024 ** 3);
    remote.commit({ 'a/SKILL.md': null });
    const { code, data } = update();
    expect([code, data.copies]).toEqual([
      65,
      [
        expect.objectContaining({ path: path('a'), agents: ['claude'], slug: 'a', state: 'blocked' }),
        expect.objectContaining({ path: path('b'), state: 'updated' }),
      ],
    ]);
    expect(data.copies[0].error.code).toBe('no_such_skill');
    expect(data.error.code).toBe('no_such_skill');
    rmSync(copy('a'));
  });
});

describe('hidden files that are in no version of a skill', () => {
  const at = (path: string) => join(copy('a'), '..', path);
  beforeEach(() => {
    registry(['get', 'a', '--agent', 'claude']);
    mkdirSync(at('.venv/bin'), { recursive: true });
    writeFileSync(at('.venv/bin/x'), 'x');
    writeFileSync(at('.env'), 'mine');
  });

  it('are no change of a copy, for nobody could publish it', () => {
    expect(status()).toEqual(['current']);
    writeFileSync(copy('a'), SKILL('a', 'Mine'));
    expect(status()).toEqual(['changed']);
    expect(json(['publish', at('.'), '--yes']).code).toBe(0);
    expect(status()).toEqual(['current']);
  });

  it('stay where the copy is replaced', () => {
    remote.commit({ 'a/SKILL.md': SKILL('a', 'New') });
    expect(states(json(['update', '--yes']).data.copies)).toEqual(['updated']);
    expect([text(copy('a')), text(at('.env')), text(at('.venv/bin/x'))]).toEqual([
      SKILL('a', 'New'),
      'mine',
      'x',
    ]);
  });

  it('are replaced by those of a new version only when that was agreed to', () => {
    remote.commit({ 'a/.env': 'theirs' });
    expect(json(['update', '--yes'])).toMatchObject({ code: 65, data: { copies: [{ state: 'kept' }] } });
    expect(text(at('.env'))).toBe('mine');
    expect(json(['update', '--yes', '--force']).code).toBe(0);
    expect([text(at('.env')), status()]).toEqual(['theirs', ['current']]);
  });

  it('of which the registry has the same by now are one change with the rest', () => {
    writeFileSync(copy('a'), SKILL('a', 'Mine'));
    remote.commit({ 'a/SKILL.md': SKILL('a', 'Mine'), 'a/.env': 'mine' });
    expect(status()).toEqual(['current']);
    expect(status()).toEqual(['current']);
  });
});

it('what a killed run was remembering is removed', () => {
  registry(['get', 'a', '--agent', 'claude']);
  const folder = join(home, '.local/state/skills-mcp/copies');
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(join(folder, `0.json.${pid}.tmp`), '');
  registry(['get', 'b', '--agent', 'claude']);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(lstatSync(folder).mode & 0o077).toBe(0);
});

it('a copy that has gone, of a skill that has gone, is forgotten, and that is said once', () => {
  registry(['get', 'a', '--agent', 'claude']);
  rmSync(join(copy('a'), '..'), { recursive: true });
  remote.commit({ 'a/SKILL.md': null });
  expect(registry(['status']).err).toMatch(/skills\/a has gone.*no longer listed/);
  expect(registry(['status']).err).not.toContain('no longer listed');
  expect(json(['status']).data).toMatchObject({ copies: [], others: 0 });
});
