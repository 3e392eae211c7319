// Shows what would change in a folder: every path first, then what git shows of it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { DEFAULT_TIMEOUT_MS, GitError, startGit } from '@skillquay/git/process';
import { counted } from '../count.ts';
import { inPrivateDirectory } from '../private-directory.ts';
import { printable } from '../terminal.ts';
import { copyFiles } from './copy-folder.ts';
import type { FolderFiles } from './folder-files.ts';

/** Lines that a person is shown of one file, and of all but SKILL.md, which is what an agent obeys. */
const MAX_FILE_LINES = 100;
const MAX_LINES = 400;
const DIFFERENT = 1;

export interface Side {
  /** What stands before the paths of this side. */
  readonly label: string;
  readonly folder: string;
  readonly files: FolderFiles;
}

export interface FolderDiff {
  /** All of it. */
  readonly whole: string;
  /** Every path, SKILL.md, and as much of the rest as a person reads. */
  readonly short: string;
}

/** What changes from one folder to another. Throws GitError. */
export async function folderDiff(from: Side, to: Side): Promise<FolderDiff> {
  const paths = changedPaths(from.files, to.files);
  return inPrivateDirectory(async (dir) => {
    for (const { label, folder, files } of [from, to]) {
      await mkdir(join(dir, label));
      await copyFiles(folder, files, join(dir, label));
    }
    const flags = [
      '--no-index',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--no-renames',
      '--no-prefix',
    ];
    const diff = await git(['diff', ...flags, '--', from.label, to.label], dir);
    const files = diff.split(/^(?=diff --git )/m).filter((file) => file !== '');
    const isMain = (file: string) => file.slice(0, file.indexOf('\n')).endsWith(` ${to.label}/${SKILL_FILE}`);
    const [main, rest] = [files.filter(isMain), files.filter((file) => !isMain(file))];
    const text = (parts: readonly string[]) =>
      [...paths, '', ...parts.map((part) => part.trimEnd())].join('\n');
    return { whole: text([...main, ...rest]), short: text([...main, ...shortened(rest)]) };
  });
}

/** `+` for what comes, `~` for what becomes another, `-` for what goes; what is no file or link is in no diff. */
function changedPaths(from: FolderFiles, to: FolderFiles): string[] {
  return [...new Set([...from.keys(), ...to.keys()])].sort().flatMap((path) => {
    const [before, after] = [from.get(path), to.get(path)];
    if (before === after) return [];
    return `${before === undefined ? '+' : after === undefined ? '-' : '~'} ${printable(path)}`;
  });
}

function shortened(files: readonly string[]): string[] {
  const shown: string[] = [];
  let room = MAX_LINES;
  for (const [at, file] of files.entries()) {
    if (room <= 0) return [...shown, `… and what differs in ${counted(files.length - at, 'more file')}`];
    const lines = file.trimEnd().split('\n');
    const some = lines.slice(0, Math.min(room, MAX_FILE_LINES));
    room -= some.length;
    shown.push(...some);
    if (some.length < lines.length) shown.push(`… and ${counted(lines.length - some.length, 'more line')}`);
  }
  return shown;
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
