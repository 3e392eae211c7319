// `skillquay serve`: repositories over HTTP, and the lines that add them to a client.
import type { AddressInfo } from 'node:net';
import { connectLines, serverNameFor } from '@skillquay/server/connect-lines';
import { CommandError, ExitCode } from './exit-codes.ts';
import { type Opened, type OpenedSource, openApp, type SourceOptions } from './open-app.ts';
import { printable, progressOn } from './terminal.ts';

export interface ServeOptions extends SourceOptions {
  readonly port: number;
  readonly host: string;
  readonly open: boolean;
  readonly json: boolean;
}

/** How often a waiting person hears how far an index is. */
const PROGRESS_MS = 200;

/** Serves until the process is told to stop. Throws CommandError for what cannot be served. */
export async function serve(args: readonly string[], options: ServeOptions): Promise<void> {
  const sources = args.length > 0 ? args : options.open ? [] : ['.'];
  const opened = await openApp(sources, options, { port: options.port, host: options.host });
  const { app } = opened;
  const stopping = new AbortController();
  const stopped = onStop(async () => {
    stopping.abort();
    await app.close();
  });
  try {
    await requireMounts(opened, stopping.signal);
    const origin = originOf(options.host, await listen(opened, options));
    if (options.json) process.stdout.write(`${JSON.stringify(readyLine(origin, opened.sources))}\n`);
    else process.stdout.write(greeting(origin, opened, options));
    for (const { address } of opened.sources) app.follow(address);
    if (!options.json) await announce(opened, stopping.signal);
  } catch (error) {
    await app.close();
    throw error;
  }
  await stopped;
}

/** A source that means nothing is said at once, not to the first agent that asks. Indexing begins here. */
async function requireMounts({ app, sources }: Opened, signal: AbortSignal): Promise<void> {
  for (const { source, address } of sources) {
    const prepared = await app.prepare(address, 0, signal);
    if (!prepared.ok)
      throw new CommandError(ExitCode.unavailable, `${source} cannot be served: ${prepared.failure.message}`);
  }
}

async function listen({ app }: Opened, { host, port }: ServeOptions): Promise<number> {
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

function originOf(host: string, port: AddressInfo['port']): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
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

function greeting(origin: string, { sources }: Opened, { open }: ServeOptions): string {
  const lines = sources.flatMap(({ source, address, parsed }) => [
    '',
    `${printable(source)} is served at`,
    `  ${origin}${address}`,
    ...connectLines(serverNameFor(parsed), origin + address).flatMap(({ client, where, lines }) => [
      '',
      `  ${client} (${where.charAt(0).toLowerCase()}${where.slice(1)}):`,
      ...lines.split('\n').map((line) => `    ${line}`),
    ]),
  ]);
  if (open) lines.push('', `Every address is served, for example ${origin}/gh/anthropics/skills`);
  return `${lines.slice(1).join('\n')}\n\nCtrl-C stops it.\n\n`;
}

/** Waits for each index and says what it holds, so that an empty result is no riddle. */
async function announce({ app, sources }: Opened, signal: AbortSignal): Promise<void> {
  const progress = progressOn(process.stderr);
  for (const { address } of sources) {
    for (;;) {
      const prepared = await app.prepare(address, PROGRESS_MS, signal).catch((error: unknown) => {
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
      process.stdout.write(`${address}: ${outcome(prepared)}\n`);
      break;
    }
  }
}

function outcome(prepared: Awaited<ReturnType<Opened['app']['prepare']>>): string {
  if (!prepared.ok) return prepared.failure.message;
  const { state, mount } = prepared;
  if (state.status === 'failed') return `could not be indexed: ${state.reason}`;
  if (state.status !== 'ready') return 'nothing to serve lies at this path';
  const { counts, diagnostics } = state.mount.overview(0);
  const work = mount.resolution.worktree ? ', uncommitted work included; saved changes are picked up' : '';
  const found = `${counts.skills} skills, ${counts.documents} documents`;
  const faults = diagnostics.filter(({ severity }) => severity === 'error').length;
  const advice = faults === 0 ? '' : `; ${faults} errors, see \`skillquay check\``;
  return `${found} at ${mount.identity.commit.slice(0, 21)}${work}${advice}`;
}

/** Resolves once the process was told to stop and has done so. A second signal ends it at once. */
function onStop(stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const once = () => {
      for (const signal of SIGNALS)
        process.on(signal, () => process.exit(128 + (signal === 'SIGINT' ? 2 : 15)));
      stop().then(resolve, reject);
    };
    for (const signal of SIGNALS) process.once(signal, once);
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
