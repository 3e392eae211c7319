// The rival of listings: the SDK's own skills extension, loaded from a folder when the process starts.
// Usage: node list-peer.mjs <folder>. Prints its port when it listens.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';

const catalog = await loadSkills(process.argv[2]);
const handler = createMcpHandler(() => {
  const mcp = new McpServer({ name: 'peer', version: '1.0.0' });
  catalog.attach(mcp);
  return mcp;
});

const server = createServer(toNodeHandler(handler));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
