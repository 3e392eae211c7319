// The composition root: from a configuration and git hosts to a process that listens, and that stops cleanly.
import { parseAddress, repositoryKey } from '@skillquay/core/address';
import type { Caller } from '@skillquay/core/caller';
import type { Host } from '@skillquay/hosts/host';
import type { Index } from '@skillquay/snapshot/index';
import { openSnapshot, type Snapshot } from '@skillquay/snapshot/reader';
import { type Builder, openSnapshots, type Snapshots } from '@skillquay/snapshot/snapshots';
import { openStore } from '@skillquay/snapshot/store';
import type { IndexIdentity, Serving } from '@skillquay/snapshot/tables';
import type { Logger } from 'pino';
import { type Bodies, createBodies } from './bodies.ts';
import { type Config, storeShares } from './config.ts';
import { createHttpServer } from './http.ts';
import { cursorMac } from './lib/cursor-key.ts';
import { rulesVersion } from './lib/rules-version.ts';
import { liveEndpoint, type OpenEndpoint, type OpenedEndpoint } from './live-endpoint.ts';
import { mountEndpoints } from './mount-endpoint.ts';
import {
  type CommitToIndex,
  createMounts,
  type Indexes,
  type MountFailure,
  type MountState,
  type OpenMount,
} from './mounts.ts';
import { createRequestHandler, PROBES } from './request-handler.ts';
import { createResultCache } from './result-cache.ts';
import type { Site } from './site-pages.ts';

