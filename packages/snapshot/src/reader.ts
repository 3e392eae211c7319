// What a snapshot answers about a mount: browse, search, skills, their context, files. Plain data, no rendering.
import type {
  AnswerError,
  BrowseAnswer,
  FileAnswer,
  MountOverview,
  SearchAnswer,
  SearchPosition,
  SkillAnswer,
  SkillContext,
} from '@skillquay/core/answers';
import type { Index } from './index.ts';

/** Where bodies are read: the objects of the repository. `null` = not there (any more). */
export interface Objects {
  read(oid: string): Promise<Uint8Array | null>;
}

/** Links to what is not carried here; `null` where the host has no page for it. */
export interface Links {
  /** The bytes of a file. */
  raw(commit: string, path: string): string | null;
  /** The page of a file. */
  page(commit: string, path: string): string | null;
}

export interface BrowseRequest {
  /** Repository-root path; absent = the mounted folder. */
  readonly path?: string | undefined;
  /** Entries to pass over. */
  readonly position: number;
  readonly limit: number;
}

export interface SearchRequest {
  readonly query: string;
  /** Repository-root path of the folder to search below; absent = the mounted folder. */
  readonly path?: string | undefined;
  /** Where the page before ended; null = from the best hit. */
  readonly after: SearchPosition | null;
  readonly limit: number;
}

export interface SkillRequest {
  readonly maxFiles: number;
  /** UTF-8 bytes of file paths, a line end each included. */
  readonly maxFilesBytes: number;
  readonly maxReferences: number;
  readonly maxReferencesBytes: number;
}

export interface MountOptions {
  /** The host's description of the repository: used at the root where the repository itself says nothing. */
  readonly description?: string | undefined;
}

/** The whole repository or one directory of it. Whatever lies outside does not exist here. */
export interface Mount {
  readonly path: string;
  overview(maxFolders: number): MountOverview;
  browse(request: BrowseRequest): BrowseAnswer | AnswerError;
  search(request: SearchRequest): SearchAnswer | AnswerError;
  /** What a skill says about itself; `path` is exactly its SKILL.md. */
  skill(path: string, request: SkillRequest): SkillAnswer | AnswerError;
  /** Everything an agent reads of a skill, in order. */
  context(path: string): Promise<SkillContext | AnswerError>;
  file(path: string): Promise<FileAnswer | AnswerError>;
}

export interface Snapshot {
  readonly index: Index;
  /** `null` where nothing shown lies at or below the path. */
  mount(path: string, options?: MountOptions): Mount | null;
}
