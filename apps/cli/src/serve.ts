// `skillquay serve`: repositories over HTTP, and the lines that add them to a client.
import type { Prepared } from '@skillquay/server/app';
import { CommandError, ExitCode } from './exit-codes.ts';
import { type Opened, type OpenedSource, openApp, type SourceOptions } from './open-app.ts';
import { rulesAbove } from './rules-above.ts';
import { greeting, originOf, outcome, reread } from './serve-text.ts';
import { aborted, stopSignal, untilStopped } from './stop-signal.ts';
import { printable, progressOn } from './terminal.ts';

export interface ServeOptions extends SourceOptions {
  readonly port?: number;
  readonly host?: string;
  readonly open: boolean;
  readonly json: boolean;
}

/** How often a waiting person hears how far an index is. */
const PROGRESS_MS = 200;

/** Serves until the process is told to stop. Throws CommandError for what cannot be served. */
export async function serve(args: readonly string[], options: ServeOptions): Promise<void> {
  const stopping = stopSignal();
  const sources = args.length > 0 ? args : options.open ? [] : ['.'];
  const { port, host } = options;
  const opened = await openApp(sources, options, {
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
  });
  try {
    await untilStopped(stopping, () => serveOpened(opened, options, stopping));
  } finally {
    await opened.app.close();
  }
}

async function serveOpened(opened: Opened, options: ServeOptions, stopping: AbortSignal): Promise<void> {
  const { app, config, sources } = opened;
  await requireMounts(opened, stopping);
  stopping.throwIfAborted();
  const port = await listen(opened);
  const origin = originOf(config, port);
  if (options.json) {
    process.stdout.write(`${JSON.stringify(readyLine(origin, sources))}\n`);
    for (const { address } of sources) app.follow(address);
  } else {
    process.stdout.write(greeting(origin, sources, { open: options.open, config, port }));
    await announce(opened, stopping);
  }
  await aborted(stopping);
}

/** A source that means nothing is said at once, not to the first agent that asks. Indexing begins here. */
async function requireMounts({ app, sources }: Opened, signal: AbortSignal): Promise<void> {
  for (const { source, address } of sources) {
    const prepared = await app.prepare(address, 0, { signal });
    if (!prepared.ok)
      throw new CommandError(ExitCode.unavailable, `${source} cannot be served: ${prepared.failure.message}`);
  }
}

async function listen({ app, config: { host, port } }: Opened): Promise<number> {
  try {
    return await app.listen();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason =
      code === 'EADDRINUSE'
        ? `port ${port} is taken; choose another with --port, or 0 for any free one`
        : code === 'EACCES'
          ? `this user may not listen on port ${port}`
          : code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
            ? `this machine has no address ${host}`
            : 'the address cannot be listened on';
    throw new CommandError(ExitCode.unavailable, `${reason} (${host}:${port}).`);
  }
}

interface ReadyLine {
  readonly url: string;
  readonly mounts: readonly { readonly source: string; readonly address: string; readonly mcp: string }[];
}

function readyLine(url: string, sources: readonly OpenedSource[]): ReadyLine {
  return {
    url,
    mounts: sources.map(({ source, address }) => ({ source, address, mcp: url + address })),
  };
}

/** Waits for each index and says what it holds; from then on, what each change of a watched folder comes to. */
async function announce({ app, sources }: Opened, signal: AbortSignal): Promise<void> {
  const progress = progressOn(process.stderr);
  /** The tree of which was last told, by address. */
  const said = new Map<string, string>();
  const watched = new Set(
    sources.map(({ address }) => address).filter((address) => app.follow(address, told)),
  );
  function told(prepared: Prepared): void {
    if (!prepared.ok) return;
    const { identity, resolution } = prepared.mount;
    const { address } = identity;
    // Not every change in a folder is one of its content.
    if (!said.has(address) || said.get(address) === resolution.tree) return;
    said.set(address, resolution.tree);
    process.stdout.write(`${address}: ${reread(prepared)}\n`);
  }

  for (const { address, folder } of sources) {
    for (;;) {
      const prepared = await app.prepare(address, PROGRESS_MS, { signal }).catch((error: unknown) => {
        if (signal.aborted) return null;
        throw error;
      });
      if (prepared === null || signal.aborted) return;
      const state = prepared.ok ? prepared.state : null;
      if (state?.status === 'indexing') {
        const { read, known } = state.progress;
        progress.show(known === 0 ? `${address}: fetching` : `${address}: reading ${read} of ${known} files`);
        continue;
      }
      progress.clear();
      if (prepared.ok) said.set(address, prepared.mount.resolution.tree);
      process.stdout.write(`${address}: ${outcome(prepared, watched.has(address))}\n`);
      const above = folder === null ? null : await rulesAbove(folder);
      if (above !== null) process.stdout.write(`${address}: ${printable(above)}\n`);
      break;
    }
  }
}
