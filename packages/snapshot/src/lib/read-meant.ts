// What a caller probably meant by a path that is not here: looked for among what the mount shows, and nowhere else, so
// that a path outside it, an excluded one and one that never was lead to the same.
import { basename, dirname, joinPath } from '@skillquay/core/paths';
import { isMisnamedSkillFile, SKILL_FILE } from '@skillquay/core/skill-file';
import { type DiagnosticRecord, RowClass } from '../tables.ts';
import { lowerBound } from './file-index.ts';
import type { Scope } from './read-scope.ts';

/** Skills whose names are compared; in larger mounts only directories are. */
const MAX_NAMES = 2_000;
const MISNAMED = ['skill.md', 'Skill.md', 'SKILL.MD'];

/** The one file here whose path ends with all parts of the asked one, null where it is none or several. */
export function fileMeant(scope: Scope, asked: string): string | null {
  return only(scope, rowsEndingWith(scope, asked, isOffered));
}

/** Likewise the one folder. */
export function folderMeant(scope: Scope, asked: string): string | null {
  const { folders } = scope.index;
  let found: string | null = null;
  for (const folder of folders.endingWith(`/${asked}`)) {
    const path = folders.path(folder);
    if (scope.folderOf(path) === -1) continue;
    if (found !== null) return null;
    found = path;
  }
  return found;
}

/** The nearest folder at or above a path, the mounted one where there is none. */
export function nearestFolder(scope: Scope, path: string): string {
  let at = path;
  while (at !== '' && scope.folderOf(at) === -1) at = dirname(at);
  return scope.contains(at) ? at : scope.path;
}

/** Path of the one skill that is named by its directory, the end of that, or its name; null without one. */
export function skillMeant(scope: Scope, asked: string): string | null {
  const directory = directoryOf(asked);
  const { index } = scope;
  if (directory === '') return null;
  const exact = index.folders.skill[scope.folderOf(directory)] ?? -1;
  if (exact !== -1) return index.path(index.skillRow[exact] ?? -1);
  const ending = rowsEndingWith(
    scope,
    `${directory}/${SKILL_FILE}`,
    (row) => index.class[row] === RowClass.skill,
  );
  return only(scope, ending) ?? only(scope, rowsOfName(scope, directory));
}

/** The error in the file that stands where a skill was asked for, null without one. */
export function brokenSkill(scope: Scope, asked: string): DiagnosticRecord | null {
  const directory = directoryOf(asked);
  for (const name of [SKILL_FILE, ...MISNAMED]) {
    const path = joinPath(directory, name);
    if (scope.rowOf(path) === -1) continue;
    const error = scope.index.diagnosticsOf(path).find(({ severity }) => severity === 'error');
    if (error !== undefined) return error;
  }
  return null;
}

function directoryOf(asked: string): string {
  const name = basename(asked);
  return name === SKILL_FILE || isMisnamedSkillFile(name) ? dirname(asked) : asked;
}

/** Rows of the mount whose path ends with all parts of this one, without those that are not wanted. */
function* rowsEndingWith(scope: Scope, asked: string, isWanted: (row: number, scope: Scope) => boolean) {
  const { index } = scope;
  const folder = scope.folderOf(scope.path);
  const from = index.folders.rows[folder * 2] ?? 0;
  const to = index.folders.rows[folder * 2 + 1] ?? 0;
  for (const row of index.rowsEndingWith(`/${asked}`, from, to)) if (isWanted(row, scope)) yield row;
}

/** What a listing shows as a file to read, or a text links to. READMEs and manifests are everywhere. */
function isOffered(row: number, scope: Scope): boolean {
  const rowClass = scope.index.class[row];
  return (
    scope.isServed(row) &&
    rowClass !== RowClass.overview &&
    rowClass !== RowClass.manifest &&
    scope.closedAbove(scope.index.path(row)) === null
  );
}

function* rowsOfName(scope: Scope, name: string) {
  const { index } = scope;
  const folder = scope.folderOf(scope.path);
  const from = lowerBound(index.skillRow, index.folders.rows[folder * 2] ?? 0);
  const to = lowerBound(index.skillRow, index.folders.rows[folder * 2 + 1] ?? 0);
  if (to - from > MAX_NAMES) return;
  for (let skill = from; skill < to; skill += 1)
    if (index.skill(skill).facts.name === name) yield index.skillRow[skill] ?? -1;
}

/** The path of the only row; a skill that is discoverable counts before its copies. Null where it is none or several. */
function only(scope: Scope, rows: Iterable<number>): string | null {
  const { index } = scope;
  let counted = -1;
  let passedOver = 0;
  let other = -1;
  for (const row of rows) {
    if (index.class[row] === RowClass.skill && !index.skillDiscoverable(index.owner[row] ?? -1)) {
      passedOver += 1;
      other = row;
    } else if (counted !== -1) return null;
    else counted = row;
  }
  if (counted !== -1) return index.path(counted);
  return passedOver === 1 ? index.path(other) : null;
}
