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
import type { ServedFrontMatter } from '@skillquay/core/skill-document';
import { openSegment, type Segment } from '@skillquay/search/segment';
import { readContext } from './context.ts';
import type { Index } from './index.ts';
import { browse, overview } from './lib/read-browse.ts';
import { type Problems, problemsOf } from './lib/read-diagnostics.ts';
import { type SkillHint, skillHint } from './lib/read-errors.ts';
import { readFile } from './lib/read-file.ts';
import { children, listed, listedAt, listedCount, rootName } from './lib/read-listing.ts';
import { readResource } from './lib/read-resource.ts';
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
  /** The template of `raw` for `fileUrl`, which an index is built with; absent where there are no URLs. */
  readonly rawUrl?: string;
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

/** A file as the skills extension passes it on. */
export interface ListedFile {
  readonly path: string;
  /** `sha256:` and 64 hex digits, over the bytes that `Mount.resource` answers. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** A skill that the extension lists. Source: contract, The skills extension. */
export interface ListedSkill {
  /** Of its SKILL.md. */
  readonly path: string;
  /** '' for a root skill. */
  readonly directory: string;
  readonly name: string;
  /** At most 1,024 characters. */
  readonly description: string;
  readonly frontmatter: ServedFrontMatter;
  /** Every served file of the directory, those of nested skills included, in path order. */
  readonly resources: readonly ListedFile[];
}

/** The bytes of a file: as stored, but of a listed SKILL.md the assembled document. */
export interface ResourceAnswer {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Of a listed SKILL.md, as its entry has them. */
  readonly name?: string;
  readonly description?: string;
}

export interface DirectoryChild {
  /** Without a trailing slash. */
  readonly path: string;
  readonly kind: 'folder' | 'file';
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
  /** The listed skills inside the mount. */
  readonly listedCount: number;
  /** Stands before every path in URIs where the repository's root skill is listed, whatever the mount; else null. */
  readonly rootName: string | null;
  /** Listed skills in path order, after `position` others. Each is made when it is taken. */
  listed(position: number, limit: number): Iterable<ListedSkill>;
  /** The listed skill whose SKILL.md this exactly is. */
  listedAt(path: string): ListedSkill | null;
  /** Any served file of the mount, text or not. */
  resource(path: string): Promise<ResourceAnswer | AnswerError>;
  /** What is served directly in a folder, folders first, both in byte order of their names; null = no such folder. */
  children(path: string): readonly DirectoryChild[] | null;
}

export interface SnapshotOptions {
  /** Bytes of the largest file that is served. */
  readonly maxFileBytes?: number;
  /** Told what ought not to happen, in words for the operator's log. */
  readonly onFault?: (fault: string) => void;
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
    onFault: options.onFault ?? (() => {}),
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
    listedCount: listedCount(scope),
    rootName: rootName(scope),
    listed: (position, limit) => listed(scope, position, limit),
    listedAt: (path) => listedAt(scope, path),
    resource: (path) => readResource(scope, path),
    children: (path) => children(scope, path),
  };
}
