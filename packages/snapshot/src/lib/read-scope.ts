// The part of a snapshot that a mount may show: every lookup of a path goes through here.
import type { AnswerError, Overview, Partial } from '@skillquay/core/answers';
import { checkRepositoryPath, dirname, isWithin } from '@skillquay/core/paths';
import type { Segment } from '@skillquay/search/segment';
import type { Index } from '../index.ts';
import { RowClass, SIZE_UNKNOWN } from '../tables.ts';
import { lowerBound } from './file-index.ts';
import { fail } from './read-errors.ts';

/** What all mounts of a snapshot share. */
export interface Base {
  readonly index: Index;
  readonly segment: () => Segment;
  readonly closed: ReadonlySet<string>;
  /** Bytes of the largest file that is served. */
  readonly maxFileBytes: number;
  /** The bytes of an object, null when they are not there. */
  readonly read: (oid: string) => Promise<Uint8Array | null>;
  /** Where the bytes of a file can be had, and where a person sees it: a URL, or words where the host has none. */
  readonly rawSource: (path: string) => string;
  readonly pageSource: (path: string) => string;
  /** Told what ought not to happen, in words for the operator's log. */
  readonly onFault: (fault: string) => void;
}

/** The whole repository or one directory of it. */
export class Scope {
  readonly base: Base;
  readonly index: Index;
  /** '' = the whole repository. */
  readonly path: string;

  constructor(base: Base, path: string) {
    this.base = base;
    this.index = base.index;
    this.path = path;
  }

  /** Says what is wrong with a path that was asked for, before anything is looked up. */
  pathError(path: string, root: boolean): AnswerError | null {
    const problem = checkRepositoryPath(path, { root });
    return problem === null ? null : fail('path.invalid', problem);
  }

  contains(path: string): boolean {
    return isWithin(path, this.path);
  }

  /** The withheld folder that a path is or lies in, null without one. */
  closedAbove(path: string): string | null {
    const { closed } = this.base;
    if (closed.size === 0) return null;
    for (let at = path; ; at = dirname(at)) {
      if (closed.has(at)) return at;
      if (at === '') return null;
    }
  }

  /** The row of a path inside the mount, -1 without one. What lies in a withheld folder has none, whoever asks. */
  rowOf(path: string): number {
    return this.contains(path) && this.closedAbove(path) === null ? this.index.rowOf(path) : -1;
  }

  isServed(row: number): boolean {
    return this.index.class[row] !== RowClass.withheld && this.index.withheld[row] === 0;
  }

  /** The number of a folder that is shown, is not withheld, and lies inside the mount; -1 without one. */
  folderOf(path: string): number {
    if (!this.contains(path) || this.closedAbove(path) !== null) return -1;
    return this.index.folders.of(path);
  }

  /** The nearest folder at or above a folder that has a manifest, as that manifest's number; -1 without one. */
  governing(folder: number): number {
    const { manifest, parent } = this.index.folders;
    for (let at = folder; at !== -1; at = parent[at] ?? -1) {
      const number = manifest[at] ?? -1;
      if (number !== -1) return number;
    }
    return -1;
  }

  /** Search documents below a folder, as [from, to). */
  docsOf(folder: number): readonly [number, number] {
    const { docRow, folders } = this.index;
    return [
      lowerBound(docRow, folders.rows[folder * 2] ?? 0),
      lowerBound(docRow, folders.rows[folder * 2 + 1] ?? 0),
    ];
  }

  /** `{ size }` where it is known. */
  sizeOf(row: number): { readonly size?: number } {
    const size = this.index.size[row] ?? SIZE_UNKNOWN;
    return size === SIZE_UNKNOWN ? {} : { size };
  }

  /** Title and summary of a row, where it has them. */
  textOf(row: number): Omit<Overview, 'path'> {
    const text = this.index.text(row);
    if (text === null) return {};
    const { row: _, ...rest } = text;
    return rest;
  }

  get partial(): Partial | null {
    const { partial } = this.index;
    return partial.length === 0 ? null : { reasons: partial };
  }
}
