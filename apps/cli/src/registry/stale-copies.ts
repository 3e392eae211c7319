// Which of the folders to be published are copies of what the registry no longer has: publishing one would put an older
// skill in the place of a newer one, or bring back one that was removed.
import { RegistryError } from '@skillquay/registry/errors';
import { isPassedOver } from '@skillquay/registry/passed-over';
import { openCopies } from './copies.ts';
import { statesOf } from './copy-states.ts';
import { sameFiles, skillFiles } from './folder-files.ts';
import type { Io } from './io.ts';
import type { KnownSkill } from './known-slugs.ts';
import type { Session } from './session.ts';

export interface StaleCopy {
  readonly state: 'behind' | 'diverged' | 'withdrawn';
  /** By its user, since it was installed. */
  readonly isChanged: boolean;
  /** What it is, and what to do. */
  readonly reason: string;
}

export async function staleCopies(
  skills: readonly KnownSkill[],
  session: Session,
  io: Io,
): Promise<ReadonlyMap<string, StaleCopy>> {
  const copies = skills.flatMap(({ copy }) => copy ?? []);
  const stale = new Map<string, StaleCopy>();
  for (const { copy, state, isChanged = false } of (await statesOf(copies, session, io)).stated) {
    if (state !== 'behind' && state !== 'diverged' && state !== 'withdrawn') continue;
    const by = `\`skillquay registry publish ${copy.path} --force\``;
    const reason =
      state === 'behind'
        ? `${session.registry.name} has another version of \`${copy.slug}\` since this copy was installed. Bring it here with \`skillquay registry update ${copy.slug}\`, or put this one in its place with ${by}.`
        : state === 'diverged'
          ? `${session.registry.name} has another version of \`${copy.slug}\` since this copy was installed, and you changed the copy. \`skillquay registry update ${copy.slug}\` shows the difference; ${by} puts this one in its place.`
          : `\`${copy.slug}\` was removed from ${session.registry.name} after this copy was installed. Delete the copy, or bring the skill back with ${by}.`;
    stale.set(copy.path, { state, isChanged, reason });
  }
  return stale;
}

export function staleError({ reason }: StaleCopy): RegistryError {
  return new RegistryError('invalid', reason);
}

/** A copy that was published is one of what the registry has now; else its next change would look like two. */
export async function rememberPublished({ copy }: KnownSkill, session: Session, io: Io): Promise<void> {
  if (copy === undefined) return;
  try {
    const got = await session.registry.get(copy.slug, io.call);
    const [here, kept] = [await skillFiles(copy.path), got.kind === 'found' && (await skillFiles(got.path))];
    if (got.kind !== 'found' || !kept || kept.kind !== 'folder' || here.kind !== 'folder') return;
    // Somebody may have published between the two; what is not published of a folder is its user's.
    const published = new Map([...here.files].filter(([path]) => !path.split('/').some(isPassedOver)));
    if (sameFiles(kept.files, published))
      await openCopies(io.env).keep({ ...copy, tree: got.tree, files: kept.files });
  } catch {
    // It is published all the same, and `status` remembers it as well.
  }
}
