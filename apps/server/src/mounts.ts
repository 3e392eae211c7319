// From the text of an address to a mount that answers: parse, resolve, bring, index. The one place where it fails.
import {
  type Address,
  formatAddress,
  formatRepository,
  parseAddress,
  repositoryKey,
  slashRefSpelling,
} from '@skillquay/core/address';
import type { MountIdentity } from '@skillquay/core/answers';
import type { Caller } from '@skillquay/core/caller';
import { KNOWN_HOSTS } from '@skillquay/core/known-hosts';
import type { GitRepository } from '@skillquay/git/repository';
import { type Host, HostError, type HostErrorCode, type Resolution } from '@skillquay/hosts/host';
import type { Links, Mount, Snapshot } from '@skillquay/snapshot/reader';
import type { Acquired } from '@skillquay/snapshot/snapshots';
import { LRUCache } from 'lru-cache';
import type { CachePolicy } from './endpoint.ts';

/** A pinned commit never changes; a day is what a client is told (contract, The skills extension). */
const PINNED_TTL_MS = 86_400_000;

/** Why an address cannot be mounted: what HTTP says before the protocol begins (rest.md, the table of codes). */
export interface MountFailure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** The index of a resolved commit, as far as it is. */
export type IndexState =
  | { readonly status: 'ready'; readonly snapshot: Snapshot }
  | Exclude<Acquired, { readonly status: 'ready' }>;

/** The indexes of commits. */
export interface Indexes {
  /** What is in memory; null = the index is to be read or made. */
  kept(commit: CommitToIndex): Snapshot | null;
  /** Indexes a commit if that is not done; many who ask for the same commit wait for one build. */
  acquire(commit: CommitToIndex, waitMs: number, caller: Caller): Promise<IndexState>;
}

export interface CommitToIndex {
  readonly resolution: Resolution;
  /** The operator vouches for it: whatever its licences say, it is served whole. */
  readonly verified: boolean;
  readonly links: Links;
  bring(signal?: AbortSignal): Promise<GitRepository>;
}

export type MountState =
  | { readonly status: 'ready'; readonly mount: Mount; readonly rules: string }
  /** The commit is indexed and has no such folder. */
  | { readonly status: 'absent' }
  | Exclude<IndexState, { status: 'ready' }>;

/** A resolved address. Holds for one request: the next one may find a newer commit. */
export interface OpenMount {
  readonly address: Address;
  readonly identity: MountIdentity;
  readonly resolution: Resolution;
  readonly links: Links;
  cache(): CachePolicy;
  /** The state where the index is in memory, the same object as before; null = the index is to be read or made. */
  kept(): MountState | null;
  /** Begins to index what is not indexed, and waits for it at most `waitMs`. */
  state(waitMs: number, caller: Caller): Promise<MountState>;
}

export type Opened =
  | { readonly ok: true; readonly mount: OpenMount }
  | { readonly ok: false; readonly failure: MountFailure };

export interface MountsOptions {
  /** By host key. */
  readonly hosts: ReadonlyMap<string, Host>;
  readonly indexes: Indexes;
  /** Repository keys the operator vouches for. */
  readonly verified: ReadonlySet<string>;
  readonly now: () => number;
}

export interface Mounts {
  parse(
    text: string,
  ):
    | { readonly ok: true; readonly address: Address }
    | { readonly ok: false; readonly failure: MountFailure };
  /** What `open` would give now, the same object for as long as that holds. Null says nothing: open it. */
  known(address: Address): OpenMount | null;
  open(address: Address, caller: Caller): Promise<Opened>;
}

const STATUS: Readonly<Record<HostErrorCode, number>> = {
  'mount.repo_not_found': 404,
  'mount.ref_not_found': 404,
  'mount.not_allowed': 403,
  'mount.rate_limited': 503,
  'mount.unavailable': 503,
  'mount.unsupported': 422,
};

/** What is written of an address in every answer. */
interface Names extends Pick<MountIdentity, 'address' | 'repository'> {
  readonly isVerified: boolean;
}

/** Addresses kept taken apart; each is at most 2,048 characters. */
const MAX_PARSED = 1_000;

