// Indexes of commits for whoever asks: from memory, from the store, or built once however many ask at the same time.
import type { Caller } from '@skillquay/core/caller';
import type { ReadingLimits } from '@skillquay/core/limits';
import type { GitRepository } from '@skillquay/git/repository';
import { LRUCache } from 'lru-cache';
import type { Index } from './index.ts';
import { type BuildFault, backOff, type Failure, failureOf, faultOf } from './lib/build-failure.ts';
import { type Lease, type Leases, processLeases } from './lib/build-lease.ts';
import { Slots } from './lib/build-slots.ts';
import type { IndexStore, StoredIndex } from './store.ts';
import type { IndexIdentity, Serving } from './tables.ts';

export type { BuildFault } from './lib/build-failure.ts';
export type { Lease, Leases } from './lib/build-lease.ts';

export interface SnapshotRequest {
  readonly identity: IndexIdentity;
  readonly limits: ReadingLimits;
  /** As `identity.rules` say. */
  readonly serving: Serving;
  /** `BuildRequest.rawUrl` */
  readonly rawUrl?: string | null | undefined;
  /** Brings the objects to this machine; asked only when an index must be built. What it throws fails the build. */
  readonly source: (signal: AbortSignal) => Promise<{ readonly git: GitRepository; readonly tree: string }>;
}

export interface Progress {
  /** Files read of those known to be read; 0 of 0 before the tree is listed. */
  readonly read: number;
  readonly known: number;
}

export type Acquired =
  | { readonly status: 'ready'; readonly index: Index }
  | { readonly status: 'indexing'; readonly progress: Progress }
  | {
      readonly status: 'failed';
      readonly code: string;
      /** One sentence that may be shown. */
      readonly reason: string;
      /** Milliseconds since the epoch. */
      readonly nextAttemptAt: number;
    };

