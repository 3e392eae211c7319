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

/** Bytes of the largest message; a client's are some hundred. */
export const MAX_MESSAGE_BYTES = 10 * 1024 ** 2;

/** Serves until the client closes its end, or until it cannot be read or written to, which `onEnd` is given the reason of. */
export function serveOverStdio(
  options: StdioOptions,
  onEnd: (reason: Error | null) => void,
): StdioServerHandle {
  const { endpoint, log } = options;
  const wire = new EndingSubscriptions(options.transport ?? standardStreams(), endpoint.identity);
  wire.ended = onEnd;
  return serveStdio(serverFactory(endpoint, log), {
    transport: wire,
    onerror: (error) => log.debug({ reason: error.message }, 'MCP message refused'),
  });
}

function standardStreams(): Transport {
  return new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
}
