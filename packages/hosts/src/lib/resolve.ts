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
  /** `maxAgeMs`: how old they may be; as old as they are trusted without it. */
  readonly refs: (maxAgeMs?: number) => Promise<KnownRefs>;
}

const SHORT_HASH = /^[0-9a-f]{7,39}$/i;

/**
 * How old the refs may be by which something is refused: what someone names may have been pushed a moment ago. Names
 * that are made up cannot make a host be asked more often.
 */
const REFUSAL_AGE_MS = 5_000;

/** Throws HostError. `tree` is the commit. */
export async function resolveRef(address: Address, from: Resolvable): Promise<Resolution> {
  // Asked for a commit that is known too: a repository that is gone, or private now, is not served by its hashes.
  const known = await from.refs();
  const found = await findCommit(address, from, known);
  if (found !== null) return found;
  const newer = await from.refs(REFUSAL_AGE_MS);
  const foundNow = newer.refs === known.refs ? null : await findCommit(address, from, newer);
  if (foundNow !== null) return foundNow;
  throw address.ref === null ? noCommits() : refNotFound(address.ref);
}

async function findCommit(address: Address, from: Resolvable, known: KnownRefs): Promise<Resolution | null> {
  const { ref } = address;
  const { refs, expiresAt, staleSince } = known;
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
    return refs.head === null ? null : moving(refs.head.commit, true);
  }
  if (address.pinned) {
    const head = refs.head?.commit;
    const own = (await from.own.known(ref)) || (head !== undefined && (await from.own.includes(ref, head)));
    return own ? pinned(ref, from, defaultBranch) : null;
  }
  const found = findRef(refs, ref);
  if (found !== null) return moving(found.commit, found.branch !== null && found.branch === defaultBranch);
  if (SHORT_HASH.test(ref) && refs.head !== null) {
    const commit = await from.own.find(ref, refs.head.commit);
    if (commit !== null) return moving(commit, false);
  }
  return null;
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
