// Indexes in a directory: whole or not there, bounded in bytes, the longest unused given up first.
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import { alive } from '@skillquay/git/process-alive';
import type { Index } from './index.ts';
import { IndexFileError, openIndex } from './index-file.ts';
import { publishFile, removeFile } from './lib/build-file.ts';
import type { IndexIdentity } from './tables.ts';

export interface StoreOptions {
  /** Holds `index/`; made when it is not there. */
  readonly directory: string;
  /** Bytes of all indexes together. One that is in use, or was just written, may go beyond. */
  readonly maxBytes: number;
  readonly now?: () => number;
}

/** An index that stays on the disk until it is closed. */
export interface StoredIndex {
  readonly index: Index;
  close(): void;
}

/** Where a build writes. The path is new, in the store's directory, and nobody reads it. */
export interface Draft {
  readonly path: string;
  /** The file is complete and on the disk: from now on it is the index. */
  publish(): Promise<void>;
  discard(): Promise<void>;
}

export interface IndexStore {
  /** null when it is not there. A file that is torn or of another format is deleted. */
  open(identity: IndexIdentity): Promise<StoredIndex | null>;
  /** The file of the index of the same repository and rules that was used last: what a build may start from. */
  previousFile(identity: IndexIdentity): Promise<string | null>;
  draft(identity: IndexIdentity): Draft;
}

const EXTENSION = '.idx';
const TEMPORARY = '.tmp';
/** A draft of a living process is left alone for so long: its number may belong to another process by now. */
const MAX_DRAFT_AGE_MS = 24 * 60 * 60 * 1000;

/** Opens a store and removes what builds that were killed left behind. Throws what the file system throws. */
export async function openStore(options: StoreOptions): Promise<IndexStore> {
  const directory = join(options.directory, 'index');
  const now = options.now ?? Date.now;
  await makePrivateFolder(directory);
  await removeLeftovers(directory, now());
  const used = new Map<string, number>();

  const use = (name: string) => {
    used.set(name, (used.get(name) ?? 0) + 1);
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      const count = (used.get(name) ?? 1) - 1;
      if (count === 0) used.delete(name);
      else used.set(name, count);
    };
  };

  const evict = async (written: string): Promise<void> => {
    const files = (await listIndexes(directory)).sort((a, b) => b.usedAt - a.usedAt);
    let bytes = 0;
    for (const file of files) {
      bytes += file.bytes;
      if (bytes <= options.maxBytes || file.name === written || used.has(file.name)) continue;
      bytes -= file.bytes;
      await removeFile(join(directory, file.name));
    }
  };

  return {
    async open(identity) {
      const name = fileName(identity);
      const path = join(directory, name);
      const close = use(name);
      const bytes = await readIfThere(path);
      const index = bytes === null ? null : openOrNull(bytes, identity);
      if (index === null) {
        close();
        if (bytes !== null) await removeFile(path);
        return null;
      }
      await touch(path, now());
      return { index, close };
    },

    async previousFile(identity) {
      const own = fileName(identity);
      const prefix = familyOf(identity);
      let newest: IndexFile | null = null;
      for (const file of await listIndexes(directory)) {
        if (!file.name.startsWith(prefix) || file.name === own) continue;
        if (newest === null || file.usedAt > newest.usedAt) newest = file;
      }
      return newest === null ? null : join(directory, newest.name);
    },

    draft(identity) {
      const name = fileName(identity);
      const path = join(directory, `${process.pid}-${randomUUID()}${TEMPORARY}`);
      return {
        path,
        async publish() {
          await publishFile(path, join(directory, name));
          await evict(name);
        },
        discard: () => removeFile(path),
      };
    },
  };
}

interface IndexFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
}

async function listIndexes(directory: string): Promise<IndexFile[]> {
  const files: IndexFile[] = [];
  // Whoever removes the directory of a running process takes nothing that cannot be made again.
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.endsWith(EXTENSION)) continue;
    const found = await stat(join(directory, name)).catch(() => null);
    if (found?.isFile()) files.push({ name, bytes: found.size, usedAt: found.mtimeMs });
  }
  return files;
}

async function removeLeftovers(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.endsWith(TEMPORARY)) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    const builder = Number.parseInt(name, 10);
    const building = builder !== process.pid && alive(builder) && now - found.mtimeMs < MAX_DRAFT_AGE_MS;
    if (!building) await removeFile(path);
  }
}

/** The part of a file's name that all commits of one repository under the same rules share. */
function familyOf(identity: IndexIdentity): string {
  return `${digest(identity.repository, identity.rules)}-`;
}

function fileName(identity: IndexIdentity): string {
  return `${familyOf(identity)}${digest(identity.commit)}${EXTENSION}`;
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

async function readIfThere(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** null for a file that is torn, of another format, or of something else: it is built anew. */
function openOrNull(bytes: Uint8Array, identity: IndexIdentity): Index | null {
  try {
    const index = openIndex(bytes);
    return isSame(index.identity, identity) ? index : null;
  } catch (error) {
    if (error instanceof IndexFileError) return null;
    throw error;
  }
}

function isSame(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.repository === b.repository && a.commit === b.commit && a.rules === b.rules;
}

async function touch(path: string, now: number): Promise<void> {
  const at = new Date(now);
  // Another process may have given the file up meanwhile; what was read stays good.
  await utimes(path, at, at).catch(() => {});
}
