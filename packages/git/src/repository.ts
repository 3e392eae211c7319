// Where the objects of a commit lie: plain data, so that it can be handed to a worker thread.

/** A git repository on this machine that can be read with `git --git-dir`. */
export interface GitRepository {
  readonly gitDir: string;
  /** Variables for each git process, e.g. GIT_OBJECT_DIRECTORY and alternates of a working tree's private store. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes of blobs whose content is not kept because they are too large to be read, by hash. */
  readonly unkept?: ReadonlyMap<string, number>;
}
