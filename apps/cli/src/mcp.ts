// `skillquay mcp`: one repository over standard input and output, for a client that starts its servers itself.
import { MAX_MESSAGE_BYTES, serveOverStdio } from '@skillquay/server/stdio';
import pino from 'pino';
import { CommandError, ExitCode } from './exit-codes.ts';
import { openApp, type SourceOptions } from './open-app.ts';
import { aborted, stopSignal, untilStopped } from './stop-signal.ts';

/** Serves until the client closes its end. Standard output carries the protocol and nothing else. */
export async function mcp(argument: string, options: SourceOptions): Promise<void> {
  const stopping = stopSignal();
  const { app, config, sources } = await openApp([argument], { ...options, open: false });
  const { source, address } = sources[0] ?? { source: '', address: '' };
  try {
    await untilStopped(stopping, async () => {
      const connected = await app.connect(address, { signal: stopping });
      if (!connected.ok)
        throw new CommandError(
          ExitCode.unavailable,
          `${source} cannot be served: ${connected.failure.message}`,
        );
      app.follow(address);
      const log = pino({ level: config.logLevel }, pino.destination(2));
      const reason = await new Promise<Error | null>((resolve) => {
        const server = serveOverStdio({ endpoint: connected.endpoint, log }, resolve);
        void aborted(stopping).then(() => server.close());
      });
      // An error of the system is one of the output, which ends the process in its own way.
      if (reason !== null && !('code' in reason))
        throw new CommandError(
          ExitCode.badData,
          `The client sent a message of more than ${MAX_MESSAGE_BYTES} bytes, which is not read.`,
        );
    });
  } finally {
    await app.close();
  }
}
