// Puts a skill of the registry into a folder where an agent looks for skills, and leaves alone what its user changed.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeUtf8 } from '@skillquay/core/decode';
import { readSkillFile, SKILL_FILE } from '@skillquay/core/skill-file';
import { checkSkillPath } from '@skillquay/registry/skill-files';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Copies } from './copies.ts';
import { replaceFolder } from './copy-folder.ts';
import { folderDiff } from './diff.ts';
import { type FolderFiles, folderFiles, sameFiles } from './folder-files.ts';
import type { Io } from './io.ts';

/** A skill as it lies in the cache. */
export interface GotSkill {
  readonly registry: string;
  readonly slug: string;
  readonly tree: string;
  /** Absolute. */
  readonly path: string;
}

export interface Installed {
  readonly path: string;
  readonly agents: readonly string[];
  readonly slug: string;
  readonly state:
    | 'installed'
    /** It was as it was installed, and is as the registry has it now. */
    | 'updated'
    | 'current'
    /** Its user changed it or it is another skill, and nobody could be asked. */
    | 'kept'
    /** Its user said no. */
    | 'declined';
  /** What changed, or would have. */
  readonly diff?: string | undefined;
}

export interface InstallOptions {
  readonly copies: Copies;
  /** Replace what its user changed, without asking. */
  readonly force: boolean;
  /** Show what changes and ask, although its user has changed nothing. */
  readonly careful?: boolean;
}

/** The name of the skill's folder among those of an agent: agents want it to be that of the front matter. */
export async function folderNameOf({ path, slug }: Pick<GotSkill, 'path' | 'slug'>): Promise<string> {
  const main = await readFile(join(path, SKILL_FILE)).catch(() => null);
  if (main === null)
    throw new CommandError(
      ExitCode.badData,
      `\`${slug}\` has no SKILL.md that is a file, and no agent could use it. Put one into the registry.`,
    );
  const decoded = decodeUtf8(main);
  const name = decoded.ok ? readSkillFile(decoded.text, `${slug}/${SKILL_FILE}`).value?.name : undefined;
  if (name === undefined) return slug;
  const isPlain = checkSkillPath(name).ok && !/[/\\]/.test(name) && !name.startsWith('.');
  return isPlain ? name : slug;
}

/** Throws CommandError where something stands there that is no folder. */
export async function install(
  skill: GotSkill,
  to: string,
  agents: readonly string[],
  options: InstallOptions,
  io: Io,
): Promise<Installed> {
  const { copies, force, careful = false } = options;
  const wanted = await filesAt(skill.path);
  const there = await folderFiles(to);
  const before = await copies.at(to);
  const done = (state: Installed['state'], diff?: string): Installed => ({
    path: to,
    agents,
    slug: skill.slug,
    state,
    ...(diff === undefined ? {} : { diff }),
  });
  const keep = () =>
    copies.keep({
      path: to,
      agents: [...new Set([...(before?.agents ?? []), ...agents])],
      registry: skill.registry,
      slug: skill.slug,
      tree: skill.tree,
      files: wanted,
    });
  if (there.kind === 'other')
    throw new CommandError(
      ExitCode.badData,
      `${to} is a link or a file, and is left as it is. Take it away to install \`${skill.slug}\` there.`,
    );
  if (there.kind === 'nothing') {
    await replaceFolder(skill.path, wanted, to, []);
    await keep();
    return done('installed');
  }
  if (sameFiles(there.files, wanted)) {
    await keep();
    return done('current');
  }
  const isOurs =
    before?.slug === skill.slug && before.registry === skill.registry && sameFiles(there.files, before.files);
  const diff = await folderDiff(
    { label: 'installed', folder: to, files: there.files },
    { label: 'registry', folder: skill.path, files: wanted },
  );
  if (!isOurs || careful) io.say(diff);
  if (!isOurs && !force) {
    // --yes does not answer this: what is replaced exists nowhere else.
    if (!io.canAsk) return done('kept', diff);
    const question = `${to} was changed on this machine, or is another skill. Replace it by \`${skill.slug}\`?`;
    if (!(await io.ask(question))) return done('declined', diff);
  } else if (careful && !(await io.confirm(`Update ${to}?`))) return done('declined', diff);
  await replaceFolder(skill.path, wanted, to, there.left);
  await keep();
  return done('updated', diff);
}

async function filesAt(path: string): Promise<FolderFiles> {
  const found = await folderFiles(path);
  if (found.kind !== 'folder')
    throw new CommandError(ExitCode.tryAgain, `${path} has gone from the cache. Try again.`);
  return found.files;
}
