// Where agents look for skills: the folders that their own documentation names.
import { isAbsolute, join } from 'node:path';
import { type Environment, homeFolder } from '@skillquay/registry/config';
import { CommandError, ExitCode } from '../exit-codes.ts';

export interface Agent {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Of all projects of this user, as the documentation writes it. */
  readonly user: string;
  /** Of one project, below its root. */
  readonly project: string;
  /** The variable that moves the folder in the user's home, and what of it is replaced by its value. */
  readonly moved?: { readonly variable: string; readonly instead: string };
}

const XDG = { variable: 'XDG_CONFIG_HOME', instead: '~/.config' };

export const AGENTS: readonly Agent[] = [
  // Source: https://code.claude.com/docs/en/skills, "Where skills live"; CLAUDE_CONFIG_DIR of its settings page.
  {
    id: 'claude',
    name: 'Claude Code',
    aliases: ['claude-code'],
    user: '~/.claude/skills',
    project: '.claude/skills',
    moved: { variable: 'CLAUDE_CONFIG_DIR', instead: '~/.claude' },
  },
  // Source: https://developers.openai.com/codex/skills, "Where to save skills".
  { id: 'codex', name: 'Codex', user: '~/.agents/skills', project: '.agents/skills' },
  // Source: https://cursor.com/docs/context/skills, "Skill directories".
  { id: 'cursor', name: 'Cursor', user: '~/.cursor/skills', project: '.cursor/skills' },
  // Source: https://code.visualstudio.com/docs/agent-customization/agent-skills and
  // https://docs.github.com/en/copilot/concepts/agents/about-agent-skills.
  {
    id: 'copilot',
    name: 'VS Code, GitHub Copilot',
    aliases: ['vscode', 'github-copilot'],
    user: '~/.copilot/skills',
    project: '.github/skills',
  },
  // Source: https://geminicli.com/docs/cli/using-agent-skills/, "Discovery tiers".
  {
    id: 'gemini',
    name: 'Gemini CLI',
    aliases: ['gemini-cli'],
    user: '~/.gemini/skills',
    project: '.gemini/skills',
  },
  // Source: https://opencode.ai/docs/skills, "Place files".
  {
    id: 'opencode',
    name: 'OpenCode',
    user: '~/.config/opencode/skills',
    project: '.opencode/skills',
    moved: XDG,
  },
  // Source: https://block.github.io/goose/docs/guides/context-engineering/using-skills, "Skill Locations".
  { id: 'goose', name: 'Goose', user: '~/.agents/skills', project: '.agents/skills' },
  // Source: https://docs.windsurf.com/windsurf/cascade/skills, "Manual Creation".
  {
    id: 'windsurf',
    name: 'Windsurf',
    user: '~/.codeium/windsurf/skills',
    project: '.windsurf/skills',
  },
];

/** A folder of skills, and who reads it. */
export interface SkillsFolder {
  /** Absolute. */
  readonly path: string;
  readonly agents: readonly Agent[];
}

/** `claude,cursor` as agents, each once. Throws CommandError `usage`. */
export function agentsNamed(list: string): readonly Agent[] {
  const names = list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length === 0) throw unknown('');
  const agents = names.map((name) => {
    const found = AGENTS.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
    if (found === undefined) throw unknown(name);
    return found;
  });
  return [...new Set(agents)];
}

function unknown(name: string): CommandError {
  const known = AGENTS.map(({ id }) => id).join(', ');
  return new CommandError(
    ExitCode.usage,
    `There is no agent "${name}". Known are ${known}; --all is each of them.`,
  );
}

/** Each folder once, although several agents read it. `project` is the root of one, or null for all of the user's. */
export function skillsFolders(
  agents: readonly Agent[],
  project: string | null,
  env: Environment,
): readonly SkillsFolder[] {
  const byPath = new Map<string, Agent[]>();
  for (const agent of agents) {
    const path = project === null ? userFolder(agent, env) : join(project, agent.project);
    byPath.set(path, [...(byPath.get(path) ?? []), agent]);
  }
  return [...byPath].map(([path, readers]) => ({ path, agents: readers }));
}

function userFolder({ user, moved }: Agent, env: Environment): string {
  const given = moved === undefined ? '' : (env[moved.variable] ?? '');
  if (moved !== undefined && isAbsolute(given)) return join(given, user.slice(moved.instead.length));
  return join(homeFolder(env), user.slice(1));
}
