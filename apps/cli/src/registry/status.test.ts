// What a person sees of copies on a terminal of eighty columns.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../../../../test-support/repository.ts';
import { get } from './get.ts';
import type { Io } from './io.ts';
import { status } from './status.ts';

const home = mkdtempSync(join(tmpdir(), 'skillquay-status-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const named = (name: string, what: string) => `---\nname: ${name}\ndescription: ${what}\n---\n`;
const remote = repository({ 'a-skill-with-a-name/SKILL.md': named('a-skill-with-a-name', 'One') });
const person = (SKILLS_REGISTRY = `file://${remote.dir}`): Io => ({
  env: { PATH: process.env.PATH, HOME: home, SKILLS_REGISTRY },
  cwd: home,
  call: { signal: new AbortController().signal },
  canAsk: true,
  columns: 80,
  say() {},
  note() {},
  doing() {},
  ask: async () => true,
  confirm: async () => true,
});

it('tells two copies of a skill apart, and says what to do about them', async () => {
  expect((await status(person())).text).toContain('registry get');
  await get(
    ['a-skill-with-a-name'],
    { agent: 'claude,windsurf', all: false, project: false, force: false },
    person(),
  );
  expect((await status(person())).text).toBe('2 copies installed, all as the registry has them.');
  remote.commit({ 'a-skill-with-a-name/SKILL.md': named('a-skill-with-a-name', 'Two') });
  expect((await status(person())).text).toBe(`SKILL                STATE   FOLDER
a-skill-with-a-name  behind  ~/.claude/skills/a-skill-with-a-name
a-skill-with-a-name  behind  ~/.codeium/windsurf/skills/a-skill-with-a-name

behind: the registry has another version: \`skillquay registry update\``);
  const bare = join(home, 'other.git');
  spawnSync('git', ['init', '-q', '--bare', bare]);
  expect((await status(person(`file://${bare}`))).text).toMatch(/\n2 copies of other registries/);
});
