// How much lies below a folder: what can be discovered there or, where nothing can, what is there instead.
import type { Counts, OtherContents } from '@skillquay/core/answers';
import { basename } from '@skillquay/core/paths';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { RowClass, WITHHELD_REASONS } from '../tables.ts';
import type { Scope } from './read-scope.ts';

export function countsOf(scope: Scope, folder: number): Counts {
  const { counts } = scope.index.folders;
  const skills = counts[folder * 2] ?? 0;
  const documents = counts[folder * 2 + 1] ?? 0;
  const other = skills + documents === 0 ? otherContents(scope, folder) : null;
  return { skills, documents, ...(other === null ? {} : { other }) };
}

/** Whether something in it can be discovered. */
export function holdsSomething({ index }: Scope, folder: number): boolean {
  const { counts } = index.folders;
  return (counts[folder * 2] ?? 0) + (counts[folder * 2 + 1] ?? 0) > 0;
}

const CLOSED = WITHHELD_REASONS.indexOf('closed_scope');

/** Reads a byte or two of each row below the folder; the folders of a listing do not overlap. */
function otherContents(scope: Scope, folder: number): OtherContents | null {
  const { index } = scope;
  const found = { copies: 0, hidden: 0, broken: 0, files: 0, withheld: 0 };
  const owners = new Set<number>();
  const end = index.folders.rows[folder * 2 + 1] ?? 0;
  for (let row = index.folders.rows[folder * 2] ?? 0; row < end; row += 1) {
    const owner = index.owner[row] ?? -1;
    if (index.class[row] === RowClass.skill) {
      if ((index.skillCopyOf[owner] ?? -1) === -1) found.hidden += 1;
      else found.copies += 1;
    } else if (!scope.isServed(row)) found.withheld += index.withheld[row] === CLOSED ? 0 : 1;
    else if (index.class[row] === RowClass.supporting) {
      found.files += 1;
      if (owners.size < 2) owners.add(owner);
    } else if (index.class[row] === RowClass.invalidSkill && isSkillFile(index.path(row))) found.broken += 1;
  }
  if (found.copies + found.hidden + found.broken > 0) found.files = 0;
  const named = Object.entries(found).filter(([, count]) => count > 0);
  if (named.length === 0) return null;
  const name = found.files === 0 ? undefined : nameOfOnly(scope, owners);
  return { ...Object.fromEntries(named), ...(name === undefined ? {} : { filesOf: name }) };
}

/** Manifests with errors are of the same class. */
function isSkillFile(path: string): boolean {
  return basename(path).toLowerCase() === SKILL_FILE.toLowerCase();
}

/** The name of the one skill, unless it lies outside the mount. */
function nameOfOnly(scope: Scope, owners: ReadonlySet<number>): string | undefined {
  const [owner = -1] = owners;
  if (owners.size !== 1 || owner === -1) return undefined;
  const path = scope.index.path(scope.index.skillRow[owner] ?? -1);
  return scope.contains(path) ? scope.index.skill(owner).facts.name : undefined;
}
