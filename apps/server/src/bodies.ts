// The bytes of files, read from git when a request needs them: a byte-bounded cache before one reader a repository.
import type { GitRepository } from '@skillquay/git/repository';
import type { Objects } from '@skillquay/snapshot/reader';
import { LRUCache } from 'lru-cache';
import { createReaders } from './lib/readers.ts';

const MAX_CACHE_BYTES = 64 * 1024 ** 2;

export interface Bodies {
  /** Reads objects of one repository. `bring` is asked when the first is needed, and again after a failure. */
  of(repository: string, bring: () => Promise<GitRepository>): Objects;
  close(): Promise<void>;
}

export function createBodies(): Bodies {
  const readers = createReaders();
  // Content is named by its hash: whose it is does not matter to what it is, only to who may ask.
  const bodies = new LRUCache<string, Uint8Array>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (body) => body.length + 64,
  });

  return {
    of(repository, bring) {
      let brought: Promise<GitRepository> | undefined;
      return {
        async read(oid) {
          const key = `${repository}\n${oid}`;
          const kept = bodies.get(key);
          if (kept !== undefined) return kept;
          for (let attempt = 1; ; attempt += 1) {
            brought ??= bring();
            let git: GitRepository;
            try {
              git = await brought;
            } catch (error) {
              brought = undefined;
              throw error;
            }
            const body = await readers.read(git, oid);
            if (body !== null) bodies.set(key, body);
            if (body !== null || attempt === 2) return body;
            // The objects may have been given up to make room since they were brought.
            brought = undefined;
          }
        },
      };
    },
    async close() {
      bodies.clear();
      await readers.close();
    },
  };
}
