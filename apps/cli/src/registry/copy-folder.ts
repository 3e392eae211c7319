// Writes a copy of a skill in one moment: beside its place first, then in it.
import { randomBytes } from 'node:crypto';
import { lstat, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '@skillquay/git/make-folder';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { type FolderFiles, folderFiles, sameFiles } from './folder-files.ts';

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

/**
 * Puts the files of `from` at `to`, whole, in the place of what is there. `left` are paths in `to` that stay: what tools
 * left there. Throws CommandError when that cannot be done; what was there is there then.
 */
export async function replaceFolder(
  from: string,
  files: FolderFiles,
  to: string,
  left: readonly string[],
): Promise<void> {
  const parent = dirname(to);
  const tag = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const draft = join(parent, `.${basename(to)}.new-${tag}`);
  const aside = join(parent, `.${basename(to)}.old-${tag}`);
  let isDone = false;
  try {
    await makeFolder(draft);
    await copyFiles(from, files, draft);
    const written = await folderFiles(draft);
    if (written.kind !== 'folder' || !sameFiles(written.files, files))
      throw new CommandError(ExitCode.tryAgain, `${from} changed while it was copied. Try again.`);
    const was = (await lstat(to).catch(() => null)) !== null;
    if (was) await rename(to, aside);
    const moved: string[] = [];
    try {
      await rename(draft, to);
      for (const path of left) {
        // The folder that it lay in may be no part of the skill.
        await makeFolder(dirname(join(to, path)));
        await rename(join(aside, path), join(to, path));
        moved.push(path);
      }
    } catch (error) {
      for (const path of moved) await rename(join(to, path), join(aside, path));
      await rename(to, draft).catch(() => {});
      if (was) await rename(aside, to);
      throw error;
    }
    isDone = true;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new CommandError(
      ExitCode.noPermission,
      `${to} could not be written (${error.code} at ${error.syscall}).`,
    );
  } finally {
    await rm(draft, { recursive: true, force: true }).catch(() => {});
    // Until then it is the only one of what was there.
    if (isDone) await rm(aside, { recursive: true, force: true }).catch(() => {});
  }
}
