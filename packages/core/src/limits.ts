// Every bound on what is read from a repository, declared once. Source: format, section 11, and section 2.

/** Limits an operator may change. They are part of the reading-rules version: another limit is another index. */
export interface ReadingLimits {
  /** Tree entries kept of one commit; the rest is left out in path order. */
  readonly treeEntries: number;
  /** More manifests than this fail the commit: policy must be complete. */
  readonly manifests: number;
  /** Files whose text is indexed. */
  readonly indexedFiles: number;
  /** Bytes of one file that are searched. */
  readonly indexedBytesPerFile: number;
  /** Bytes of text indexed in all. */
  readonly indexedBytes: number;
  /** Bytes of the largest file that is served. */
  readonly readFileBytes: number;
  /** Bytes of blobs read from one commit while its index is built. */
  readonly blobBytes: number;
}

export const DEFAULT_LIMITS: ReadingLimits = {
  treeEntries: 300_000,
  manifests: 1_000,
  indexedFiles: 200_000,
  indexedBytesPerFile: 256 * 1024,
  indexedBytes: 1024 ** 3,
  readFileBytes: 2 * 1024 ** 2,
  blobBytes: 2 * 1024 ** 3,
};

/** Raised by one whenever the same commit would give another index. */
export const READING_RULES = 8;

export const MAX_FRONT_MATTER_CHARACTERS = 16_384;
export const MAX_SKILL_FILE_BYTES = 1_048_576;
export const MAX_MANIFEST_BYTES = 262_144;
/**
 * Bytes of the files that the context of one skill is made of: more are not put together, for a host or for a page of
 * `load_skill`. A path has room for hundreds of manifests, and one blob can be all of them.
 */
export const MAX_CONTEXT_FILE_BYTES = 33_554_432;
/** Of a skill: more is kept and warned about, and cut where a host takes no more. */
export const MAX_DESCRIPTION_CHARACTERS = 1_024;
/** Characters of one Markdown file in which links are looked for, and targets taken from it. */
export const MAX_LINK_CHARACTERS = 262_144;
export const MAX_LINK_TARGETS = 200;
/** Steps a chain of links may take from what is served otherwise. */
export const MAX_LINK_STEPS = 8;
export const MAX_INCLUDES = 20;
export const MAX_DOCUMENT_DIRECTORIES = 20;
export const MAX_EXCLUDES = 100;
export const MAX_TRANSLATIONS = 32;
