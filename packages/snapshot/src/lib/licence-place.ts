// How an index writes where a skill's own licence is said: relative to the skill, so that the licences of many skills are
// the same few.
import type { ResolvedLicence } from '@skillquay/core/licence';
import { joinPath } from '@skillquay/core/paths';
import { SKILL_FILE } from '@skillquay/core/skill-file';

const FIELD = 'license of ';
/** No repository path begins like this. */
const OWN = './';

/** The `license` field of a SKILL.md or SKILLCDN.md. */
export function placeOfField(path: string): string {
  return FIELD + path;
}

export const OWN_FIELD: string = placeOfField(OWN + SKILL_FILE);

/** A licence file in the directory of the skill. */
export function ownFile(name: string): string {
  return OWN + name;
}

/** The licence of a skill in `folder` with the paths of the repository. */
export function placedIn(folder: string, licence: ResolvedLicence): ResolvedLicence {
  const { where } = licence;
  if (where.startsWith(OWN)) return { ...licence, where: joinPath(folder, where.slice(OWN.length)) };
  return where === OWN_FIELD ? { ...licence, where: placeOfField(joinPath(folder, SKILL_FILE)) } : licence;
}
