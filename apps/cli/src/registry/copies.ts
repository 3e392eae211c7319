// Remembers which copies of skills were installed where, and what they consisted of, so that later it can be told
// whether a copy was changed by its user or has only fallen behind the registry.
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { makeFolder } from '@skillquay/git/make-folder';
import { type Environment, homeFolder } from '@skillquay/registry/config';
import type { FolderFiles } from './folder-files.ts';

export interface Copy {
  /** Of the copy, absolute. */
  readonly path: string;
  /** Ids of the agents that it was installed for. */
  readonly agents: readonly string[];
  /** The whole name of the registry it is from. */
  readonly registry: string;
  readonly slug: string;
  /** The tree of the skill when it was installed. */
  readonly tree: string;
  readonly files: FolderFiles;
}

export interface Copies {
  /** By path, in the order of paths. What cannot be read is passed over. */
  all(): Promise<readonly Copy[]>;
  at(path: string): Promise<Copy | null>;
  /** Another process that does the same at once is overwritten as a whole. */
  keep(copy: Copy): Promise<void>;
  forget(path: string): Promise<void>;
}

/** Below `${XDG_STATE_HOME:-~/.local/state}/skills-mcp/copies`, one file for each copy. */
export function openCopies(env: Environment): Copies {
  const state = env.XDG_STATE_HOME ?? '';
  const root = isAbsolute(state) ? state : join(homeFolder(env), '.local', 'state');
  return new CopyFolder(join(root, 'skills-mcp', 'copies'));
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

  at(path: string): Promise<Copy | null> {
    return readCopy(this.#fileOf(path));
  }

  async keep(copy: Copy): Promise<void> {
    await makeFolder(this.#folder, 0o700);
    const file = this.#fileOf(copy.path);
    const draft = `${file}.${process.pid}.tmp`;
    const text = JSON.stringify({ ...copy, files: Object.fromEntries(copy.files) });
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  }

  async forget(path: string): Promise<void> {
    await rm(this.#fileOf(path), { force: true });
  }

  #fileOf(path: string): string {
    return join(this.#folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.json`);
  }
}

async function readCopy(file: string): Promise<Copy | null> {
  try {
    const kept: Partial<Record<keyof Copy, unknown>> = JSON.parse(await readFile(file, 'utf8'));
    const { path, agents, registry, slug, tree, files } = kept;
    if (typeof path !== 'string' || typeof registry !== 'string') return null;
    if (typeof slug !== 'string' || typeof tree !== 'string' || !Array.isArray(agents)) return null;
    if (typeof files !== 'object' || files === null) return null;
    return {
      path,
      registry,
      slug,
      tree,
      agents: agents.filter((agent) => typeof agent === 'string'),
      files: new Map(Object.entries(files).map(([at, what]) => [at, String(what)])),
    };
  } catch {
    return null;
  }
}
