// The rows of an index: one for each entry that matters, and for each open one that no address can name.
import { compareUtf8, dirname, isHidden } from '@skillquay/core/paths';
import { type Classes, isHiddenBelow, withheldNumber } from '../classify.ts';
import { Scope, scopeOf } from '../policy.ts';
import { RowClass, type RowColumns, RowFlag, SHA256_BYTES, SIZE_UNKNOWN } from '../tables.ts';
import type { Listings } from './build-digests.ts';
import type { Documents } from './build-documents.ts';
import { copyOid, type UnaddressableEntry } from './build-listing.ts';
import { Found } from './build-read.ts';
import type { Commit } from './build-steps.ts';

const OID_BYTES = 20;

export interface LaidOutRows {
  readonly rows: RowColumns;
  /** The row of each entry, -1 without one. */
  readonly rowOf: Int32Array;
}

export function layOutRows(
  commit: Commit,
  classes: Classes,
  documents: Documents,
  listings: Listings,
): LaidOutRows {
  const { listing, facts } = commit;
  const unnamed = withoutAddress(commit);
  const { rowOf, unnamedRows, count } = numberRows(listing.path, classes.class, unnamed);
  const path: string[] = new Array(count);
  const rows = {
    class: new Uint8Array(count),
    withheld: new Uint8Array(count),
    mode: new Uint8Array(count),
    flags: new Uint8Array(count),
    oid: new Uint8Array(count * OID_BYTES),
    size: new Uint32Array(count),
    skill: new Int32Array(count),
    doc: new Int32Array(count),
    sha256: new Uint8Array(count * SHA256_BYTES),
  };
  for (let entry = 0; entry < rowOf.length; entry += 1) {
    const row = rowOf[entry] ?? -1;
    if (row === -1) continue;
    const name = listing.path[entry] ?? '';
    const isText =
      ((facts.found[entry] ?? 0) & Found.text) !== 0 || classes.class[entry] === RowClass.manifest;
    path[row] = name;
    rows.class[row] = classes.class[entry] ?? 0;
    rows.withheld[row] = classes.withheld[entry] ?? 0;
    rows.mode[row] = listing.mode[entry] ?? 0;
    rows.flags[row] = (isHidden(name) ? RowFlag.hidden : 0) | (isText ? RowFlag.knownText : 0);
    copyOid(listing.oid, entry, rows.oid, row);
    rows.size[row] = Math.min(SIZE_UNKNOWN, facts.pointedSize.get(entry) ?? facts.size[entry] ?? 0);
    rows.skill[row] = classes.owner[entry] ?? -1;
    rows.doc[row] = documents.number[entry] ?? -1;
    if (listings.isDigested[entry] === 1)
      rows.sha256.set(
        facts.sha256.subarray(entry * SHA256_BYTES, (entry + 1) * SHA256_BYTES),
        row * SHA256_BYTES,
      );
  }
  const reason = withheldNumber('unaddressable_path');
  const skillAt = unnamed.length === 0 ? null : skillFolders(commit, classes);
  unnamed.forEach((entry, i) => {
    const row = unnamedRows[i] ?? -1;
    path[row] = entry.path;
    rows.class[row] = RowClass.withheld;
    rows.withheld[row] = reason;
    rows.mode[row] = entry.mode;
    rows.flags[row] = isHidden(entry.path) ? RowFlag.hidden : 0;
    copyOid(entry.oid, 0, rows.oid, row);
    rows.size[row] = SIZE_UNKNOWN;
    rows.skill[row] = skillAt === null ? -1 : ownerOf(entry.path, skillAt);
    rows.doc[row] = -1;
  });
  return { rows: { count, path, ...rows }, rowOf };
}

/** Two of them may be spelled alike; the index names each spelling once. */
function withoutAddress({ listing, policy }: Commit): UnaddressableEntry[] {
  return listing.unaddressable.filter(
    ({ path }, i, all) => path !== all[i - 1]?.path && scopeOf(policy, path) === Scope.open,
  );
}

/** Both lists are in byte order, and so are the rows. */
function numberRows(
  paths: readonly string[],
  rowClass: Uint8Array,
  unnamed: readonly UnaddressableEntry[],
): { readonly rowOf: Int32Array; readonly unnamedRows: readonly number[]; readonly count: number } {
  const rowOf = new Int32Array(rowClass.length).fill(-1);
  const unnamedRows: number[] = [];
  let count = 0;
  const takeUnnamed = (before: string | undefined) => {
    for (let next = unnamed[unnamedRows.length]; next; next = unnamed[unnamedRows.length]) {
      if (before !== undefined && compareUtf8(next.path, before) > 0) return;
      unnamedRows.push(count);
      count += 1;
    }
  };
  for (let entry = 0; entry < rowClass.length; entry += 1) {
    if (rowClass[entry] === 0) continue;
    takeUnnamed(paths[entry]);
    rowOf[entry] = count;
    count += 1;
  }
  takeUnnamed(undefined);
  return { rowOf, unnamedRows, count };
}

/** The number of the skill of each skill directory. */
export function skillFolders({ listing }: Commit, { skills }: Classes): ReadonlyMap<string, number> {
  return new Map(skills.map((entry, skill) => [dirname(listing.path[entry] ?? ''), skill]));
}

/** The skill whose directory is nearest upwards, if the path is not hidden in it; else -1. */
export function ownerOf(path: string, skillAt: ReadonlyMap<string, number>): number {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const skill = skillAt.get(folder);
    if (skill !== undefined) return isHiddenBelow(path, folder) ? -1 : skill;
    if (folder === '') return -1;
  }
}
