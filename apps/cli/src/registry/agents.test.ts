import { expect, it } from 'vitest';
import { CommandError } from '../exit-codes.ts';
import { AGENTS, agentsNamed, skillsFolders } from './agents.ts';

const paths = (names: string, project: string | null, env: Record<string, string> = {}) =>
  skillsFolders(agentsNamed(names), project, { HOME: '/home/me', ...env }).map(({ path }) => path);

it.each([
  ['claude', '/home/me/.claude/skills', '/p/.claude/skills'],
  ['Claude-Code', '/home/me/.claude/skills', '/p/.claude/skills'],
  ['codex', '/home/me/.agents/skills', '/p/.agents/skills'],
  ['cursor', '/home/me/.cursor/skills', '/p/.cursor/skills'],
  ['vscode', '/home/me/.copilot/skills', '/p/.github/skills'],
  ['copilot', '/home/me/.copilot/skills', '/p/.github/skills'],
  ['gemini', '/home/me/.gemini/skills', '/p/.gemini/skills'],
  ['opencode', '/home/me/.config/opencode/skills', '/p/.opencode/skills'],
  ['goose', '/home/me/.agents/skills', '/p/.agents/skills'],
  ['windsurf', '/home/me/.codeium/windsurf/skills', '/p/.windsurf/skills'],
])('%s reads %s, and %s of a project', (name, user, project) => {
  expect(paths(name, null)).toEqual([user]);
  expect(paths(name, '/p')).toEqual([project]);
});

it('variables that move an agent move its skills, unless they are relative', () => {
  expect(paths('claude,opencode', null, { CLAUDE_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x' })).toEqual([
    '/c/skills',
    '/x/opencode/skills',
  ]);
  expect(paths('claude', null, { CLAUDE_CONFIG_DIR: 'c' })).toEqual(['/home/me/.claude/skills']);
});

it('a folder that two agents read is one folder', () => {
  const [folder, ...more] = skillsFolders(agentsNamed('goose,codex'), null, { HOME: '/home/me' });
  expect(more).toEqual([]);
  expect(folder?.agents.map(({ id }) => id)).toEqual(['goose', 'codex']);
});

it('an agent named twice, or by two names, is one agent', () => {
  expect(agentsNamed('claude,claude-code,claude').map(({ id }) => id)).toEqual(['claude']);
});

it.each(['', 'emacs', 'claude,emacs', ','])('"%s" is refused with the names that are known', (names) => {
  expect(() => agentsNamed(names)).toThrow(CommandError);
  expect(() => agentsNamed(names)).toThrow(AGENTS.map(({ id }) => id).join(', '));
});
