// Finds the git repository a path on this machine belongs to.
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GitError, runGit } from './process.ts';
import type { GitRepository } from './repository.ts';

export interface Located {
  /** For refs and history; objects are better read through a private reader (`bareRepository`). */
  readonly repo: GitRepository;
  /** Where its objects lie (worktrees share those of their main repository). */
  readonly objects: string;
  /** The file of ignore patterns that belongs to the repository and lies outside its working tree; it need not exist. */
  readonly exclude: string;
  /** The file of its own settings. */
  readonly config: string;
  /** Root of the working tree, null when bare. */
  readonly top: string | null;
  /** The path within the working tree, '' or with a trailing slash. */
  readonly prefix: string;
}

const NO_REPOSITORY = /not a git repository/i;

/**
 * The repository at or above `path`; null when there is none, or when `path` is a folder that its repository
 * ignores. Throws GitError `unsupported` for SHA-256, and the file system's error for a path that is no folder.
 */
export async function locateRepository(path: string): Promise<Located | null> {
  const cwd = await realpath(path);
  if (!(await stat(cwd)).isDirectory()) throw new GitError('unsupported', 'not a folder');
  let facts: string[];
  try {
    facts = await ask(cwd, [
      ['--is-inside-work-tree'],
      ['--show-object-format'],
      ['--absolute-git-dir'],
      ['--git-path', 'objects'],
      ['--git-path', 'info/exclude'],
      ['--git-path', 'config'],
    ]);
  } catch (error) {
    // One that git cannot read is there: served as a plain folder it would show what it excludes.
    if (error instanceof GitError && NO_REPOSITORY.test(error.stderr)) return null;
    throw error;
  }
  const [inside, format, gitDir = '', objects = '', exclude = '', config = ''] = facts;
  if (format !== 'sha1')
    throw new GitError('unsupported', 'the repository names its objects by SHA-256, which is not supported');
  const [top = null, prefix = ''] =
    inside === 'true' ? await ask(cwd, [['--show-toplevel'], ['--show-prefix']]) : [];
  const located = {
    repo: { gitDir, env: {} },
    objects: resolve(cwd, objects),
    exclude: resolve(cwd, exclude),
    config: resolve(cwd, config),
    top,
    prefix,
  };
  return prefix !== '' && (await ignored(located, cwd)) ? null : located;
}

/** The answer to each question, all from one process where they can be told apart: a path may hold a line feed. */
async function ask(cwd: string, questions: readonly (readonly string[])[]): Promise<string[]> {
  const answer = async (args: readonly string[]) =>
    (await runGit(['rev-parse', ...args], { cwd })).toString().replace(/\n$/, '');
  const lines = (await answer(questions.flat())).split('\n');
  return lines.length === questions.length ? lines : Promise.all(questions.map(answer));
}

/** Whether a folder within a working tree is none of its content: ignored, and nothing in it tracked. */
async function ignored(located: Located, cwd: string): Promise<boolean> {
  const options = { repo: located.repo, cwd, env: { GIT_WORK_TREE: located.top ?? '' } };
  const tracked = await runGit(['ls-files', '-z', '--', '.'], options);
  if (tracked.length > 0) return false;
  return runGit(['check-ignore', '-q', '--', '.'], options).then(
    () => true,
    () => false,
  );
}