export function createMounts({ hosts, indexes, verified, now }: MountsOptions): Mounts {
  const known = KNOWN_HOSTS.filter((host) => hosts.has(host.key));

  // Clients ask for the same few addresses all day, and an address means the same whenever it is taken apart.
  const parsedBefore = new LRUCache<string, Address>({ max: MAX_PARSED });
  const namesBefore = new WeakMap<Address, Names>();
  const namesOf = (address: Address): Names => {
    const before = namesBefore.get(address);
    if (before !== undefined) return before;
    const names = {
      address: formatAddress(address),
      repository: formatRepository(address),
      isVerified: verified.has(repositoryKey(address)),
    };
    namesBefore.set(address, names);
    return names;
  };

  const mountsBefore = new WeakMap<Address, OpenMount>();
  const mountOf = (address: Address, host: Host, resolution: Resolution): OpenMount => {
    const before = mountsBefore.get(address);
    if (before?.resolution === resolution) return before;
    const mount = openMount(address, host, resolution);
    mountsBefore.set(address, mount);
    return mount;
  };

  function openMount(address: Address, host: Host, resolution: Resolution): OpenMount {
    const links = host.links(address);
    const names = namesOf(address);
    // Of a repository the operator vouches for, only the default branch.
    const verified = resolution.isDefaultBranch && names.isVerified;
    const commit: CommitToIndex = {
      resolution,
      verified,
      links,
      bring: (abort) => host.bring(resolution, abort),
    };
    // What is open here does not keep an index in memory that is given up there.
    const states = new WeakMap<Snapshot, MountState>();
    const stateOf = (snapshot: Snapshot): MountState => {
      const before = states.get(snapshot);
      if (before !== undefined) return before;
      const mount = snapshot.mount(address.path);
      const { rules } = snapshot.index.identity;
      const state: MountState = mount === null ? { status: 'absent' } : { status: 'ready', mount, rules };
      states.set(snapshot, state);
      return state;
    };
    return {
      address,
      resolution,
      links,
      identity: {
        address: names.address,
        repository: names.repository,
        path: address.path,
        commit: resolution.commit,
        ref: resolution.ref,
        pinned: resolution.pinned,
        verified,
        ...(resolution.staleSince === undefined ? {} : { staleSince: resolution.staleSince }),
      },
      cache: () => cachePolicy(resolution, now()),
      kept() {
        const snapshot = indexes.kept(commit);
        return snapshot === null ? null : stateOf(snapshot);
      },
      async state(waitMs, caller) {
        const state = await indexes.acquire(commit, waitMs, caller);
        return state.status === 'ready' ? stateOf(state.snapshot) : state;
      },
    };
  }

  return {
    parse(text) {
      const before = parsedBefore.get(text);
      if (before !== undefined) return { ok: true, address: before };
      const parsed = parseAddress(text, { hosts: known });
      if (!parsed.ok) return { ok: false, failure: { status: 400, ...parsed.error } };
      parsedBefore.set(text, parsed.address);
      return parsed;
    },

    known(address) {
      const host = hosts.get(address.host);
      const resolution = host?.known(address) ?? null;
      return host === undefined || resolution === null ? null : mountOf(address, host, resolution);
    },

    async open(address, caller) {
      const host = hosts.get(address.host);
      if (host === undefined) return { ok: false, failure: NOT_FOUND };
      try {
        return { ok: true, mount: mountOf(address, host, await host.resolve(address, caller)) };
      } catch (error) {
        if (error instanceof HostError) return { ok: false, failure: failureOf(error, address) };
        throw error;
      }
    },
  };
}

const NOT_FOUND: MountFailure = {
  status: 404,
  code: 'mount.repo_not_found',
  message: 'There is no such repository here. Check the owner and the name.',
};

function failureOf(error: HostError, address: Address): MountFailure {
  const other = error.code === 'mount.ref_not_found' ? slashRefSpelling(address) : null;
  return {
    status: STATUS[error.code],
    code: error.code,
    message: other === null ? error.message : `${error.message} If the ref has a slash in it, write ${other}`,
    ...(error.retryAfter === undefined ? undefined : { retryAfter: error.retryAfter }),
  };
}

function cachePolicy(resolution: Resolution, now: number): CachePolicy {
  if (resolution.worktree) return { ttlMs: 0, cacheScope: 'private' };
  const ttlMs = resolution.pinned ? PINNED_TTL_MS : Math.max(0, Math.floor(resolution.expiresAt - now));
  return { ttlMs, cacheScope: resolution.scope };
}
