// What a repository of somebody else calls its folders is shown, and obeyed by no terminal.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { folder, skillquay } from './command.ts';

const home = mkdtempSync(join(tmpdir(), 'skillquay-hostile-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const SKILL = '---\nname: plain\ndescription: Does it\n---\n\nBody.\n';
const OBEYED = '\u001b[2J\u001b]0;owned\u0007\u009b1m\u202e';
const registry = repository({ 'one/SKILL.md': SKILL });

function run(...args: readonly string[]): string {
  const { out, err } = skillquay(['registry', ...args], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SKILLS_REGISTRY: `file://${registry.dir}`,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  });
  return out + err;
}

const library = {
  [`a${OBEYED}/SKILL.md`]: SKILL,
  'b/SKILL.md': SKILL.replace('plain', 'b'),
  [`b/out${OBEYED}`]: { symlink: '/etc/passwd' },
};
const there = repository(library);
const here = folder({ [`x${OBEYED}/SKILL.md`]: 'no front matter', 'y/SKILL.md': SKILL });

it('no name makes a line of a plan', () => {
  const forged = folder({ 'a\n  new        trusted/SKILL.md': SKILL });
  expect(run('add', forged, '--all')).not.toMatch(/^ +new +trusted/m);
});

it.each([
  ['the list of what there is', ['add', there.dir]],
  ['a plan', ['add', there.dir, '--all']],
  ['a result and an error', ['add', there.dir, '--all', '--yes']],
  ['the plan of a folder', ['sync', here]],
  ['what was asked for', ['get', `no${OBEYED}`]],
  ['a folder that is not there', ['publish', join(home, `no${OBEYED}`)]],
])('%s', (_, args) => {
  const shown = run(...args);
  expect(shown).not.toBe('');
  expect(shown.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
