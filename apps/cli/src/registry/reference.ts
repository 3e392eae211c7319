// The reference of the registry's commands, made of what `--help` is made of, of the agents, the exit codes and the states of copies.
import { Command } from 'commander';
import { AGENTS } from './agents.ts';
import { addRegistryCommands } from './command.ts';
import { ERROR_CODES } from './failure.ts';
import { MEANS } from './status.ts';

/** `docs/reference/registry.md`. */
export function registryReference(): string {
  const registry = addRegistryCommands(new Command('skillquay'));
  return [
    '# The registry, command by command',
    '',
    'Made of what `skillquay registry <command> --help` prints. [The guide](../guide/registry.md) goes from nothing to a published skill.',
    '',
    helpText(registry),
    ...registry.commands.flatMap(section),
    '## Codes of errors',
    '',
    'With `--json`, `error.code` says what went wrong, and the exit code how to go on.',
    '',
    '| code | exit | means |',
    '|---|---|---|',
    ...Object.entries(ERROR_CODES).map(
      ([code, { exitCode, about }]) => `| \`${code}\` | ${exitCode} | ${about} |`,
    ),
    '',
    '## States of copies',
    '',
    '`status` compares each installed copy with the registry, and with what was installed.',
    '',
    '| state | means |',
    '|---|---|',
    ...Object.entries(MEANS).map(([state, means]) => `| \`${state}\` | ${means} |`),
    '',
    '## Folders of agents',
    '',
    '`get --agent` copies a skill to one of these; `--project` to that of the project it is run in: the nearest folder upwards with a `.git`, else the folder itself.',
    '',
    '| `--agent` | agent | for all projects | for one project |',
    '|---|---|---|---|',
    ...AGENTS.map(
      ({ id, name, aliases = [], user, project }) =>
        `| ${[id, ...aliases].map((one) => `\`${one}\``).join(', ')} | ${name} | \`${user}\` | \`${project}\` |`,
    ),
    '',
    'What was installed where is remembered in `~/.local/state/skills-mcp/copies` (`XDG_STATE_HOME` moves it), so that `status` and `update` can tell a copy that you changed from one that is behind.',
    '',
  ].join('\n');
}

function section(command: Command): string[] {
  return [`## ${command.name()}`, '', helpText(command)];
}

function helpText(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
}
