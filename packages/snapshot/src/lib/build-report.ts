// What a build can tell about a commit beyond its index: what was left out, and why. For `check` and for the log.
import { compareUtf8 } from '@skillquay/core/paths';
import { Scope, scopeOf } from '../policy.ts';
import {
  type ClassCounts,
  type DiagnosticRecord,
  RowClass,
  SIZE_UNKNOWN,
  type SnapshotTables,
  WITHHELD_REASONS,
  type WithheldReason,
} from '../tables.ts';
import { positionOf } from './build-ranges.ts';
import type { Restrictions } from './build-restrictions.ts';
import type { Commit } from './build-steps.ts';
import { decodedDiagnostic } from './file-records.ts';

export interface WithheldFile {
  readonly path: string;
  readonly reason: WithheldReason;
  /** Label of the licence that keeps it at its source. */
  readonly licence?: string;
  /** Bytes, when known. */
  readonly size?: number;
}

export interface BuildReport {
  readonly counts: ClassCounts;
  readonly partial: readonly string[];
  /** In path order; with those that stand in no index, because they tell what an exclusion hides. */
  readonly diagnostics: readonly DiagnosticRecord[];
  /** Paths that manifests exclude. They stand in no index. */
  readonly excluded: readonly string[];
  readonly withheld: readonly WithheldFile[];
  /** Paths that no address can name; bytes that are not UTF-8 stand as `\xe9`. They are not among `withheld`. */
  readonly unaddressable: readonly string[];
  /** Files that were read now; the others were known from the index before. */
  readonly filesRead: number;
}

export function reportOf(commit: Commit, tables: SnapshotTables, { keeping }: Restrictions): BuildReport {
  const { listing, policy } = commit;
  const { rows } = tables;
  const withheld: WithheldFile[] = [];
  for (let row = 0; row < rows.count; row += 1) {
    if (rows.class[row] !== RowClass.withheld) continue;
    const reason = WITHHELD_REASONS[rows.withheld[row] ?? 0] ?? '';
    if (reason === 'unaddressable_path') continue;
    const size = rows.size[row] ?? SIZE_UNKNOWN;
    const path = rows.path[row] ?? '';
    const licence = reason === 'restrictive_license' ? keeping(positionOf(listing.path, path)) : null;
    withheld.push({
      path,
      reason,
      ...(licence === null ? {} : { licence: licence.label }),
      ...(size === SIZE_UNKNOWN ? {} : { size }),
    });
  }
  const unaddressable = listing.unaddressable.map(({ path }) => path);
  const isExcluded = (path: string) => scopeOf(policy, path) === Scope.excluded;
  return {
    counts: tables.counts,
    partial: tables.partial,
    get diagnostics() {
      const unused = policy.unused.map((found) => ({ ...found, ofFile: false }));
      return [...tables.diagnostics.map(decodedDiagnostic), ...unused].sort((a, b) =>
        compareUtf8(a.path, b.path),
      );
    },
    excluded: [
      ...listing.path.filter((_, entry) => policy.scope[entry] === Scope.excluded),
      ...unaddressable.filter(isExcluded),
    ],
    withheld,
    unaddressable: unaddressable.filter((path) => !isExcluded(path)),
    filesRead: commit.reading.filesRead,
  };
}
