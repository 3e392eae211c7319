// How each installed copy stands to the registry: as it is there, behind it, changed here, or both.
import { dirname } from 'node:path';
import { registryIdentity } from '@skillquay/registry/registry-identity';
import { type Copies, type Copy, openCopies } from './copies.ts';
import { recoverFolder } from './copy-folder.ts';
import { failureOf } from './failure.ts';
import { folderFiles, partOf, sameFiles, skillFiles } from './folder-files.ts';
import type { Io } from './io.ts';
import { checkInside } from './project.ts';
import { notThere, type Session } from './session.ts';

export type CopyState =
  | 'current'
  /** The registry has another version; nothing was changed here. */
  | 'behind'
  /** Changed here; the registry has what was installed. */
  | 'changed'
  /** Changed here and in the registry, not to the same. */
  | 'diverged'
  /** The folder has gone. */
  | 'missing'
  /** The registry has no such skill any more. */
  | 'withdrawn'
  /** It could not be compared; why is said. */
  | 'unreadable';

export interface StatedCopy {
  readonly copy: Copy;
  readonly state: CopyState;
  /** By its user; only where it was compared. */
  readonly isChanged?: boolean;
  /** Why it is `unreadable`. */
  readonly reason?: string;
  readonly error?: unknown;
}

export interface CopyStates {
  /** Copies of the configured registry. One that already is what the registry has is remembered as such. */
  readonly stated: readonly StatedCopy[];
  /** Copies of other registries, or of other branches of this one. */
  readonly others: number;
}

/** Throws RegistryError. */
export async function copyStates(session: Session, io: Io): Promise<CopyStates> {
  return statesOf(await openCopies(io.env).all(), session, io);
}

/** The same of these alone. */
export async function statesOf(all: readonly Copy[], session: Session, io: Io): Promise<CopyStates> {
  const { config, registry } = session;
  const identity = registryIdentity(config.name, io.env);
  const copies = openCopies(io.env);
  const own = all.filter((copy) => copy.registry === identity);
  if (own.length === 0) return { stated: [], others: all.length };
  const { skills, head, missing } = await registry.list(io.call);
  if (missing) throw notThere(registry.name);
  const branch = config.name.branch ?? head?.branch;
  const trees = new Map(skills.map(({ slug, tree }) => [slug, tree]));
  const stated: StatedCopy[] = [];
  const ofBranch = own.filter((copy) => isOfBranch(copy, branch));
  for (const copy of ofBranch) {
    try {
      if (copy.project !== null) await checkInside(dirname(copy.path), copy.project);
      for (const said of await recoverFolder(copy.path)) io.note(`note: ${said}`);
      const compared = await compare(copy, trees.get(copy.slug), session, copies, io);
      if (compared.state === 'missing' && !trees.has(copy.slug)) {
        // Nothing can bring it back.
        await copies.forget(copy);
        io.note(
          `note: ${copy.path} has gone, and so has \`${copy.slug}\` from ${registry.name}: it is no longer listed.`,
        );
      } else stated.push({ copy, ...compared });
    } catch (error) {
      if (io.call.signal.aborted) throw error;
      const { message: reason } = failureOf(error, io.call.signal);
      stated.push({ copy, state: 'unreadable', reason, error });
    }
  }
  return { stated, others: all.length - ofBranch.length };
}

/** Which branch was the default one nobody remembers, and on GitHub nobody asks which it is. */
function isOfBranch(copy: Copy, branch: string | undefined): boolean {
  return copy.branch === null || branch === undefined || branch === 'HEAD' || copy.branch === branch;
}

async function compare(
  copy: Copy,
  tree: string | undefined,
  { registry }: Session,
  copies: Copies,
  io: Io,
): Promise<Pick<StatedCopy, 'state' | 'isChanged'>> {
  const there = await folderFiles(copy.path, partOf(copy.files));
  if (there.kind === 'nothing') return { state: 'missing' };
  const isChanged = there.kind === 'other' || !sameFiles(there.files, copy.files);
  if (tree === undefined) return { state: 'withdrawn', isChanged };
  if (there.kind === 'other') return { state: 'changed', isChanged };
  if (tree === copy.tree) return { state: isChanged ? 'changed' : 'current', isChanged };
  if (!isChanged) return { state: 'behind', isChanged };
  // Whoever publishes a copy that he changed has what the registry has.
  const got = await registry.get(copy.slug, io.call);
  const kept = got.kind === 'found' ? await skillFiles(got.path) : null;
  if (got.kind !== 'found' || kept?.kind !== 'folder' || !sameFiles(kept.files, there.files))
    return { state: 'diverged', isChanged };
  // Only a look: it says what is there, whether or not that can be remembered.
  await copies.keep({ ...copy, tree: got.tree, files: there.files }).catch(() => {});
  return { state: 'current', isChanged: false };
}
