// Which licence keeps a row at its source, for those who are told why they do not get it.
import type { ResolvedLicence } from '@skillquay/core/licence';
import { dirname } from '@skillquay/core/paths';
import { WITHHELD_REASONS } from '../tables.ts';
import type { Scope } from './read-scope.ts';

const RESTRICTIVE = WITHHELD_REASONS.indexOf('restrictive_license');

/** Whether a skill is described only. */
export function isDescribed({ index }: Scope, skill: number): boolean {
  return skill !== -1 && index.withheld[index.skillRow[skill] ?? -1] === RESTRICTIVE;
}

/**
 * Null where a row is served, or withheld for another reason. A file follows the
 * folder that would be its skill, then its skill, else its place.
 */
export function keepingLicence(scope: Scope, row: number): ResolvedLicence | null {
  const { index } = scope;
  if (index.withheld[row] !== RESTRICTIVE) return null;
  const path = index.path(row);
  const folder = index.folders.of(dirname(path));
  const skill = nearestSkill(scope, folder);
  const around = skill === -1 ? null : dirname(index.path(index.skillRow[skill] ?? -1));
  const kept = index.keptFolderLicence(path, around);
  if (kept !== null) return kept;
  const owner = index.owner[row] ?? -1;
  if (owner !== -1) return index.skillLicence(owner);
  return isDescribed(scope, skill) ? index.skillLicence(skill) : index.placeLicence(scope.governing(folder));
}

/** The skill whose directory is nearest at or above a folder, -1 without one. */
function nearestSkill({ index }: Scope, folder: number): number {
  const { skill, parent } = index.folders;
  for (let at = folder; at !== -1; at = parent[at] ?? -1) {
    const number = skill[at] ?? -1;
    if (number !== -1) return number;
  }
  return -1;
}
