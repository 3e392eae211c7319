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
}

interface Drafts {
  /** In key order. */
  readonly folders: readonly Draft[];
  /** The folder in which each row lies. */
  readonly ofRow: readonly Draft[];
}

/** Derives the folders. Nothing at or below a closed folder is listed or counted, whatever its rows say. */
export function deriveFolders(tables: SnapshotTables): FolderColumns {
  const { folders, ofRow } = draftFolders(tables);
  const shown = folders.filter((draft) => draft.shown);
  shown.forEach((draft, number) => {
    draft.number = number;
  });
  const count = shown.length;
  const parent = Int32Array.from(shown, (draft) => draft.parent?.number ?? -1);
  const rows = new Uint32Array(count * 2);
  const counts = new Uint32Array(count * 2);
  for (const draft of shown) {
    const i = draft.number * 2;
    rows[i] = draft.from;
    rows[i + 1] = draft.to;
    counts[i] = draft.skills;
    counts[i + 1] = draft.documents;
  }
  const children = grouped(count, count, (folder) => parent[folder] ?? -1);
  shown.forEach((_, i) => {
    // Keys order `a-b/` before `a/`; names order `a` before `a-b`.
    const siblings = children.members.subarray(children.ends[i - 1] ?? 0, children.ends[i]);
    if (siblings.length > 1) siblings.sort((a, b) => compareUtf8(nameOf(shown[a]), nameOf(shown[b])));
  });
  const files = grouped(count, tables.rows.count, (row) => {
    const folder = ofRow[row];
    return folder && isListed(tables.rows.class[row] ?? 0) && !isBelowClosed(folder) ? folder.number : -1;
  });
  const column = <Record extends { readonly row: number }>(
    records: readonly Record[],
    value: (record: Record, number: number) => number,
  ): Int32Array => {
    const values = new Int32Array(count).fill(-1);
    records.forEach((record, number) => {
      const folder = ofRow[record.row];
      if (folder?.shown && !folder.closed) values[folder.number] = value(record, number);
    });
    return values;
  };
  return {
    key: shown.map((draft) => draft.key),
    parent,
    rows,
    counts,
    manifest: column(tables.manifests, (_, number) => number),
    overview: column(tables.overviews, ({ row }) => row),
    skill: column(tables.skills, (_, number) => number),
    closed: Uint8Array.from(shown, (draft) => (draft.closed ? 1 : 0)),
    childFolderEnds: children.ends,
    childFolders: children.members,
    childFileEnds: files.ends,
    childFiles: files.members,
  };
}

/** Sorts members into groups, in their order: those of group i end at `ends[i]`. A member of group -1 is in none. */
function grouped(
  groups: number,
  members: number,
  groupOf: (member: number) => number,
): { readonly ends: Uint32Array; readonly members: Uint32Array } {
  const ends = new Uint32Array(groups);
  for (let member = 0; member < members; member += 1) {
    const group = groupOf(member);
    if (group !== -1) ends[group] = (ends[group] ?? 0) + 1;
  }
  let total = 0;
  for (let group = 0; group < groups; group += 1) {
    const size = ends[group] ?? 0;
    ends[group] = total;
    total += size;
  }
  const sorted = new Uint32Array(total);
  for (let member = 0; member < members; member += 1) {
    const group = groupOf(member);
    if (group === -1) continue;
    const at = ends[group] ?? 0;
    sorted[at] = member;
    ends[group] = at + 1;
  }
  return { ends, members: sorted };
}

/** The key of a folder's path. */
export function keyOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}

function nameOf(draft: Draft | undefined): string {
  return draft === undefined ? '' : draft.key.slice(draft.parent?.key.length ?? 0, -1);
}

/** Every folder above a row or closed, in key order: the order in which rows and closed folders first name them. */
function draftFolders(tables: SnapshotTables): Drafts {
  const { rows, closedFolders } = tables;
  const drafts: Draft[] = [];
  const ofRow: Draft[] = [];
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
    ofRow.push(current);
    if (isBelowClosed(current)) continue;
    const rowClass = rows.class[row] ?? 0;
    if (isShown(tables, row)) show(current);
    const owner = rows.skill[row] ?? -1;
    if (rowClass === RowClass.skill && tables.skills[owner]?.discoverable) count(current, 'skills');
    if (rowClass === RowClass.document) count(current, 'documents');
  }
  enterClosed(rows.count, null);
  for (let draft: Draft | null = current; draft; draft = draft.parent) draft.to = rows.count;
  return { folders: drafts, ofRow };
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
