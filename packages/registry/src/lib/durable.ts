// Files and names that are on the disk when the call returns.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Writes a file that is not there yet; what stands at its name, a link too, is a failure. */
export async function writeNew(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The names in a folder; not every platform can. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
