// Gets what a build wants to know of files: from the previous index where nothing changed, from readers for the rest.
import { MAX_MANIFEST_BYTES, type ReadingLimits } from '@skillquay/core/limits';
import { objectSizes } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import { SHA256_BYTES, SIZE_UNKNOWN } from '../tables.ts';
import type { DocumentResult, DocumentTask } from './build-assembled.ts';
import type { Facts } from './build-facts.ts';
import { ByteBudget } from './build-limits.ts';
import { type Listing, oidsOf } from './build-listing.ts';
import { openPool, type Pool } from './build-pool.ts';
import type { Previous } from './build-previous.ts';
import { type ReadTask, Want } from './build-read.ts';

export interface ReadingOptions {
  readonly git: GitRepository;
  readonly limits: ReadingLimits;
  readonly workers: number;
  /** The bundled file that a reading thread starts from; null = read in this thread. */
  readonly workerUrl: URL | null;
  /** Bytes below which no thread is started. */
  readonly parallelBytes?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: { readonly read: number; readonly known: number }) => void) | undefined;
}

/** Files to read, in path order. */
export class Wanted {
  readonly entries: number[] = [];
  /** `Want` of each, as a sum. */
  readonly wants: number[] = [];

  add(entry: number, want: number): void {
    this.entries.push(entry);
    this.wants.push(want);
  }
}

/** Bytes below which starting threads, each with code to compile anew, takes longer than it saves. */
const PARALLEL_BYTES = 64 * 1024 ** 2;
/** A task is a git process: large enough that starting it does not count. */
const TASK_BYTES = 16 * 1024 ** 2;
const TASK_FILES = 8_000;

export class Reading {
  readonly #options: ReadingOptions;
  readonly #listing: Listing;
  readonly #facts: Facts;
  readonly #previous: Previous | null;
  readonly #budget: ByteBudget;
  readonly #here: Pool;
  #threads: Pool | null = null;
  #read = 0;
  #known = 0;

  constructor(options: ReadingOptions, listing: Listing, facts: Facts, previous: Previous | null) {
    this.#options = options;
    this.#listing = listing;
    this.#facts = facts;
    this.#previous = previous;
    this.#budget = new ByteBudget(options.limits.blobBytes);
    this.#here = openPool(this.#setup, 0, null, options.signal);
  }

