// The repository that changed files of a working tree are stored in: made again when it is gone, broken or too large.
import { copyFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareRepository, exists } from '../bare.ts';
import type { Located } from '../locate.ts';
import type { GitRepository } from '../repository.ts';

/** Of what is stored, beyond what the folder holds, before it is given up and what is current is stored anew. */
export const MAX_STALE_BYTES = 256 * 1024 ** 2;
/** A folder whose own changes are many is not stored anew sooner than after so many times of them. */
const STALE_FACTOR = 4;

export class PrivateRepository {
  readonly #located: Located | null;
  readonly #dir: string;
  readonly #maxStaleBytes: number;
  /** Files of settings as written to it, by name. */
  readonly #written = new Map<string, string>();
  #number = 0;
  /** Bytes of files stored for the first tree, and in all. */
  #first: number | null = null;
  #stored = 0;
  #unkept = new Map<string, number>();
  /** The user's index as last copied. */
  #baseVersion: string | undefined;

  constructor(located: Located | null, dir: string, maxStaleBytes: number) {
    this.#located = located;
    this.#dir = dir;
    this.#maxStaleBytes = maxStaleBytes;
  }

  get #gitDir(): string {
    return join(this.#dir, `git-${this.#number}`);
  }

  get repo(): GitRepository {
    return { gitDir: this.#gitDir, env: {}, unkept: this.#unkept };
  }

  get index(): string {
    return join(this.#gitDir, 'index');
  }

  /** The user's index as it was copied; null where there is none. */
  get base(): string | null {
    return this.#baseVersion === '' ? null : join(this.#gitDir, 'base-index');
  }

  /** Makes sure that it is there and goes by these settings: byte strings (latin1), by the names of their files. */
  async prepare(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.#make();
    for (const [name, text] of Object.entries(settings)) {
      if (this.#written.get(name) === text) continue;
      // Half of it may be written.
      this.#written.delete(name);
      await writeFile(join(this.#gitDir, name), text, 'latin1');
      this.#written.set(name, text);
    }
  }

  /** Makes it where it is missing or has grown too large: what is in the store may be removed at any time. */
  async #make(): Promise<void> {
    const stale = this.#stored - (this.#first ?? this.#stored);
    const isFull = stale > Math.max(this.#maxStaleBytes, STALE_FACTOR * (this.#first ?? 0));
    if (!isFull && (await exists(join(this.#gitDir, 'HEAD')))) return;
    // Who reads a tree from the one before goes on; the one before that is given up.
    for (const name of await readdir(this.#dir).catch(() => []))
      if (!isFull || name !== `git-${this.#number}`) await remove(join(this.#dir, name));
    this.#number += 1;
    this.#first = null;
    this.#stored = 0;
    this.#unkept = new Map();
    this.#baseVersion = undefined;
    this.#written.clear();
    await bareRepository(this.#gitDir, this.#located?.objects);
  }

  /** Gives up everything: a disk that is full may be full of this. */
  async clear(): Promise<void> {
    for (const name of await readdir(this.#dir).catch(() => [])) await remove(join(this.#dir, name));
  }

  /** Gives up the index, and what a git that failed left of objects it was writing. */
  async mend(): Promise<void> {
    this.#baseVersion = undefined;
    const objects = join(this.#gitDir, 'objects');
    for (const entry of await readdir(objects, { recursive: true, withFileTypes: true }).catch(() => []))
      if (entry.isFile() && entry.name.startsWith('tmp_')) await remove(join(entry.parentPath, entry.name));
  }

  /** Notes that files of so many bytes were stored. */
  store(bytes: number): void {
    this.#stored += bytes;
  }

  /** Notes a blob that is named by the tree and not stored. */
  leaveOut(hash: string, bytes: number): void {
    this.#unkept.set(hash, bytes);
  }

  /** Notes that a tree is whole. */
  settle(): void {
    this.#first ??= this.#stored;
  }

  /**
   * Takes the user's index over when it has changed, and returns whether it did; what git knows about unchanged files
   * comes with it.
   */
  async copyIndex(): Promise<boolean> {
    const from = this.#located === null ? null : this.#located.repo.gitDir;
    const facts = from === null ? null : await stat(join(from, 'index')).catch(() => null);
    const version = facts === null ? '' : `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
    if (version === this.#baseVersion) return false;
    await rm(this.index, { force: true });
    if (from !== null && facts !== null) {
      // A split index names a second file beside it.
      for (const name of await readdir(from))
        if (name.startsWith('sharedindex.')) await copyFile(join(from, name), join(this.#gitDir, name));
      for (const copy of [this.index, join(this.#gitDir, 'base-index')]) {
        await copyFile(join(from, 'index'), copy);
        // The index's own age decides which entries git must look at again: never younger than the original.
        const age = Math.floor(facts.mtimeMs) / 1000;
        await utimes(copy, age, age);
      }
    }
    this.#baseVersion = version;
    return true;
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}
