// From a ref as asked to a commit, the same for every kind of repository.
import type { Address } from '@skillquay/core/address';
import type { Resolution } from '../host.ts';
import { noCommits, refNotFound } from './failures.ts';
import type { OwnCommits } from './own-commits.ts';
import type { Known } from './ref-cache.ts';
import { findRef, type Refs } from './refs.ts';

/** What a resolution says of its repository. */
export interface RepositoryIdentity {
  readonly repository: string;
  readonly scope: Resolution['scope'];
}

export interface Resolvable extends RepositoryIdentity {
  readonly own: OwnCommits;
  /** `maxAgeMs`: how old they may be; as old as they are trusted without it. */
  readonly refs: (maxAgeMs?: number) => Promise<Known<Refs>>;
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
  // Asked for most, and nothing is to be waited for.
  const found = address.ref === null ? defaultBranch(from, known) : await findCommit(address, from, known);
  if (found !== null) return found;
  const newer = await from.refs(REFUSAL_AGE_MS);
  const foundNow = newer.value === known.value ? null : await findCommit(address, from, newer);
  if (foundNow !== null) return foundNow;
  throw address.ref === null ? noCommits() : refNotFound(address.ref);
}

async function findCommit(
  address: Address,
  from: Resolvable,
  known: Known<Refs>,
): Promise<Resolution | null> {
  const { ref } = address;
  if (ref === null) return defaultBranch(from, known);
  const refs = known.value;
  const branch = refs.head?.branch ?? null;
  if (address.pinned) {
    const head = refs.head?.commit;
    const own = (await from.own.known(ref)) || (head !== undefined && (await from.own.includes(ref, head)));
    return own ? pinned(ref, from, branch) : null;
  }
  const found = findRef(refs, ref);
  if (found !== null)
    return moving(from, known, ref, found.commit, found.branch !== null && found.branch === branch);
  if (SHORT_HASH.test(ref) && refs.head !== null) {
    const commit = await from.own.find(ref, refs.head.commit);
    if (commit !== null) return moving(from, known, ref, commit, false);
  }
  return null;
}

/** By refs as they were heard once, which are those of one repository. */
const defaults = new WeakMap<Known<Refs>, Resolution>();

/** What the default branch is by these refs: the same object for the same refs. Null = it has no commit. */
export function defaultBranch(from: RepositoryIdentity, known: Known<Refs>): Resolution | null {
  const before = defaults.get(known);
  if (before !== undefined) return before;
  const { head } = known.value;
  if (head === null) return null;
  const resolution = moving(from, known, null, head.commit, true);
  defaults.set(known, resolution);
  return resolution;
}

function moving(
  from: RepositoryIdentity,
  { value, expiresAt, staleSince }: Known<Refs>,
  ref: string | null,
  commit: string,
  isDefaultBranch: boolean,
): Resolution {
  const resolution = {
    repository: from.repository,
    commit,
    tree: commit,
    ref,
    pinned: false,
    isDefaultBranch,
    defaultBranch: value.head?.branch ?? null,
    expiresAt,
    worktree: false,
    scope: from.scope,
  };
  return staleSince === undefined
    ? resolution
    : { ...resolution, staleSince: new Date(staleSince).toISOString() };
}

function pinned(commit: string, from: RepositoryIdentity, defaultBranch: string | null): Resolution {
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
