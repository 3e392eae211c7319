// Which folders of a listing are skills, and what belongs to one.
import { compareUtf8 } from '@skillquay/core/paths';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import type { Listing, RegistryEntry } from '../backend.ts';
import { RegistryError } from '../errors.ts';
import { isPassedOver } from '../passed-over.ts';

/** The SKILL.md of each skill, by slug in byte order. */
export function skillFiles(listing: Listing): ReadonlyMap<string, RegistryEntry> {
  const found = listing.entries.flatMap((entry) => {
    const [slug = '', name, ...deeper] = entry.path.split('/');
    const isSkill =
      name === SKILL_FILE && deeper.length === 0 && entry.mode !== '160000' && !isPassedOver(slug);
    return isSkill ? [[slug, entry] as const] : [];
  });
  return new Map(found.sort(([a], [b]) => compareUtf8(a, b)));
}

/** Paths relative to the skill. */
export function entriesOf(listing: Listing, slug: string): RegistryEntry[] {
  const begin = `${slug}/`;
  return listing.entries
    .filter(({ path }) => path.startsWith(begin))
    .map((entry) => ({ ...entry, path: entry.path.slice(begin.length) }));
}

export function treeOf(listing: Listing, slug: string): string {
  const tree = listing.trees.get(slug);
  if (tree === undefined) throw new RegistryError('bad_data', 'A folder of the registry has no tree.');
  return tree;
}

/** Bytes that are no text are read as U+FFFD, by which no host knows the folder. */
export function isText(slug: string): boolean {
  return !slug.includes('\ufffd');
}
