// Which hooks a push to a folder runs: those of its repository, and none of the user's.
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError, type GitOptions, runGit } from '@skillquay/git/process';
import { decoded } from '@skillquay/git/user-remote';
import type { Workspace } from './git-store.ts';

/** Where git looks for the repository that a path names, in its order. Source: gitglossary and enter_repo() of git. */
const PLACES = ['/.git', '', '.git/.git', '.git'];
/** Of a setting that came from the repository. */
const OWN_SCOPES = ['local', 'worktree'];

/**
 * What `git push` is given for a `file:` URL. Git starts its other half without any -c of this one, so that half has the
 * user's `core.hooksPath`. It is overruled where there is one, and for this repository alone: hooks hand on what git was
 * told to all that they start, and in the folders that they work in the same path may be anybody's.
 */
export async function ownHooks(
  url: string,
  { repo: { gitDir: folder } }: Workspace,
  signal: AbortSignal,
): Promise<string[]> {
  const options: GitOptions = { config: 'user', signal };
  const path = decoded(url.replace(/^file:\/\//i, ''));
  const repository = await repositoryAt(
    process.platform === 'win32' ? path.replace(/^\/(?=[a-z]:)/i, '') : path,
    options,
  );
  if (repository === null || !(await hasUsersHooks(repository.gitDir, options))) return [];
  const chosen = join(folder, 'receive-config');
  await writeFile(join(folder, 'own-hooks'), `[core]\n\thooksPath = ${quoted(repository.hooks)}\n`);
  await writeFile(
    chosen,
    `[includeIf ${quoted(`gitdir:${pattern(repository.gitDir)}`)}]\n\tpath = own-hooks\n`,
  );
  // Written for sh, which git starts it with.
  return [`--receive-pack=git -c include.path='${chosen.replaceAll("'", "'\\''")}' receive-pack`];
}

interface Repository {
  readonly gitDir: string;
  /** Where its hooks are, unless it says something else. */
  readonly hooks: string;
}

async function repositoryAt(path: string, options: GitOptions): Promise<Repository | null> {
  for (const place of PLACES) {
    const gitDir = path + place;
    if ((await stat(gitDir).catch(() => null)) === null) continue;
    const args = ['rev-parse', '--path-format=absolute', '--absolute-git-dir', '--git-common-dir'];
    const lines = (await answer(args, gitDir, options))?.split('\n') ?? [];
    if (lines[0] !== undefined && lines[1] !== undefined)
      return { gitDir: lines[0], hooks: `${lines[1]}/hooks` };
  }
  return null;
}

/** Whether the setting that git would go by is from outside the repository. */
async function hasUsersHooks(gitDir: string, options: GitOptions): Promise<boolean> {
  const args = ['config', '--show-scope', '-z', '--get-all', 'core.hooksPath'];
  const fields = (await answer(args, gitDir, options))?.split('\0') ?? [];
  // What this program tells its own git does not reach the other half.
  const scopes = fields.filter((scope, i) => i % 2 === 0 && scope !== '' && scope !== 'command');
  const last = scopes.at(-1);
  return last !== undefined && !OWN_SCOPES.includes(last);
}

/** null where git has none: the push says why. */
async function answer(args: readonly string[], gitDir: string, options: GitOptions): Promise<string | null> {
  try {
    return (await runGit(args, { ...options, repo: { gitDir, env: {} } })).toString();
  } catch (error) {
    if (error instanceof GitError && error.kind === 'failed') return null;
    throw error;
  }
}

/** A text of a configuration file. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** A path as the pattern that it alone fits. */
function pattern(path: string): string {
  return path.replace(/[*?[\\]/g, '\\$&');
}
