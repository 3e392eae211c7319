// Reads a folder as it is now as a git tree, without writing to its repository or running anything it configures.
import { copyFile, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bareRepository } from './bare.ts';
import { filterUsable, headOf, looseSettings } from './lib/worktree-facts.ts';
import { type Located, locateRepository } from './locate.ts';
import { GitError, type RunOptions, runGit } from './process.ts';
import type { GitRepository } from './repository.ts';

export interface WorktreeSnapshot {
  /** Reads the tree, and everything of the folder's own repository. */
  readonly repo: GitRepository;
  /** Hash of the tree. */
  readonly tree: string;
  /** The tree is that of HEAD: nothing uncommitted. */
  readonly clean: boolean;
  /** The commit HEAD names; null before the first commit, and for a folder that is no repository. */
  readonly head: string | null;
}

export interface Worktree {
  readonly located: Located | null;
  /** Tracked and untracked-but-not-ignored files as they are now. Throws GitError. */
  snapshot(signal?: AbortSignal): Promise<WorktreeSnapshot>;
  /** Removes the private objects. */
  close(): Promise<void>;
}

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** Files that are neither tracked nor ignored: a home folder given by mistake ends here. */
export const MAX_UNTRACKED_FILES = 500_000;
const TIMEOUT_MS = 600_000;
/** Changed files that are stored one by one, as git does with loose objects. */
const FEW = 100;
const FILES_PER_PACK = 5_000;

/** Bytes are taken as they lie in the folder: no line ends, filters, keywords or encodings are converted. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';
/** Passed over even where nothing ignores it. Git itself passes over `.git`. */
const EXCLUDED = 'node_modules\n';
const SUBMODULE = '160000';

/** Opens `folder`, in a repository or not; its changed files are stored below `privateDir` until `close()`. */
export async function openWorktree(folder: string, privateDir: string): Promise<Worktree> {
  const located = await locateRepository(folder);
  const top = located?.top ?? folder;
  const own = await mkdtemp(join(privateDir, 'worktree-'));
  const repo = await bareRepository(join(own, 'git'), located?.objects);
  const settings = await looseSettings(located);
  await writeFile(join(repo.gitDir, 'config'), settings.config);
  await writeFile(join(repo.gitDir, 'info/attributes'), ATTRIBUTES);
  await writeFile(join(repo.gitDir, 'info/exclude'), settings.exclude + EXCLUDED);
  return new Folder(located, top, own, repo);
}

/** Paths and git's lines about them are byte strings (latin1) here: names need not be UTF-8. */
const lines = (raw: Buffer) => raw.toString('latin1').split('\0').slice(0, -1);

/** A line of `update-index --index-info` that takes a path out. */
const removal = (path: string) => `0 ${'0'.repeat(40)}\t${path}\0`;

