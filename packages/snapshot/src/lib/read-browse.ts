// Lists a folder, a page at a time, and introduces a mount.
import type {
  AnswerError,
  BrowseAnswer,
  BrowseEntry,
  FolderEntry,
  MountOverview,
  SkillEntry,
} from '@skillquay/core/answers';
import type { BrowseRequest } from '../reader.ts';
import { lowerBound } from './file-index.ts';
import { countsOf, holdsSomething } from './read-counts.ts';
import { diagnosticsOfFolder, diagnosticsOfListing } from './read-diagnostics.ts';
import { folderEntry, introduce, rowEntry, skillEntry } from './read-entries.ts';
import { findFolder } from './read-folder.ts';
import type { Scope } from './read-scope.ts';

export function browse(
  scope: Scope,
  { path = scope.path, position, limit }: BrowseRequest,
): BrowseAnswer | AnswerError {
  const folder = findFolder(scope, path);
  if (typeof folder !== 'number') return folder;
  const told = diagnosticsOfListing(scope, path);
  const { partial } = scope;
  if (folder === -1) return { ...nothing(path), entries: [], position, total: 0, ...told, partial };
  const { folders } = scope.index;
  const firstFolder = folders.childFolderEnds[folder - 1] ?? 0;
  const folderCount = (folders.childFolderEnds[folder] ?? 0) - firstFolder;
  const firstFile = folders.childFileEnds[folder - 1] ?? 0;
  const total = folderCount + (folders.childFileEnds[folder] ?? 0) - firstFile;
  const entries: BrowseEntry[] = [];
  for (let at = position; at < Math.min(total, position + limit); at += 1) {
    entries.push(
      at < folderCount
        ? folderEntry(scope, folders.childFolders[firstFolder + at] ?? 0)
        : rowEntry(scope, folders.childFiles[firstFile + at - folderCount] ?? 0),
    );
  }
  return {
    path,
    ...introduce(scope, folder),
    ...languageOf(scope, folder),
    counts: countsOf(scope, folder),
    entries,
    position,
    total,
    ...told,
    partial,
  };
}

/** Introduces the mount, with up to so many folders below it that hold something discoverable, and skills. */
export function overview(scope: Scope, maxFolders: number, maxSkills: number): MountOverview {
  const { path, partial } = scope;
  const told = diagnosticsOfFolder(scope, path);
  const folder = scope.folderOf(path);
  if (folder === -1)
    return { ...nothing(path), folders: [], ...(maxSkills > 0 ? { skills: [] } : {}), ...told, partial };
  const { manifestPath: _, ...introduction } = introduce(scope, folder);
  const image = scope.index.manifests[scope.governing(folder)]?.image;
  return {
    path,
    ...introduction,
    ...languageOf(scope, folder),
    ...(image === undefined ? {} : { image }),
    counts: countsOf(scope, folder),
    folders: nearestFolders(scope, folder, maxFolders),
    ...(maxSkills > 0 ? { skills: firstSkills(scope, folder, maxSkills) } : {}),
    ...told,
    partial,
  };
}

/** Breadth first, so that a bounded list holds the outline before the details. */
function nearestFolders(scope: Scope, from: number, limit: number): FolderEntry[] {
  const { folders } = scope.index;
  const found: number[] = [];
  const visit = (folder: number): void => {
    const end = folders.childFolderEnds[folder] ?? 0;
    for (let i = folders.childFolderEnds[folder - 1] ?? 0; i < end && found.length < limit; i += 1) {
      const child = folders.childFolders[i] ?? 0;
      if (holdsSomething(scope, child)) found.push(child);
    }
  };
  visit(from);
  for (let i = 0; i < found.length && found.length < limit; i += 1) visit(found[i] ?? 0);
  return found.map((folder) => folderEntry(scope, folder));
}

function firstSkills(scope: Scope, folder: number, limit: number): SkillEntry[] {
  const { index } = scope;
  const end = lowerBound(index.skillRow, index.folders.rows[folder * 2 + 1] ?? 0);
  const found: SkillEntry[] = [];
  for (
    let skill = lowerBound(index.skillRow, index.folders.rows[folder * 2] ?? 0);
    skill < end && found.length < limit;
    skill += 1
  )
    if (index.skillDiscoverable(skill)) found.push(skillEntry(scope, skill));
  return found;
}

function nothing(path: string) {
  return { path, counts: { skills: 0, documents: 0 } };
}

function languageOf(scope: Scope, folder: number): { readonly language?: string } {
  const language = scope.index.manifests[scope.governing(folder)]?.language;
  return language === undefined ? {} : { language };
}
