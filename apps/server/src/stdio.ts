// MCP over standard input and output for one mount: what `skillquay mcp` runs.
import type { Transport } from '@modelcontextprotocol/server';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from 'pino';
import { EndingSubscriptions } from './ending-subscriptions.ts';
import type { Endpoint } from './endpoint.ts';
import { serverFactory } from './mcp.ts';

export interface StdioOptions {
  /** Asked for a server once a connection (twice when a client probes first). */
  readonly endpoint: Endpoint;
  readonly log: Logger;
  /** Default: the process's own standard input and output. */
  readonly transport?: Transport;
}

/** Serves until the client closes its end; `onEnd` is called then. */
export function serveOverStdio(options: StdioOptions, onEnd: () => void): StdioServerHandle {
  const { endpoint, log } = options;
  const wire = new EndingSubscriptions(options.transport ?? new StdioServerTransport(), endpoint.identity);
  wire.ended = onEnd;
  return serveStdio(serverFactory(endpoint, log), {
    transport: wire,
    onerror: (error) => log.debug({ reason: error.message }, 'MCP message refused'),
  });
}