export interface BuildJob {
  readonly identity: IndexIdentity;
  readonly limits: ReadingLimits;
  readonly serving: Serving;
  readonly rawUrl?: string | null | undefined;
  readonly git: GitRepository;
  readonly tree: string;
  /** File of an index of the same repository and rules to start from. */
  readonly previousFile: string | null;
  /** Where the index is to be written, complete and on the disk when the promise resolves. */
  readonly resultFile: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

/** Builds an index into a file; rejects with a BuildError or anything else. */
export type Builder = (job: BuildJob) => Promise<unknown>;

/** Time and chance, so that tests need neither. */
export interface Clock {
  now(): number;
  /** Resolves after so many milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

export interface SnapshotsOptions {
  readonly store: IndexStore;
  readonly build: Builder;
  /** Builds at a time; 0 = this process serves only what others build. */
  readonly concurrency: number;
  /** Bytes of indexes kept in memory. The one used last is kept whatever its size. */
  readonly memoryBytes: number;
  readonly leases?: Leases;
  readonly clock?: Clock;
  /** Told of each build that failed, and of no other. */
  readonly onFailure?: (fault: BuildFault) => void;
}

export interface Snapshots {
  /** The index of a commit if it is in memory, where it then stays longest. */
  kept(identity: IndexIdentity): Index | null;
  /**
   * Waits at most `waitMs` for the index of a commit to be built; the build goes on when the wait is over. An index
   * that lies in the store is read whatever the wait.
   */
  acquire(request: SnapshotRequest, waitMs: number, caller?: Caller): Promise<Acquired>;
  /** Cancels builds and waits until they have ended. */
  close(): Promise<void>;
}

/** How often the store is looked at while another process builds. */
const POLL_MS = 500;
/** Failures remembered; the oldest is forgotten, and tried again when asked for. */
const MAX_FAILURES = 10_000;

interface Job {
  /** The store was looked at once. */
  readonly looked: Promise<unknown>;
  /** Resolves with the index, or null when it failed: then the failure is remembered. */
  readonly done: Promise<Index | null>;
  progress: Progress;
  /** How many wait for it now. */
  waiting: number;
}

export function openSnapshots(options: SnapshotsOptions): Snapshots {
  const { store, build, concurrency } = options;
  const clock = options.clock ?? SYSTEM_CLOCK;
  const leases = options.leases ?? processLeases();
  const slots = new Slots(concurrency);
  const stopping = new AbortController();
  const jobs = new Map<string, Job>();
  const failures = new LRUCache<string, Failure>({ max: MAX_FAILURES });
  const memory = new LRUCache<string, StoredIndex>({
    maxSize: options.memoryBytes,
    sizeCalculation: (stored) => Math.min(stored.index.byteLength, options.memoryBytes),
    dispose: (stored) => stored.close(),
  });

  const keep = (key: string, stored: StoredIndex): Index => {
    memory.set(key, stored);
    return stored.index;
  };

  async function buildNow(request: SnapshotRequest, job: Job, signal: AbortSignal): Promise<void> {
    // Brought first: a slow host takes no place from what is here. How many are brought at a time, hosts decide.
    const { git, tree } = await request.source(signal);
    const release = await slots.take(signal);
    try {
      const draft = store.draft(request.identity);
      try {
        await build({
          identity: request.identity,
          limits: request.limits,
          serving: request.serving,
          rawUrl: request.rawUrl,
          git,
          tree,
          previousFile: await store.previousFile(request.identity),
          resultFile: draft.path,
          signal,
          onProgress: (progress) => {
            job.progress = progress;
          },
        });
        await draft.publish();
      } catch (error) {
        await draft.discard();
        throw error;
      }
    } finally {
      release();
    }
  }

  /** Reads the index from the store, building it first if it is not there and nobody else does. */
  async function obtain(
    key: string,
    request: SnapshotRequest,
    job: Job,
    firstLook: Promise<StoredIndex | null>,
    signal: AbortSignal,
  ): Promise<Index | null> {
    for (let look = firstLook; ; look = store.open(request.identity)) {
      const stored = await look;
      if (stored !== null) return keep(key, stored);
      const lease: Lease | null = concurrency > 0 ? await leases.take(key) : null;
      if (lease === null) {
        // Another process builds. Its work needs no watching once nobody here waits for it.
        await clock.sleep(POLL_MS, signal);
        if (job.waiting === 0) return null;
      } else {
        try {
          await buildNow(request, job, signal);
        } finally {
          await lease.release();
        }
      }
      signal.throwIfAborted();
    }
  }

  function start(key: string, request: SnapshotRequest): Job {
    const signal = stopping.signal;
    const attempts = failures.get(key)?.attempts ?? 0;
    let settle: (index: Index | null) => void = () => {};
    const done = new Promise<Index | null>((resolve) => {
      settle = resolve;
    });
    const firstLook = store.open(request.identity);
    const looked = firstLook.catch(() => {});
    const job: Job = { looked, done, progress: { read: 0, known: 0 }, waiting: 0 };
    jobs.set(key, job);
    obtain(key, request, job, firstLook, signal)
      .then(
        (index) => {
          failures.delete(key);
          return index;
        },
        (error: unknown) => {
          if (signal.aborted) return null;
          options.onFailure?.(faultOf(error, request.identity));
          const wait = backOff(attempts, clock.random());
          failures.set(key, failureOf(error, attempts + 1, clock.now() + wait));
          return null;
        },
      )
      .then((index) => {
        jobs.delete(key);
        settle(index);
      });
    return job;
  }

  const kept = (key: string): Index | null => memory.get(key)?.index ?? null;

  return {
    kept: (identity) => kept(keyOf(identity)),

    async acquire(request, waitMs, caller) {
      const key = keyOf(request.identity);
      const index = kept(key);
      if (index !== null) return { status: 'ready', index };
      const known = failures.get(key);
      if (!jobs.has(key) && known !== undefined && clock.now() < known.nextAttemptAt) return answer(known);
      const running = jobs.get(key);
      // Nothing is begun any more: who asks now asks the next process again, as who was waiting does.
      if (running === undefined && stopping.signal.aborted)
        return { status: 'indexing', progress: { read: 0, known: 0 } };
      const job = running ?? start(key, request);
      job.waiting += 1;
      await job.looked;
      const built = await within(job.done, waitMs, clock, caller?.signal);
      job.waiting -= 1;
      if (built === 'waiting') return { status: 'indexing', progress: job.progress };
      if (built !== null) return { status: 'ready', index: built };
      const failure = failures.get(key);
      return failure === undefined ? { status: 'indexing', progress: job.progress } : answer(failure);
    },

    async close() {
      stopping.abort();
      await Promise.all([...jobs.values()].map((job) => job.done));
      memory.clear();
    },
  };
}

function answer(failure: Failure): Acquired {
  const { code, reason, nextAttemptAt } = failure;
  return { status: 'failed', code, reason, nextAttemptAt };
}

/** Neither a commit nor the version of the rules has a line end in it. */
function keyOf({ repository, commit, rules }: IndexIdentity): string {
  return `${commit}\n${rules}\n${repository}`;
}

/** What the promise gives, or `waiting` once the time is over or the caller is gone. */
async function within<T>(
  promise: Promise<T>,
  ms: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<T | 'waiting'> {
  const over = new AbortController();
  const gone = signal === undefined ? over.signal : AbortSignal.any([over.signal, signal]);
  try {
    return await Promise.race([promise, clock.sleep(ms, gone).then((): 'waiting' => 'waiting')]);
  } finally {
    over.abort();
  }
}

const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
    }),
};
