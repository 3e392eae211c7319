// How the folders to be published stand to the registry where they are copies from it: publishing one of what it no
// longer has would put an older skill in the place of a newer one, or bring back one that was removed.
import { RegistryError, type RegistryErrorCode } from '@skillquay/registry/errors';
import { shownSlug } from '@skillquay/registry/text';
import { shellWord } from '../shell-word.ts';
import { type Copy, openCopies } from './copies.ts';
import { branchOnceThere, type LookedAt, shownBranch } from './copy-branch.ts';
import { type StatedCopy, statesOf } from './copy-states.ts';
import { folderFiles, partOf, sameFiles, skillFiles } from './folder-files.ts';
import type { Io } from './io.ts';
import type { KnownSkill } from './known-slugs.ts';
import type { Session } from './session.ts';

export interface StaleCopy {
  readonly state: 'behind' | 'diverged' | 'withdrawn' | 'unreadable';
  /** By its user since it was installed, for all that is known. */
  readonly isChanged: boolean;
  /** What it is, and what to do. */
  readonly reason: string;
  readonly code: RegistryErrorCode;
}

/** By the path of the copy; one that may be published, and is not what the registry has, is in none. */
export interface Standing {
  /**
   * They are what the registry has, whatever a folder is read as: it may hold what nobody publishes from a folder, and
   * lack what this disk does not take.
   */
  readonly current: ReadonlySet<string>;
  readonly stale: ReadonlyMap<string, StaleCopy>;
  readonly lookedAt: LookedAt;
}

export async function standingOf(skills: readonly KnownSkill[], session: Session, io: Io): Promise<Standing> {
  const copies = skills.flatMap(({ copy }) => copy ?? []);
  const current = new Set<string>();
  const stale = new Map<string, StaleCopy>();
  const { stated: all, lookedAt } = await statesOf(copies, { anyBranch: true }, session, io);
  const place = { registry: session.registry.name, branch: shownBranch(lookedAt) };
  for (const stated of all) {
    const { copy, state, error, isChanged = true } = stated;
    if (state === 'current') current.add(copy.path);
    const reason = reasonOf(stated, place);
    if (reason === null || state === 'current' || state === 'changed' || state === 'missing') continue;
    const code = error instanceof RegistryError ? error.code : 'invalid';
    stale.set(copy.path, { state, isChanged, reason, code });
  }
  return { current, stale, lookedAt };
}

/** Why the copy is not published; null where it may be. */
function reasonOf(
  { copy: { path, slug }, kinship, state, isChanged, reason }: StatedCopy,
  { registry, branch }: { readonly registry: string; readonly branch: string },
): string | null {
  const by = `\`skillquay registry publish ${shellWord(path)} --force\``;
  const bring = `\`skillquay registry update ${shellWord(slug)}\``;
  const skill = shownSlug(slug);
  const isOfBranch = kinship === 'same';
  switch (state) {
    case 'behind':
    case 'diverged':
      if (!isOfBranch)
        return `${registry} has another version of ${skill} on ${branch} than this copy was made from${isChanged ? ', and you changed the copy' : ''}. Put it in the place of that one with ${by}.`;
      if (isChanged)
        return `${registry} has another version of ${skill} since this copy was installed, and you changed the copy. ${bring} shows the difference; ${by} puts this one in its place.`;
      return `${registry} has another version of ${skill} since this copy was installed. Bring it here with ${bring}, or put this one in its place with ${by}.`;
    case 'withdrawn':
      // To a branch that it never was of, it is a new skill.
      if (kinship === 'other') return null;
      if (!isOfBranch)
        return `${skill} is not on ${branch} of ${registry}, and this copy is of the default branch: it was removed, or never was there. Publish it with ${by}.`;
      return `${skill} was removed from ${registry} after this copy was installed. Delete the copy, or bring the skill back with ${by}.`;
    case 'unreadable':
      return `This copy could not be compared with ${skill} in ${registry}, which may be newer: ${reason} Mend that, or put this one in its place with ${by}.`;
    case 'current':
    case 'changed':
    case 'missing':
      return null;
  }
}

export function staleError({ reason, code }: StaleCopy): RegistryError {
  return new RegistryError(code, reason);
}

/** A copy that was published is one of what the registry has now; else its next change would look like two. */
export async function rememberPublished(
  copy: Copy | undefined,
  { slug, on }: { readonly slug: string; readonly on: LookedAt },
  session: Session,
  io: Io,
): Promise<void> {
  if (copy === undefined) return;
  try {
    const got = await session.registry.get(slug, io.call);
    const kept = got.kind === 'found' ? await skillFiles(got.path) : null;
    if (got.kind !== 'found' || kept?.kind !== 'folder') return;
    const here = await folderFiles(copy.path, partOf(kept.files));
    // Somebody may have published between the two.
    if (here.kind === 'folder' && sameFiles(kept.files, here.files))
      await openCopies(io.env).keep({
        ...copy,
        branch: branchOnceThere(copy, on),
        slug,
        tree: got.tree,
        files: kept.files,
      });
  } catch {
    // It is published all the same, and `status` remembers it as well.
  }
}
