// The folders of a snapshot, derived from its rows: what each holds, who introduces it, what is listed in it.
import { basename, checkRepositoryPath, compareUtf8, dirname } from '@skillquay/core/paths';
import { RowClass, RowFlag, type SnapshotTables, WITHHELD_REASONS } from './tables.ts';

/** Columns over the folders that are shown, sorted by the UTF-8 bytes of path + `/`; number 0 is the root. */
export interface FolderColumns {
  /** Path with a `/` behind it, '' for the root: in this order what lies below a folder is a range. */
  readonly key: readonly string[];
  readonly parent: Int32Array;
  /** Rows [2i, 2i + 1) lie below folder i. */
  readonly rows: Uint32Array;
  /** Distinct discoverable skills (2i) and documents (2i + 1) below folder i. */
  readonly counts: Uint32Array;
  /** Number of the manifest in force that governs exactly this folder, else -1. */
  readonly manifest: Int32Array;
  /** Row of the README that introduces it, else -1. */
  readonly overview: Int32Array;
  /** The skill whose directory this is, else -1. */
  readonly skill: Int32Array;
  /** 1 where the folder is withheld whole. */
  readonly closed: Uint8Array;
  /** The children of folder i are `childFolders[childFolderEnds[i - 1] … childFolderEnds[i])`, by bytes of their names. */
  readonly childFolderEnds: Uint32Array;
  readonly childFolders: Uint32Array;
  /** Likewise the rows listed in it. */
  readonly childFileEnds: Uint32Array;
  readonly childFiles: Uint32Array;
}

/**
 * Whether a row is listed in its folder (format, section 1, "browse"). Manifests and overviews appear as what they say
 * about the folder; references are read by those who follow a link.
 */
export function isListed(rowClass: number): boolean {
  return (
    rowClass === RowClass.skill ||
    rowClass === RowClass.supporting ||
    rowClass === RowClass.document ||
    rowClass === RowClass.invalidSkill ||
    rowClass === RowClass.withheld
  );
}

/**
 * Whether a row makes the folders above it appear: whatever is served, and what would be listed but for its content.
 * Links and submodules stand everywhere in a repository, and hidden folders full of them mirror skills that are shown
 * elsewhere: only a link in the place of a SKILL.md that one would look for is worth a folder. Any other shows where its
 * folder is visible anyway, as does what no address can name.
 */
function isShown({ rows }: SnapshotTables, row: number): boolean {
  if (rows.class[row] !== RowClass.withheld) return true;
  const reason = WITHHELD_REASONS[rows.withheld[row] ?? 0];
  if (reason !== 'symlink' && reason !== 'submodule')
    return reason !== 'beyond_limit' && reason !== 'unaddressable_path';
  const isHidden = ((rows.flags[row] ?? 0) & RowFlag.hidden) !== 0;
  return !isHidden && basename(rows.path[row] ?? '').toLowerCase() === 'skill.md';
}

interface Draft {
  readonly key: string;
  readonly parent: Draft | null;
  readonly from: number;
  to: number;
  shown: boolean;
  readonly closed: boolean;
  number: number;
  skills: number;
  documents: number;
  readonly files: number[];
}

/** Derives the folders. Nothing at or below a closed folder is listed or counted, whatever its rows say. */
export function deriveFolders(tables: SnapshotTables): FolderColumns {
  const drafts = draftFolders(tables);
  const shown = drafts.filter((draft) => draft.shown);
  shown.forEach((draft, number) => {
    draft.number = number;
  });
  const count = shown.length;
  const byKey = new Map(shown.map((draft) => [draft.key, draft]));
  const parent = new Int32Array(count);
  const rows = new Uint32Array(count * 2);
  const counts = new Uint32Array(count * 2);
  const closed = new Uint8Array(count);
  const childFileEnds = new Uint32Array(count);
  const childFiles: number[] = [];
  const children: number[][] = shown.map(() => []);
  for (const draft of shown) {
    const i = draft.number;
    parent[i] = draft.parent?.number ?? -1;
    if (draft.parent) children[draft.parent.number]?.push(i);
    rows[i * 2] = draft.from;
    rows[i * 2 + 1] = draft.to;
    counts[i * 2] = draft.skills;
    counts[i * 2 + 1] = draft.documents;
    closed[i] = draft.closed ? 1 : 0;
    for (const row of draft.files) childFiles.push(row);
    childFileEnds[i] = childFiles.length;
  }
  const childFolderEnds = new Uint32Array(count);
  const childFolders = new Uint32Array(Math.max(0, count - 1));
  let end = 0;
  children.forEach((numbers, i) => {
    // Keys order `a-b/` before `a/`; names order `a` before `a-b`.
    numbers.sort((a, b) => compareUtf8(nameOf(shown[a]), nameOf(shown[b])));
    childFolders.set(numbers, end);
    end += numbers.length;
    childFolderEnds[i] = end;
  });
  const manifest = new Int32Array(count).fill(-1);
  const overview = new Int32Array(count).fill(-1);
  const skill = new Int32Array(count).fill(-1);
  const at = (folder: string) => byKey.get(keyOf(folder))?.number;
  const put = (column: Int32Array, folder: number | undefined, value: number) => {
    if (folder !== undefined && closed[folder] === 0) column[folder] = value;
  };
  tables.manifests.forEach((record, number) => {
    put(manifest, at(record.folder), number);
  });
  for (const record of tables.overviews) put(overview, at(record.folder), record.row);
  tables.skills.forEach((record, number) => {
    put(skill, at(dirname(tables.rows.path[record.row] ?? '')), number);
  });
  return {
    key: shown.map((draft) => draft.key),
    parent,
    rows,
    counts,
    manifest,
    overview,
    skill,
    closed,
    childFolderEnds,
    childFolders,
    childFileEnds,
    childFiles: Uint32Array.from(childFiles),
  };
}

