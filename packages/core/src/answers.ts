// What a reader answers, in plain data. MCP text, REST JSON and pages are three renderings of these.
import type { Diagnostic } from './facts.ts';
import type { ResolvedLicence } from './licence.ts';

/** Whose content this is, and at which commit: stands at the head of every answer. */
export interface MountIdentity {
  /** Canonical address as asked, ref and path included, e.g. `/gh/acme/library@v3/marketing`. */
  readonly address: string;
  /** The address without ref and path. */
  readonly repository: string;
  /** '' = whole repository. */
  readonly path: string;
  /** 40 hex digits, or `worktree:<tree hash>`. */
  readonly commit: string;
  /** The ref as asked, or null for the default branch. */
  readonly ref: string | null;
  readonly pinned: boolean;
  /** Vouched for by the operator; otherwise a provenance notice goes with the content. */
  readonly verified: boolean;
  /** The host of the repository does not answer: what the ref meant at this time (ISO) is served. */
  readonly staleSince?: string;
}

/** What a limit left out. `null` when the index is complete. */
export interface Partial {
  /** One sentence per limit reached, e.g. "12 files beyond the limit of 200,000 indexed files are not searched". */
  readonly reasons: readonly string[];
}

/** Where a folder introduces itself. */
export interface Overview {
  readonly path: string;
  readonly title?: string;
  readonly summary?: string;
}

export interface Counts {
  /** Distinct discoverable skills and documents below. */
  readonly skills: number;
  readonly documents: number;
  /** Where there are none: what lies below instead. */
  readonly other?: OtherContents;
}

/** What a folder holds that is not counted. Numbers of 0 are left out; files are counted where there is no skill. */
export interface OtherContents {
  readonly copies?: number;
  /** Skills that are not discoverable for being hidden. */
  readonly hidden?: number;
  /** Skills with errors. */
  readonly broken?: number;
  readonly files?: number;
  /** Name of the skill all the files belong to. */
  readonly filesOf?: string;
  readonly withheld?: number;
}

export interface FolderEntry extends Counts {
  readonly kind: 'folder';
  /** Without a trailing slash. */
  readonly path: string;
  /** From the folder's own manifest, else its README. */
  readonly name?: string;
  readonly description?: string;
  /** The skill whose directory this is. */
  readonly skill?: SkillEntry;
  readonly manifestPath?: string;
  readonly overviewPath?: string;
  /** The folder is withheld (a closed scope); nothing below it can be reached. */
  readonly withheld?: string;
}

export interface SkillEntry {
  readonly kind: 'skill';
  /** Of its SKILL.md. */
  readonly path: string;
  /** Its directory, '' for a root skill. */
  readonly browsePath: string;
  readonly name: string;
  readonly description: string;
  /** Why it is not listed or searched: `copy of <path>` or `hidden: the repository has visible skills`. */
  readonly undiscoverable?: string;
  /** Label of the licence that keeps its content at the source. */
  readonly describedOnly?: string;
}

export interface FileEntry {
  readonly kind: 'document' | 'file';
  readonly path: string;
  /** What the file is here: `document`, `supporting`, `manifest`, `overview`, `reference`, `invalid skill`. */
  readonly role: string;
  readonly title?: string;
  readonly summary?: string;
  /** Bytes, when known. */
  readonly size?: number;
}

export interface WithheldEntry {
  readonly kind: 'withheld';
  readonly path: string;
  /** Code of the reason, e.g. `lfs_pointer`. */
  readonly reason: string;
  /** Label of the licence that keeps the file at its source. */
  readonly licence?: string;
  readonly size?: number;
}

export type BrowseEntry = FolderEntry | SkillEntry | FileEntry | WithheldEntry;

export interface BrowseAnswer {
  readonly path: string;
  readonly name?: string;
  readonly description?: string;
  readonly language?: string;
  readonly overview?: Overview;
  /** The manifest in force that governs exactly this folder. */
  readonly manifestPath?: string;
  readonly counts: Counts;
  /** Entries from `position` on, folders before files, each in byte order of their names. */
  readonly entries: readonly BrowseEntry[];
  readonly position: number;
  readonly total: number;
  readonly diagnostics: readonly Diagnostic[];
  /** How many more there are than `diagnostics` holds; absent = none. */
  readonly moreDiagnostics?: number;
  /** The folder below which all of those are, where they are errors that the folder's own do not stand beside. */
  readonly moreBelow?: string;
  readonly partial: Partial | null;
}

