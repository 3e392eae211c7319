// What `init` makes, writes and prints, and what it leaves alone.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { folder } from './command.ts';
import { type RegistryHome, registryHome, SKILL } from './registry-command.ts';

let remote: TestRepository;
let at: RegistryHome;
let config: string;
beforeEach(() => {
  remote = repository({ 'a/SKILL.md': SKILL('a') });
  at = registryHome('');
  config = join(at.home, '.config/skills-mcp/registry.toml');
});

function written(text: string): void {
  mkdirSync(join(config, '..'), { recursive: true });
  writeFileSync(config, text);
}

describe('a folder', () => {
  it('that holds files is left as it is', () => {
    const dir = folder({ 'notes.txt': 'mine', 'a/b': 'x' });
    const { code, data } = at.json(['init', dir, '--yes']);
    expect([code, data.error.message]).toEqual([64, expect.stringMatching(/holds files\. Name a folder/)]);
    expect(readdirSync(dir).sort()).toEqual(['a', 'notes.txt']);
    expect(existsSync(config)).toBe(false);
    expect(at.json(['init', join(dir, 'notes.txt'), '--yes']).code).toBe(64);
  });

  it('that is a work tree is refused', () => {
    const dir = join(at.home, 'tree');
    spawnSync('git', ['clone', '-q', remote.dir, dir]);
    const { code, data } = at.json(['init', dir, '--yes']);
    expect([code, data.error.message]).toEqual([64, expect.stringContaining('is a work tree')]);
    expect(existsSync(config)).toBe(false);
  });

  it('may be empty, and may be named from where the command is run', () => {
    expect(at.json(['init', folder({}), '--yes']).data.state).toBe('created');
    for (const name of ['skills.git', 'sub/skills.git', 'mine'])
      expect(at.json(['init', name, '--yes']).data.registry).toBe(`file://${join(at.home, name)}`);
  });
});

describe('without a name', () => {
  it('it writes nothing and makes nothing', () => {
    const text = '# mine\n[registry]\nrepo = "me/skills"\nextra = "kept"\n';
    written(text);
    const { code, data } = at.json(['init']);
    expect([code, data.registry, data.state]).toEqual([0, 'me/skills', 'configured']);
    expect(readFileSync(config, 'utf8')).toBe(text);
  });

  it('what the shell names is not written into a file', () => {
    const { code, data } = at.json(['init'], { SKILLS_REGISTRY: `file://${at.home}/none.git` });
    expect([code, data.config]).toEqual([0, 'SKILLS_REGISTRY']);
    expect(data.notes).toEqual([expect.stringContaining('SKILLS_REGISTRY must be set for the server too')]);
    expect([existsSync(config), existsSync(join(at.home, 'none.git'))]).toEqual([false, false]);
  });
});

describe('the file', () => {
  it('that is no TOML is said before anything is made', () => {
    written('[registry\n');
    const path = join(at.home, 'new.git');
    for (const args of [['init'], ['init', path, '--yes']]) {
      const { code, data } = at.json(args);
      expect([code, data.error.message]).toEqual([
        78,
        expect.stringMatching(/registry\.toml:1:\d+ is no valid/),
      ]);
    }
    expect(existsSync(path)).toBe(false);
  });

  it('that names no registry is filled in unasked, and one that cannot be read is asked about', () => {
    written('[other]\nkey = 1\n');
    expect(at.json(['init', `file://${remote.dir}`]).code).toBe(0);
    written('[registry]\nrepo = 7\n');
    const { code, data } = at.json(['init', `file://${remote.dir}`]);
    expect([code, data.error.message]).toEqual([
      64,
      expect.stringContaining('something that cannot be read'),
    ]);
    expect(at.json(['init']).code).toBe(78);
  });

  it('that names this registry already is not written, and a link stays one', () => {
    const real = join(at.home, 'dotfile');
    const text = `# mine\n[registry]\nrepo = "file://${remote.dir}"\n`;
    writeFileSync(real, text);
    mkdirSync(join(config, '..'), { recursive: true });
    symlinkSync(real, config);
    expect(at.json(['init', `file://${remote.dir}`]).code).toBe(0);
    expect([lstatSync(config).isSymbolicLink(), readFileSync(real, 'utf8')]).toEqual([true, text]);
  });
});

it.each([
  ['https://ann@git.example.com/me/skills', 'with a user before its host', 'Leave the name out'],
  ['https://ann:pass@git.example.com/me/skills', 'with a password or a token', 'credential helper'],
  ['https://ann:@git.example.com/me/skills', 'with a password or a token', 'credential helper'],
  ['ssh://ann:p@ss@git.example.com/me/skills', 'with a password or a token', 'credential helper'],
])('%s is not written into a file', (url, what, way) => {
  const { code, data } = at.json(['init', url, '--yes']);
  expect([code, data.error.message]).toEqual([64, expect.stringContaining(what)]);
  expect(data.error.message).toContain(way);
  expect(data.error.message).not.toMatch(/ann|p@ss|:pass/);
  expect(existsSync(config)).toBe(false);
});

it('an empty --branch is a wrong argument', () => {
  const { code, data } = at.json(['init', `file://${remote.dir}`, '--branch', '']);
  expect([code, data.error.message]).toEqual([64, expect.stringContaining('--branch names no branch')]);
});

it('every client gets lines that start the server', () => {
  const { data } = at.json(['init', `file://${remote.dir}`]);
  const commands = data.clients.map(({ client, lines }: { client: string; lines: string }) =>
    startOf(client, lines),
  );
  const [first] = commands;
  expect(new Set(commands.map((one: string[]) => JSON.stringify(one))).size).toBe(1);
  const { status, stdout } = spawnSync(first[0], [first[1], '--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+/)]);
});

/** What a client runs that was given these lines: a program and its one argument. */
function startOf(client: string, lines: string): string[] {
  switch (client) {
    case 'Cursor':
    case 'Windsurf': {
      const { command, args } = JSON.parse(lines).mcpServers['skill-registry'];
      return [command, ...args];
    }
    case 'OpenCode':
      return JSON.parse(lines).mcp['skill-registry'].command;
    case 'Goose': {
      const { cmd, args } = JSON.parse(lines.replace(/^skill-registry: /, ''));
      return [cmd, ...args];
    }
    case 'VS Code': {
      const { command, args } = JSON.parse(words(lines).at(-1) ?? '');
      return [command, ...args];
    }
    default:
      return words(lines).slice(-2);
  }
}

/** As a shell takes a line apart, whose first word is the name of a program. */
function words(line: string): string[] {
  const [program] = line.split(' ');
  const script = `${program}() { printf '%s\\0' "$@"; }\n${line}`;
  return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.split('\0').slice(0, -1);
}
