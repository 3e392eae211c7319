// What a person pastes into a client that starts its servers, to connect it to the registry.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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

export function clientLines(path: string = serverPath()): readonly ClientLines[] {
  const quoted = `'${path.replaceAll("'", `'\\''`)}'`;
  const server = { command: 'node', args: [path] };
  return [
    {
      client: 'Claude Code',
      where: 'In a terminal',
      lines: `claude mcp add --scope user ${NAME} -- node ${quoted}`,
    },
    { client: 'Codex', where: 'In a terminal', lines: `codex mcp add ${NAME} -- node ${quoted}` },
    {
      client: 'Cursor',
      where: 'In ~/.cursor/mcp.json, or .cursor/mcp.json of a project',
      lines: JSON.stringify({ mcpServers: { [NAME]: server } }, null, 2),
    },
    {
      client: 'VS Code',
      where: 'In a terminal',
      lines: `code --add-mcp '${JSON.stringify({ name: NAME, ...server }).replaceAll("'", `'\\''`)}'`,
    },
  ];
}
