// Where a git backend keeps what it fetched: objects that all processes of a user share, and nothing else that is shared.
//
// Every call works in a repository of its own (`calls/`), made for it and removed after it: no two processes ever need
// the same lock, index or ref, and what a killed one leaves is in nobody's way. Objects come into the shared shelf as
// whole packs. A shelf is a cache: one that is broken or has grown old is followed by a new one.
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import type { GitRepository } from '@skillquay/git/repository';
import { type IdKind, isGitId } from '../git-id.ts';
import { boundShelves, IN_USE_MS, isOld, namesIn, SHELF_NAME } from './git-shelves.ts';
import { ownerOf, ownName } from './own-name.ts';

export interface Workspace {
  readonly repo: GitRepository;
  /** Commits whose files are all here, the newest first. */
  readonly commits: readonly string[];
  /** Notes that all files of a commit are here, where it can be noted. */
  keep(commit: string): Promise<void>;
}

/** What is kept cannot be used: it is to be fetched anew. */
export class ShelfBroken extends Error {}

const CONFIG: Readonly<Record<IdKind, string>> = {
  sha1: '[core]\n\trepositoryformatversion = 0\n\tbare = true\n',
  sha256: '[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n',
};
const KEPT = 'commits';
const MAX_KEPT = 8;

export class GitStore {
  readonly #folder: string;
  #swept: Promise<void> | undefined;

  /** `folder` need not exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs the task in a repository of its own, and once more with nothing kept when it throws ShelfBroken. */
  async use<T>(kind: IdKind, task: (work: Workspace) => Promise<T>): Promise<T> {
    await makePrivateFolder(join(this.#folder, 'calls'));
    this.#swept ??= this.#sweep().catch(() => {});
    await this.#swept;
    const number = await this.#current(kind);
    try {
      return await this.#work(kind, number, task);
    } catch (error) {
      if (!(error instanceof ShelfBroken)) throw error;
    }
    await this.#makeShelf(kind, number + 1);
    return this.#work(kind, await this.#current(kind), task);
  }

  async #work<T>(kind: IdKind, number: number, task: (work: Workspace) => Promise<T>): Promise<T> {
    const shelf = this.#shelf(kind, number);
    const now = new Date();
    await utimes(shelf, now, now).catch((error: NodeJS.ErrnoException) => {
      // Another process found that nobody had used it for long.
      throw error.code === 'ENOENT' ? new ShelfBroken('', { cause: error }) : error;
    });
    const commits = await readKept(shelf);
    const gitDir = join(this.#folder, 'calls', ownName());
    try {
      await makePrivateFolder(join(gitDir, 'refs'));
      await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
      await writeFile(join(gitDir, 'config'), CONFIG[kind]);
      // Only their files are here, not what came before them.
      if (commits.length > 0) await writeFile(join(gitDir, 'shallow'), `${commits.join('\n')}\n`);
      return await task({
        repo: {
          gitDir,
          env: { GIT_OBJECT_DIRECTORY: join(shelf, 'objects'), GIT_LITERAL_PATHSPECS: '1' },
        },
        commits,
        keep: (commit) => writeKept(shelf, commit),
      });
    } finally {
      await rm(gitDir, { recursive: true, force: true }).catch(() => {});
    }
  }

  /** The number of the newest shelf, which is made where there is none that is young enough. */
  async #current(kind: IdKind): Promise<number> {
    const last = Math.max(0, ...(await this.#numbers(kind)));
    if (last > 0 && !(await isOld(this.#shelf(kind, last)))) return last;
    await this.#makeShelf(kind, last + 1);
    return Math.max(...(await this.#numbers(kind)));
  }

  /** Whole or not at all: processes may race. */
  async #makeShelf(kind: IdKind, number: number): Promise<void> {
    const draft = join(this.#folder, 'calls', ownName());
    for (const folder of ['objects/info', 'objects/pack']) await makePrivateFolder(join(draft, folder));
    const taken = await rename(draft, this.#shelf(kind, number)).then(
      () => null,
      (error: unknown) => error,
    );
    if (taken === null) return;
    await rm(draft, { recursive: true, force: true });
    if (!(await this.#numbers(kind)).some((other) => other >= number)) throw taken;
  }

  async #numbers(kind: IdKind): Promise<number[]> {
    const names = await readdir(this.#folder);
    const shelves = names.map((name) => SHELF_NAME.exec(name));
    return shelves.flatMap((match) => (match?.[1] === kind ? [Number(match[2])] : []));
  }

  #shelf(kind: IdKind, number: number): string {
    return join(this.#folder, `${kind}-${number}`);
  }

  /** Removes what nobody uses any more. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(join(this.#folder, 'calls'))) {
      const path = join(this.#folder, 'calls', name);
      if (ownerOf(name) === 'ended' || (await age(path)) > IN_USE_MS) await remove(path);
    }
    for (const kind of ['sha1', 'sha256'] as const) {
      const numbers = await this.#numbers(kind);
      for (const number of numbers) {
        const shelf = this.#shelf(kind, number);
        if (number < Math.max(...numbers) && (await age(shelf)) > IN_USE_MS) await remove(shelf);
        else await removeDrafts(shelf);
      }
    }
    await boundShelves(dirname(this.#folder));
  }
}

/** What a process was writing when it was killed. */
async function removeDrafts(shelf: string): Promise<void> {
  const objects = join(shelf, 'objects');
  const folders = (await namesIn(objects)).map((name) => join(objects, name));
  for (const folder of [shelf, ...folders]) {
    const begin = folder === shelf ? `${KEPT}-` : 'tmp_';
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (name.startsWith(begin) && (await age(path)) > IN_USE_MS) await remove(path);
    }
  }
}

async function readKept(shelf: string): Promise<string[]> {
  const text = await readFile(join(shelf, KEPT), 'utf8').catch(() => '');
  return text.split('\n').filter(isGitId);
}

/** Of two that write at once one is forgotten, and so is what cannot be written: the commit is asked for again. */
async function writeKept(shelf: string, commit: string): Promise<void> {
  const draft = join(shelf, `${KEPT}-${ownName()}`);
  try {
    const kept = [commit, ...(await readKept(shelf)).filter((other) => other !== commit)].slice(0, MAX_KEPT);
    await writeFile(draft, kept.join('\n'), { mode: 0o600 });
    await rename(draft, join(shelf, KEPT));
  } catch {
    await remove(draft);
  }
}

/** Milliseconds since something was last touched; 0 where it is gone. */
async function age(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  return found === null ? 0 : Date.now() - found.mtimeMs;
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}
