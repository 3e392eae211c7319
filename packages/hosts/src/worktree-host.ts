// A folder served as it is now: its uncommitted work, or its HEAD commit when there is none.
import { join } from 'node:path';
import { exists } from '@skillquay/git/bare';
import type { Located } from '@skillquay/git/locate';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import { GitError } from '@skillquay/git/process';
import type { GitRepository } from '@skillquay/git/repository';
import { openWorktree, type Worktree, type WorktreeSnapshot } from '@skillquay/git/worktree';
import type { Host, Resolution } from './host.ts';
import { because, hostFailure, refNotFound, unavailable, unsupported } from './lib/failures.ts';
import { FolderWatch } from './lib/folder-watch.ts';
import { waitFor } from './lib/ref-cache.ts';
import { NO_LINKS } from './links.ts';
import { folderName, localHost } from './local-host.ts';

export interface WorktreeOptions {
  /** For keys, e.g. `local/acme/library`. */
  readonly name: string;
  readonly folder: string;
  /** The repository it belongs to; null for none. */
  readonly located: Located | null;
  readonly storeDir: string;
  /** Where changed files are kept until the process ends. */
  readonly privateDir: string;
  /** Bytes of the largest file whose content is kept there. */
  readonly maxFileBytes: number;
  readonly now: () => number;
}

/** Silence of the watched folders is believed this long. */
const QUIET_MS = 10_000;
/** Where folders are not watched, a look that took long is not repeated at once. */
const REST_FACTOR = 4;
const FREE_LOOK_MS = 100;
/** Changes come in flocks: an editor writes, renames, touches. */
const DEBOUNCE_MS = 150;
const POLL_MS = 2_000;

interface Look {
  readonly snapshot: WorktreeSnapshot;
  readonly changes: number;
  readonly watched: boolean;
  readonly at: number;
  readonly tookMs: number;
}

/** One folder, as a Host that answers for it alone. Throws HostError. */
export async function worktreeHost(options: WorktreeOptions): Promise<Host> {
  await makePrivateFolder(options.privateDir);
  const { folder, located, privateDir, maxFileBytes } = options;
  const worktree = await openWorktree(folder, privateDir, { maxFileBytes, located }).catch(
    (error: unknown) => {
      throw hostFailure(error);
    },
  );
  const commits = located === null ? null : localHost({ ...options, located, ref: null });
  const gitDirs = located === null ? [] : [located.repo.gitDir];
  const folders = new FolderWatch([options.folder], gitDirs, worktree.ruleFiles);
  const repository = folderName(options.name, located?.prefix ?? '');
  const looks = new Looks(worktree, folders, options.now);

  const resolved = new WeakMap<WorktreeSnapshot, Resolution>();

  /** The same object for the same look. Nobody may keep what comes of it: it expires when it is made. */
  function resolutionOf(snapshot: WorktreeSnapshot): Resolution {
    const before = resolved.get(snapshot);
    if (before !== undefined) return before;
    const { tree, clean, head } = snapshot;
    const resolution: Resolution = {
      repository,
      commit: clean && head !== null ? head : `worktree:${tree}`,
      tree,
      ref: null,
      pinned: false,
      isDefaultBranch: true,
      defaultBranch: null,
      expiresAt: options.now(),
      worktree: !clean,
      scope: 'private',
    };
    resolved.set(snapshot, resolution);
    return resolution;
  }

  return {
    async resolve(address, caller) {
      if (address.ref !== null) {
        if (commits === null) throw refNotFound(address.ref);
        return commits.resolve(address, caller);
      }
      try {
        // A question and the save before it may have arrived together: what was saved is heard first.
        await new Promise((resolve) => setImmediate(resolve));
        return resolutionOf(looks.current ?? (await waitFor(looks.now(), caller?.signal)));
      } catch (error) {
        throw folderFailure(error);
      }
    },
    // Nothing is known of a folder that may have changed a moment ago.
    known: () => null,
    async bring(resolution, signal): Promise<GitRepository> {
      if (resolution.ref !== null && commits !== null) return commits.bring(resolution, signal);
      try {
        return (await looks.kept()).repo;
      } catch (error) {
        throw folderFailure(error);
      }
    },
    links: (address) => commits?.links(address) ?? NO_LINKS,
    watch: (address, changed) => (address.ref === null ? looks.watch(changed) : null),
    async close() {
      folders.close();
      looks.close();
      await commits?.close();
      await worktree.close();
    },
  };
}

