// One reader a repository, for as many repositories as are read at a time; above a number the longest unused is closed.
import { type ObjectReader, openObjects } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import { LRUCache } from 'lru-cache';

/** Repositories with a reader that nobody uses now; each is a git process while it is used, and a while after. */
const MAX_READERS = 32;

export interface Readers {
  /** The bytes of a blob; null when it is missing. Throws GitError. */
  read(git: GitRepository, oid: string): Promise<Uint8Array | null>;
  /** Ends what is being read, too. Nothing is read any more: a reader would keep the process for as long as it idles. */
  close(): Promise<void>;
}

interface Shared {
  readonly reader: ObjectReader;
  reading: number;
  /** No longer handed out: closed once nobody reads. */
  retired: boolean;
}

export function createReaders(max = MAX_READERS): Readers {
  const open = new Set<Shared>();
  const closing = new Set<Promise<void>>();
  let closed = false;

  function end(shared: Shared): void {
    if (!open.delete(shared)) return;
    const ended = shared.reader.close().finally(() => closing.delete(ended));
    closing.add(ended);
  }

  const recent = new LRUCache<string, Shared>({
    max,
    dispose: (shared) => {
      shared.retired = true;
      if (shared.reading === 0) end(shared);
    },
  });

  function readerOf(git: GitRepository): Shared {
    const key = JSON.stringify([git.gitDir, git.env]);
    const known = recent.get(key);
    if (known !== undefined) return known;
    const made: Shared = { reader: openObjects(git), reading: 0, retired: false };
    open.add(made);
    recent.set(key, made);
    return made;
  }

  return {
    async read(git, oid) {
      if (closed) throw new Error('the objects are closed');
      const shared = readerOf(git);
      shared.reading += 1;
      try {
        return await shared.reader.read(oid);
      } finally {
        shared.reading -= 1;
        if (shared.retired && shared.reading === 0) end(shared);
      }
    },
    async close() {
      closed = true;
      for (const shared of open) end(shared);
      recent.clear();
      await Promise.all(closing);
    },
  };
}
