// A repository at a git host: refs by `ls-remote`, commits by a fetch of one commit, history only where it decides.
import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Address } from '@skillquay/core/address';
import { GitError, runGit } from '@skillquay/git/process';
import type { GitRepository } from '@skillquay/git/repository';
import type { Host, Resolution, SourceLinks } from './host.ts';
import { hostFailure, refNotFound, unsupported } from './lib/failures.ts';
import type { GitSpace } from './lib/git-space.ts';
import { OwnCommits } from './lib/own-commits.ts';
import { type FetchPlan, PackStore, type Transport } from './lib/pack-store.ts';
import { RefCache, waitFor } from './lib/ref-cache.ts';
import { parseRefs, type Refs } from './lib/refs.ts';
import { defaultBranch, resolveRef } from './lib/resolve.ts';

export type { Transport } from './lib/pack-store.ts';

export interface RemoteLimits {
  /** Bytes that one fetch of a commit's content may bring. */
  readonly maxFetchBytes: number;
  /** Bytes of commits fetched to find out whether one belongs to the default branch. */
  readonly maxHistoryBytes: number;
  readonly fetchTimeoutMs: number;
  readonly refsTimeoutMs: number;
  /** Bytes of what `ls-remote` lists. */
  readonly maxRefsBytes: number;
  /** How long after its time an answer of a public repository is served while the host does not answer. */
  readonly staleMs: number;
}

export const REMOTE_LIMITS: RemoteLimits = {
  maxFetchBytes: 2 * 1024 ** 3,
  maxHistoryBytes: 256 * 1024 ** 2,
  fetchTimeoutMs: 600_000,
  refsTimeoutMs: 20_000,
  maxRefsBytes: 64 * 1024 ** 2,
  staleMs: 3_600_000,
};

export interface RemoteOptions {
  /** For keys, e.g. `gh/acme/library`. */
  readonly name: string;
  readonly transport: Transport;
  readonly links: SourceLinks;
  readonly scope: Resolution['scope'];
  readonly storeDir: string;
  readonly refTtlMs: number;
  readonly now: () => number;
  readonly limits?: Partial<RemoteLimits> | undefined;
  /** Keeps this repository and others within a bound; none = there is no bound. */
  readonly space?: GitSpace | undefined;
}

/** A commit that someone names is mostly among the newest; a long history takes its host half a minute. */
const RECENT_COMMITS = 500;

/** Of a directory's name; what makes it unique follows. */
const MAX_NAME_CHARACTERS = 100;

/** Git says so when it was asked for a commit that no ref names, by protocols older than version 2. */
const NOT_BY_HASH = /unadvertised object|does not support shallow|dumb http/i;

