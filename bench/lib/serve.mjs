// The built command as a process, and calls to it: what the benchmarks of the endpoint share.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const BIN = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'apps/cli/bin/skillquay.js');
const MODERN = '2026-07-28';

/** Starts serving `source` with `store`; resolves when requests are answered. */
export async function serve(source, store) {
  const args = [BIN, 'serve', source, '--port', '0', '--json', '--store', store];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const { mounts } = JSON.parse(line);
    return {
      pid: child.pid,
      mcp: mounts[0].mcp,
      async stop() {
        child.kill('SIGTERM');
        await once(child, 'close');
      },
    };
  }
  throw new Error('The command ended before it was ready.');
}

/** The text of one tool call. */
export async function call(mcp, name, args) {
  const response = await fetch(mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': MODERN,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  return (await response.json()).result.content[0].text;
}

/** Calls until the index is there. */
export async function callWhenReady(mcp, name, args) {
  for (;;) {
    const text = await call(mcp, name, args);
    if (!/^Status: indexing/m.test(text)) return text;
  }
}
