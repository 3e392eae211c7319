// The files of a folder on this machine by their git ids, so that two copies of a skill can be told apart.
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { blobId } from '@skillquay/registry/git-id';
import { isPassedOver } from '@skillquay/registry/passed-over';
import { CommandError, ExitCode } from '../exit-codes.ts';

/** `<mode> <id>` by path. A link counts by its target and is never followed. */
export type FolderFiles = ReadonlyMap<string, string>;

export interface FoundFolder {
  readonly kind: 'folder';
  readonly files: FolderFiles;
  /** Paths of what is no part of the skill: what nobody publishes from a folder, and folders that hold nothing. */
  readonly left: readonly string[];
}

export type Found =
  | { readonly kind: 'nothing' }
  | FoundFolder
  /** A file, a link or something else. */
  | { readonly kind: 'other' };

/** Whether something at or below a path is a part of the skill, although it is not published from a folder. */
export type IsPart = (path: string) => boolean;

const OWNER_EXECUTES = 0o100;

/** What a skill consists of, in each of these versions. */
export function partOf(...versions: readonly (FolderFiles | undefined)[]): IsPart {
  const parts = new Set<string>();
  for (const files of versions)
    for (const path of files?.keys() ?? [])
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
        parts.add(path.slice(0, end));
  return (path) => parts.has(path);
}

/** A folder that holds a skill and nothing else. Throws what the file system throws. */
export function skillFiles(folder: string): Promise<Found> {
  return folderFiles(folder, () => true);
}

/** A folder that is its user's. Throws what the file system throws. */
export async function folderFiles(folder: string, isPart: IsPart): Promise<Found> {
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
  await walk('', false);
  return { kind: 'folder', files, left };

  async function walk(below: string, isUsers: boolean): Promise<void> {
    const entries = await readdir(join(folder, below), { withFileTypes: true });
    if (entries.length === 0 && below !== '' && !isPart(below)) left.push(below);
    for (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      const at = join(folder, path);
      const isLeft = isUsers || isPassedOver(entry.name);
      // What the reading of names puts for bytes that are no text; the name itself cannot be opened.
      if (entry.name.includes('\ufffd')) files.set(path, 'special');
      else if (isLeft && !isPart(path)) left.push(path);
      else if (entry.isDirectory()) await walk(path, isLeft);
      else if (entry.isSymbolicLink()) files.set(path, `120000 ${blobId(Buffer.from(await readlink(at)))}`);
      else if (entry.isFile()) {
        const mode = ((await lstat(at)).mode & OWNER_EXECUTES) === 0 ? '100644' : '100755';
        files.set(path, `${mode} ${blobId(await bytesOf(at))}`);
      } else files.set(path, 'special');
    }
  }
}

/** Throws CommandError for what cannot be read at once. */
async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_FS_FILE_TOO_LARGE')) throw error;
    throw new CommandError(
      ExitCode.badData,
      `${file} is larger than 2 GiB, and cannot be compared. Move it out of the skill.`,
    );
  }
}

export function sameFiles(a: FolderFiles, b: FolderFiles): boolean {
  return a.size === b.size && [...a].every(([path, what]) => b.get(path) === what);
}
