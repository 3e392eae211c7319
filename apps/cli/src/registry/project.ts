// A project as agents know one, and what of a path is links.
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { CommandError, ExitCode } from '../exit-codes.ts';

/** The nearest folder upwards that git calls a work tree, else the folder itself: agents look for skills there. */
export async function projectRoot(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await lstat(join(at, '.git')).catch(() => null)) !== null) return at;
    if (at === dirname(at)) return folder;
  }
}

/** A path without links, as far as it is there. */
export async function realPlace(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => null);
    if (real !== null) return join(real, relative(at, path));
    if (at === dirname(at)) return path;
  }
}

/** A project may be somebody else's, and its links are: none leads a copy out of it. Throws CommandError. */
export async function checkInside(folder: string, project: string): Promise<void> {
  const [root, real] = await Promise.all([realPlace(project), realPlace(folder)]);
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  throw new CommandError(
    ExitCode.badData,
    `${folder} leads out of its project, to ${real}. Take the link away, or install without --project.`,
  );
}
