// The files of a folder on this machine by their git ids, so that two copies of a skill can be told apart.
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { blobId } from '@skillquay/registry/git-id';
import { isLeftBehind } from '@skillquay/registry/passed-over';

/** `<mode> <id>` by path. A link counts by its target and is never followed. */
export type FolderFiles = ReadonlyMap<string, string>;

export type Found =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'folder';
      readonly files: FolderFiles;
      /** Paths of what tools left there: no part of the skill. */
      readonly left: readonly string[];
    }
  /** A file, a link or something else. */
  | { readonly kind: 'other' };

const OWNER_EXECUTES = 0o100;

/** Throws what the file system throws. */
export async function folderFiles(folder: string): Promise<Found> {
  const facts = await lstat(folder).catch((error: unknown) => {
    // A file may stand where a folder above it was.
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code)))
      return null;
    throw error;
  });
  if (facts === null) return { kind: 'nothing' };
  if (!facts.isDirectory()) return { kind: 'other' };
  const files = new Map<string, string>();
  const left: string[] = [];
  await walk(folder, '', files, left);
  return { kind: 'folder', files, left };
}

async function walk(
  folder: string,
  below: string,
  files: Map<string, string>,
  left: string[],
): Promise<void> {
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const at = join(folder, path);
    if (isLeftBehind(entry.name)) left.push(path);
    // What the reading of names puts for bytes that are no text; the name itself cannot be opened.
    else if (entry.name.includes('\ufffd')) files.set(path, 'special');
    else if (entry.isDirectory()) await walk(folder, path, files, left);
    else if (entry.isSymbolicLink()) files.set(path, `120000 ${blobId(Buffer.from(await readlink(at)))}`);
    else if (entry.isFile()) {
      const mode = ((await lstat(at)).mode & OWNER_EXECUTES) === 0 ? '100644' : '100755';
      files.set(path, `${mode} ${blobId(await readFile(at))}`);
    } else files.set(path, 'special');
  }
}

export function sameFiles(a: FolderFiles, b: FolderFiles): boolean {
  return a.size === b.size && [...a].every(([path, what]) => b.get(path) === what);
}
