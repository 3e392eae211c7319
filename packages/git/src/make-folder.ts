// Makes folders, and those above them that are missing.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * One that is there already keeps the mode it was given. Throws what the file system says. Node's own `recursive` never
 * comes to an end below /proc: mkdir says there that the folder above is missing, though it is not.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await mkdir(path, mode);
    return;
  } catch (error) {
    if (await isFolder(path)) return;
    const isOrphan = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isOrphan || dirname(path) === path) throw error;
  }
  await makeFolder(dirname(path), mode);
  // Once: where it is in vain, the folder above is there all the same.
  await mkdir(path, mode).catch(async (error: unknown) => {
    if (!(await isFolder(path))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
