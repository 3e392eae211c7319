// The content of an index, as the builder hands it to the encoder: columns over the tree entries that matter,
// and small tables beside them. `index-file.ts` says how they lie in bytes; `reader.ts` answers from them.
import type { Diagnostic, ManifestFacts, SkillFacts } from '@skillquay/core/facts';
import type { ResolvedLicence } from '@skillquay/core/licence';

/** The class of a tree entry (format, section 1). Entries of class `other` and excluded ones have no row. */
export const RowClass = {
  skill: 1,
  supporting: 2,
  document: 3,
  manifest: 4,
  overview: 5,
  reference: 6,
  /** A SKILL.md or SKILLCDN.md-like file with errors: readable, shown with its diagnostics, nothing more. */
  invalidSkill: 7,
  withheld: 8,
} as const;
export type RowClass = (typeof RowClass)[keyof typeof RowClass];

/**
 * Why a row is withheld; the position is the number stored. Excluded files have no row at all. A row that no address
 * names has a path that is no repository path, and is listed in the nearest folder above it that an address names.
 */
export const WITHHELD_REASONS = [
  '',
  'closed_scope',
  'too_large',
  'lfs_pointer',
  'symlink',
  'submodule',
  'not_text',
  'beyond_limit',
  'object_missing',
  'unaddressable_path',
  /** Its licence lets nobody pass it on. A skill of which this holds keeps its class: it is described. */
  'restrictive_license',
] as const;
export type WithheldReason = (typeof WITHHELD_REASONS)[number];

/** Git's kinds of entry, as stored. */
export const RowMode = { file: 0, executable: 1, symlink: 2, submodule: 3 } as const;

export const RowFlag = {
  /** Some path segment starts with a dot. */
  hidden: 1,
  /** The bytes were read at build time and are UTF-8. */
  knownText: 2,
} as const;

export const SIZE_UNKNOWN = 0xffffffff;

/** One row per entry that matters, sorted by the UTF-8 bytes of its path. Every array has `count` items. */
export interface RowColumns {
  readonly count: number;
  readonly path: readonly string[];
  readonly class: Uint8Array;
  /** Index into WITHHELD_REASONS; 0 where the row is served. Not 0 for a SKILL.md whose skill is described only. */
  readonly withheld: Uint8Array;
  readonly mode: Uint8Array;
  readonly flags: Uint8Array;
  /** 20 bytes a row. */
  readonly oid: Uint8Array;
  /** Bytes, or SIZE_UNKNOWN. The row of a Git LFS pointer has the size of the file that it stands for. */
  readonly size: Uint32Array;
  /** The owning skill's number (its own for a SKILL.md), -1 without one. */
  readonly skill: Int32Array;
  /** The search document's number, -1 where the row is not searched. Documents are numbered in row order. */
  readonly doc: Int32Array;
  /**
   * SHA-256 of the stored bytes, 32 a row: of every served row in the directory of a listed skill, but for the SKILL.md
   * of listed skills; zero elsewhere.
   */
  readonly sha256: Uint8Array;
}

export const SHA256_BYTES = 32;

/** Why the skills extension does not list a skill; the position is the number stored, 0 = it does. Source: format, section 9. */
export const LISTING_REASONS = [
  '',
  'described_only',
  'duplicate',
  'hidden',
  'name_directory_mismatch',
  'not_portable',
  'uri_collision',
  'file_unavailable',
  'too_many_files',
  'too_large',
] as const;
/** Bounds of what is listed of one skill, nested skills counted in. Source: format, section 9. */
export const MAX_LISTED_FILES = 512;
export const MAX_LISTED_BYTES = 16 * 1024 ** 2;

export type ListingReason = (typeof LISTING_REASONS)[number];

/** What the skills extension makes of each skill, by its number. */
export interface ListingColumns {
  /** Index into LISTING_REASONS. */
  readonly reason: Uint8Array;
  /** SHA-256 of the assembled document, 32 bytes a skill; zero where it is not listed. */
  readonly sha256: Uint8Array;
  /** Bytes of the assembled document, 0 where it is not listed. */
  readonly size: Uint32Array;
}

/** A skill, in path order; its number is its position. */
export interface SkillRecord {
  /** Row of its SKILL.md. */
  readonly row: number;
  readonly facts: SkillFacts;
  /** Rows of the includes that are allowed and served, in declaration order. */
  readonly includes: readonly number[];
  /** Paths of includes that are allowed and cannot be served: the skill stays incomplete. */
  readonly missingIncludes: readonly string[];
  readonly hidden: boolean;
  /** Number of the skill it is a copy of, -1 if it is the one that counts. */
  readonly copyOf: number;
  /** Counted, browsed, searched: not a copy, and not hidden unless the repository has no visible skill. */
  readonly discoverable: boolean;
  /** Position in `SnapshotTables.licences` of the licence that holds, -1 where nothing was said. */
  readonly licence: number;
}

