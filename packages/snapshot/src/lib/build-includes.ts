// Judges what skills include: what is allowed is decided by where a path lies, before anyone looks whether it is there. Source: format, section 6.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { isJsonPath, isMarkdownPath } from '@skillquay/core/file-kind';
import { dirname, isWithin } from '@skillquay/core/paths';
import { type Classes, isDocumentPath, withheldNumber } from '../classify.ts';
import { type Policy, Scope } from '../policy.ts';
import { RowClass, RowMode, WITHHELD_REASONS } from '../tables.ts';
import type { Facts } from './build-facts.ts';
import type { Listing } from './build-listing.ts';
import { positionOf } from './build-ranges.ts';
import { Found } from './build-read.ts';
import type { Restrictions } from './build-restrictions.ts';

/** An include that is allowed. */
interface Include {
  readonly path: string;
  /** Its entry, -1 when there is none that may be served. */
  readonly entry: number;
}

export interface Includes {
  /** By skill number; empty for most. */
  readonly allowed: readonly (readonly Include[])[];
  /** What each skill is told of its other includes: paths, which are not for who only gets its description. */
  readonly dropped: readonly (readonly Diagnostic[])[];
}

const NONE: readonly Include[] = [];
export const NOTHING: JudgedIncludes = { entries: [], missing: [] };
const OUTSIDE = 'is neither a file of the skill nor a shared document that a manifest above it governs';
const RESTRICTIVE = withheldNumber('restrictive_license');
const ITSELF = 'is the skill itself';

/**
 * Decides which includes are allowed. A hidden file inside the skill is served because it is named: it becomes a
 * supporting file in `classes`.
 */
export function allowIncludes(listing: Listing, policy: Policy, classes: Classes, facts: Facts): Includes {
  const places = new Places(listing, policy, classes);
  const dropped = classes.skills.map((): Diagnostic[] => []);
  const allowed = classes.skills.map((skillEntry, skill) => {
    const include = facts.includeOf(skillEntry);
    if (include === undefined) return NONE;
    const own = listing.path[skillEntry] ?? '';
    const kept: Include[] = [];
    for (const path of include) {
      const fault = path === own ? ITSELF : places.allows(path, skill) ? null : OUTSIDE;
      if (fault === null) kept.push({ path, entry: places.take(path, skill) });
      else dropped[skill]?.push(diagnostic('dropped_include', { path: own, entry: path, reason: fault }));
    }
    return kept;
  });
  return { allowed, dropped };
}

class Places {
  readonly #listing: Listing;
  readonly #policy: Policy;
  readonly #classes: Classes;
  /** Made when first needed: few skills include anything. */
  #skillOf: Map<string, number> | null = null;
  #manifestOf: Map<string, number> | null = null;

  constructor(listing: Listing, policy: Policy, classes: Classes) {
    this.#listing = listing;
    this.#policy = policy;
    this.#classes = classes;
  }

  /** Whether the skill may include what stands, or would stand, at this path. */
  allows(path: string, skill: number): boolean {
    if (!isMarkdownPath(path) && !isJsonPath(path)) return false;
    const nearest = this.#nearest(path, this.#skills());
    if (nearest === skill) return true;
    const folderOf = (number: number) => dirname(this.#listing.path[this.#classes.skills[number] ?? 0] ?? '');
    // What another skill owns is no document. A root skill owns everything, and documents stay documents.
    if (nearest !== -1 && folderOf(nearest) !== '') return false;
    const number = this.#nearest(path, this.#manifests());
    const manifest = this.#policy.manifests[number];
    return isDocumentPath(path, manifest) && isWithin(folderOf(skill), manifest?.folder ?? '');
  }

  /** The entry at an allowed path, -1 if it must not or cannot be served. */
  take(path: string, skill: number): number {
    const entry = positionOf(this.#listing.path, path);
    if (entry === -1 || this.#policy.scope[entry] !== Scope.open) return -1;
    const { class: classes, nearest, owner } = this.#classes;
    const mode = this.#listing.mode[entry];
    if (
      classes[entry] === 0 &&
      nearest[entry] === skill &&
      (mode === RowMode.file || mode === RowMode.executable)
    ) {
      classes[entry] = RowClass.supporting;
      owner[entry] = skill;
    }
    return entry;
  }

  /** The number of the nearest folder upwards, -1 without one. */
  #nearest(path: string, folders: ReadonlyMap<string, number>): number {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const number = folders.get(folder);
      if (number !== undefined) return number;
      if (folder === '') return -1;
    }
  }

  #skills(): Map<string, number> {
    this.#skillOf ??= new Map(
      this.#classes.skills.map((entry, number) => [dirname(this.#listing.path[entry] ?? ''), number]),
    );
    return this.#skillOf;
  }

  #manifests(): Map<string, number> {
    this.#manifestOf ??= new Map(this.#policy.manifests.map(({ folder }, number) => [folder, number]));
    return this.#manifestOf;
  }
}

export interface JudgedIncludes {
  /** Entries that are served, in declaration order. */
  readonly entries: readonly number[];
  readonly missing: readonly string[];
}

/** Says of a skill's allowed includes which are served, once classes are final. */
export function judgeIncludes(
  own: string,
  allowed: readonly Include[],
  classes: Classes,
  facts: Facts,
  { keeping }: Restrictions,
  diagnostics: Diagnostic[],
): JudgedIncludes {
  if (allowed.length === 0) return NOTHING;
  const entries: number[] = [];
  const missing: string[] = [];
  for (const { path, entry } of allowed) {
    const reason = whyUnavailable(entry, classes, facts);
    if (reason === null) {
      entries.push(entry);
      continue;
    }
    missing.push(path);
    const licence = classes.withheld[entry] === RESTRICTIVE ? keeping(entry) : null;
    if (licence !== null)
      diagnostics.push(diagnostic('kept_at_source', { path: own, file: path, license: licence.label }));
    else {
      diagnostics.push(diagnostic('file_unavailable', { path: own, file: path, reason }));
    }
  }
  return { entries, missing };
}

function whyUnavailable(entry: number, classes: Classes, facts: Facts): string | null {
  const rowClass = entry === -1 ? 0 : (classes.class[entry] ?? 0);
  if (rowClass === 0) return 'is not there';
  if (rowClass !== RowClass.withheld) return isText(entry, rowClass, facts) ? null : 'is not UTF-8 text';
  switch (WITHHELD_REASONS[classes.withheld[entry] ?? 0]) {
    case 'too_large':
      return 'is too large';
    case 'lfs_pointer':
      return 'is kept in Git LFS';
    case 'not_text':
      return 'is not UTF-8 text';
    case 'symlink':
      return 'is a symbolic link';
    case 'submodule':
      return 'is a submodule';
    case 'beyond_limit':
      return 'lies beyond a limit';
    default:
      return 'is not there';
  }
}

function isText(entry: number, rowClass: number, facts: Facts): boolean {
  return rowClass === RowClass.manifest || ((facts.found[entry] ?? 0) & Found.text) !== 0;
}
