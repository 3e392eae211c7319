// How an index writes where a skill's own licence is said: relative to the skill, so that the licences of many skills are
// the same few.
import type { ResolvedLicence } from '@skillquay/core/licence';
import { dirname, joinPath } from '@skillquay/core/paths';
import { SKILL_FILE } from '@skillquay/core/skill-file';

const FIELD = 'license of ';
/** No repository path begins like this. */
const OWN = './';

/** The `license` field of a SKILL.md or SKILLCDN.md. */
export function placeOfField(path: string): string {
  return FIELD + path;
}

export const OWN_FIELD: string = placeOfField(OWN + SKILL_FILE);

/** The `license` field of a file in the directory that would be a skill if it were called or written right. */
export function ownField(name: string): string {
  return placeOfField(OWN + name);
}

/** A licence file in the directory of the skill. */
export function ownFile(name: string): string {
  return OWN + name;
}

/** The licence of `folder`, of a skill or of what would be one, with the paths of the repository. */
export function placedIn(folder: string, licence: ResolvedLicence): ResolvedLicence {
  const { where } = licence;
  if (where.startsWith(OWN)) return { ...licence, where: joinPath(folder, where.slice(OWN.length)) };
  if (!where.startsWith(FIELD + OWN)) return licence;
  return { ...licence, where: placeOfField(joinPath(folder, where.slice((FIELD + OWN).length))) };
}

/** The nearest folder at or above a file, and below `skillFolder` (null = the whole repository), that is in `folders`. */
export function nearestKept<T>(
  folders: ReadonlyMap<string, T>,
  path: string,
  skillFolder: string | null,
): { readonly folder: string; readonly licence: T } | null {
  if (folders.size === 0) return null;
  for (let folder = dirname(path); folder !== skillFolder; folder = dirname(folder)) {
    const licence = folders.get(folder);
    if (licence !== undefined) return { folder, licence };
    if (folder === '') return null;
  }
  return null;
}
