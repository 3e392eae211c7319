// What an open index answers: lookups by row, path and number over the bytes of the file, decoded when asked for.
import type { ResolvedLicence } from '@skillquay/core/licence';
import type { FolderColumns } from './folders.ts';
import type {
  ClassCounts,
  DiagnosticRecord,
  EncodedDiagnostic,
  IndexIdentity,
  ListingColumns,
  ManifestRecord,
  OverviewRecord,
  SkillRecord,
  TextRecord,
} from './tables.ts';

/** The folders that are shown; columns as `FolderColumns` in `folders.ts`. Number 0 is the root. */
export interface FolderTable extends Omit<FolderColumns, 'key'> {
  readonly count: number;
  /** Without a trailing slash, '' for the root. */
  path(folder: number): string;
  /** The number of a folder, -1 where none is shown. */
  of(path: string): number;
  /** The folders whose path ends with the text. Looks at all of them. */
  endingWith(text: string): Iterable<number>;
}

/**
 * A whole index in memory. Nothing here was decoded when it was opened: columns are views of the file's bytes, strings
 * and records are made by the call that asks for them. Arrays must not be written to.
 */
export interface Index {
  readonly byteLength: number;
  readonly identity: IndexIdentity;
  readonly counts: ClassCounts;
  /** Sentences that say what a repository limit left out; empty = complete. */
  readonly partial: readonly string[];
  /** `SnapshotTables.rawUrl` */
  readonly rawUrl: string | null;

  readonly rowCount: number;
  /** RowClass of each row. */
  readonly class: Uint8Array;
  /** Index into WITHHELD_REASONS of each row. */
  readonly withheld: Uint8Array;
  readonly mode: Uint8Array;
  readonly flags: Uint8Array;
  readonly size: Uint32Array;
  /** `RowColumns.skill`: the owning skill's number, -1 without one. */
  readonly owner: Int32Array;
  /** The search document's number of each row, -1 where it is not searched. */
  readonly doc: Int32Array;
  path(row: number): string;
  /** The row of an exact path, -1 where there is none. */
  rowOf(path: string): number;
  /** The rows [from, to) whose path ends with the text. Looks at all of them. */
  rowsEndingWith(text: string, from: number, to: number): Iterable<number>;
  /** 40 hex digits. */
  oid(row: number): string;
  /** Of all rows, 20 bytes each. */
  readonly oids: Uint8Array;
  /** `RowColumns.sha256` */
  readonly sha256: Uint8Array;

  readonly docCount: number;
  /** Row of each search document. */
  readonly docRow: Uint32Array;
  /** The document each document is folded under in search, -1 = not found by search. */
  readonly docGroup: Int32Array;

  readonly skillCount: number;
  /** Row of each skill's SKILL.md, ascending. */
  readonly skillRow: Uint32Array;
  /** Number of the skill each is a copy of, -1 if it is the one that counts. */
  readonly skillCopyOf: Int32Array;
  readonly listing: ListingColumns;
  /** Number of the skill of each listed one, ascending. Made when it is first asked for. */
  readonly listedSkills: Uint32Array;
  skillHidden(skill: number): boolean;
  skillDiscoverable(skill: number): boolean;
  skill(skill: number): SkillRecord;
  /** `EncodedSkill.encoded` for an index that takes the skill over. */
  encodedSkill(skill: number): Uint8Array;

  /** The licence of a skill, null where nothing was said. */
  skillLicence(skill: number): ResolvedLicence | null;
  /** The licence of files that no skill owns, by the number of the manifest that governs them, -1 where none does. */
  placeLicence(manifest: number): ResolvedLicence | null;

  /**
   * The licence that keeps a file at its source because it lies in a folder whose SKILL.md is no skill, above it no nearer
   * than the folder of its nearest skill (null without one); null where there is none.
   */
  keptFolderLicence(path: string, skillFolder: string | null): ResolvedLicence | null;

  /** All manifests in force, in path order. */
  readonly manifests: readonly ManifestRecord[];
  /** Title and summary of a row, null where it has none. */
  text(row: number): TextRecord | null;
  /** `TextRecord.encoded` for an index that takes the text over. */
  encodedText(row: number): Uint8Array | null;
  /** Link targets of a row, as `LinkRecord.targets`. */
  links(row: number): readonly string[];
  /** In folder order, as they came. */
  readonly overviews: readonly OverviewRecord[];
  readonly closedFolders: readonly string[];

  readonly diagnosticCount: number;
  diagnostic(number: number): DiagnosticRecord;
  /** `path` is its path, where the caller has it. */
  encodedDiagnostic(number: number, path?: string): EncodedDiagnostic;
  /** For row i the diagnostics of its path, as [2i, 2i + 1) of `diagnostic`. Looks at all rows and diagnostics. */
  diagnosticsOfRows(): Uint32Array;
  /** Diagnostics of exactly this path, in order. */
  diagnosticsOf(path: string): readonly DiagnosticRecord[];

  /** Diagnostics of the paths below a folder, as [from, to) of `diagnostic`. */
  diagnosticsBelow(folder: string): readonly [number, number];
  /** Numbers of the diagnostics that are errors, ascending. */
  readonly diagnosticErrors: Uint32Array;

  readonly folders: FolderTable;

  /** The search segment, a view. */
  readonly segment: Uint8Array;
}
