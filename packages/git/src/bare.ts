// Makes private bare repositories: stores for fetched objects, and readers of a repository that is not ours.
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { makePrivateFolder } from './private-folder.ts';
import type { GitRepository } from './repository.ts';

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n';

/** A path as `objects/info/alternates` takes it whatever characters it holds. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/**
 * Makes an empty bare repository at `dir` unless there is one, whole or not at all: processes may race. With
 * `objects` it reads the objects of that directory too, without a look at the configuration (hooks, promisor
 * remotes, replacements) of the repository they belong to.
 */
export async function bareRepository(dir: string, objects?: string): Promise<GitRepository> {
  const repo: GitRepository = { gitDir: dir, env: {} };
  if (await exists(join(dir, 'HEAD'))) return repo;
  await makePrivateFolder(dirname(dir));
  // Written by hand: `git init` would copy templates and follow the user's defaults.
  const made = await mkdtemp(join(dirname(dir), `.${basename(dir)}-`));
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'info'])
    await makeFolder(join(made, folder));
  await writeFile(join(made, 'config'), CONFIG);
  if (objects !== undefined) await writeFile(join(made, 'objects/info/alternates'), `${quoted(objects)}\n`);
  await writeFile(join(made, 'HEAD'), 'ref: refs/heads/none\n');
  try {
    await rename(made, dir);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if (!(await exists(join(dir, 'HEAD')))) throw error;
  }
  return repo;
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