export interface AppOptions {
  readonly config: Config;
  /** By host key; closed with the app. */
  readonly hosts: ReadonlyMap<string, Host>;
  /** Makes the index of a commit. */
  readonly build: Builder;
  readonly log: Logger;
  /** What the process was started with, for its own pages. */
  readonly site?: Site;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

export interface App {
  /** Resolves with the port that was taken. Rejects when the address cannot be listened on. */
  listen(): Promise<number>;
  /**
   * Readiness fails, nothing new is taken, builds end, requests in flight finish within the grace, then everything is
   * closed. What does not end in time is left behind.
   */
  close(): Promise<void>;
  /** Begins to index what an address means now and waits for it at most `waitMs`. */
  prepare(address: string, waitMs: number, caller: Caller): Promise<Prepared>;
  /**
   * Indexes an address again whenever what it means may have changed, and tells what came of it. Returns whether such
   * changes can be seen.
   */
  follow(address: string, told?: (prepared: Prepared) => void): boolean;
  /** One mount without HTTP, for a connection that lasts. */
  connect(address: string, caller: Caller): Promise<OpenedEndpoint>;
}

export type Prepared =
  | { readonly ok: true; readonly mount: OpenMount; readonly state: MountState }
  | { readonly ok: false; readonly failure: MountFailure };

/** How long one look at an index that is being made waits. */
const FOLLOW_WAIT_MS = 10_000;
/** What is open may take this much longer than the grace of requests to be closed. */
const LAST_MS = 1_000;

/** Opens the store and puts the parts together. Throws what the file system throws. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, hosts, log, site = { addresses: [], open: false }, now = Date.now } = options;
  const snapshots = openSnapshots({
    store: await openStore({
      directory: config.snapshotStore,
      maxBytes: storeShares(config.snapshotStoreBytes).indexes,
    }),
    build: options.build,
    concurrency: config.indexConcurrency,
    memoryBytes: config.indexMemoryBytes,
    onFailure: (fault) => log.error(fault, 'a commit could not be indexed'),
  });
  const bodies = createBodies();
  const mounts = createMounts({
    hosts,
    indexes: indexes(config, snapshots, bodies, log),
    verified: verifiedKeys(config.verified),
    now,
  });
  const endpointOf = mountEndpoints({
    mac: await cursorMac(config.cursorKey, config.snapshotStore),
    indexWaitMs: config.indexWaitMs,
    results: createResultCache(config.resultCacheBytes),
    now,
  });
  const stopping = new AbortController();
  const server = createHttpServer(
    createRequestHandler({
      config,
      mounts,
      endpointOf,
      site,
      ready: () => !stopping.signal.aborted,
      now,
      log,
    }),
    {
      maxBodyBytes: config.maxBodyBytes,
      maxConcurrentRequests: config.maxConcurrentRequests,
      probes: PROBES,
      log,
    },
  );
  const stopFollowing: (() => void)[] = [];

  const prepare = async (text: string, waitMs: number, caller: Caller): Promise<Prepared> => {
    const parsed = mounts.parse(text);
    if (!parsed.ok) return parsed;
    const opened = await mounts.open(parsed.address, caller);
    return opened.ok ? { ...opened, state: await opened.mount.state(waitMs, caller) } : opened;
  };

  const settled = async (text: string, caller: Caller): Promise<Prepared> => {
    for (;;) {
      caller.signal.throwIfAborted();
      const prepared = await prepare(text, FOLLOW_WAIT_MS, caller);
      if (!prepared.ok || prepared.state.status !== 'indexing') return prepared;
    }
  };

  return {
    listen: () => server.listen(config.port, config.host),
    prepare,
    follow(text, told = () => {}) {
      const parsed = mounts.parse(text);
      if (!parsed.ok) return false;
      const stop = hosts.get(parsed.address.host)?.watch?.(parsed.address, () => {
        settled(text, stopping).then(told, (error: unknown) => {
          if (!stopping.signal.aborted) log.error({ err: error }, 'what changed could not be indexed');
        });
      });
      if (!stop) return false;
      stopFollowing.push(stop);
      return true;
    },
    async connect(text, caller) {
      const open: OpenEndpoint = async (asking) => {
        const now = await prepare(text, 0, asking);
        return now.ok ? { ok: true, endpoint: endpointOf(now.mount, now.state, config.publicOrigin) } : now;
      };
      const first = await open(caller);
      return first.ok ? { ok: true, endpoint: liveEndpoint(first.endpoint, open) } : first;
    },
    async close() {
      stopping.abort();
      for (const stop of stopFollowing) stop();
      const graceMs = config.shutdownGraceSeconds * 1000;
      // Whoever waits for an index is answered now: the next process makes it.
      const done = Promise.all([server.close(graceMs), snapshots.close()])
        .then(() => bodies.close())
        .then(() => Promise.all([...hosts.values()].map((host) => host.close())));
      await within(done, graceMs + LAST_MS);
    },
  };
}

/** Settles with the promise, or resolves once the time is over. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/** What an open index answers is kept beside it, for as long as it is in memory. */
function indexes(config: Config, snapshots: Snapshots, bodies: Bodies, log: Logger): Indexes {
  const { limits } = config;
  const rules = { licensed: rulesVersion(limits, 'licensed'), whole: rulesVersion(limits, 'whole') };
  const servingOf = ({ verified }: CommitToIndex): Serving => (verified ? 'whole' : 'licensed');
  const identityOf = (commit: CommitToIndex): IndexIdentity => ({
    repository: commit.resolution.repository,
    commit: commit.resolution.commit,
    rules: rules[servingOf(commit)],
  });

  const opened = new WeakMap<Index, Snapshot>();
  const open = (index: Index, { resolution, links, bring }: CommitToIndex): Snapshot => {
    const before = opened.get(index);
    if (before !== undefined) return before;
    const { repository, commit } = resolution;
    const snapshot = openSnapshot(index, bodies.of(repository, bring), links, {
      maxFileBytes: limits.readFileBytes,
      onFault: (fault) => log.error({ repository, commit }, fault),
    });
    opened.set(index, snapshot);
    return snapshot;
  };

  return {
    kept(commit) {
      const index = snapshots.kept(identityOf(commit));
      return index === null ? null : open(index, commit);
    },
    async acquire(commit, waitMs, caller) {
      const acquired = await snapshots.acquire(
        {
          identity: identityOf(commit),
          limits,
          serving: servingOf(commit),
          rawUrl: commit.links.rawUrl,
          source: async (abort) => ({ git: await commit.bring(abort), tree: commit.resolution.tree }),
        },
        waitMs,
        caller,
      );
      if (acquired.status !== 'ready') return acquired;
      return { status: 'ready', snapshot: open(acquired.index, commit) };
    },
  };
}

/** `gh/Acme/Library` as an operator writes it, as keys of repositories. What is no address vouches for nothing. */
function verifiedKeys(written: readonly string[]): ReadonlySet<string> {
  const keys = written.map((text) => parseAddress(`/${text}`));
  return new Set(keys.flatMap((parsed) => (parsed.ok ? [repositoryKey(parsed.address)] : [])));
}
