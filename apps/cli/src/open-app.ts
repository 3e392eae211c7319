// From the arguments of `serve` and `mcp` to an app over its hosts: configuration, sources, hosts, build threads.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import { HostError } from '@skillquay/hosts/host';
import { createHosts } from '@skillquay/hosts/hosts';
import { type Source, sourceFrom } from '@skillquay/hosts/sources';
import { type App, createApp } from '@skillquay/server/app';
import { type Config, readConfig, storeShares } from '@skillquay/server/config';
import { threadBuilder } from '@skillquay/snapshot/build-thread';
import pino from 'pino';
import { CommandError, ExitCode } from './exit-codes.ts';
import { buildWorkerUrl } from './worker-url.ts';

export interface SourceOptions {
  readonly store?: string;
  readonly as?: string;
  readonly ref?: string;
}

export interface OpenedSource {
  /** As it was written on the command line, without a password or a token. */
  readonly source: string;
  /** Canonical address, ref and path included. */
  readonly address: string;
  readonly parsed: Source['address'];
  /** The folder that is served as it is now; null for anything else. */
  readonly folder: string | null;
}

export interface Opened {
  readonly app: App;
  readonly config: Config;
  readonly sources: readonly OpenedSource[];
}

/** Throws CommandError with every problem of the configuration, or the first of the sources. */
export async function openApp(
  args: readonly string[],
  options: SourceOptions & { readonly open: boolean },
  overrides: Partial<Config> = {},
): Promise<Opened> {
  if (args.length > 1 && (options.as !== undefined || options.ref !== undefined))
    throw new CommandError(
      ExitCode.usage,
      '--as and --ref are about one source; several are given. To name one of them, write owner/repo=<source>.',
    );
  const config = configuration(options, overrides);
  const sources: Source[] = [];
  for (const argument of args) {
    const { as, ref } = options;
    const found = await sourceFrom(argument, { cwd: process.cwd(), as, ref });
    if (!found.ok) throw new CommandError(ExitCode.usage, found.message);
    sources.push(found.source);
  }
  const opened = sources.map((source) => ({
    source: source.shown,
    address: formatAddress(source.address),
    parsed: source.address,
    folder: source.kind === 'path' && source.ref === null ? source.path : null,
  }));
  const log = pino({ level: config.logLevel }, pino.destination(2));
  try {
    const hosts = await createHosts({
      sources,
      remotes: config.hosts,
      open: options.open,
      storeDir: config.snapshotStore,
      refTtlMs: config.refTtlSeconds * 1000,
      maxFileBytes: config.limits.readFileBytes,
      log: (fault) => log.warn(fault, 'git failed'),
      maxStoreBytes: storeShares(config.snapshotStoreBytes).repositories,
    });
    const app = await createApp({
      config,
      hosts: hosts.byKey,
      build: threadBuilder({ workerUrl: buildWorkerUrl(), workers: availableParallelism() }),
      log,
      site: { addresses: opened.map(({ address }) => address), open: options.open },
    });
    return { app, config, sources: opened };
  } catch (error) {
    throw asCommandError(error, config.snapshotStore);
  }
}

function configuration(options: SourceOptions, overrides: Partial<Config>): Config {
  const reading = readConfig(process.env, (path) => readFileSync(path, 'utf8'));
  if (!reading.ok)
    throw new CommandError(
      ExitCode.configuration,
      `the configuration has problems:\n  ${reading.problems.join('\n  ')}`,
    );
  const store = options.store === undefined ? {} : { snapshotStore: resolve(options.store) };
  return { ...reading.config, ...store, ...overrides };
}

/** The sentence of a host or of the file system, for the person who started this. */
function asCommandError(error: unknown, store: string): unknown {
  if (error instanceof HostError) return new CommandError(ExitCode.unavailable, error.message);
  if (!(error instanceof Error)) return error;
  if (/^Two sources/.test(error.message)) return new CommandError(ExitCode.usage, error.message);
  const code = 'code' in error ? STORE_FAULTS.get(error.code) : undefined;
  return code === undefined
    ? error
    : new CommandError(
        ExitCode.configuration,
        `the store ${store} cannot be used: ${code}. Name another with --store or SNAPSHOT_STORE.`,
      );
}

const STORE_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['ENOTDIR', 'a file stands where a directory must'],
  ['EEXIST', 'a file stands where a directory must'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['EROFS', 'the file system is read-only'],
  ['ENOENT', 'it cannot be made'],
  ['ENOSPC', 'the disk is full'],
]);
