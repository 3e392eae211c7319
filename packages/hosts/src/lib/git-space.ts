// Keeps fetched repositories within a bound of bytes, and fetches within a bound of number. A repository is a directory
// that goes as a whole, the one used longest ago first. Many processes may share the directories; a crash leaves nothing
// that is taken for more than it is.
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import { alive } from '@skillquay/git/process-alive';
import { unavailable } from './failures.ts';

export interface SpaceOptions {
  /** Holds a directory for each repository. */
  readonly dir: string;
  /** Bytes of all of them together. Those in use may go beyond, and what is being fetched. */
  readonly maxBytes: number;
  readonly maxFetches?: number;
}

export const MAX_FETCHES = 8;
/** How long a repository counts as in use after a process said so: longer than a fetch and a build take. */
export const HOLD_MS = 15 * 60_000;
/** How exactly the time of the last use is kept, and for how many repositories that is remembered. */
const TOUCH_MS = 60_000;
const MAX_TOUCHED = 10_000;
/** In a repository's directory: a file for each process that uses it, as old as its last use. */
const USERS = 'users';
/** A directory on its way out. No repository is called so: their names begin with the key of a host. */
const GOING = /^evict-(.*)-(\d+)-[^-]+$/;

export class GitSpace {
  readonly #dir: string;
  readonly #maxBytes: number;
  readonly #touched = new Map<string, number>();
  readonly #waiting: Array<() => void> = [];
  #free: number;
  /** Bytes of each repository when they were last counted; null before. */
  #left: ReadonlyMap<string, number> | null = null;
  #trimming: Promise<number> | undefined;

  constructor(options: SpaceOptions) {
    this.#dir = options.dir;
    this.#maxBytes = options.maxBytes;
    this.#free = options.maxFetches ?? MAX_FETCHES;
  }

  /** Notes that a repository was asked for. What is asked for goes last. */
  async touch(name: string): Promise<void> {
    const now = Date.now();
    if (now - (this.#touched.get(name) ?? 0) < TOUCH_MS) return;
    if (this.#touched.size >= MAX_TOUCHED) this.#touched.clear();
    this.#touched.set(name, now);
    await this.#use(name);
  }

  /** The directory itself says when it was used last. */
  async #use(name: string): Promise<void> {
    const now = new Date();
    // There may be nothing of it yet.
    await utimes(join(this.#dir, name), now, now).catch(() => {});
  }

  /** Keeps a repository's directory, which is made if need be, for HOLD_MS from now. */
  async hold(name: string): Promise<void> {
    const users = join(this.#dir, name, USERS);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await makePrivateFolder(users);
        await writeFile(join(users, `${hostname()}-${process.pid}`), '');
        return await this.#use(name);
      } catch (error) {
        // It went away between the two.
        if (attempt === 3 || !isMissing(error)) throw error;
      }
    }
  }

  /** Runs a fetch into a repository's directory once there is room and its turn has come. Throws HostError. */
  async fetch<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#turn(signal);
    try {
      await this.hold(name);
      if (!this.#hasRoom(name)) await this.trim();
      if (!this.#hasRoom(name))
        throw unavailable('This server has no room for more repositories now. Try again later.');
      return await work();
    } finally {
      await this.trim().catch(() => {});
      this.#end();
    }
  }

  /** Removes the repositories used longest ago until the others keep to the bound. Returns how many bytes are left. */
  trim(): Promise<number> {
    this.#trimming ??= this.#trim().finally(() => {
      this.#trimming = undefined;
    });
    return this.#trimming;
  }

  /** Whether the others leave room. What is here already goes on: a busy repository must not get stuck. */
  #hasRoom(name: string): boolean {
    if (this.#left === null) return false;
    let others = -(this.#left.get(name) ?? 0);
    for (const bytes of this.#left.values()) others += bytes;
    return others <= this.#maxBytes;
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      this.#waiting.push(go);
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** Hands the turn on. */
  #end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  async #trim(): Promise<number> {
    const stores = [];
    for (const name of await readdir(this.#dir).catch(() => [])) {
      const path = join(this.#dir, name);
      const going = GOING.exec(name);
      if (going === null) {
        const [usedAt, bytes] = await Promise.all([modifiedAt(path), bytesBelow(path)]);
        stores.push({ name, path, usedAt, bytes });
      } else if (going[1] === hostname() && !alive(Number(going[2]))) await remove(path);
    }
    const left = new Map(stores.map(({ name, bytes }) => [name, bytes]));
    let bytes = stores.reduce((sum, store) => sum + store.bytes, 0);
    stores.sort((a, b) => a.usedAt - b.usedAt);
    for (const store of stores) {
      if (bytes <= this.#maxBytes) break;
      if (!(await this.#evict(store.path))) continue;
      left.delete(store.name);
      bytes -= store.bytes;
    }
    this.#left = left;
    return bytes;
  }

  /** Out of everyone's reach first: who comes too late to keep it finds that it is not there. */
  async #evict(path: string): Promise<boolean> {
    if (await isHeld(path)) return false;
    const going = join(this.#dir, `evict-${hostname()}-${process.pid}-${randomUUID().replaceAll('-', '')}`);
    try {
      await rename(path, going);
    } catch (error) {
      if (isMissing(error)) return true;
      throw error;
    }
    if (await isHeld(going)) {
      // Someone came just in time.
      const back = await rename(going, path).then(
        () => true,
        () => false,
      );
      if (back) return false;
    }
    await remove(going);
    return true;
  }
}

/** Whether a process that may still run said lately that it uses the repository. */
async function isHeld(path: string): Promise<boolean> {
  const users = join(path, USERS);
  for (const name of await readdir(users).catch(() => [])) {
    if (Date.now() - (await modifiedAt(join(users, name))) > HOLD_MS) continue;
    const [, host, pid] = /^(.*)-(\d+)$/.exec(name) ?? [];
    if (host !== hostname() || alive(Number(pid))) return true;
  }
  return false;
}

/** Milliseconds since the epoch; 0 for what is gone. */
async function modifiedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

async function bytesBelow(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
