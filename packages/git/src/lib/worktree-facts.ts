// What a private reader must know of repositories within a user's working tree.
import { resolve } from 'node:path';
import { runGit } from '../process.ts';
import { fileAt } from './worktree-files.ts';

/** The commit that a nested repository has checked out; null when it has none. `path` is a byte string. */
export async function headOf(top: string, path: string): Promise<string | null> {
  const cwd = fileAt(top, path).toString();
  const found = await runGit(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], {
    cwd,
    // Without a repository of its own it must not answer with the outer one's commit.
    env: { GIT_CEILING_DIRECTORIES: resolve(cwd, '..') },
  }).catch(() => Buffer.alloc(0));
  return /^[0-9a-f]{40}\n$/.test(found.toString()) ? found.toString().trim() : null;
}