  get #setup() {
    const { git, limits } = this.#options;
    const { indexedBytesPerFile } = limits;
    // Files were judged by their sizes before; manifests have a limit of their own.
    return { git, indexedBytesPerFile, readFileBytes: Math.max(limits.readFileBytes, MAX_MANIFEST_BYTES) };
  }

  get filesRead(): number {
    return this.#read;
  }

  /** Files that were not read because the bytes to be read had run out. */
  get refused(): number {
    return this.#budget.refused;
  }

  /** Learns the sizes of entries that are not known yet. */
  async measure(entries: readonly number[]): Promise<void> {
    const { size } = this.#facts;
    const unknown: number[] = [];
    for (const entry of entries) {
      if (size[entry] !== SIZE_UNKNOWN) continue;
      const before = this.#previous?.sizeOf(entry) ?? SIZE_UNKNOWN;
      if (before === SIZE_UNKNOWN) unknown.push(entry);
      else size[entry] = before;
    }
    if (unknown.length === 0) return;
    const { git, signal } = this.#options;
    const sizes = await objectSizes(git, oidsOf(this.#listing, unknown), { signal });
    unknown.forEach((entry, i) => {
      size[entry] = sizes[i] ?? SIZE_UNKNOWN;
    });
  }

  /**
   * Learns what is wanted of files, in path order; their sizes must be known. Returns the entries for which no bytes
   * were left. What is left out depends on the commit and the limits, never on what the previous index supplied.
   */
  async read(wanted: Wanted, rowClass: Uint8Array): Promise<number[]> {
    const refused: number[] = [];
    const unread = new Wanted();
    let bytes = 0;
    wanted.entries.forEach((entry, i) => {
      const want = wanted.wants[i] ?? 0;
      const size = this.#facts.size[entry] ?? 0;
      if (!this.#budget.take(size)) refused.push(entry);
      else if (!this.#previous?.supply(this.#facts, entry, want & ~Want.digest, rowClass[entry] ?? 0)) {
        unread.add(entry, want);
        bytes += size;
      }
    });
    if (unread.entries.length === 0) return refused;
    this.#known += unread.entries.length;
    this.#report(0);
    await this.#poolFor(bytes).run(this.#tasks(unread), (task, result) => {
      this.#facts.add(task, result);
      this.#report(task.entries.length);
    });
    return refused;
  }

  /**
   * Learns the digests of served files, in path order, as far as they are not known and bytes are left. What is read for
   * its digest alone stays what it is.
   */
  async digest(entries: readonly number[]): Promise<void> {
    const unread = new Wanted();
    let bytes = 0;
    for (const entry of entries) {
      const size = this.#facts.size[entry] ?? 0;
      // What was read before is in the account already; only its digest was not asked for.
      if (this.#facts.known[entry] === 0 && !this.#budget.takeForDigest(size)) continue;
      if (this.#facts.hasDigest(entry)) continue;
      const before = this.#previous?.sha256Of(entry) ?? null;
      if (before !== null) this.#facts.sha256.set(before, entry * SHA256_BYTES);
      else {
        unread.add(entry, Want.digest);
        bytes += size;
      }
    }
    if (unread.entries.length === 0) return;
    this.#known += unread.entries.length;
    this.#report(0);
    await this.#poolFor(bytes).run(this.#tasks(unread), (task, result) => {
      this.#facts.addDigests(task, result);
      this.#report(task.entries.length);
    });
  }

  /** Makes documents of so many bytes. */
  assemble(
    tasks: Iterable<DocumentTask>,
    bytes: number,
    onResult: (task: DocumentTask, result: DocumentResult) => void,
  ): Promise<void> {
    return this.#poolFor(bytes).assemble(tasks, onResult);
  }

  /** Ends the search of what was read: nothing is read for it any more. */
  async finish(): Promise<void> {
    for (const pool of [this.#here, this.#threads])
      if (pool !== null) this.#facts.addPieces(await pool.finish());
  }

  async close(): Promise<void> {
    await this.#threads?.close();
    this.#threads = null;
  }

  #report(files: number): void {
    this.#read += files;
    this.#options.onProgress?.({ read: this.#read, known: this.#known });
  }

  #poolFor(bytes: number): Pool {
    const { workers, workerUrl, signal, parallelBytes = PARALLEL_BYTES } = this.#options;
    if (bytes < parallelBytes || workers < 1 || workerUrl === null) return this.#here;
    this.#threads ??= openPool(this.#setup, workers, workerUrl, signal);
    return this.#threads;
  }

  #tasks(wanted: Wanted): ReadTask[] {
    const tasks: ReadTask[] = [];
    let from = 0;
    let bytes = 0;
    wanted.entries.forEach((entry, i) => {
      bytes += this.#facts.size[entry] ?? 0;
      const isLast = i === wanted.entries.length - 1;
      if (bytes < TASK_BYTES && i + 1 - from < TASK_FILES && !isLast) return;
      tasks.push(this.#task(wanted, from, i + 1));
      from = i + 1;
      bytes = 0;
    });
    return tasks;
  }

  #task(wanted: Wanted, from: number, to: number): ReadTask {
    const entries = Int32Array.from(wanted.entries.slice(from, to));
    return {
      entries,
      paths: Array.from(entries, (entry) => this.#listing.path[entry] ?? ''),
      oids: oidsOf(this.#listing, entries),
      wants: Uint16Array.from(wanted.wants.slice(from, to)),
    };
  }
}
