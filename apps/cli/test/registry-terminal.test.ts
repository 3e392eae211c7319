// The registry at a real terminal: a person sees a table, is asked, and answers.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { BIN, folder } from './command.ts';

const home = mkdtempSync(join(tmpdir(), 'skillquay-terminal-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const remote = repository({ 'auth-skill/SKILL.md': '---\nname: Auth\ndescription: Validates\n---\n' });

// script(1) of util-linux is a terminal that is read by a pipe.
const hasTerminal = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') === true;

async function type(args: readonly string[], answer: string): Promise<string> {
  const command = [process.execPath, BIN, 'registry', ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 80 && exec ${command}`, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: home, SKILLS_REGISTRY: `file://${remote.dir}`, TERM: 'xterm' },
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (!shown.includes('[y/N]') && `${shown}${chunk}`.includes('[y/N]')) child.stdin.write(answer);
    shown += chunk.toString();
  });
  await once(child, 'close');
  return shown.replaceAll('\r', '');
}

describe.runIf(hasTerminal)('a person', () => {
  it('sees a table', async () => {
    expect(await type(['list'], '')).toMatch(
      /skills?\n\nSLUG +NAME +DESCRIPTION\nauth-skill +Auth +Validates\n/,
    );
  }, 30_000);

  it.each([
    ['Ctrl-C', '\u0003', 'cancelled'],
    ['Ctrl-D', '\u0004', 'Nothing was removed'],
  ])('takes %s for no', async (_, key, said) => {
    expect(await type(['remove', 'auth-skill'], key)).toContain(said);
    expect(remote.git('ls-tree', '--name-only', 'main')).toBe('auth-skill');
  });

  it('is asked before something is taken away', async () => {
    expect(await type(['remove', 'auth-skill'], 'n\n')).toContain('Nothing was removed');
    expect(remote.git('ls-tree', '--name-only', 'main')).toBe('auth-skill');
    expect(await type(['remove', 'auth-skill'], 'y\n')).toContain('Removed `auth-skill`');
    expect(remote.git('ls-tree', '--name-only', 'main')).toBe('');
  }, 60_000);

  it('is asked before a skill is replaced, and hears what of it changes', async () => {
    remote.commit({ 'kept/SKILL.md': '---\nname: kept\ndescription: Old\n---\n' });
    const dir = folder({ 'SKILL.md': '---\nname: kept\ndescription: New\n---\n', 'more.md': 'x' });
    const shown = await type(['publish', dir], 'n\n');
    expect(shown).toMatch(
      /\+ more\.md\n[\s\S]*~ SKILL\.md\n[\s\S]*Replace `kept` in [\s\S]*Nothing was published/,
    );
    expect(remote.git('show', 'main:kept/SKILL.md')).toContain('Old');
    expect(await type(['publish', dir], 'y\n')).toContain('Published `kept`');
    expect(remote.git('show', 'main:kept/SKILL.md')).toContain('New');
  }, 60_000);
});
