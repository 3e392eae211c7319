// All that lies in a tree of a repository, however the host hands it over: whole, or level by level where it is too much
// for one answer.
import { compareUtf8, isBelow, isWithin, joinPath } from '@skillquay/core/paths';
import type { RegistryEntry } from '../backend.ts';
import type { TreeAnswer, TreeEntry } from './github-answers.ts';
import { inParallel } from './in-parallel.ts';

/** Asks for one tree, with or without what lies deeper. */
export type AskTree = (oid: string, recursive: boolean, signal: AbortSignal) => Promise<TreeAnswer>;

export type FolderContents =
  | {
      readonly kind: 'folder';
      /** The tree of each folder directly below, by name. */
      readonly trees: ReadonlyMap<string, string>;
      /** Files of all levels, in byte order. */
      readonly entries: readonly RegistryEntry[];
    }
  /** The path leads to a file. */
  | { readonly kind: 'file' }
  /** The host cuts even a single level. */
  | { readonly kind: 'too_large' };

/** The tree without entries, which hosts need not have. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const TREES_AT_ONCE = 8;

/** What lies below `dir` ('' = the root) of a tree. A folder that is not there is an empty one. */
export async function readFolder(
  root: string,
  dir: string,
  signal: AbortSignal,
  ask: AskTree,
): Promise<FolderContents> {
  if (root === EMPTY_TREE) return below([], '');
  const whole = await ask(root, true, signal);
  if (!whole.truncated) return below(whole.entries, dir);
  let oid = root;
  for (const name of dir === '' ? [] : dir.split('/')) {
    const level = await ask(oid, false, signal);
    if (level.truncated) return { kind: 'too_large' };
    const next = level.entries.find(({ path }) => path === name);
    if (next === undefined) return below([], '');
    if (next.mode !== '040000') return { kind: 'file' };
    oid = next.oid;
  }
  const entries = await levels(oid, oid === root, signal, ask);
  return entries === null ? { kind: 'too_large' } : below(entries, '');
}

/** The entries of a tree, taken apart as far as its answers are cut; null when a single level is. */
async function levels(
  root: string,
  isCut: boolean,
  signal: AbortSignal,
  ask: AskTree,
): Promise<readonly TreeEntry[] | null> {
  const entries: TreeEntry[] = [];
  let pending = [{ oid: root, at: '', isCut }];
  let isTooLarge = false;
  while (pending.length > 0) {
    const next: typeof pending = [];
    const read = async ({ oid, at, isCut }: (typeof pending)[number], ended: AbortSignal) => {
      const whole = isCut ? null : await ask(oid, true, ended);
      const isWhole = whole !== null && !whole.truncated;
      const answer = isWhole ? whole : await ask(oid, false, ended);
      if (answer.truncated) isTooLarge = true;
      for (const entry of answer.entries) {
        const path = joinPath(at, entry.path);
        entries.push({ ...entry, path });
        if (!isWhole && entry.mode === '040000') next.push({ oid: entry.oid, at: path, isCut: false });
      }
    };
    await inParallel(pending, TREES_AT_ONCE, read, signal);
    if (isTooLarge) return null;
    pending = next;
  }
  return entries;
}

function below(all: readonly TreeEntry[], dir: string): FolderContents {
  const trees = new Map<string, string>();
  const entries: RegistryEntry[] = [];
  for (const { path: full, mode, oid, size } of all) {
    if (mode !== '040000' && isWithin(dir, full)) return { kind: 'file' };
    if (!isBelow(full, dir)) continue;
    const path = dir === '' ? full : full.slice(dir.length + 1);
    if (mode !== '040000') entries.push({ path, mode, oid, size });
    else if (!path.includes('/')) trees.set(path, oid);
  }
  return { kind: 'folder', trees, entries: entries.sort((a, b) => compareUtf8(a.path, b.path)) };
}
