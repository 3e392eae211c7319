// What a repository's manifests decide before anything else is read: what is excluded, what is closed, whose rules hold.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic, ManifestFacts, Reading } from '@skillquay/core/facts';
import { isExcluded, MANIFEST_FILE, policyFolder } from '@skillquay/core/manifest-file';
import { dirname } from '@skillquay/core/paths';
import { below, belowAt, positionOf, type Range } from './lib/build-ranges.ts';

export { MANIFEST_FILE };

/** What policy says of an entry. Excluded wins over closed: an excluded file is as if it had never existed. */
export const Scope = { open: 0, excluded: 1, closed: 2 } as const;

/** A manifest as read; `value` null means that it cannot be trusted, and the diagnostics say why. */
export interface ManifestReading extends Reading<ManifestFacts> {
  /** Position of its entry in the listing. */
  readonly entry: number;
}

/** A manifest in force. */
export interface ManifestInForce {
  readonly entry: number;
  /** The folder it governs, '' = root. */
  readonly folder: string;
  readonly facts: ManifestFacts;
  /** After inheritance from the manifests above. */
  readonly language?: string;
  readonly image?: string;
}

export interface Policy {
  /** `Scope` of each entry. */
  readonly scope: Uint8Array;
  /** In path order. */
  readonly manifests: readonly ManifestInForce[];
  /** Position in `manifests` of the nearest one at or above each entry, -1 without one. */
  readonly governing: Int32Array;
  /** Position of the nearest manifest above each manifest, -1 without one. */
  readonly above: Int32Array;
  /** Folders withheld whole, each the outermost. */
  readonly closed: ReadonlySet<string>;
  /** What manifests exclude, as written, '' = everything; to judge paths that are not in the listing. */
  readonly excludedPaths: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Which exclusions name nothing. For authors alone: who reads here must not learn what an exclusion hides. */
  readonly unused: readonly Diagnostic[];
}

/**
 * Applies manifests from the root down (format, sections 3 and 4). `paths` is the complete listing in byte order,
 * `readings` one reading for each entry named SKILLCDN.md. A manifest below an excluded or closed folder is not
 * heard: not its exclusions, not its faults.
 */
export function decidePolicy(paths: readonly string[], readings: readonly ManifestReading[]): Policy {
  const scope = new Uint8Array(paths.length);
  const closed = new Set<string>();
  const excluded = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const unused: Diagnostic[] = [];
  const inForce: ManifestInForce[] = [];

  const mark = (range: Range, value: number) => {
    for (let i = range.from; i < range.to; i += 1) if (scope[i] === Scope.open) scope[i] = value;
  };
  const close = (folder: string) => {
    if (isExcluded(folder, closed)) return;
    closed.add(folder);
    mark(below(paths, folder), Scope.closed);
  };

  const exclude = (path: string) => {
    excluded.add(path);
    mark(below(paths, path), Scope.excluded);
    const at = positionOf(paths, path);
    if (at !== -1) mark({ from: at, to: at + 1 }, Scope.excluded);
  };

  for (const reading of fromTheRootDown(paths, readings)) {
    const own = paths[reading.entry] ?? '';
    const folder = dirname(own);
    if (scope[reading.entry] !== Scope.open) continue;
    const facts = reading.value;
    if (facts === null) {
      // What is closed is the folder, so that is where a reader of the folder finds the reason.
      for (const found of reading.diagnostics)
        diagnostics.push(found.code === 'closed_scope' ? { ...found, path: folder } : found);
      close(folder);
      continue;
    }
    diagnostics.push(...reading.diagnostics);
    for (const path of facts.exclude) {
      const range = below(paths, path);
      const at = positionOf(paths, path);
      if (at === -1 && range.from === range.to)
        unused.push(diagnostic('unused_exclude', { path: own, entry: path }));
      exclude(path);
      const folderOfPolicy = policyFolder(path);
      if (folderOfPolicy === null) continue;
      // Without its policy nobody knows what the folder may show, so none of it exists.
      diagnostics.push(diagnostic('excluded_policy', { path: own, entry: path }));
      exclude(folderOfPolicy);
    }
    if (scope[reading.entry] === Scope.open) inForce.push({ entry: reading.entry, folder, facts });
  }

  const manifests = inForce.sort((a, b) => a.entry - b.entry);
  const above = nearestAbove(manifests);
  return {
    scope,
    manifests: inherit(manifests, above),
    above,
    governing: governed(paths, manifests),
    closed,
    excludedPaths: excluded,
    diagnostics,
    unused,
  };
}

/** What holds for a path, listed or not: what is answered about a path must not depend on whether it exists. */
export function scopeOf(policy: Policy, path: string): number {
  if (isExcluded(path, policy.excludedPaths)) return Scope.excluded;
  return isExcluded(path, policy.closed) ? Scope.closed : Scope.open;
}

function fromTheRootDown(
  paths: readonly string[],
  readings: readonly ManifestReading[],
): readonly ManifestReading[] {
  const depth = (reading: ManifestReading) => (paths[reading.entry] ?? '').split('/').length;
  return [...readings].sort((a, b) => depth(a) - depth(b) || a.entry - b.entry);
}

function governed(paths: readonly string[], manifests: readonly ManifestInForce[]): Int32Array {
  const governing = new Int32Array(paths.length).fill(-1);
  const ranges = manifests.map((manifest, number) => ({
    number,
    ...belowAt(paths, manifest.folder, manifest.entry),
  }));
  ranges.sort((a, b) => b.to - b.from - (a.to - a.from) || depthOf(manifests, a) - depthOf(manifests, b));
  for (const { number, from, to } of ranges) governing.fill(number, from, to);
  return governing;
}

function depthOf(manifests: readonly ManifestInForce[], range: { readonly number: number }): number {
  return manifests[range.number]?.folder.length ?? 0;
}

function nearestAbove(manifests: readonly ManifestInForce[]): Int32Array {
  const numberOf = new Map(manifests.map(({ folder }, number) => [folder, number]));
  return Int32Array.from(manifests, (manifest) => {
    for (let folder = manifest.folder; folder !== ''; ) {
      folder = dirname(folder);
      const number = numberOf.get(folder);
      if (number !== undefined) return number;
    }
    return -1;
  });
}

/** `language` and `image` pass down to folders that do not set their own; nothing else does. */
function inherit(manifests: readonly ManifestInForce[], above: Int32Array): ManifestInForce[] {
  const nearest = (number: number, field: 'language' | 'image'): string | undefined => {
    for (let at = number; at !== -1; at = above[at] ?? -1) {
      const value = manifests[at]?.facts[field];
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return manifests.map((manifest, number) => {
    const language = nearest(number, 'language');
    const image = nearest(number, 'image');
    return {
      ...manifest,
      ...(language === undefined ? {} : { language }),
      ...(image === undefined ? {} : { image }),
    };
  });
}
