// From a ref as asked to a commit, the same for every kind of repository.
import type { Address } from '@skillquay/core/address';
import type { Resolution } from '../host.ts';
import { noCommits, refNotFound } from './failures.ts';
import type { OwnCommits } from './own-commits.ts';
import { findRef, type Refs } from './refs.ts';

/** What moves, and until when it is trusted. */
export interface KnownRefs {
  readonly refs: Refs;
  readonly expiresAt: number;
  readonly staleSince?: number;
}

export interface Resolvable {
  readonly repository: string;
  readonly scope: Resolution['scope'];
  readonly own: OwnCommits;
  readonly refs: () => Promise<KnownRefs>;
}

const SHORT_HASH = /^[0-9a-f]{7,39}$/i;

/** Throws HostError. `tree` is the commit. */
export async function resolveRef(address: Address, from: Resolvable): Promise<Resolution> {
  const { ref } = address;
  // Asked for a commit that is known too: a repository that is gone, or private now, is not served by its hashes.
  const { refs, expiresAt, staleSince } = await from.refs();
  const defaultBranch = refs.head?.branch ?? null;
  const moving = (commit: string, isDefaultBranch: boolean): Resolution => ({
    repository: from.repository,
    commit,
    tree: commit,
    ref,
    pinned: false,
    isDefaultBranch,
    defaultBranch,
    expiresAt,
    ...(staleSince === undefined ? {} : { staleSince: new Date(staleSince).toISOString() }),
    worktree: false,
    scope: from.scope,
  });

  if (ref === null) {
    if (refs.head === null) throw noCommits();
    return moving(refs.head.commit, true);
  }
  if (address.pinned) {
    const head = refs.head?.commit;
    const own = (await from.own.known(ref)) || (head !== undefined && (await from.own.includes(ref, head)));
    if (!own) throw refNotFound(ref);
    return pinned(ref, from, defaultBranch);
  }
  const found = findRef(refs, ref);
  if (found !== null) return moving(found.commit, found.branch !== null && found.branch === defaultBranch);
  if (SHORT_HASH.test(ref) && refs.head !== null) {
    const commit = await from.own.find(ref, refs.head.commit);
    if (commit !== null) return moving(commit, false);
  }
  throw refNotFound(ref);
}

function pinned(commit: string, from: Resolvable, defaultBranch: string | null): Resolution {
  return {
    repository: from.repository,
    commit,
    tree: commit,
    ref: commit,
    pinned: true,
    isDefaultBranch: false,
    defaultBranch,
    expiresAt: Number.POSITIVE_INFINITY,
    worktree: false,
    scope: from.scope,
  };
}
