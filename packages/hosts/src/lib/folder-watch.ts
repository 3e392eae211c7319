// Tells when something in a folder may have changed, as far as the system tells; what it cannot tell is polled.
import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Watches taken from the system for one folder. Above that it is polled. */
export const MAX_WATCHED_FOLDERS = 2_000;
const PASSED_OVER = new Set(['.git', 'node_modules']);

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
  #closed = false;
  #scan: Promise<void> | undefined;

  constructor(roots: readonly string[], flat: readonly string[]) {
    this.#roots = roots;
    this.#flat = flat;
    this.#rescan();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles when the folders that exist now are watched. */
  async ready(): Promise<void> {
    await this.#scan;
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #rescan(): void {
    const previous = this.#scan ?? Promise.resolve();
    this.#scan = previous.then(() => this.#cover()).catch(() => this.#giveUp());
  }

  async #cover(): Promise<void> {
    for (const dir of this.#flat) this.#add(dir, false);
    const native = process.platform === 'darwin' || process.platform === 'win32';
    const waiting = [...this.#roots];
    for (let dir = waiting.pop(); dir !== undefined && !this.#closed; dir = waiting.pop()) {
      // Node imitates a recursive watch where the system has none, with a watch for every file.
      this.#add(dir, native);
      if (native) continue;
      if (this.#watchers.size > MAX_WATCHED_FOLDERS) return this.#giveUp();
      for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => []))
        if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) waiting.push(join(dir, entry.name));
    }
    this.complete = !this.#closed;
  }

  #giveUp(): void {
    this.complete = false;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #add(dir: string, recursive: boolean): void {
    if (this.#watchers.has(dir) || this.#closed) return;
    const watcher = watch(dir, { recursive, persistent: false }, (event) => this.#changed(dir, event));
    watcher.on('error', () => this.#drop(dir));
    this.#watchers.set(dir, watcher);
  }

  #drop(dir: string): void {
    this.#watchers.get(dir)?.close();
    this.#watchers.delete(dir);
    this.#changed(dir, 'rename');
  }

  #changed(dir: string, event: string): void {
    if (this.#closed) return;
    this.changes++;
    // A folder may have come or gone.
    if (event === 'rename' && !this.#flat.includes(dir) && this.complete) {
      this.complete = false;
      this.#rescan();
    }
    for (const listener of this.#listeners) listener();
  }
}
