// Folders for what this user alone may read: what is kept of a repository is as private as the repository.
import { makeFolder } from './make-folder.ts';

const OWNER_ONLY = 0o700;

/** Makes a folder and those above it that are missing. One that is there already keeps the mode it was given. */
export async function makePrivateFolder(path: string): Promise<void> {
  await makeFolder(path, OWNER_ONLY);
}
