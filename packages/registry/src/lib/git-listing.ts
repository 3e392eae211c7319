// What a registry's folder holds at a commit, and the bytes of its files, out of a git repository of this machine.
import { compareUtf8 } from '@skillquay/core/paths';
import { GitError, runGit } from '@skillquay/git/process';
import type { Head, Listing, RegistryEntry } from '../backend.ts';
import { RegistryError } from '../errors.ts';
import { isBlob } from '../git-id.ts';
import { ShelfBroken, type Workspace } from './git-store.ts';

/** Blobs that one process is asked for, and bytes it may give. */
const BATCH = 500;
const MAX_BATCH_BYTES = 1024 ** 3;

interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
  readonly path: string;
  /** null of what is no file, or was not asked for. */
  readonly size: number | null;
}

/** Runs git on what is kept. Throws GitError, and ShelfBroken where what is kept is not whole. */
export async function runKept(
  work: Workspace,
  args: readonly string[],
  options: { readonly signal: AbortSignal; readonly input?: Uint8Array | string },
): Promise<Buffer> {
  try {
    return await runGit(args, { repo: work.repo, config: 'user', maxBytes: MAX_BATCH_BYTES, ...options });
  } catch (error) {
    if (error instanceof GitError && error.kind === 'failed')
      throw new ShelfBroken(error.message, { cause: error });
    throw error;
  }
}

/** Throws RegistryError `bad_data` when `dir` is no folder. */
export async function listFolder(
  work: Workspace,
  at: Pick<Head, 'branch' | 'commit'>,
  dir: string,
  signal: AbortSignal,
): Promise<Listing> {
  const tree = await runKept(work, ['rev-parse', '--verify', `${at.commit}^{tree}`], { signal });
  const all = await lsTree(work, ['-r', '-t', '-l'], at.commit, dir === '' ? [] : [dir], signal);
  const begin = dir === '' ? '' : `${dir}/`;
  if (dir !== '' && !all.some(({ path }) => path.startsWith(begin)))
    await checkFolder(work, at.commit, dir, signal);
  const below = all.flatMap((entry) =>
    entry.path.startsWith(begin) ? [{ ...entry, path: entry.path.slice(begin.length) }] : [],
  );
  const trees = below.filter(({ mode, path }) => mode === '040000' && !path.includes('/'));
  return {
    head: { ...at, tree: tree.toString().trim() },
    trees: new Map(trees.map(({ path, oid }) => [path, oid])),
    entries: below
      .flatMap(({ mode, oid, path, size }): RegistryEntry[] => {
        const kind = modeOf(mode);
        return kind === null ? [] : [{ path, mode: kind, oid, size }];
      })
      .sort((a, b) => compareUtf8(a.path, b.path)),
  };
}

/** What `dir` leads through must be folders, or not be there yet. */
async function checkFolder(work: Workspace, commit: string, dir: string, signal: AbortSignal): Promise<void> {
  const parts = dir.split('/');
  const folders = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  const found = await lsTree(work, [], commit, folders, signal);
  const file = found.find(({ mode }) => mode !== '040000');
  if (file === undefined) return;
  throw new RegistryError(
    'bad_data',
    `The registry's folder "${dir}" cannot be used: "${file.path}" is a file. Name another folder.`,
  );
}

async function lsTree(
  work: Workspace,
  how: readonly string[],
  commit: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<TreeEntry[]> {
  const raw = await runKept(work, ['ls-tree', ...how, '-z', '--full-tree', commit, '--', ...paths], {
    signal,
  });
  return raw
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, mode, oid, size, path] = /^(\d+) \w+ ([0-9a-f]+)(?: +(\S+))?\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined || oid === undefined || path === undefined) return [];
      return [{ mode, oid, path, size: /^\d+$/.test(size ?? '') ? Number(size) : null }];
    });
}

/** Trees of old hold more modes than these; null is a folder. */
function modeOf(mode: string): RegistryEntry['mode'] | null {
  if (mode === '120000' || mode === '160000') return mode;
  if (!mode.startsWith('100')) return null;
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? '100644' : '100755';
}

/** Each checked against its id. Throws GitError, and ShelfBroken where one is missing or is not what it should be. */
export async function readBlobs(
  work: Workspace,
  oids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const blobs = new Map<string, Uint8Array>();
  for (let at = 0; at < oids.length; at += BATCH) {
    const some = oids.slice(at, at + BATCH);
    const input = `${some.join('\n')}\n`;
    let rest = await runKept(work, ['cat-file', '--batch', '--buffer'], { signal, input });
    for (const oid of some) {
      const end = rest.indexOf('\n');
      const [, type, size = ''] = rest.subarray(0, Math.max(end, 0)).toString('latin1').split(' ');
      const start = end + 1;
      const bytes = rest.subarray(start, start + Number(size));
      if (type !== 'blob' || !isBlob(oid, bytes)) throw new ShelfBroken(`no blob ${oid}`);
      blobs.set(oid, bytes);
      rest = rest.subarray(start + bytes.length + 1);
    }
  }
  return blobs;
}
