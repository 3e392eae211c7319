// Tells a client that asked for it what a call is doing, and that it goes on.
import type { ServerContext } from '@modelcontextprotocol/server';
import type { CallOptions } from '@skillquay/registry/backend';

/** Clients give up on a call of which they hear nothing for long; the shortest known limit is 60 s. */
const REPEAT_MS = 10_000;

/** Runs `work` with what it may tell. Nothing is sent to a client that gave no token, nor for a call it gave up. */
export async function withProgress<T>(
  { signal, notify, _meta }: ServerContext['mcpReq'],
  work: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const token = _meta?.progressToken;
  if (token === undefined) return work({ signal });
  const started = performance.now();
  let progress = 0;
  let doing = 'Working';
  const send = (message: string) => {
    if (signal.aborted) return;
    progress += 1;
    const params = { progressToken: token, progress, message };
    // Who has gone needs no news.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  const tell = (message: string) => {
    doing = message;
    send(message);
  };
  const again = setInterval(() => {
    send(`${doing} (${Math.round((performance.now() - started) / 1000)} s)`);
  }, REPEAT_MS);
  try {
    return await work({
      signal,
      onStep: tell,
      onWait: (seconds, why) => tell(`Waiting ${Math.ceil(seconds)} s: ${why}`),
    });
  } finally {
    clearInterval(again);
  }
}