/** One repository, as a Host that answers for it alone. */
export function remoteHost(options: RemoteOptions): Host {
  const { transport, name, space } = options;
  const limits = { ...REMOTE_LIMITS, ...options.limits };
  // One address may have named another repository earlier: the directory belongs to the URL. What the user's
  // credentials opened is not there for who asks without: it also belongs to how the URL is read.
  const reach = `${transport.options.config ?? 'anonymous'} ${transport.url}`;
  const place = createHash('sha256').update(reach).digest('hex').slice(0, 16);
  const dir = join(
    options.storeDir,
    'git',
    `${name.replace(/[^\w.-]/g, '+').slice(0, MAX_NAME_CHARACTERS)}-${place}`,
  );
  const id = basename(dir);
  const closing = new AbortController();
  const content = new PackStore(join(dir, 'content'), limits);
  const historyLimits = { ...limits, maxFetchBytes: limits.maxHistoryBytes };
  const history = new PackStore(join(dir, 'history'), historyLimits);
  const fetching = new Map<string, Promise<boolean>>();
  /** Heads whose recent commits are asked about now, and by how many. */
  const usedHeads = new Map<string, number>();

  const identity = { repository: name, scope: options.scope };
  const refs = new RefCache<Refs>({
    ttlMs: options.refTtlMs,
    // Who may read it could have changed: what is not public is never answered from memory.
    staleMs: options.scope === 'private' ? 0 : limits.staleMs,
    now: options.now,
    load: async () => {
      try {
        return await listRefs(transport, limits, closing.signal);
      } catch (error) {
        throw hostFailure(error);
      }
    },
  });

  /** One fetch a commit, whoever asks; it goes on when one of them goes away. */
  function once(key: string, work: () => Promise<boolean>): Promise<boolean> {
    let running = fetching.get(key);
    if (running === undefined) {
      const started = space === undefined ? work() : space.fetch(id, closing.signal, work);
      running = started.finally(() => fetching.delete(key));
      fetching.set(key, running);
    }
    return running;
  }

  async function commitsOf(store: PackStore, head: string, depth: number | null): Promise<GitRepository> {
    await space?.hold(id);
    const plan = { want: head, keep: head, depth, commitsOnly: true };
    if (!(await store.has(plan))) {
      try {
        await once(`${depth} ${head}`, () => store.fetch(transport, plan, closing.signal));
      } catch (error) {
        if (error instanceof GitError && error.kind === 'too_large')
          throw unsupported('The history is too long to look for a commit in it. Name a branch or a tag.');
        throw hostFailure(error);
      }
    }
    return store.repository();
  }

  const own = new OwnCommits(join(dir, 'own-commits'), {
    recent: async (head, use) => {
      // Cut off at another place for each head, so each has a store of its own; the last one is enough.
      const recent = join(dir, 'recent');
      usedHeads.set(head, (usedHeads.get(head) ?? 0) + 1);
      try {
        for (const old of await readdir(recent).catch(() => []))
          if (!usedHeads.has(old)) await rm(join(recent, old), { recursive: true, force: true });
        return await use(
          await commitsOf(new PackStore(join(recent, head), historyLimits), head, RECENT_COMMITS),
        );
      } finally {
        const uses = (usedHeads.get(head) ?? 1) - 1;
        if (uses === 0) usedHeads.delete(head);
        else usedHeads.set(head, uses);
      }
    },
    whole: (head) => commitsOf(history, head, null),
  });

  async function fetchContent(plan: FetchPlan): Promise<boolean> {
    const commit = plan.keep;
    try {
      return await content.fetch(transport, plan, closing.signal);
    } catch (error) {
      if (!(error instanceof GitError) || !NOT_BY_HASH.test(error.stderr)) throw error;
      // An old server gives what a ref names, and the whole history behind it.
      const known = (await refs.get()).value;
      const branch = known.head?.branch ?? null;
      const named = [...known.branches].find(([, tip]) => tip === commit)?.[0] ?? branch;
      if (named === null) throw error;
      return content.fetch(transport, { ...plan, want: `refs/heads/${named}`, depth: null }, closing.signal);
    }
  }

  async function bring(commit: string): Promise<GitRepository> {
    await space?.hold(id);
    const plan = { want: commit, keep: commit, depth: 1, commitsOnly: false };
    if (await content.has(plan)) return content.repository();
    let came: boolean;
    try {
      came = await once(commit, () => fetchContent(plan));
    } catch (error) {
      throw hostFailure(error);
    }
    // A tag may name a file.
    if (!came) throw refNotFound(commit);
    return content.repository();
  }

  return {
    resolve: (address: Address, caller) => {
      const work = resolveRef(address, {
        ...identity,
        own,
        refs: async (maxAgeMs) => {
          const known = await refs.get(caller, maxAgeMs);
          await space?.touch(id);
          return known;
        },
      });
      return waitFor(work, caller?.signal);
    },
    known(address) {
      const known = address.ref === null ? refs.fresh : null;
      if (known === null) return null;
      void space?.touch(id);
      return defaultBranch(identity, known);
    },
    bring: (resolution, signal) => waitFor(bring(resolution.commit), signal),
    links: () => options.links,
    busy: () => refs.busy || fetching.size > 0,
    async close() {
      closing.abort();
      await Promise.allSettled(fetching.values());
    },
  };
}

async function listRefs(transport: Transport, limits: RemoteLimits, signal: AbortSignal): Promise<Refs> {
  const listed = await runGit(['ls-remote', '--symref', '--end-of-options', transport.url], {
    ...transport.options,
    signal,
    timeoutMs: limits.refsTimeoutMs,
    maxBytes: limits.maxRefsBytes,
  });
  const text = listed.toString();
  if (/^[0-9a-f]{64}\t/m.test(text)) throw new GitError('unsupported', 'SHA-256');
  return parseRefs(text);
}
