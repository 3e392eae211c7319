// Puts changed files of a working tree into the private index, whatever is wrong with some of them.
import { GitError, type RunOptions } from '../process.ts';
import { UNREADABLE_OID } from '../tree.ts';
import { readNow, usability } from './worktree-files.ts';

/** Runs git on the working tree and the private index. */
export type WorktreeGit = (args: string[], options?: RunOptions) => Promise<Buffer>;

/** Changed files that are stored one by one, as git does with loose objects. */
const FEW = 100;
const FILES_PER_PACK = 5_000;
/** Attempts that may fail while the files that git cannot take are looked for. */
const MAX_FAILURES = 100;

/** A line of `update-index --index-info` that takes a path out. */
export const removal = (path: string) => `0 ${'0'.repeat(40)}\t${path}\0`;

/** A line that names a file of which nothing else is known: that it is there is told, and why it is not served. */
const unreadable = (path: string) => `100644 ${Buffer.from(UNREADABLE_OID).toString('hex')}\t${path}\0`;

export async function putEntries(git: WorktreeGit, entries: readonly string[]): Promise<void> {
  if (entries.length === 0) return;
  await git(['update-index', '-z', '--index-info'], { input: Buffer.from(entries.join(''), 'latin1') });
}

/** Adds files, and takes out those that are gone. Those that cannot be opened are named. Throws GitError. */
export async function addFiles(git: WorktreeGit, top: string, paths: readonly string[]): Promise<void> {
  const args = ['-c', 'core.compression=1', '-c', 'core.fsync=none'];
  // Many files go into packs, not into a file for each; git looks for copies within a pack one by one.
  if (paths.length > FEW) args.push('-c', 'core.bigFileThreshold=1');
  args.push('update-index', '-z', '--add', '--remove', '--replace', '--stdin');
  const add = async (list: readonly string[]) => {
    for (let at = 0; at < list.length; at += FILES_PER_PACK) {
      const part = list.slice(at, at + FILES_PER_PACK);
      await git(args, { input: Buffer.from(`${part.join('\0')}\0`, 'latin1') });
    }
  };
  try {
    await add(paths);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Git ends at the first file it cannot read: the others are added without those.
    const usable: string[] = [];
    const entries: string[] = [];
    for (const path of paths) {
      const kind = await usability(top, path);
      if (kind === 'usable') usable.push(path);
      else entries.push(kind === 'unreadable' ? unreadable(path) : removal(path));
    }
    await putEntries(git, entries);
    await addWhatGoes(git, top, add, usable);
  }
}

/** Finds the files that git does not take, by halves: it dies when one is cut short while it reads. */
async function addWhatGoes(
  git: WorktreeGit,
  top: string,
  add: (list: readonly string[]) => Promise<void>,
  paths: readonly string[],
): Promise<void> {
  const waiting = [paths];
  let failures = 0;
  for (let list = waiting.pop(); list !== undefined; list = waiting.pop()) {
    try {
      if (list.length > 0) await add(list);
    } catch (error) {
      failures += 1;
      if (!isRefusal(error) || failures > MAX_FAILURES) throw error;
      const [path] = list;
      if (list.length === 1 && path !== undefined) await putEntries(git, [await asItIsNow(git, top, path)]);
      else waiting.push(list.slice(list.length >> 1), list.slice(0, list.length >> 1));
    }
  }
}

/** The entry of a file that never stands still. */
async function asItIsNow(git: WorktreeGit, top: string, path: string): Promise<string> {
  const now = await readNow(top, path);
  if (now === null) return removal(path);
  const hash = await git(['hash-object', '-w', '--no-filters', '--stdin'], { input: now.content });
  return `${now.executable ? '100755' : '100644'} ${hash.toString().trim()}\t${path}\0`;
}

function isRefusal(error: unknown): boolean {
  return error instanceof GitError && error.kind === 'failed';
}
