// Remembers which copies of skills were installed where, and what they consisted of, so that later it can be told
// whether a copy was changed by its user or has only fallen behind the registry.
import { createHash } from 'node:crypto';
import { access, constants, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '@skillquay/git/make-folder';
import { alive } from '@skillquay/git/process-alive';
import { type Environment, stateRoot } from '@skillquay/registry/config';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { FolderFiles } from './folder-files.ts';
import { realPlace } from './project.ts';

export interface Copy {
  /** Of the copy, absolute. */
  readonly path: string;
  /** The root of the project that it was installed for; null when it is for all of the user's. */
  readonly project: string | null;
  /** Ids of the agents that it was installed for. */
  readonly agents: readonly string[];
  /** The identity of the registry it is from. */
  readonly registry: string;
  /** As it was configured; null = the default one. */
  readonly branch: string | null;
  readonly slug: string;
  /** The tree of the skill when it was installed. */
  readonly tree: string;
  readonly files: FolderFiles;
}

export interface Copies {
  /** By path, in the order of paths. What cannot be read is passed over. */
  all(): Promise<readonly Copy[]>;
  /** The one there, by whatever links its folder is reached. */
  at(path: string): Promise<Copy | null>;
  /** Throws CommandError where nothing can be remembered: a copy that nobody remembers is nobody's to replace. */
  prepare(): Promise<void>;
  /** Another process that does the same at once is overwritten as a whole. Throws CommandError. */
  keep(copy: Copy): Promise<void>;
  forget(copy: Copy): Promise<void>;
}

/** Below `${XDG_STATE_HOME:-~/.local/state}/skills-mcp/copies`, one file for each copy. */
export function openCopies(env: Environment): Copies {
  return new CopyFolder(join(stateRoot(env), 'copies'));
}

class CopyFolder implements Copies {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async all(): Promise<readonly Copy[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const found: Copy[] = [];
    for (const name of names) {
      if (!/^[0-9a-f]{32}\.json$/.test(name)) continue;
      const copy = await readCopy(join(this.#folder, name));
      if (copy !== null) found.push(copy);
    }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async at(path: string): Promise<Copy | null> {
    return readCopy(await this.#fileOf(path));
  }

  async prepare(): Promise<void> {
    await this.#writing(async () => {
      await makeFolder(this.#folder, 0o700);
      await access(this.#folder, constants.R_OK | constants.W_OK | constants.X_OK);
    });
  }

  async keep(copy: Copy): Promise<void> {
    await this.prepare();
    await this.#writing(() => this.#write(copy));
  }

  async #write(copy: Copy): Promise<void> {
    await this.#sweep();
    const file = await this.#fileOf(copy.path);
    const draft = `${file}.${process.pid}.tmp`;
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(JSON.stringify({ ...copy, files: Object.fromEntries(copy.files) }));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  }

  async forget({ path }: Copy): Promise<void> {
    await this.#writing(async () => rm(await this.#fileOf(path), { force: true }));
  }

  async #writing(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
      throw new CommandError(
        ExitCode.noPermission,
        `What is installed cannot be remembered in ${this.#folder} (${error.code} at ${error.syscall}). Make that a folder that you can write to, or set XDG_STATE_HOME to one.`,
      );
    }
  }

  /** What runs that were killed were writing. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const pid = /\.(\d+)\.tmp$/.exec(name)?.[1];
      if (pid !== undefined && !alive(Number(pid))) await rm(join(this.#folder, name), { force: true });
    }
  }

  async #fileOf(path: string): Promise<string> {
    const place = join(await realPlace(dirname(path)), basename(path));
    return join(this.#folder, `${createHash('sha256').update(place).digest('hex').slice(0, 32)}.json`);
  }
}

async function readCopy(file: string): Promise<Copy | null> {
  try {
    const kept: Partial<Record<keyof Copy, unknown>> = JSON.parse(await readFile(file, 'utf8'));
    const { path, project, agents, registry, branch, slug, tree, files } = kept;
    if (typeof path !== 'string' || typeof registry !== 'string') return null;
    if (typeof slug !== 'string' || typeof tree !== 'string' || !Array.isArray(agents)) return null;
    if (typeof files !== 'object' || files === null) return null;
    return {
      path,
      project: typeof project === 'string' ? project : null,
      registry,
      branch: typeof branch === 'string' ? branch : null,
      slug,
      tree,
      agents: agents.filter((agent) => typeof agent === 'string'),
      files: new Map(Object.entries(files).map(([at, what]) => [at, String(what)])),
    };
  } catch {
    return null;
  }
}
