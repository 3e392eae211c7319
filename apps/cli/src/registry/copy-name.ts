// What the folder of a copy is called.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { checkSkillPath } from '@skillquay/registry/skill-files';
import { shownSlug } from '@skillquay/registry/text';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { GotSkill, Target } from './install-step.ts';
import { skillNameOf } from './skill-name.ts';

/** The name of the skill's folder among those of an agent: agents want it to be that of the front matter. */
export async function folderNameOf({ path, slug }: Pick<GotSkill, 'path' | 'slug'>): Promise<string> {
  const main = await readFile(join(path, SKILL_FILE)).catch(() => null);
  if (main === null)
    throw new CommandError(
      ExitCode.badData,
      `${shownSlug(slug)} has no SKILL.md that is a file, and no agent could use it. Put one into the registry.`,
    );
  const name = skillNameOf(main, slug);
  const isPlain = checkSkillPath(name).ok && !/[/\\]/.test(name) && !name.startsWith('.');
  return isPlain ? name : slug;
}

/** What a skill calls itself when that is not the name of its copy; null when it is. */
export async function newNameOf({ skill, path }: Target): Promise<string | null> {
  const name = await folderNameOf(skill).catch(() => null);
  return name === null || name === basename(path) ? null : name;
}
