// How each installed copy stands to the registry: as it is there, behind it, changed here, or both.
import { dirname } from 'node:path';
import { registryIdentity } from '@skillquay/registry/registry-identity';
import { shownSlug } from '@skillquay/registry/text';
import { type Copies, type Copy, openCopies } from './copies.ts';
import { type Kinship, kinship, type LookedAt } from './copy-branch.ts';
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
  /** Of its branch to the one that was looked at. */
  readonly kinship: Kinship;
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
  readonly lookedAt: LookedAt;
  /** Sentences about copies that are no longer listed, or that a killed run left. */
  readonly notes: readonly string[];
}

export interface StatesOptions {
  /** Compare those of other branches of this registry as well. */
  readonly anyBranch: boolean;
}

/** Throws RegistryError. */
export async function copyStates(session: Session, io: Io): Promise<CopyStates> {
  return statesOf(await openCopies(io.env).all(), { anyBranch: false }, session, io);
}

/** The same of these alone. */
export async function statesOf(
  all: readonly Copy[],
  { anyBranch }: StatesOptions,
  session: Session,
  io: Io,
): Promise<CopyStates> {
  const { config, registry } = session;
  const identity = registryIdentity(config.name, io.env);
  const copies = openCopies(io.env);
  const own = all.filter((copy) => copy.registry === identity);
  const { branch: configured } = config.name;
  if (own.length === 0)
    return { stated: [], others: all.length, lookedAt: { configured, name: configured }, notes: [] };
  const { skills, head, missing } = await registry.list(io.call);
  if (missing) throw notThere(registry.name);
  // Only a copy of a branch with a name needs that of the default one, for which some hosts are asked apart.
  const isAsked = configured === null && head !== null && own.some(({ branch }) => branch !== null);
  const name = isAsked ? await registry.branchOf(head, io.call) : configured;
  const lookedAt = { configured, name };
  const trees = new Map(skills.map(({ slug, tree }) => [slug, tree]));
  const stated: StatedCopy[] = [];
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    io.note(`note: ${text}`);
  };
  // Which branch was the default one nobody remembers: a copy of it counts as one of any.
  const compared = own.filter((copy) => anyBranch || kinship(copy, lookedAt) !== 'other');
  for (const copy of compared) {
    const kin = kinship(copy, lookedAt);
    try {
      if (copy.project !== null) await checkInside(dirname(copy.path), copy.project);
      for (const said of await recoverFolder(copy.path)) note(said);
      const found = await compare(copy, kin, trees.get(copy.slug), session, copies, io);
      if (found.state === 'missing' && kin === 'same' && !trees.has(copy.slug)) {
        // Nothing can bring it back.
        await copies.forget(copy);
        note(
          `${copy.path} has gone, and so has ${shownSlug(copy.slug)} from ${registry.name}: it is no longer listed.`,
        );
      } else stated.push({ copy, kinship: kin, ...found });
    } catch (error) {
      if (io.call.signal.aborted) throw error;
      const { message: reason } = failureOf(error, io.call.signal);
      stated.push({ copy, kinship: kin, state: 'unreadable', reason, error });
    }
  }
  return { stated, others: all.length - compared.length, lookedAt, notes };
}

async function compare(
  copy: Copy,
  kin: Kinship,
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
  if (got.kind !== 'found' || kept?.kind !== 'folder') return { state: 'diverged', isChanged };
  const here = await folderFiles(copy.path, partOf(copy.files, kept.files));
  if (here.kind !== 'folder' || !sameFiles(kept.files, here.files)) return { state: 'diverged', isChanged };
  // Only a look: it says what is there, whether or not that can be remembered, and makes no copy one of another branch.
  if (kin === 'same') await copies.keep({ ...copy, tree: got.tree, files: here.files }).catch(() => {});
  return { state: 'current', isChanged: false };
}
