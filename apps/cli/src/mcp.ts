// `skillquay mcp`: one repository over standard input and output, for a client that starts its servers itself.
import { serveOverStdio } from '@skillquay/server/stdio';
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
      await new Promise<void>((resolve) => {
        const server = serveOverStdio({ endpoint: connected.endpoint, log }, resolve);
        void aborted(stopping).then(() => server.close());
      });
    });
  } finally {
    await app.close();
  }
}
