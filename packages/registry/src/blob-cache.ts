// Keeps blobs by their git id on disk, for all processes of a user: what was fetched once is not fetched again.
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@skillquay/git/make-folder';
import { isBlob, isGitId } from './git-id.ts';
import { inParallel } from './lib/in-parallel.ts';

export const MAX_CACHE_BYTES = 256 * 1024 ** 2;
/** A part of the bound that one blob may take, and that may be written before the bound is looked at again. */
const SHARE = 8;
/** What is left when the bound was passed. */
const KEPT = 0.8;
/** A draft that nobody has renamed for so long was left by a process that was killed. */
const DRAFT_MS = 3_600_000;
const FILES_AT_ONCE = 8;

export interface BlobCache {
  /** What is there of these. Never throws: what cannot be read is not there. */
  read(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Keeps blobs that were checked against their ids. Never throws: what cannot be kept is fetched again. */
  write(blobs: ReadonlyMap<string, Uint8Array>): Promise<void>;
}

/** A cache in `folder`, which need not exist. A blob that is read is checked against its id. */
export function openBlobCache(folder: string, maxBytes = MAX_CACHE_BYTES): BlobCache {
  return new DiskBlobs(folder, maxBytes);
}

/**
 * The blobs with these ids, out of the cache where it has them. What `fetch` tells of as it comes is kept even when it
 * fails. Throws what `fetch` throws.
 */
export async function blobsThrough(
  cache: BlobCache,
  oids: Iterable<string>,
  fetch: (
    missing: readonly string[],
    onBlob: (oid: string, bytes: Uint8Array) => Promise<void>,
  ) => Promise<ReadonlyMap<string, Uint8Array>>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const wanted = [...new Set(oids)];
  const kept = await cache.read(wanted);
  const missing = wanted.filter((oid) => !kept.has(oid));
  if (missing.length === 0) return kept;
  const told = new Set<string>();
  const fetched = await fetch(missing, (oid, bytes) => {
    told.add(oid);
    return cache.write(new Map([[oid, bytes]]));
  });
  await cache.write(new Map([...fetched].filter(([oid]) => !told.has(oid))));
  return new Map([...kept, ...fetched]);
}

class DiskBlobs implements BlobCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  /** Bytes written since the bound was looked at; what others have written before this process is not known. */
  #unchecked = Number.POSITIVE_INFINITY;
  #drafts = 0;
  readonly #token = randomBytes(6).toString('hex');

  constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  async read(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    await inParallel(oids, FILES_AT_ONCE, async (oid) => {
      const bytes = await this.#readOne(oid);
      if (bytes !== null) found.set(oid, bytes);
    });
    return found;
  }

  async #readOne(oid: string): Promise<Uint8Array | null> {
    if (!isGitId(oid)) return null;
    const path = this.#pathOf(oid);
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null) return null;
    if (!isBlob(oid, bytes)) {
      await rm(path, { force: true }).catch(() => {});
      return null;
    }
    const now = new Date();
    await utimes(path, now, now).catch(() => {});
    return bytes;
  }

  async write(blobs: ReadonlyMap<string, Uint8Array>): Promise<void> {
    await inParallel([...blobs], FILES_AT_ONCE, ([oid, bytes]) => this.#writeOne(oid, bytes).catch(() => {}));
    if (this.#unchecked > this.#maxBytes / SHARE) await this.#bound().catch(() => {});
  }

  /** Under another name first, so that nobody reads the half of it. */
  async #writeOne(oid: string, bytes: Uint8Array): Promise<void> {
    if (!isGitId(oid) || bytes.length > this.#maxBytes / SHARE) return;
    const path = this.#pathOf(oid);
    await makeFolder(join(path, '..'), 0o700);
    this.#drafts += 1;
    const draft = join(this.#folder, oid.slice(0, 2), `draft-${process.pid}-${this.#token}-${this.#drafts}`);
    try {
      await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw error;
    }
    this.#unchecked += bytes.length;
  }

  #pathOf(oid: string): string {
    return join(this.#folder, oid.slice(0, 2), oid.slice(2));
  }

  /** Removes what was used longest ago, until there is room again. */
  async #bound(): Promise<void> {
    this.#unchecked = 0;
    const files = await this.#files();
    let bytes = files.reduce((sum, file) => sum + file.size, 0);
    if (bytes <= this.#maxBytes) return;
    for (const { path, size } of files.sort((a, b) => a.used - b.used)) {
      if (bytes <= this.#maxBytes * KEPT) return;
      await rm(path, { force: true }).catch(() => {});
      bytes -= size;
    }
  }

  async #files() {
    const files: { readonly path: string; readonly size: number; readonly used: number }[] = [];
    for (const shelf of await readdir(this.#folder)) {
      if (!/^[0-9a-f]{2}$/.test(shelf)) continue;
      const names = await readdir(join(this.#folder, shelf)).catch(() => []);
      await inParallel(names, FILES_AT_ONCE, async (name) => {
        const path = join(this.#folder, shelf, name);
        const found = await stat(path).catch(() => null);
        if (found === null) return;
        if (!name.startsWith('draft-')) files.push({ path, size: found.size, used: found.mtimeMs });
        else if (Date.now() - found.mtimeMs > DRAFT_MS) await rm(path, { force: true }).catch(() => {});
      });
    }
    return files;
  }
}
