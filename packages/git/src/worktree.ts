// Reads a folder as it is now as a git tree, without writing to its repository or running anything it configures.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_STALE_BYTES, PrivateRepository } from './lib/private-repository.ts';
import { addFiles, putEntries, removal, type WorktreeGit } from './lib/worktree-add.ts';
import { headOf } from './lib/worktree-facts.ts';
import { LargeFiles } from './lib/worktree-large.ts';
import { WorktreeRules } from './lib/worktree-rules.ts';
import { type Located, locateRepository } from './locate.ts';
import { GitError, runGit } from './process.ts';
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
  /** Files outside the folder that said at the last look how it is to be read; they need not exist. */
  readonly ruleFiles: readonly string[];
  /** Tracked and untracked-but-not-ignored files as they are now. Throws GitError. */
  snapshot(signal?: AbortSignal): Promise<WorktreeSnapshot>;
  /** Removes the private objects. */
  close(): Promise<void>;
}

export interface WorktreeOptions {
  /** Bytes of the largest file whose content is stored; of a larger one only its hash and its size are known. */
  readonly maxFileBytes?: number;
  /** Bytes stored beyond what the folder holds now, before they are given up. */
  readonly maxStaleBytes?: number;
  /** What `locateRepository` said of the folder, where it was asked before. */
  readonly located?: Located | null;
}

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** Files that are neither tracked nor ignored: a home folder given by mistake ends here. */
export const MAX_UNTRACKED_FILES = 500_000;
const TIMEOUT_MS = 600_000;
/** Times a folder is looked at until that goes well. */
const ATTEMPTS = 3;

/** Bytes are taken as they lie in the folder: no line ends, filters, keywords or encodings are converted. */
const ATTRIBUTES = '* -text -filter -ident -working-tree-encoding\n';
/** Passed over even where nothing ignores it. Git itself passes over `.git`. */
const EXCLUDED = 'node_modules\n';
const SUBMODULE = '160000';

/** Opens `folder`, in a repository or not; its changed files are stored below `privateDir` until `close()`. */
export async function openWorktree(
  folder: string,
  privateDir: string,
  options: WorktreeOptions = {},
): Promise<Worktree> {
  const located = options.located === undefined ? await locateRepository(folder) : options.located;
  const top = located?.top ?? folder;
  const own = await mkdtemp(join(privateDir, 'worktree-'));
  const store = new PrivateRepository(located, own, options.maxStaleBytes ?? MAX_STALE_BYTES);
  const opened = new Folder(located, top, own, store, options.maxFileBytes ?? Number.POSITIVE_INFINITY);
  await opened.prepare();
  return opened;
}

/** Paths and git's lines about them are byte strings (latin1) here: names need not be UTF-8. */
const lines = (raw: Buffer) => raw.toString('latin1').split('\0').slice(0, -1);

class Folder implements Worktree {
  readonly located: Located | null;
  readonly #top: string;
  readonly #own: string;
  readonly #store: PrivateRepository;
  readonly #large: LargeFiles;
  readonly #rules: WorktreeRules;
  /** Untracked files were added to our copy: they leave it again when something begins to ignore them. */
  #added = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    located: Located | null,
    top: string,
    own: string,
    store: PrivateRepository,
    maxFileBytes: number,
  ) {
    this.located = located;
    this.#top = top;
    this.#own = own;
    this.#store = store;
    this.#large = new LargeFiles(top, maxFileBytes);
    this.#rules = new WorktreeRules(located);
  }

  get ruleFiles(): readonly string[] {
    return this.#rules.files;
  }

  /** Has the private repository go by what the user's settings and ignore patterns are now. */
  async prepare(): Promise<void> {
    const { config, exclude } = await this.#rules.now();
    const files = { config, 'info/attributes': ATTRIBUTES, 'info/exclude': exclude + EXCLUDED };
    await this.#store.prepare(files);
  }

  /** One at a time: they share an index. */
  snapshot(signal?: AbortSignal): Promise<WorktreeSnapshot> {
    const next = this.#queue.then(() => this.#attempts(signal));
    this.#queue = next.catch(() => {});
    return next;
  }

  async close(): Promise<void> {
    await this.#queue;
    await rm(this.#own, { recursive: true, force: true });
  }

  /** Nothing private is worth keeping: what failed may go well without it. */
  async #attempts(signal: AbortSignal | undefined): Promise<WorktreeSnapshot> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.prepare();
        return await this.#snapshot(signal);
      } catch (thrown) {
        const error = isDiskFull(thrown) ? new GitError('full', 'no space is left on the disk') : thrown;
        const kind = error instanceof GitError ? error.kind : 'failed';
        if (kind === 'full') await this.#store.clear();
        else if (kind === 'failed') await this.#store.mend();
        if (attempt === ATTEMPTS || (kind !== 'failed' && kind !== 'full')) throw error;
      }
    }
  }

  async #snapshot(signal: AbortSignal | undefined): Promise<WorktreeSnapshot> {
    const prefix = this.located?.prefix ?? '';
    const below = prefix === '' ? [] : ['--', `:(top,literal)${prefix}`];
    const { repo, index } = this.#store;
    const git: WorktreeGit = async (args, options = {}) => {
      // Nobody else writes here: a lock is what a git that was killed left behind.
      await rm(`${index}.lock`, { force: true });
      return runGit(args, {
        repo,
        cwd: this.#top,
        signal,
        timeoutMs: TIMEOUT_MS,
        ...options,
        env: { GIT_WORK_TREE: this.#top, GIT_INDEX_FILE: index, ...options.env },
      });
    };

    if (await this.#store.copyIndex()) this.#added = false;
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
      const { base } = this.#store;
      const tracked = new Set(
        base === null
          ? []
          : lines(await git(['ls-files', '-z', '--cached'], { env: { GIT_INDEX_FILE: base } })),
      );
      for (const path of ignored) if (!tracked.has(path)) remove(path);
    }
    for (const path of nested) {
      const head = await headOf(this.#top, path);
      if (head !== null) entries.push(`${SUBMODULE} ${head}\t${path}\0`);
    }
    const { large, others, bytes } = await this.#large.sort(update);
    for (const { path, mode, hash, size } of large) {
      entries.push(`${mode} ${hash}\t${path}\0`);
      this.#store.leaveOut(hash, size);
    }
    this.#store.store(bytes);
    await putEntries(git, entries);
    if (others.length > 0) await addFiles(git, this.#top, others);
    this.#added ||= update.length > 0 || nested.length > 0;

    const [tree, head] = await Promise.all([this.#writeTree(git, prefix), this.#head(prefix)]);
    this.#store.settle();
    return { repo, tree, clean: tree === head?.tree, head: head?.commit ?? null };
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
        repo: this.located?.repo ?? this.#store.repo,
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

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
