// Copies at a real terminal: what a person says no to stays, and nobody takes it for done.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { BIN } from './command.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-copies-terminal-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let home: string;
let remote: TestRepository;
const SKILL = (what: string) => `---\nname: a\ndescription: ${what}\n---\n`;
const copy = () => join(home, '.claude/skills/a/SKILL.md');

// script(1) of util-linux is a terminal that is read by a pipe.
const hasTerminal = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') === true;

/** Answers the first question, after `meanwhile`. */
async function type(args: readonly string[], answer: string, meanwhile = () => {}) {
  const command = [process.execPath, BIN, 'registry', ...args].map((arg) => `'${arg}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols 80 && exec ${command}`, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: home, SKILLS_REGISTRY: `file://${remote.dir}`, TERM: 'xterm' },
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (!shown.includes('[y/N]') && `${shown}${chunk}`.includes('[y/N]')) {
      meanwhile();
      child.stdin.write(answer);
    }
    shown += chunk.toString();
  });
  const [code] = await once(child, 'close');
  return { code, shown: shown.replaceAll('\r', '') };
}

describe.runIf(hasTerminal)('a person', () => {
  beforeEach(async () => {
    home = mkdtempSync(join(root, 'home-'));
    remote = repository({ 'a/SKILL.md': SKILL('One') });
    await type(['get', 'a', '--agent', 'claude'], '');
    remote.commit({ 'a/SKILL.md': SKILL('Two') });
  });

  it('who says no keeps what is there', async () => {
    const { code, shown } = await type(['update'], 'n\n');
    expect([code, shown]).toEqual([
      77,
      expect.stringMatching(/\+description: Two[\s\S]*left as it is: .*\/a\./),
    ]);
    expect(readFileSync(copy(), 'utf8')).toBe(SKILL('One'));
  });

  it('who presses Ctrl-C instead of an answer keeps what is there', async () => {
    const { code, shown } = await type(['update'], '\u0003');
    expect([code, shown]).toEqual([130, expect.stringContaining('cancelled')]);
    expect(readFileSync(copy(), 'utf8')).toBe(SKILL('One'));
  });

  it('who says yes has what was shown', async () => {
    expect((await type(['update'], 'y\n')).code).toBe(0);
    expect(readFileSync(copy(), 'utf8')).toBe(SKILL('Two'));
  });

  it('who agrees to replace a skill replaces no other one that came meanwhile', async () => {
    await type(['update', '--yes'], '');
    writeFileSync(copy(), SKILL('Mine'));
    const theirs = () => remote.commit({ 'a/SKILL.md': SKILL('Theirs') });
    const { code, shown } = await type(['publish', join(copy(), '..')], 'y\n', theirs);
    expect([code, shown]).toEqual([75, expect.stringMatching(/`a`.*meanwhile/)]);
    expect(remote.git('show', 'main:a/SKILL.md')).toContain('Theirs');
  });

  it('who goes on writing while asked keeps what is written', async () => {
    const edit = () => writeFileSync(copy(), SKILL('Mine'));
    expect((await type(['update'], 'y\n', edit)).code).toBe(75);
    expect(readFileSync(copy(), 'utf8')).toBe(SKILL('Mine'));
  });
});
