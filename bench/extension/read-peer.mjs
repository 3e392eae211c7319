// The rival of reads: the SDK's default stack (`McpServer` and `toNodeHandler`) with one registered resource.
// Reads { uri, mimeType, text } as JSON from standard input, prints its port when it listens.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const { uri, mimeType, text } = await json(process.stdin);

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerResource('file', uri, { mimeType }, () => ({ contents: [{ uri, mimeType, text }] }));
  return server;
});

const server = createServer(toNodeHandler(handler));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
