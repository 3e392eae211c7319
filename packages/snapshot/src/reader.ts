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
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { localCommand } from '@skillquay/core/local-command';
import { checkRepositoryPath } from '@skillquay/core/paths';
import { openSegment, type Segment } from '@skillquay/search/segment';
import { readContext } from './context.ts';
import type { Index } from './index.ts';
import { browse, overview } from './lib/read-browse.ts';
import { type Problems, problemsOf } from './lib/read-diagnostics.ts';
import { type SkillHint, skillHint } from './lib/read-errors.ts';
import { readFile } from './lib/read-file.ts';
import { type Base, Scope } from './lib/read-scope.ts';
import { search } from './lib/read-search.ts';
import { findSkill, skill } from './lib/read-skill.ts';

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

/** Bounds of each list of paths in the answer: files, references, files left out. */
export interface SkillRequest {
  readonly maxPaths: number;
  /** UTF-8 bytes, one for the end of each line included. */
  readonly maxPathBytes: number;
}

/** The whole repository or one directory of it. Whatever lies outside does not exist here. */
export interface Mount {
  readonly path: string;
  /** With at most so many folders, and so many skills if any are asked for. */
  overview(maxFolders: number, maxSkills?: number): MountOverview;
  /** What an author should mend here, bounded; the counts are complete. */
  problems(limit: number): Problems;
  browse(request: BrowseRequest): BrowseAnswer | AnswerError;
  search(request: SearchRequest): SearchAnswer | AnswerError;
  /** What a skill says about itself; `path` is exactly its SKILL.md. */
  skill(path: string, request: SkillRequest): SkillAnswer | AnswerError;
  /** What helps a caller who named a skill by a directory or a name; null where nothing does. */
  skillHint(asked: string): SkillHint | null;
  /** Everything an agent reads of a skill, in order. */
  context(path: string): Promise<SkillContext | AnswerError>;
  file(path: string): Promise<FileAnswer | AnswerError>;
}

export interface SnapshotOptions {
  /** Bytes of the largest file that is served. */
  readonly maxFileBytes?: number;
}

export interface Snapshot {
  readonly index: Index;
  /** `null` where nothing shown lies at or below the path. */
  mount(path: string): Mount | null;
}

/** Makes a snapshot of an open index and the objects it names. Reads nothing before it is asked. */
export function openSnapshot(
  index: Index,
  objects: Objects,
  links: Links,
  options: SnapshotOptions = {},
): Snapshot {
  const { commit } = index.identity;
  let segment: Segment | undefined;
  const hereOf = (path: string) => localCommand(commit, path) ?? `${path} in the working tree`;
  const base: Base = {
    index,
    segment: () => {
      segment ??= openSegment(index.segment);
      return segment;
    },
    closed: new Set(index.closedFolders),
    maxFileBytes: options.maxFileBytes ?? DEFAULT_LIMITS.readFileBytes,
    read: (oid) => objects.read(oid),
    rawSource: (path) => links.raw(commit, path) ?? hereOf(path),
    pageSource: (path) => links.page(commit, path) ?? hereOf(path),
  };
  return {
    index,
    mount(path) {
      const scope = new Scope(base, path);
      if (checkRepositoryPath(path, { root: true }) !== null) return null;
      return scope.closedAbove(path) !== null || scope.folderOf(path) !== -1 ? mountOf(scope) : null;
    },
  };
}

function mountOf(scope: Scope): Mount {
  return {
    path: scope.path,
    overview: (maxFolders, maxSkills = 0) => overview(scope, maxFolders, maxSkills),
    problems: (limit) => problemsOf(scope, limit),
    browse: (request) => browse(scope, request),
    search: (request) => search(scope, request),
    skill: (path, request) => skill(scope, path, request),
    skillHint: (asked) => skillHint(scope, asked),
    async context(path) {
      const found = findSkill(scope, path);
      return typeof found === 'number' ? readContext(scope, found) : found;
    },
    file: (path) => readFile(scope, path),
  };
}
