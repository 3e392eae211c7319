// Files of a working tree that are too large to be read: hashed as git would, and stored nowhere.
import { createHash } from 'node:crypto';
import { type BigIntStats, constants, createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { fileAt } from './worktree-files.ts';

export interface LargeFile {
  /** A byte string (latin1). */
  readonly path: string;
  readonly mode: '100644' | '100755';
  /** As git names the blob: 40 hex digits. */
  readonly hash: string;
  readonly size: number;
}

export interface SortedFiles {
  readonly large: readonly LargeFile[];
  readonly others: readonly string[];
  /** Of all the others together. */
  readonly bytes: number;
}

/** Files looked at at a time. */
const BLOCK = 64;
/** A file that changed so lately may change again and keep its times. */
const SETTLED_MS = 2_000;

export class LargeFiles {
  readonly #top: string;
  readonly #maxBytes: number;
  /** Of the files hashed before: reading them again takes long. */
  #known = new Map<string, { readonly version: string; readonly hash: string }>();

  constructor(top: string, maxBytes: number) {
    this.#top = top;
    this.#maxBytes = maxBytes;
  }

  /** Finds the large ones among all files that are not as the index has them. What is no file is with the others. */
  async sort(paths: readonly string[]): Promise<SortedFiles> {
    const large: LargeFile[] = [];
    const others: string[] = [];
    let bytes = 0;
    const known = this.#known;
    this.#known = new Map();
    for (let at = 0; at < paths.length; at += BLOCK) {
      const block = paths.slice(at, at + BLOCK);
      const facts = await Promise.all(block.map((path) => this.#factsOf(path)));
      for (const [i, path] of block.entries()) {
        const found = facts[i];
        const size = found?.isFile() ? Number(found.size) : 0;
        const hash = found && size > this.#maxBytes ? await this.#hash(path, found, known.get(path)) : null;
        if (found && hash !== null) large.push({ path, mode: modeOf(found), hash, size });
        else {
          others.push(path);
          bytes += size;
        }
      }
    }
    return { large, others, bytes };
  }

  #factsOf(path: string): Promise<BigIntStats | null> {
    return lstat(fileAt(this.#top, path), { bigint: true }).catch(() => null);
  }

  /** null for a file that cannot be read. */
  async #hash(
    path: string,
    facts: BigIntStats,
    known: { readonly version: string; readonly hash: string } | undefined,
  ): Promise<string | null> {
    const version = versionOf(facts);
    if (known?.version === version) {
      this.#known.set(path, known);
      return known.hash;
    }
    const began = Date.now();
    const hash = createHash('sha1').update(`blob ${facts.size}\0`);
    try {
      // No further than it was long: then the name is that of a blob of this size, whatever is written meanwhile.
      const content = createReadStream(fileAt(this.#top, path), { end: Number(facts.size) - 1 });
      for await (const chunk of content) hash.update(chunk);
    } catch {
      return null;
    }
    const named = { version, hash: hash.digest('hex') };
    if (began - Number(facts.ctimeMs) > SETTLED_MS) this.#known.set(path, named);
    return named.hash;
  }
}

function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function modeOf(facts: BigIntStats): LargeFile['mode'] {
  return Number(facts.mode) & constants.S_IXUSR ? '100755' : '100644';
}
