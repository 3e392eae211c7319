// What a person pastes into a client that starts its servers, to connect it to the registry.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { quoted } from '../shell-word.ts';

export interface ClientLines {
  readonly client: string;
  /** Where the lines go. */
  readonly where: string;
  readonly lines: string;
}

const NAME = 'skill-registry';

/** The server's command lies in the same checkout, seen from the bundle and from the source. */
export function serverPath(): string {
  const fromBundle = new URL('../../registry/bin/skill-registry-mcp.js', import.meta.url);
  const fromSource = new URL('../../../registry/bin/skill-registry-mcp.js', import.meta.url);
  return fileURLToPath(existsSync(fromBundle) ? fromBundle : fromSource);
}

/** Node by its path: a client that is started from a desktop may not have it on its own. */
export function clientLines(): readonly ClientLines[] {
  const [command, path] = [process.execPath, serverPath()];
  const server = { command, args: [path] };
  const run = `${quoted(command)} ${quoted(path)}`;
  const servers = JSON.stringify({ mcpServers: { [NAME]: server } }, null, 2);
  return [
    {
      client: 'Claude Code',
      where: 'In a terminal',
      lines: `claude mcp add --scope user ${NAME} -- ${run}`,
    },
    { client: 'Codex', where: 'In a terminal', lines: `codex mcp add ${NAME} -- ${run}` },
    { client: 'Cursor', where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project', lines: servers },
    {
      client: 'VS Code',
      where: 'In a terminal',
      lines: `code --add-mcp ${quoted(JSON.stringify({ name: NAME, ...server }))}`,
    },
    {
      client: 'Gemini CLI',
      where: 'In a terminal',
      lines: `gemini mcp add --scope user ${NAME} ${run}`,
    },
    {
      client: 'OpenCode',
      where: 'In ~/.config/opencode/opencode.json',
      lines: JSON.stringify(
        { mcp: { [NAME]: { type: 'local', command: [command, path], enabled: true } } },
        null,
        2,
      ),
    },
    {
      client: 'Goose',
      where: 'In ~/.config/goose/config.yaml, below `extensions`',
      // JSON is YAML.
      lines: `${NAME}: ${JSON.stringify({ name: NAME, type: 'stdio', enabled: true, cmd: command, args: [path], timeout: 300 })}`,
    },
    { client: 'Windsurf', where: 'In ~/.codeium/windsurf/mcp_config.json', lines: servers },
  ];
}