/** A skill taken over from another index: facts and includes as the bytes that are written there. */
export interface EncodedSkill extends Omit<SkillRecord, 'facts' | 'includes' | 'missingIncludes'> {
  readonly encoded: Uint8Array;
}

/** A manifest that is in force, in path order. */
export interface ManifestRecord {
  readonly row: number;
  /** The folder it governs, '' for the root. */
  readonly folder: string;
  readonly facts: ManifestFacts;
  /** After inheritance: `language` and `image` pass down. */
  readonly language?: string;
  readonly image?: string;
  /** Likewise of the licence of files that this manifest governs and no skill owns. */
  readonly licence: number;
}

/** Title and summary of a row that introduces itself: documents and overviews. */
export interface TextRecord {
  readonly row: number;
  readonly title?: string;
  readonly summary?: string;
  /** Title and summary as the bytes in which another index holds them, to be written as they stand. */
  readonly encoded?: Uint8Array;
}

/** Candidate link targets of a row, as MarkdownFacts.links gives them; resolved against the rows when read. */
export interface LinkRecord {
  readonly row: number;
  readonly targets: readonly string[];
}

/** The README chosen for a folder that something served makes visible. */
export interface OverviewRecord {
  readonly folder: string;
  readonly row: number;
}

/** A diagnostic, and whether reading that file alone gave it (then it is copied while the file is unchanged). */
export interface DiagnosticRecord extends Diagnostic {
  readonly ofFile: boolean;
}

/** A diagnostic taken over from another index: the rest of it as the bytes that are written there. */
export interface EncodedDiagnostic extends Pick<DiagnosticRecord, 'path' | 'severity' | 'ofFile'> {
  /** Its number there. */
  readonly number: number;
  readonly encoded: Uint8Array;
}

/** How many tree entries fell in each class: nothing disappears without a reason. */
export interface ClassCounts {
  readonly entries: number;
  readonly skill: number;
  readonly supporting: number;
  readonly document: number;
  readonly manifest: number;
  readonly overview: number;
  readonly reference: number;
  readonly invalidSkill: number;
  readonly withheld: number;
  readonly excluded: number;
  readonly unaddressable: number;
  readonly other: number;
}

export interface IndexIdentity {
  /** Stable name of the repository, e.g. `gh/acme/library`. */
  readonly repository: string;
  /** 40 hex digits, or `worktree:<tree hash>`. */
  readonly commit: string;
  /** Reading-rules version with the hash of the limits and of what licences decide, e.g. `1-5f3c…`. */
  readonly rules: string;
}

/**
 * What licences decide: `licensed` describes restrictive content and serves the rest; `whole` serves everything, because
 * the operator vouches for the repository. An index is made for one of the two, and `IndexIdentity.rules` differ.
 */
export type Serving = 'licensed' | 'whole';

/** A folder whose SKILL.md is no skill, and that a licence keeps at its source. */
export interface KeptFolderRecord {
  readonly folder: string;
  /** Position in `SnapshotTables.licences`. */
  readonly licence: number;
}

export interface SnapshotTables {
  readonly identity: IndexIdentity;
  readonly counts: ClassCounts;
  /** Sentences that say what a repository limit left out; empty = complete. */
  readonly partial: readonly string[];
  readonly rows: RowColumns;
  readonly skills: readonly (SkillRecord | EncodedSkill)[];
  readonly listing: ListingColumns;
  /** Where the host has the bytes of a file, for `fileUrl`; null where it has no page for them. */
  readonly rawUrl: string | null;
  readonly manifests: readonly ManifestRecord[];
  /** Each once. `where` of a skill's own licence is relative: `lib/licence-place.ts`. */
  readonly licences: readonly ResolvedLicence[];
  /** Position of the licence of files below no manifest, that no skill owns; -1 where nothing was said. */
  readonly looseLicence: number;
  /** Sorted by folder (UTF-8 bytes). */
  readonly keptFolders: readonly KeptFolderRecord[];
  /** Sorted by row. */
  readonly texts: readonly TextRecord[];
  readonly links: readonly LinkRecord[];
  /** Sorted by folder (UTF-8 bytes). */
  readonly overviews: readonly OverviewRecord[];
  /** Folders withheld whole (closed scopes), sorted. */
  readonly closedFolders: readonly string[];
  /** Sorted by path (UTF-8 bytes), then line, column, code. */
  readonly diagnostics: readonly (DiagnosticRecord | EncodedDiagnostic)[];
}