export interface SkillHit {
  readonly kind: 'skill';
  readonly skill: SkillEntry;
  /** Up to five matching supporting files, best first. */
  readonly files: readonly string[];
  readonly moreFiles: number;
}

export interface DocumentHit {
  readonly kind: 'document';
  readonly path: string;
  readonly title?: string;
  readonly summary?: string;
}

export type SearchHit = SkillHit | DocumentHit;

/** Where a page of search results ended: score and path order, enough to go on without counting. */
export interface SearchPosition {
  readonly score: number;
  readonly group: number;
}

export interface SearchAnswer {
  readonly query: string;
  readonly path: string;
  /** In relevance order; `positions[i]` is where a page ending after hit i would go on. */
  readonly hits: readonly SearchHit[];
  readonly positions: readonly SearchPosition[];
  /** More hits exist behind the last one. */
  readonly more: boolean;
  /** Set when the query holds no searchable word. */
  readonly nothingToSearch?: true;
  readonly diagnostics: readonly Diagnostic[];
  /** How many more there are than `diagnostics` holds; absent = none. */
  readonly moreDiagnostics?: number;
  readonly partial: Partial | null;
}

/** One piece of a skill's context, in the order an agent reads it. */
export interface ContextPart {
  readonly kind: 'rules' | 'instructions' | 'included';
  readonly path: string;
  readonly text: string;
}

export interface SkillAnswer {
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** The licence that holds and where it is said, which may be a file; absent = nothing was said. */
  readonly licence?: ResolvedLicence;
  readonly compatibility?: string;
  readonly allowedTools?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly warnings: readonly Diagnostic[];
  /** Supporting files in path order, bounded by the caller; `fileCount` counts them all. */
  readonly files: readonly string[];
  readonly fileCount: number;
  readonly references: readonly string[];
  /** How many more there are than `references` holds; absent = none. */
  readonly moreReferences?: number;
  /** Files of the skill that are not served, with the reason. */
  readonly leftOut: readonly WithheldEntry[];
  /** How many more there are than `leftOut` holds; absent = none. */
  readonly moreLeftOut?: number;
  /** Label of the licence that keeps its content at the source: then nothing below or beside it is named either. */
  readonly describedOnly?: string;
  /** Where a person sees the SKILL.md at its host, or how to read it locally. */
  readonly sourceUrl: string;
}

export interface SkillContext {
  readonly parts: readonly ContextPart[];
  /** Required content that is missing or unreadable: no later page can repair it. */
  readonly missing: readonly Diagnostic[];
  /** Something of it was stored and could not be read now: asking again may give more. */
  readonly unread?: true;
}

export interface FileAnswer {
  readonly path: string;
  /** The whole text, as stored (byte order mark and line ends included). */
  readonly text: string;
}

/** What a mount is, for instructions and the page. */
export interface MountOverview {
  readonly path: string;
  readonly name?: string;
  readonly description?: string;
  readonly language?: string;
  readonly image?: string;
  readonly overview?: Overview;
  readonly counts: Counts;
  /** Folders that hold something discoverable, nearest first, bounded by the caller. */
  readonly folders: readonly FolderEntry[];
  /** Discoverable skills in path order, bounded by the caller; absent if none were asked for. */
  readonly skills?: readonly SkillEntry[];
  readonly diagnostics: readonly Diagnostic[];
  /** How many more there are than `diagnostics` holds; absent = none. */
  readonly moreDiagnostics?: number;
  readonly partial: Partial | null;
}

/** A problem the caller can correct, with a stable code. */
export interface AnswerError {
  readonly error: {
    readonly code: AnswerErrorCode;
    /** Says what is wrong, where, and what to do. */
    readonly message: string;
    /** The bytes or the page at the host, where this surface cannot carry the content. */
    readonly sourceUrl?: string;
    /** The call that was probably meant, or one that shows what there is. */
    readonly next?: NextCall;
  };
}

/** A tool and its arguments. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
}

export type AnswerErrorCode =
  | 'request.invalid'
  | 'path.invalid'
  | 'folder.not_found'
  | 'skill.not_found'
  | 'file.not_found'
  | 'file.not_served'
  | 'file.too_large'
  | 'file.not_text'
  | 'file.unavailable'
  | 'index.indexing'
  | 'index.failed';

export function isAnswerError(answer: object): answer is AnswerError {
  return 'error' in answer;
}
