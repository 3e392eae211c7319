// Writes a file so that it is either there whole or not there: to a temporary name, to the disk, then renamed.
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder } from '@skillquay/git/private-folder';

/** Writes `chunks` to a new file, in a directory that may have been removed, and waits until the disk has them. */
export async function writeDurably(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  await makePrivateFolder(dirname(path));
  const file = await open(path, 'wx');
  try {
    for (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Gives a file that is on the disk its name, in place of one that has it. */
export async function publishFile(temporary: string, path: string): Promise<void> {
  await rename(temporary, path);
  // Without this a power cut may forget the name. Windows cannot open a directory, and needs not.
  if (process.platform === 'win32') return;
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
}
