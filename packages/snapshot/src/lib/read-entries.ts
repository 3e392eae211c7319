// The entries of a listing: folders, skills, files and what is withheld, each made when a page holds it.
import type {
  BrowseEntry,
  FileEntry,
  FolderEntry,
  Overview,
  SkillEntry,
  WithheldEntry,
} from '@skillquay/core/answers';
import { dirname } from '@skillquay/core/paths';
import { RowClass, WITHHELD_REASONS } from '../tables.ts';
import { undiscoverableReason } from '../undiscoverable.ts';
import { countsOf } from './read-counts.ts';
import { isDescribed, keepingLicence } from './read-licence.ts';
import type { Scope } from './read-scope.ts';

/** What a folder says about itself. */
export interface Introduction {
  readonly name?: string;
  readonly description?: string;
  readonly manifestPath?: string;
  readonly overview?: Overview;
}

/** The manifest's words, else the README's. Source: contract, Browse and search. */
export function introduce(scope: Scope, folder: number): Introduction {
  const { folders, manifests } = scope.index;
  const manifest = manifests[folders.manifest[folder] ?? -1];
  const overview = overviewOf(scope, folder);
  const name = manifest?.facts.name ?? overview?.title;
  const description = manifest?.facts.description ?? overview?.summary;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(manifest === undefined ? {} : { manifestPath: scope.index.path(manifest.row) }),
    ...(overview === undefined ? {} : { overview }),
  };
}

function overviewOf(scope: Scope, folder: number): Overview | undefined {
  const row = scope.index.folders.overview[folder] ?? -1;
  if (row === -1 || !scope.isServed(row)) return undefined;
  return { path: scope.index.path(row), ...scope.textOf(row) };
}

export function folderEntry(scope: Scope, folder: number): FolderEntry {
  const { folders } = scope.index;
  const path = folders.path(folder);
  if (folders.closed[folder] === 1)
    return { kind: 'folder', path, skills: 0, documents: 0, withheld: 'closed_scope' };
  const { overview, ...introduction } = introduce(scope, folder);
  const skill = folders.skill[folder] ?? -1;
  return {
    kind: 'folder',
    path,
    ...introduction,
    ...countsOf(scope, folder),
    ...(skill === -1 ? {} : { skill: skillEntry(scope, skill) }),
    ...(overview === undefined ? {} : { overviewPath: overview.path }),
  };
}

export function skillEntry(scope: Scope, skill: number): SkillEntry {
  const path = scope.index.path(scope.index.skillRow[skill] ?? -1);
  const { facts } = scope.index.skill(skill);
  const undiscoverable = undiscoverableReason(scope.index, skill, (path) => scope.contains(path));
  return {
    kind: 'skill',
    path,
    browsePath: dirname(path),
    name: facts.name,
    description: facts.description,
    ...describedOnly(scope, skill),
    ...(undiscoverable === null ? {} : { undiscoverable }),
  };
}

/** Label of the licence of a skill that is described only. */
export function describedOnly(scope: Scope, skill: number): { readonly describedOnly?: string } {
  const licence = isDescribed(scope, skill) ? scope.index.skillLicence(skill) : null;
  return licence === null ? {} : { describedOnly: licence.label };
}

const ROLES = new Map<number, string>([
  [RowClass.supporting, 'supporting'],
  [RowClass.document, 'document'],
  [RowClass.manifest, 'manifest'],
  [RowClass.overview, 'overview'],
  [RowClass.reference, 'reference'],
  [RowClass.invalidSkill, 'invalid skill'],
]);

/** The entry of a row that is listed in its folder. */
export function rowEntry(scope: Scope, row: number): BrowseEntry {
  if (scope.index.class[row] === RowClass.skill) return skillEntry(scope, scope.index.owner[row] ?? -1);
  return scope.isServed(row) ? fileEntry(scope, row) : withheldEntry(scope, row);
}

function fileEntry(scope: Scope, row: number): FileEntry {
  const rowClass = scope.index.class[row] ?? 0;
  return {
    kind: rowClass === RowClass.document ? 'document' : 'file',
    path: scope.index.path(row),
    role: ROLES.get(rowClass) ?? 'file',
    ...scope.textOf(row),
    ...scope.sizeOf(row),
  };
}

export function withheldEntry(scope: Scope, row: number): WithheldEntry {
  const licence = keepingLicence(scope, row);
  return {
    kind: 'withheld',
    path: scope.index.path(row),
    reason: WITHHELD_REASONS[scope.index.withheld[row] ?? 0] ?? '',
    ...(licence === null ? {} : { licence: licence.label }),
    ...scope.sizeOf(row),
  };
}