class Folder implements Worktree {
  readonly located: Located | null;
  readonly #top: string;
  readonly #own: string;
  readonly #repo: GitRepository;
  readonly #index: string;
  /** The user's index as last copied. */
  readonly #base: string;
  #baseVersion: string | undefined;
  /** Untracked files were added to our copy: they leave it again when something begins to ignore them. */
  #added = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(located: Located | null, top: string, own: string, repo: GitRepository) {
    this.located = located;
    this.#top = top;
    this.#own = own;
    this.#repo = repo;
    this.#index = join(repo.gitDir, 'index');
    this.#base = join(repo.gitDir, 'base-index');
  }

  /** One at a time: they share an index. */
  snapshot(signal?: AbortSignal): Promise<WorktreeSnapshot> {
    const next = this.#queue.then(() => this.#snapshot(signal));
    this.#queue = next.catch(() => {});
    return next;
  }

  async close(): Promise<void> {
    await this.#queue;
    await rm(this.#own, { recursive: true, force: true });
  }

  async #snapshot(signal: AbortSignal | undefined): Promise<WorktreeSnapshot> {
    const prefix = this.located?.prefix ?? '';
    const below = prefix === '' ? [] : ['--', `:(top,literal)${prefix}`];
    const git = (args: string[], options: RunOptions = {}) =>
      runGit(args, {
        repo: this.#repo,
        cwd: this.#top,
        signal,
        timeoutMs: TIMEOUT_MS,
        ...options,
        env: { GIT_WORK_TREE: this.#top, GIT_INDEX_FILE: this.#index, ...options.env },
      });

    await this.#copyIndex();
    const [changed, untracked, ignored] = await Promise.all([
      git(['diff-files', '-z', '--no-renames', '--ignore-submodules=dirty', ...below]).then(lines),
      git(['ls-files', '-z', '--others', '--exclude-standard', ...below]).then(lines),
      this.#added ? git(['ls-files', '-z', '--cached', '--ignored', '--exclude-standard']).then(lines) : [],
    ]);
    if (untracked.length > MAX_UNTRACKED_FILES)
      throw new GitError('too_large', `the folder holds more than ${MAX_UNTRACKED_FILES} files`);

    const entries: string[] = [];
    const remove = (path: string) => entries.push(removal(path));
    const update: string[] = [];
    const nested: string[] = [];
    for (let i = 0; i + 1 < changed.length; i += 2) {
      // `:<old mode> <new mode> <old hash> <new hash> <status>`, then the path.
      const [, mode, , , status] = changed[i]!.split(' ');
      if (status === 'D') remove(changed[i + 1]!);
      else (mode === SUBMODULE ? nested : update).push(changed[i + 1]!);
    }
    for (const path of untracked) {
      // A repository within the folder is listed as a folder.
      if (path.endsWith('/')) nested.push(path.slice(0, -1));
      else update.push(path);
    }
    if (ignored.length > 0) {
      const tracked = new Set(
        this.#baseVersion === ''
          ? []
          : lines(await git(['ls-files', '-z', '--cached'], { env: { GIT_INDEX_FILE: this.#base } })),
      );
      for (const path of ignored) if (!tracked.has(path)) remove(path);
    }
    for (const path of nested) {
      const head = await headOf(this.#top, path);
      if (head !== null) entries.push(`${SUBMODULE} ${head}\t${path}\0`);
    }
    if (entries.length > 0)
      await git(['update-index', '-z', '--index-info'], { input: Buffer.from(entries.join(''), 'latin1') });
    if (update.length > 0) await this.#update(git, update);
    this.#added ||= update.length > 0 || nested.length > 0;

    const [tree, head] = await Promise.all([this.#writeTree(git, prefix), this.#head(prefix)]);
    return { repo: this.#repo, tree, clean: tree === head?.tree, head: head?.commit ?? null };
  }

  /** Takes the user's index over when it has changed; what git knows about unchanged files comes with it. */
  async #copyIndex(): Promise<void> {
    if (this.located === null) {
      this.#baseVersion = '';
      return;
    }
    const source = join(this.located.repo.gitDir, 'index');
    const facts = await stat(source).catch(() => null);
    const version = facts === null ? '' : `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
    if (version === this.#baseVersion) return;
    await rm(this.#index, { force: true });
    if (facts !== null) {
      // A split index names a second file beside it.
      for (const name of await readdir(this.located.repo.gitDir))
        if (name.startsWith('sharedindex.'))
          await copyFile(join(this.located.repo.gitDir, name), join(this.#repo.gitDir, name));
      for (const copy of [this.#index, this.#base]) {
        await copyFile(source, copy);
        // The index's own age decides which entries git must look at again: never younger than the original.
        const age = Math.floor(facts.mtimeMs) / 1000;
        await utimes(copy, age, age);
      }
    }
    this.#baseVersion = version;
    this.#added = false;
  }

  async #update(git: (args: string[], options?: RunOptions) => Promise<Buffer>, paths: string[]) {
    const args = ['-c', 'core.compression=1', '-c', 'core.fsync=none'];
    // Many files go into packs, not into a file for each; git looks for copies within a pack one by one.
    if (paths.length > FEW) args.push('-c', 'core.bigFileThreshold=1');
    args.push('update-index', '-z', '--add', '--remove', '--replace', '--stdin');
    const run = async (list: string[]) => {
      for (let at = 0; at < list.length; at += FILES_PER_PACK) {
        const part = list.slice(at, at + FILES_PER_PACK);
        await git(args, { input: Buffer.from(`${part.join('\0')}\0`, 'latin1') });
      }
    };
    try {
      await run(paths);
    } catch (error) {
      if (!(error instanceof GitError) || error.kind !== 'failed') throw error;
      // Git ends at the first file it cannot read: leave those out.
      const usable = await filterUsable(this.#top, paths);
      const kept = new Set(usable);
      const gone = paths.filter((path) => !kept.has(path)).map(removal);
      await git(['update-index', '-z', '--index-info'], { input: Buffer.from(gone.join(''), 'latin1') });
      if (usable.length > 0) await run(usable);
    }
  }

  async #writeTree(git: (args: string[]) => Promise<Buffer>, prefix: string): Promise<string> {
    // A partial or sparse clone need not have every object of its own commit.
    const args = ['write-tree', '--missing-ok'];
    if (prefix === '') return (await git(args)).toString().trim();
    const listed = await git(['ls-files', '-z', '--cached', '--', `:(top,literal)${prefix}`]);
    return listed.length === 0 ? EMPTY_TREE : (await git([...args, `--prefix=${prefix}`])).toString().trim();
  }

  async #head(prefix: string): Promise<{ commit: string; tree: string } | null> {
    if (this.located === null) return null;
    const ask = (name: string) =>
      runGit(['rev-parse', '--quiet', '--verify', '--end-of-options', name], {
        repo: this.located?.repo ?? this.#repo,
      }).then(
        (raw) => raw.toString().trim(),
        () => null,
      );
    const commit = await ask('HEAD^{commit}');
    if (commit === null) return null;
    const tree = await ask(prefix === '' ? `${commit}^{tree}` : `${commit}:${prefix.slice(0, -1)}`);
    return { commit, tree: tree ?? EMPTY_TREE };
  }
}
