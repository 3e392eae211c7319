// Finds files that read like a skill and are not called one: what an author most likely expected to be served.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { isMarkdownPath } from '@skillquay/core/file-kind';
import { basename } from '@skillquay/core/paths';
import { readSkillFile, SKILL_FILE } from '@skillquay/core/skill-file';
import { streamObjects } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import { listTree, OID_BYTES, type TreeListing } from '@skillquay/git/tree';

/** Files looked at. */
const MAX_FILES = 2_000;
const MAX_FILE_BYTES = 64 * 1024;
const REGULAR_MODES = 1;

/** Markdown files of the tree with a valid `name` and `description`, among those `isCandidate` lets through. */
export async function misplacedSkills(
  git: GitRepository,
  tree: string,
  isCandidate: (path: string) => boolean,
): Promise<Diagnostic[]> {
  const listing = await listTree(git, tree);
  const entries = candidates(listing, isCandidate);
  const oids = new Uint8Array(entries.length * OID_BYTES);
  entries.forEach((entry, at) => {
    oids.set(listing.oids.subarray(entry * OID_BYTES, (entry + 1) * OID_BYTES), at * OID_BYTES);
  });
  const found: Diagnostic[] = [];
  await streamObjects(
    git,
    oids,
    (at, content) => {
      const path = listing.path(entries[at] ?? 0);
      if (content !== null && readSkillFile(content.toString('utf8'), path).value !== null)
        found.push(diagnostic('misplaced_skill', { path, line: 1 }));
    },
    { maxBytes: MAX_FILE_BYTES },
  );
  return found;
}

function candidates(listing: TreeListing, isCandidate: (path: string) => boolean): number[] {
  const entries: number[] = [];
  for (let entry = 0; entry < listing.count && entries.length < MAX_FILES; entry += 1) {
    if ((listing.modes[entry] ?? 0) > REGULAR_MODES || !listing.validUtf8(entry)) continue;
    const path = listing.path(entry);
    const name = basename(path).toLowerCase();
    if (
      isMarkdownPath(path) &&
      name !== SKILL_FILE.toLowerCase() &&
      name !== 'skillcdn.md' &&
      isCandidate(path)
    )
      entries.push(entry);
  }
  return entries;
}
