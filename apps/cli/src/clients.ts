// The lines a person pastes to add an address to their MCP client, one entry a client.

export interface ClientSetup {
  readonly client: string;
  /** Where the line goes: a shell, or a file. */
  readonly where: string;
  readonly line: string;
}

/** A name for the server in the client's own list: letters, digits and hyphens, e.g. `acme-library`. */
export function serverName(owner: string, repo: string): string {
  const name = `${owner}-${repo}`.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '');
  return name === '' ? 'skills' : name.toLowerCase();
}

/** Set-up lines for an endpoint that is reached over HTTP. */
export function clientSetups(name: string, url: string): ClientSetup[] {
  return [
    { client: 'Claude Code', where: 'shell', line: `claude mcp add --transport http ${name} ${url}` },
    { client: 'Codex', where: 'shell', line: `codex mcp add ${name} --url ${url}` },
    { client: 'Cursor', where: '.cursor/mcp.json', line: JSON.stringify({ mcpServers: { [name]: { url } } }) },
    {
      client: 'VS Code',
      where: 'shell',
      line: `code --add-mcp '${JSON.stringify({ name, type: 'http', url })}'`,
    },
  ];
}