function folderFailure(error: unknown): unknown {
  if (error instanceof GitError && error.kind === 'too_large')
    return unsupported(`It cannot be served: ${error.message}.`);
  if (error instanceof GitError && error.kind === 'failed')
    return because(
      error,
      unavailable('The folder cannot be read as it is now. Look whether it still exists.'),
    );
  return hostFailure(error);
}

/** Looks at the folder no more often than it must. */
class Looks {
  readonly #worktree: Worktree;
  readonly #folders: FolderWatch;
  readonly #now: () => number;
  #last: Look | undefined;
  #looking: Promise<Look> | undefined;
  readonly #stops = new Set<() => void>();

  constructor(worktree: Worktree, folders: FolderWatch, now: () => number) {
    this.#worktree = worktree;
    this.#folders = folders;
    this.#now = now;
  }

  /** What the last look found, if that still holds. */
  get current(): WorktreeSnapshot | null {
    return this.#last && this.#holds(this.#last) ? this.#last.snapshot : null;
  }

  async now(): Promise<WorktreeSnapshot> {
    return this.current ?? (await this.#look()).snapshot;
  }

  /** The last one, as long as what it found is still kept. */
  async kept(): Promise<WorktreeSnapshot> {
    const last = this.#last?.snapshot;
    if (last === undefined) return this.now();
    return (await exists(join(last.repo.gitDir, 'HEAD'))) ? last : (await this.#take()).snapshot;
  }

  watch(changed: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const stopListening = this.#folders.onChange(() => {
      clearTimeout(timer);
      timer = setTimeout(changed, DEBOUNCE_MS);
    });
    let tree = this.#last?.snapshot.tree;
    const poll = setInterval(async () => {
      if (this.#folders.complete) return;
      const found = await this.now().catch(() => undefined);
      if (found === undefined || found.tree === tree) return;
      tree = found.tree;
      changed();
    }, POLL_MS);
    poll.unref();
    const stop = () => {
      clearTimeout(timer);
      clearInterval(poll);
      stopListening();
      this.#stops.delete(stop);
    };
    this.#stops.add(stop);
    return stop;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  #holds(look: Look): boolean {
    const { changes, covering, complete } = this.#folders;
    if (changes !== look.changes || covering) return false;
    const age = this.#now() - look.at;
    if (look.watched && complete) return age < QUIET_MS;
    return look.tookMs > FREE_LOOK_MS && age < look.tookMs * REST_FACTOR;
  }

  /** Who asks while a look is under way waits for the next one: that one may have passed over their change. */
  async #look(): Promise<Look> {
    const running = this.#looking;
    if (running !== undefined) {
      await running.catch(() => {});
      if (this.#looking !== undefined && this.#looking !== running) return this.#looking;
    }
    if (this.#last && this.#holds(this.#last)) return this.#last;
    const looking = this.#take().finally(() => {
      if (this.#looking === looking) this.#looking = undefined;
    });
    this.#looking = looking;
    return looking;
  }

  async #take(): Promise<Look> {
    const { changes, complete: watched } = this.#folders;
    const at = this.#now();
    const snapshot = await this.#worktree.snapshot();
    // Settings may name other files now.
    this.#folders.watchFiles(this.#worktree.ruleFiles);
    const look = { snapshot, changes, watched, at: this.#now(), tookMs: this.#now() - at };
    this.#last = look;
    return look;
  }
}
