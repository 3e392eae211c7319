// What a registry's commands say where this machine is not as it should be.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { BIN, folder } from './command.ts';
import { type RegistryHome, registryHome, SKILL } from './registry-command.ts';

let remote: TestRepository;
let at: RegistryHome;
beforeEach(() => {
  remote = repository({ 'alpha/SKILL.md': SKILL('alpha') });
  at = registryHome(`file://${remote.dir}`);
});
const copy = (agent = '.claude') => join(at.home, agent, 'skills/alpha/SKILL.md');

describe('where it cannot be remembered what is installed', () => {
  const nowhere = { XDG_STATE_HOME: '/dev/null' };

  it('nothing is installed', () => {
    const { code, data } = at.json(['get', 'alpha', '--agent', 'claude'], nowhere);
    expect([code, data.error.code]).toEqual([77, 'denied']);
    expect(data.error.message).toContain('/dev/null/skills-mcp/copies');
    expect(data.error.message).toContain('XDG_STATE_HOME');
    expect(existsSync(join(at.home, '.claude'))).toBe(false);
  });

  it('nothing is replaced, and nobody is asked in vain', () => {
    at.run(['get', 'alpha', '--agent', 'claude']);
    writeFileSync(copy(), 'mine');
    const { code, data } = at.json(['get', 'alpha', '--agent', 'claude', '--force'], nowhere);
    expect([code, data.error.code]).toEqual([77, 'denied']);
    expect(readFileSync(copy(), 'utf8')).toBe('mine');
  });

  it('a skill is got all the same when no agent is to have it', () => {
    expect(at.run(['get', 'alpha'], nowhere).code).toBe(0);
  });

  it('it is said of a record that has something in its way', () => {
    const copies = join(at.home, '.local/state/skills-mcp/copies');
    at.run(['get', 'alpha', '--agent', 'claude']);
    const [record = ''] = readdirSync(copies);
    rmSync(join(copies, record));
    mkdirSync(join(copies, record));
    const { code, data } = at.json(['get', 'alpha', '--agent', 'claude']);
    expect([code, data.error.code]).toEqual([77, 'denied']);
    expect(data.error.message).toContain(copies);
  });
});

describe('what is in the way of the folder of an agent', () => {
  it.each([
    ['a link that leads to no folder', (path: string) => symlinkSync(join(at.home, 'nowhere'), path)],
    ['a file', (path: string) => writeFileSync(path, 'mine')],
  ])('is named: %s', (what, make) => {
    mkdirSync(join(at.home, '.gemini'));
    const skills = join(at.home, '.gemini/skills');
    make(skills);
    const { code, data } = at.json(['get', 'alpha', '--agent', 'claude,gemini']);
    expect([code, data.error.code]).toEqual([77, 'denied']);
    expect(data.error.message).toContain(`${skills} is ${what}`);
    expect(data.error.message).toContain('Remove it');
    expect(existsSync(copy())).toBe(true);
  });
});

it.each(['publish', 'add', 'sync'])('an empty argument of %s is not the current folder', (command) => {
  writeFileSync(join(at.home, 'SKILL.md'), SKILL('beta'));
  const { code, data } = at.json([command, '', '--yes']);
  expect([code, data.error.code]).toEqual([64, 'usage']);
  expect(data.error.message).toContain('empty');
});

describe('a folder whose SKILL.md is a link', () => {
  const linked = (more: Readonly<Record<string, string>>) => {
    const dir = folder({ ...more, 'linked/other.md': 'x', 'elsewhere.txt': SKILL('linked') });
    symlinkSync('../elsewhere.txt', join(dir, 'linked/SKILL.md'));
    return dir;
  };

  it.each(['sync', 'add'])('is named by %s', (command) => {
    const dir = linked({ 'beta/SKILL.md': SKILL('beta') });
    const { code, data } = at.json([command, dir, '--yes']);
    expect(code).toBe(0);
    expect(data.notes).toEqual([expect.stringContaining(`${join(dir, 'linked/SKILL.md')} is a link`)]);
    expect(data.skills).toMatchObject([{ place: 'beta' }]);
  });

  it.each(['sync', 'add'])('is named by %s where there is nothing else', (command) => {
    const { code, data } = at.json([command, linked({}), '--yes']);
    expect(code).toBe(65);
    expect(data.error.message).toContain('linked/SKILL.md is a link');
  });
});

describe('a current folder that is gone', () => {
  const gone = (...args: string[]) => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
    const env = { PATH: process.env.PATH, HOME: at.home, SKILLS_REGISTRY: `file://${remote.dir}` };
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, BIN, ...args], {
      cwd: at.home,
      env,
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  };

  it('is said in JSON', () => {
    const { code, out, err } = gone('registry', 'list', '--json');
    expect([code, err]).toEqual([65, '']);
    expect(JSON.parse(out)).toEqual({
      error: { code: 'invalid', message: 'The current folder is gone. Go to one that is there.' },
    });
  });

  it.each([[['registry', 'list']], [['check', '.']]])('is said by %j', (args) => {
    expect(gone(...args)).toEqual({
      code: 65,
      out: '',
      err: 'skillquay: The current folder is gone. Go to one that is there.\n',
    });
  });
});

it('a copy is called by its state where its record cannot be written anew', () => {
  at.run(['get', 'alpha', '--agent', 'claude']);
  // What its user wrote is what was published: a record that is behind.
  remote.commit({ 'alpha/SKILL.md': SKILL('alpha', 'New') });
  writeFileSync(copy(), SKILL('alpha', 'New'));
  const copies = join(at.home, '.local/state/skills-mcp/copies');
  // It is read from wherever it lies, and written where a folder is in its way: of root as well.
  const [record = ''] = readdirSync(copies);
  renameSync(join(copies, record), join(copies, `${'0'.repeat(32)}.json`));
  mkdirSync(join(copies, record));
  expect(at.json(['status'])).toMatchObject({ code: 0, data: { copies: [{ state: 'current' }] } });
});
