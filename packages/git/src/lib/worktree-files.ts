// Looks at single files of a working tree. Paths are byte strings (latin1): names need not be UTF-8.
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** The name of a file for the file system. */
export function fileAt(top: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, 'latin1')]);
}

/**
 * `usable` is what git can read: regular files that can be opened, and links; and what is gone. `other` is no file
 * that a repository could hold.
 */
export async function usability(top: string, path: string): Promise<'usable' | 'unreadable' | 'other'> {
  const full = fileAt(top, path);
  const facts = await lstat(full).catch(() => null);
  if (facts === null || facts.isSymbolicLink()) return 'usable';
  if (!facts.isFile()) return 'other';
  return (await canOpen(full)) ? 'usable' : 'unreadable';
}

export interface FileNow {
  readonly content: Buffer;
  readonly executable: boolean;
}

/** A regular file as it is at this moment; null when it is none or cannot be read. */
export async function readNow(top: string, path: string): Promise<FileNow | null> {
  const file = await openFile(fileAt(top, path));
  try {
    const facts = await file?.stat();
    if (!file || !facts?.isFile()) return null;
    return { content: await file.readFile(), executable: (facts.mode & constants.S_IXUSR) !== 0 };
  } catch {
    return null;
  } finally {
    await file?.close();
  }
}

async function canOpen(path: Buffer): Promise<boolean> {
  const file = await openFile(path);
  await file?.close();
  return file !== null;
}

/** Never through a link, and never waiting for who writes to a pipe. */
function openFile(path: Buffer) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => null);
}
