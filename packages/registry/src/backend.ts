// The port to where a registry lies: one branch of one repository, read at one commit and written in one moment.
import type { SkillFile } from './skill-files.ts';

/** Where the branch stands. */
export interface Head {
  /** As configured, or as the host names its default branch; `HEAD` where it was not asked for that name yet. */
  readonly branch: string;
  readonly commit: string;
  /** The tree of the whole commit. */
  readonly tree: string;
}

export interface RegistryEntry {
  /** Relative to the registry's folder. */
  readonly path: string;
  readonly mode: '100644' | '100755' | '120000' | '160000';
  readonly oid: string;
  /** Bytes, where the listing says. */
  readonly size: number | null;
}

/** What a registry holds at one commit. */
export interface Listing {
  readonly head: Head;
  /** The tree of each folder directly below the registry's folder, by name. */
  readonly trees: ReadonlyMap<string, string>;
  /** All files, in byte order of their paths. */
  readonly entries: readonly RegistryEntry[];
}

/** A repository without a commit; the branch is where the first one goes. */
export interface EmptyRegistry {
  readonly empty: true;
  readonly branch: string;
}

/** There is no such repository, or nobody without better rights may know of it. */
export interface MissingRegistry {
  readonly missing: true;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Told when the host asks to wait. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined;
  /** Told what is done next, where it may take long. */
  readonly onStep?: ((what: string) => void) | undefined;
}

export interface BlobOptions extends CallOptions {
  /** Told of each blob as it comes, where they come one by one: a failure takes none of them back. */
  readonly onBlob?: ((oid: string, bytes: Uint8Array) => Promise<void>) | undefined;
}

/** A folder as it is to be, whole; null takes it away. */
export interface Change {
  readonly on: Listing | EmptyRegistry;
  readonly slug: string;
  readonly files: readonly SkillFile[] | null;
  readonly message: string;
}

/** All methods throw RegistryError, and an AbortError when the signal was aborted. */
export interface Backend {
  /** `owner/repo`, as people and results name it. */
  readonly name: string;
  /** Whose credential it is, null where nobody says. */
  check(options: CallOptions): Promise<{ readonly account: string | null }>;
  list(options: CallOptions): Promise<Listing | EmptyRegistry | MissingRegistry>;
  /** The name of the branch, which is asked for where the listing did not need it; null when the repository has gone. */
  branchOf(head: Head, options: CallOptions): Promise<string | null>;
  /** Blobs by id, each checked against its id. */
  blobs(oids: readonly string[], options: BlobOptions): Promise<ReadonlyMap<string, Uint8Array>>;
  /** One attempt, in one moment. Throws RefMoved when the branch is not where `on` says. */
  commit(change: Change, options: CallOptions): Promise<{ readonly commit: string }>;
  /** The page of a folder or file (path relative to the registry's folder) at a commit; null without a web page. */
  webUrl(commit: string, path: string): string | null;
}
