// The rival: the SDK's default stack (`McpServer` and `toNodeHandler`) with one tool that returns a ready text.
// Reads the text from standard input, prints its port when it listens.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const answer = await text(process.stdin);

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerTool(
    'load_skill',
    {
      description: 'Loads a skill.',
      inputSchema: z.object({ path: z.string(), cursor: z.string().optional() }),
    },
    () => ({ content: [{ type: 'text', text: answer }] }),
  );
  return server;
});

const server = createServer(toNodeHandler(handler));
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
