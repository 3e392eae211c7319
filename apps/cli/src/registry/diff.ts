// Shows what would change in a folder, as git shows it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_TIMEOUT_MS, GitError, startGit } from '@skillquay/git/process';
import { inPrivateDirectory } from '../private-directory.ts';
import { printable } from '../terminal.ts';
import { copyFiles } from './copy-folder.ts';
import type { FolderFiles } from './folder-files.ts';

/** Lines of a diff before the rest is counted. */
const MAX_LINES = 400;
const DIFFERENT = 1;

export interface Side {
  /** What stands before the paths of this side. */
  readonly label: string;
  readonly folder: string;
  readonly files: FolderFiles;
}

/** A unified diff from one folder to another, safe to print; '' when they are the same. Throws GitError. */
export async function folderDiff(from: Side, to: Side): Promise<string> {
  return inPrivateDirectory(async (dir) => {
    for (const { label, folder, files } of [from, to]) {
      await mkdir(join(dir, label));
      await copyFiles(folder, files, join(dir, label));
    }
    const flags = ['--no-index', '--no-color', '--no-ext-diff', '--no-textconv', '--no-prefix'];
    const diff = await git(['diff', ...flags, '--', from.label, to.label], dir);
    const lines = diff.trimEnd().split('\n').map(printable);
    if (lines.length <= MAX_LINES) return lines.join('\n');
    return `${lines.slice(0, MAX_LINES).join('\n')}\n… and ${lines.length - MAX_LINES} more lines`;
  });
}

/** Git ends with 1 when there is something to show. */
async function git(args: readonly string[], cwd: string): Promise<string> {
  const { stdin, stdout, done } = await startGit(args, { cwd, timeoutMs: DEFAULT_TIMEOUT_MS });
  const chunks: Buffer[] = [];
  stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  stdin.end();
  await done.catch((error: unknown) => {
    if (!(error instanceof GitError && error.exitCode === DIFFERENT)) throw error;
  });
  return Buffer.concat(chunks).toString();
}