/** The key of a folder's path. */
export function keyOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

function nameOf(draft: Draft | undefined): string {
  return draft === undefined ? '' : draft.key.slice(draft.parent?.key.length ?? 0, -1);
}

/** Every folder above a row or closed, in key order: the order in which rows and closed folders first name them. */
function draftFolders(tables: SnapshotTables): Draft[] {
  const { rows, closedFolders } = tables;
  const drafts: Draft[] = [];
  const open = (key: string, parent: Draft | null, from: number, closed: boolean): Draft => {
    const draft = {
      key,
      parent,
      from,
      to: from,
      shown: false,
      closed,
      number: -1,
      skills: 0,
      documents: 0,
      files: [],
    };
    drafts.push(draft);
    return draft;
  };
  const root = open('', null, 0, closedFolders[0] === '');
  root.shown = true;
  let current = root;
  /** Leaves the folders that do not hold the path and enters those that do. */
  const enter = (path: string, row: number, closed: boolean): void => {
    while (!path.startsWith(current.key)) {
      current.to = row;
      current = current.parent ?? root;
    }
    for (;;) {
      const slash = path.indexOf('/', current.key.length);
      if (slash === -1) return;
      const isTarget = slash === path.length - 1;
      current = open(path.slice(0, slash + 1), current, row, closed && isTarget);
    }
  };
  let nextClosed = root.closed ? 1 : 0;
  const enterClosed = (row: number, before: string | null): void => {
    for (; nextClosed < closedFolders.length; nextClosed += 1) {
      const key = keyOf(closedFolders[nextClosed] ?? '');
      if (before !== null && compareUtf8(key, before) > 0) return;
      enter(key, row, true);
      // A closed folder within a closed one is as unknown as all the rest of it.
      if (!isBelowClosed(current.parent)) show(current);
    }
  };
  for (let row = 0; row < rows.count; row += 1) {
    const path = rows.path[row] ?? '';
    enterClosed(row, path);
    enter(isUnaddressable(tables, row) ? keyOf(addressableFolder(path)) : path, row, false);
    if (isBelowClosed(current)) continue;
    const rowClass = rows.class[row] ?? 0;
    if (isListed(rowClass)) current.files.push(row);
    if (isShown(tables, row)) show(current);
    const owner = rows.skill[row] ?? -1;
    if (rowClass === RowClass.skill && tables.skills[owner]?.discoverable) count(current, 'skills');
    if (rowClass === RowClass.document) count(current, 'documents');
  }
  enterClosed(rows.count, null);
  for (let draft: Draft | null = current; draft; draft = draft.parent) draft.to = rows.count;
  return drafts;
}

function isUnaddressable({ rows }: SnapshotTables, row: number): boolean {
  return WITHHELD_REASONS[rows.withheld[row] ?? 0] === 'unaddressable_path';
}

/** The nearest folder above a path that an address can name. */
function addressableFolder(path: string): string {
  let folder = dirname(path);
  while (checkRepositoryPath(folder, { root: true }) !== null) folder = dirname(folder);
  return folder;
}

function isBelowClosed(folder: Draft | null): boolean {
  for (let draft = folder; draft; draft = draft.parent) if (draft.closed) return true;
  return false;
}

function show(folder: Draft): void {
  for (let draft: Draft | null = folder; draft && !draft.shown; draft = draft.parent) draft.shown = true;
}

function count(folder: Draft, what: 'skills' | 'documents'): void {
  for (let draft: Draft | null = folder; draft; draft = draft.parent) draft[what] += 1;
}
