// What names alone tell an author: skills that are none, links in the place of skills, names that collide.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { basename, dirname, joinPath } from '@skillquay/core/paths';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { streamObjects } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import { type Classes, isNamedLikeSkill, isSkillPath, skillDirectoryOf } from '../classify.ts';
import { type Policy, Scope } from '../policy.ts';
import { RowMode } from '../tables.ts';
import { type Listing, oidsOf } from './build-listing.ts';
import { positionOf } from './build-ranges.ts';

/** Entries that look like skills and are none. */
export function judgeSkillNames(listing: Listing, policy: Policy, kept: number): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const directories = new Set<string>();
  for (let i = 0; i < kept; i += 1) {
    if (policy.scope[i] !== Scope.open) continue;
    const path = listing.path[i] ?? '';
    const directory = skillDirectoryOf(path);
    if (directory !== null) directories.add(directory);
    if (!isNamedLikeSkill(path)) continue;
    if (listing.mode[i] === RowMode.symlink) diagnostics.push(diagnostic('skill_is_symlink', { path }));
    else if (listing.mode[i] === RowMode.submodule)
      diagnostics.push(diagnostic('skill_is_submodule', { path }));
    else if (!isSkillPath(path)) {
      // Beside a SKILL.md it is no mistake in its name: then it collides, which is reported as such.
      const beside = positionOf(listing.path, joinPath(dirname(path), SKILL_FILE));
      if (beside === -1 || policy.scope[beside] !== Scope.open)
        diagnostics.push(diagnostic('misnamed_skill_file', { path, name: basename(path) }));
    }
  }
  for (const path of directories) diagnostics.push(diagnostic('skill_is_directory', { path }));
  return diagnostics;
}

/** Bytes of a link that are looked at: no path that could lead anywhere is longer. */
const MAX_LINK_BYTES = 4_096;

/**
 * Links that stand where a skill's directory should: they lead to a folder of this commit with a SKILL.md in it. Where
 * that skill is found by itself the link is only mentioned, else it is an error: nobody would find the skill.
 */
export async function judgeSkillLinks(
  git: GitRepository,
  listing: Listing,
  policy: Policy,
  classes: Classes,
  isDiscoverable: (skill: number) => boolean,
  kept: number,
  signal: AbortSignal,
): Promise<Diagnostic[]> {
  const links: number[] = [];
  for (let i = 0; i < kept; i += 1) {
    if (policy.scope[i] !== Scope.open || listing.mode[i] !== RowMode.symlink) continue;
    if (!isNamedLikeSkill(listing.path[i] ?? '')) links.push(i);
  }
  const diagnostics: Diagnostic[] = [];
  if (links.length === 0) return diagnostics;
  const numberOf = new Map(classes.skills.map((entry, skill) => [entry, skill]));
  await streamObjects(
    git,
    oidsOf(listing, links),
    (i, content) => {
      const path = listing.path[links[i] ?? 0] ?? '';
      const folder = content === null ? null : linkTarget(path, content);
      if (folder === null) return;
      const target = positionOf(listing.path, joinPath(folder, SKILL_FILE));
      if (target === -1 || policy.scope[target] !== Scope.open) return;
      const skill = numberOf.get(target);
      const found = skill !== undefined && isDiscoverable(skill);
      diagnostics.push(diagnostic(found ? 'symlink' : 'skill_is_symlink', { path }));
    },
    { signal, maxBytes: MAX_LINK_BYTES },
  );
  return diagnostics;
}

/** The path a link leads to, by its letters alone; null where that lies outside. */
function linkTarget(path: string, content: Uint8Array): string | null {
  const target = new TextDecoder().decode(content);
  if (target.startsWith('/')) return null;
  const segments = dirname(path) === '' ? [] : dirname(path).split('/');
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join('/');
}

/** Served paths that differ in upper and lower case alone: each but the first of them names the first. */
export function judgeCollisions(
  listing: Listing,
  policy: Policy,
  rowClass: Uint8Array,
  kept: number,
): Diagnostic[] {
  const hashes = new Float64Array(kept);
  let count = 0;
  for (let i = 0; i < Math.min(kept, POSITIONS); i += 1) {
    if (rowClass[i] === 0 || policy.scope[i] !== Scope.open) continue;
    hashes[count] = hashOf((listing.path[i] ?? '').toLowerCase()) * POSITIONS + i;
    count += 1;
  }
  const sorted = hashes.subarray(0, count).sort();
  const diagnostics: Diagnostic[] = [];
  for (let from = 0; from < count; ) {
    let to = from + 1;
    const hash = Math.floor((sorted[from] ?? 0) / POSITIONS);
    while (to < count && Math.floor((sorted[to] ?? 0) / POSITIONS) === hash) to += 1;
    if (to - from > 1) reportCollisions(listing, sorted.subarray(from, to), diagnostics);
    from = to;
  }
  return diagnostics;
}

/** More than there are entries, and small enough that a 32-bit hash before it stays exact. */
const POSITIONS = 2 ** 21;

function reportCollisions(listing: Listing, group: Float64Array, diagnostics: Diagnostic[]): void {
  const firstOf = new Map<string, string>();
  for (const value of group) {
    const path = listing.path[value % POSITIONS] ?? '';
    const other = firstOf.get(path.toLowerCase());
    if (other === undefined) firstOf.set(path.toLowerCase(), path);
    else diagnostics.push(diagnostic('case_collision', { path, other }));
  }
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Paths that no address can name. What an exclusion or a closed folder covers is not mentioned. */
export function judgeUnaddressable(listing: Listing, scopes: readonly number[]): Diagnostic[] {
  return listing.unaddressable
    .filter((_, i) => scopes[i] === Scope.open)
    .map(({ path, reason }) => diagnostic('unaddressable_path', { path, reason }));
}
