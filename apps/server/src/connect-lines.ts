// What a person pastes into a client to connect it to an endpoint: the same lines on the page and on the command line.
import type { Address } from '@skillquay/core/address';

export interface ConnectLines {
  readonly client: string;
  /** Where the lines go. */
  readonly where: string;
  readonly lines: string;
}

/** A short name for a client's list of servers: the folder or the repository, in letters that every client takes. */
export function serverNameFor(address: Pick<Address, 'repo' | 'path'>): string {
  const folder = address.path.split('/').at(-1) ?? '';
  const name = (folder === '' ? address.repo : `${address.repo}-${folder}`)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 48);
  return name === '' ? 'skills' : name;
}

/** The steps for each client. `url` is the endpoint: origin and canonical address. */
export function connectLines(name: string, url: string): readonly ConnectLines[] {
  // A canonical address may hold a quote; as an escape it is the same address and safe in every shell.
  const safe = url.replaceAll("'", '%27');
  return [
    {
      client: 'Claude Code',
      where: 'In a terminal',
      lines: `claude mcp add --transport http ${name} '${safe}'`,
    },
    { client: 'Codex', where: 'In a terminal', lines: `codex mcp add ${name} --url '${safe}'` },
    {
      client: 'Cursor',
      where: 'In .cursor/mcp.json of a project, or ~/.cursor/mcp.json',
      lines: JSON.stringify({ mcpServers: { [name]: { url: safe } } }, null, 2),
    },
    {
      client: 'VS Code',
      where: 'In a terminal',
      lines: `code --add-mcp '${JSON.stringify({ name, type: 'http', url: safe })}'`,
    },
  ];
}
