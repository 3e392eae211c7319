// How each installed copy stands to the registry: as it is there, behind it, changed here, or both.
import { formatRegistry } from '@skillquay/registry/registry-name';
import { type Copies, type Copy, openCopies } from './copies.ts';
import { folderFiles, sameFiles } from './folder-files.ts';
import type { Io } from './io.ts';
import type { Session } from './session.ts';

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
  | 'withdrawn';

export interface StatedCopy {
  readonly copy: Copy;
  readonly state: CopyState;
}

/** Copies of the configured registry alone. A copy that already is what the registry has is remembered as such. */
export async function copyStates(session: Session, io: Io): Promise<readonly StatedCopy[]> {
  const { config, registry } = session;
  const name = formatRegistry(config.name);
  const copies = openCopies(io.env);
  const own = (await copies.all()).filter((copy) => copy.registry === name);
  if (own.length === 0) return [];
  const { skills } = await registry.list(io.call);
  const trees = new Map(skills.map(({ slug, tree }) => [slug, tree]));
  const stated: StatedCopy[] = [];
  for (const copy of own) {
    const tree = trees.get(copy.slug);
    const state =
      tree === undefined ? await withoutTree(copy) : await stateOf(copy, tree, session, copies, io);
    stated.push({ copy, state });
  }
  return stated;
}

async function withoutTree(copy: Copy): Promise<CopyState> {
  return (await folderFiles(copy.path)).kind === 'nothing' ? 'missing' : 'withdrawn';
}

async function stateOf(
  copy: Copy,
  tree: string,
  { registry }: Session,
  copies: Copies,
  io: Io,
): Promise<CopyState> {
  const there = await folderFiles(copy.path);
  if (there.kind === 'nothing') return 'missing';
  if (there.kind === 'other') return 'changed';
  const isAsInstalled = sameFiles(there.files, copy.files);
  if (tree === copy.tree) return isAsInstalled ? 'current' : 'changed';
  if (isAsInstalled) return 'behind';
  // Whoever publishes a copy that he changed has what the registry has.
  const got = await registry.get(copy.slug, io.call);
  const kept = got.kind === 'found' ? await folderFiles(got.path) : null;
  if (got.kind !== 'found' || kept?.kind !== 'folder' || !sameFiles(kept.files, there.files))
    return 'diverged';
  await copies.keep({ ...copy, tree: got.tree, files: there.files });
  return 'current';
}
