// What the skills extension lists of a mount: entries with the digest of every file, and the folders they lie in.
// Source: contract, The skills extension; format, section 9.
import { dirname } from '@skillquay/core/paths';
import { servedFrontMatter } from '@skillquay/core/skill-document';
import type { DirectoryChild, ListedFile, ListedSkill } from '../reader.ts';
import { RowClass, SHA256_BYTES } from '../tables.ts';
import { lowerBound } from './file-index.ts';
import type { Scope } from './read-scope.ts';

/** Positions [from, to) of the mount's skills among the listed ones of the index. */
function range(scope: Scope): readonly [number, number] {
  const { folders, listedSkills, skillRow } = scope.index;
  const folder = scope.folderOf(scope.path);
  if (folder === -1) return [0, 0];
  const at = (row: number) => lowerBound(listedSkills, lowerBound(skillRow, row));
  return [at(folders.rows[folder * 2] ?? 0), at(folders.rows[folder * 2 + 1] ?? 0)];
}

export function listedCount(scope: Scope): number {
  const [from, to] = range(scope);
  return to - from;
}

export function rootName({ index }: Scope): string | null {
  const skill = index.folders.skill[0] ?? -1;
  return skill !== -1 && isListed(index, skill) ? index.skill(skill).facts.name : null;
}

export function isListed({ listing }: Scope['index'], skill: number): boolean {
  return listing.reason[skill] === 0;
}

/** One by one: who asks for a thousand may take ten, because an entry can name 512 files. */
export function* listed(scope: Scope, position: number, limit: number): Generator<ListedSkill> {
  const [from, to] = range(scope);
  const first = from + position;
  for (const skill of scope.index.listedSkills.subarray(first, Math.min(to, first + limit)))
    yield entryOf(scope, skill);
}

/** The number of the listed skill whose SKILL.md this exactly is, -1 without one. */
export function findListed(scope: Scope, path: string): number {
  const { index } = scope;
  const row = scope.rowOf(path);
  if (row === -1 || index.class[row] !== RowClass.skill) return -1;
  const skill = index.owner[row] ?? -1;
  return isListed(index, skill) ? skill : -1;
}

export function listedAt(scope: Scope, path: string): ListedSkill | null {
  const skill = findListed(scope, path);
  return skill === -1 ? null : entryOf(scope, skill);
}

function entryOf(scope: Scope, skill: number): ListedSkill {
  const { index } = scope;
  const { row, facts } = index.skill(skill);
  const path = index.path(row);
  const directory = dirname(path);
  const frontmatter = servedFrontMatter(facts);
  const { name, description } = frontmatter;
  const folder = index.folders.of(directory);
  const end = index.folders.rows[folder * 2 + 1] ?? 0;
  const resources: ListedFile[] = [];
  for (let at = index.folders.rows[folder * 2] ?? 0; at < end; at += 1)
    if (scope.isServed(at)) resources.push(fileOf(scope, at));
  return { path, directory, name, description, frontmatter, resources };
}

function fileOf({ index }: Scope, row: number): ListedFile {
  const path = index.path(row);
  const skill = index.class[row] === RowClass.skill ? (index.owner[row] ?? -1) : -1;
  if (skill === -1 || !isListed(index, skill))
    return { path, digest: digestAt(index.sha256, row), size: index.size[row] ?? 0 };
  return { path, digest: digestAt(index.listing.sha256, skill), size: index.listing.size[skill] ?? 0 };
}

/** `sha256:` and the digest that stands at a position of a column. */
export function digestAt(column: Uint8Array, position: number): string {
  const bytes = Buffer.from(column.buffer, column.byteOffset + position * SHA256_BYTES, SHA256_BYTES);
  return `sha256:${bytes.toString('hex')}`;
}

/** What is served in a folder. A folder with nothing served in it is none, unless it is the mounted one. */
export function children(scope: Scope, path: string): readonly DirectoryChild[] | null {
  const folder = scope.folderOf(path);
  if (folder === -1) return null;
  const { folders } = scope.index;
  const firstChild = folders.childFolderEnds[folder - 1] ?? 0;
  const shown = folders.childFolders.subarray(firstChild, folders.childFolderEnds[folder]);
  const found: DirectoryChild[] = [];
  for (const child of shown)
    if (holdsServed(scope, child)) found.push({ path: folders.path(child), kind: 'folder' });
  // In the order of rows, between the ranges of the folders, lie the files of the folder itself.
  const inRowOrder = shown.slice().sort();
  let row = folders.rows[folder * 2] ?? 0;
  const filesUntil = (end: number) => {
    for (; row < end; row += 1) {
      if (!scope.isServed(row)) continue;
      const file = scope.index.path(row);
      if (dirname(file) === path) found.push({ path: file, kind: 'file' });
    }
  };
  for (const child of inRowOrder) {
    filesUntil(folders.rows[child * 2] ?? 0);
    row = folders.rows[child * 2 + 1] ?? 0;
  }
  filesUntil(folders.rows[folder * 2 + 1] ?? 0);
  return found.length === 0 && path !== scope.path ? null : found;
}

function holdsServed(scope: Scope, folder: number): boolean {
  const { folders } = scope.index;
  const end = folders.rows[folder * 2 + 1] ?? 0;
  for (let row = folders.rows[folder * 2] ?? 0; row < end; row += 1) if (scope.isServed(row)) return true;
  return false;
}
