// Writes a copy of a skill in one moment: beside its place first, then in it.
import { randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '@skillquay/git/make-folder';
import { alive } from '@skillquay/git/process-alive';
import { CommandError, ExitCode } from '../exit-codes.ts';
import {
  type FolderFiles,
  type FoundFolder,
  folderFiles,
  type IsPart,
  sameFiles,
  skillFiles,
} from './folder-files.ts';

/** Copies these files of one folder into another, which is there and empty. Links are made anew, never followed. */
export async function copyFiles(from: string, files: FolderFiles, to: string): Promise<void> {
  for (const [path, what] of files) {
    const [source, target] = [join(from, path), join(to, path)];
    await makeFolder(dirname(target));
    if (what.startsWith('120000 ')) await symlink(await readlink(source), target);
    else if (what.startsWith('100'))
      await writeFile(target, await readFile(source), {
        mode: what.startsWith('100755 ') ? 0o777 : 0o666,
        flag: 'wx',
      });
  }
}

/** Names what is where the folders above `to` are to be made. Throws CommandError. */
export async function checkWay(to: string): Promise<void> {
  let at = dirname(to);
  let facts = await lstat(at).catch(() => null);
  for (; facts === null && at !== dirname(at); facts = await lstat(at).catch(() => null)) at = dirname(at);
  if (facts === null || (await stat(at).catch(() => null))?.isDirectory() === true) return;
  const what = facts.isSymbolicLink() ? 'a link that leads to no folder' : 'a file';
  throw new CommandError(ExitCode.noPermission, `${at} is ${what}, in the way of ${to}. Remove it.`);
}

export interface Replacement {
  readonly from: string;
  readonly files: FolderFiles;
  readonly to: string;
  /** What was found at `to`, and may be replaced; null when it was nothing. */
  readonly seen: FoundFolder | null;
  /** By which `seen` was read. */
  readonly isPart: IsPart;
}

/** Of this process; a process that ended may have had the same number. */
const RUN = `${process.pid}-${randomBytes(4).toString('hex')}`;
/** What is being made, and what was moved away and is not replaced yet. */
const ASIDE = /^(new|old)-(\d+)-[0-9a-f]{8}$/;
/** No process is busy with one copy for longer; its number is another's by then. */
const ASIDE_MS = 24 * 3_600_000;

/** What rename says of a place that somebody else took away or filled. */
const CHANGED: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

/**
 * Puts the files of `from` at `to`, whole. What is no part of a skill stays there. Throws CommandError when that cannot
 * be done, or when what is there is not what was seen; what was there is there then.
 */
export async function replaceFolder({ from, files, to, seen, isPart }: Replacement): Promise<void> {
  const draft = beside(to, `new-${RUN}`);
  const aside = beside(to, `old-${RUN}`);
  let isRestored = true;
  try {
    await makeFolder(draft);
    await copyFiles(from, files, draft);
    const written = await skillFiles(draft);
    if (written.kind !== 'folder' || !sameFiles(written.files, files)) throw tryAgain(from);
    if (seen === null) return await rename(draft, to);
    await rename(to, aside);
    isRestored = false;
    const moved: string[] = [];
    let isPlaced = false;
    try {
      // Whoever was asked may have gone on writing.
      const now = await folderFiles(aside, isPart);
      if (now.kind !== 'folder' || !sameFiles(now.files, seen.files)) throw tryAgain(to);
      await rename(draft, to);
      isPlaced = true;
      for (const path of now.left) {
        // The folder that it lay in may be no part of the skill.
        await makeFolder(dirname(join(to, path)));
        await rename(join(aside, path), join(to, path));
        moved.push(path);
      }
    } catch (error) {
      if (isPlaced) await rename(to, draft);
      for (const path of moved) await rename(join(draft, path), join(aside, path));
      await rename(aside, to);
      isRestored = true;
      throw error;
    }
    // From here on nobody needs it: under this name it is removed, whatever ends this process.
    await rename(aside, draft).catch(() => {});
    isRestored = true;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    const isOfPlace = ('path' in error && error.path === to) || ('dest' in error && error.dest === to);
    if (isRestored && isOfPlace && error.syscall === 'rename' && CHANGED.has(error.code)) throw tryAgain(to);
    const where = isRestored ? '' : ` What was there is in ${aside} and ${draft}: move it back.`;
    throw new CommandError(
      ExitCode.noPermission,
      `${to} could not be written (${error.code} at ${error.syscall}).${where}`,
    );
  } finally {
    if (isRestored) await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

function tryAgain(path: string): CommandError {
  return new CommandError(
    ExitCode.tryAgain,
    `${path} was changed meanwhile, and nothing is replaced. Try again.`,
  );
}

function beside(to: string, tag: string): string {
  return join(dirname(to), `.${basename(to)}.${tag}`);
}

/**
 * Puts back what a run that was killed has moved away from `to`, and removes what it was making. Gives a sentence for
 * each folder that nobody but the user can judge.
 */
export async function recoverFolder(to: string): Promise<readonly string[]> {
  const said: string[] = [];
  const begin = `.${basename(to)}.`;
  for (const name of await readdir(dirname(to)).catch(() => [])) {
    const [, kind, pid] = name.startsWith(begin) ? (ASIDE.exec(name.slice(begin.length)) ?? []) : [];
    const path = join(dirname(to), name);
    if (kind === undefined || !(await isOver(path, Number(pid)))) continue;
    if (kind === 'new') await rm(path, { recursive: true, force: true }).catch(() => {});
    else if ((await lstat(to).catch(() => null)) === null) await rename(path, to).catch(() => {});
    else
      said.push(
        `${path} is what was at ${to} when a run was killed. Take from it what you need, and remove it.`,
      );
  }
  return said;
}

async function isOver(path: string, pid: number): Promise<boolean> {
  if (path.endsWith(`-${RUN}`)) return false;
  if (pid === process.pid || !alive(pid)) return true;
  const facts = await lstat(path).catch(() => null);
  return facts !== null && Date.now() - facts.ctimeMs > ASIDE_MS;
}
