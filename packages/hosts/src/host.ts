// The port behind which git hosts stand: what an address means now, and where its objects can be read.
import type { Address } from '@skillquay/core/address';
import type { Caller } from '@skillquay/core/caller';
import type { GitRepository } from '@skillquay/git/repository';

/** What a ref resolved to, and how long that may be trusted. */
export interface Resolution {
  /** Stable name of the repository for keys, e.g. `gh/acme/library`. */
  readonly repository: string;
  /** 40 hex digits, or `worktree:<tree hash>`. */
  readonly commit: string;
  /** The tree to read: a treeish known to `git`. */
  readonly tree: string;
  /** The ref as asked for, null = default branch. */
  readonly ref: string | null;
  /** A full hash that passed the own-commit rule: never moves. */
  readonly pinned: boolean;
  readonly isDefaultBranch: boolean;
  /** Name of the default branch when known. */
  readonly defaultBranch: string | null;
  /** Milliseconds since the epoch until which a moving ref is trusted; Infinity when pinned. */
  readonly expiresAt: number;
  /** The host did not answer: this is what was known (ISO time of that knowledge). */
  readonly staleSince?: string;
  /** Uncommitted work is served. */
  readonly worktree: boolean;
  /** What a client may be told about caching: a public repository may be kept by anyone. */
  readonly scope: 'public' | 'private';
}

export type HostErrorCode =
  | 'mount.repo_not_found'
  | 'mount.ref_not_found'
  | 'mount.not_allowed'
  | 'mount.rate_limited'
  | 'mount.unavailable'
  | 'mount.unsupported';

/** A mount that cannot be resolved. The message is safe to show: no host output, no secrets. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  /** Seconds, when known. */
  readonly retryAfter: number | undefined;
  constructor(code: HostErrorCode, message: string, retryAfter?: number) {
    super(message);
    this.name = 'HostError';
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Links to what this surface does not carry. `null` where the host has no page for it (a local path, ssh). */
export interface SourceLinks {
  /** The bytes of a file. */
  raw(commit: string, path: string): string | null;
  /** The page of a file. */
  page(commit: string, path: string): string | null;
  /** The template of `raw` for `fileUrl`; absent where there are no URLs. */
  readonly rawUrl?: string;
}

export interface Host {
  /** Resolves the repository and ref of an address. Throws HostError. */
  resolve(address: Address, caller?: Caller): Promise<Resolution>;
  /**
   * What `resolve` would answer now, and the same object for as long as that holds. Null says nothing: resolve it. Most
   * requests are for the default branch of a repository that was asked for a moment ago.
   */
  known(address: Address): Resolution | null;
  /** Makes sure the resolved commit's objects are on this machine and kept there. Throws HostError. */
  bring(resolution: Resolution, signal?: AbortSignal): Promise<GitRepository>;
  links(address: Address): SourceLinks;
  /** Calls back when what a moving ref names may have changed (a watched folder). Returns how to stop; null = it is not watched. */
  watch?(address: Address, changed: () => void): (() => void) | null;
  /** Whether something is under way that goes on when nobody waits for it. */
  busy?(): boolean;
  close(): Promise<void>;
}
