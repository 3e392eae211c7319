// Tells when something in a folder may have changed, as far as the system tells; what it cannot tell is polled.
import { type FSWatcher, lstatSync, realpathSync, statSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

/** Watches taken from the system for one folder. Above that it is polled. */
export const MAX_WATCHED_FOLDERS = 2_000;
const PASSED_OVER = new Set(['.git', 'node_modules']);
const PASSED_OVER_ERRORS = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

export class FolderWatch {
  /** Grows with each change seen. */
  changes = 0;
  /** False until every folder is watched, and when there are too many: then silence means nothing. */
  complete = false;
  readonly #listeners = new Set<() => void>();
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #roots: readonly string[];
  /** A folder whose entries matter and not what lies below: the git directory. */
  readonly #flat: readonly string[];
  /** Files outside these folders that matter too; they need not exist. */
  #files: readonly string[];
  /** Names that matter in a folder for the sake of a file, or of a folder or link on the way to it. */
  #names: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  /** Folders in which every name matters. */
  #whole: ReadonlySet<string> = new Set();
  #closed = false;
  /** The folders are being looked through: what is written to those not watched yet is told at the end. */
  covering = false;
  /** A folder came or went since the last look began. */
  #stale = true;

  constructor(roots: readonly string[], flat: readonly string[], files: readonly string[] = []) {
    this.#roots = roots;
    this.#flat = flat;
    this.#files = files;
    void this.#cover();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Watches these files from now on, and no longer those it was told before. */
  watchFiles(files: readonly string[]): void {
    if (isDeepStrictEqual(files, this.#files)) return;
    this.#files = files;
    this.#stale = true;
    void this.#cover();
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#giveUp();
  }

  /** Looks at all folders until none came or went meanwhile. */
  async #cover(): Promise<void> {
    if (this.covering) return;
    this.covering = true;
    this.complete = false;
    const before = new Set(this.#watchers.values());
    const names = this.#names;
    try {
      let whole = false;
      while (this.#stale && !this.#closed) {
        this.#stale = false;
        whole = await this.#look();
      }
      this.complete = whole && !this.#closed;
    } catch {
      this.#giveUp();
    } finally {
      this.covering = false;
    }
    // What was written to a new folder or file before it was watched was not seen.
    const isNew = [...this.#watchers.values()].some((watcher) => !before.has(watcher));
    if (isNew || !isDeepStrictEqual(names, this.#names)) this.#tell();
  }

  /** Watches every folder there is. False when one that was asked for is gone. */
  async #look(): Promise<boolean> {
    const native = process.platform === 'darwin' || process.platform === 'win32';
    const found = new Set(this.#flat);
    /** Nearest first: a folder that holds too many others shows it early. */
    const waiting = [...this.#roots];
    for (const dir of this.#flat) this.#add(dir, false);
    for (let dir = waiting.shift(); dir !== undefined && !this.#closed; dir = waiting.shift()) {
      found.add(dir);
      // Node imitates a recursive watch where the system has none, with a watch for every file.
      this.#add(dir, native);
      if (native) continue;
      for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => []))
        if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) waiting.push(join(dir, entry.name));
      if (found.size + waiting.length > MAX_WATCHED_FOLDERS) throw new Error('too many folders to watch');
    }
    this.#whole = new Set(found);
    this.#names = this.#addFiles();
    for (const dir of this.#watchers.keys()) if (!found.has(dir) && !this.#names.has(dir)) this.#drop(dir);
    return [...this.#roots, ...this.#flat].every((dir) => this.#watchers.has(dir));
  }

  /** Watches the folders of the files, and returns which names matter there. */
  #addFiles(): Map<string, Set<string>> {
    const names = new Map<string, Set<string>>();
    for (let path of this.#files.flatMap(placesOf)) {
      // A folder that is not there is waited for in the nearest one that is.
      while (dirname(path) !== path && !this.#add(dirname(path), false)) path = dirname(path);
      const dir = dirname(path);
      names.set(dir, (names.get(dir) ?? new Set()).add(basename(path)));
    }
    return names;
  }

  #giveUp(): void {
    this.complete = false;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** Whether it is watched now. */
  #add(dir: string, recursive: boolean): boolean {
    if (this.#watchers.has(dir) || this.#closed) return true;
    let watcher: FSWatcher;
    try {
      watcher = watch(dir, { recursive, persistent: false }, (event, name) =>
        this.#changed(dir, event, name),
      );
    } catch (error) {
      if (isPassedOver(error)) return false;
      throw error;
    }
    watcher.on('error', () => this.#changed(dir, 'rename', basename(dir)));
    this.#watchers.set(dir, watcher);
    return true;
  }

  #drop(dir: string): void {
    this.#watchers.get(dir)?.close();
    this.#watchers.delete(dir);
  }

  /** What is there by this name now, and below it, is another folder than the one watched. */
  #forget(dir: string): void {
    for (const path of this.#watchers.keys())
      if (path === dir || path.startsWith(dir + sep)) this.#drop(path);
  }

  #changed(dir: string, event: string, name: string | null): void {
    if (this.#closed || !this.#matters(dir, name)) return;
    // A folder that goes is told under its own name; so is an entry in it that is called the same.
    if (event === 'rename' && name === basename(dir)) this.#forget(dir);
    if (event === 'rename' && this.#isOfFolder(dir, name)) {
      this.#stale = true;
      void this.#cover();
    }
    this.#tell();
  }

  /** A folder such as the user's home is watched for a few files: all else in it is passed over. */
  #matters(dir: string, name: string | null): boolean {
    const names = this.#names.get(dir);
    if (names === undefined || this.#whole.has(dir)) return true;
    return name === null || names.has(name) || name === basename(dir);
  }

  /** Whether a folder came or went. Editors save by giving a new file the old name: nothing is to be watched anew. */
  #isOfFolder(dir: string, name: string | null): boolean {
    if (!this.#watchers.has(dir) || name === null) return true;
    if (this.#names.get(dir)?.has(name)) return true;
    if (this.#flat.includes(dir) || PASSED_OVER.has(name)) return false;
    const path = join(dir, name);
    return this.#watchers.has(path) || isFolder(path);
  }

  #tell(): void {
    this.changes++;
    for (const listener of this.#listeners) listener();
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}

/**
 * Where a change of a file shows: by its name and, where that is a link, in what it leads to. What is no file, such as
 * `/dev/null`, says nothing and is written to by anybody.
 */
function placesOf(file: string): string[] {
  try {
    const facts = statSync(file);
    return facts.isFile() || facts.isDirectory() ? [...new Set([file, realpathSync(file)])] : [];
  } catch {
    return [file];
  }
}

/** Gone since it was listed, or not to be read: nothing of it is served. */
function isPassedOver(error: unknown): boolean {
  return error instanceof Error && 'code' in error && PASSED_OVER_ERRORS.has(String(error.code));
}
