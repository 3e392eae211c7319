// A change of one folder as the entries of a new tree on top of the old one: only what differs, null for what is stale,
// in byte order.
import { compareUtf8, joinPath } from '@skillquay/core/paths';
import type { RegistryEntry } from '../backend.ts';
import { blobId } from '../git-id.ts';
import type { SkillFile } from '../skill-files.ts';

/** As `POST git/trees` takes them. */
export type NewTreeEntry = {
  readonly path: string;
  readonly mode: RegistryEntry['mode'] | '040000';
  readonly type: 'blob' | 'commit' | 'tree';
} & ({ readonly sha: string | null } | { readonly content: string });

export interface TreeChange {
  readonly entries: readonly NewTreeEntry[];
  /** What the host has to be given before: bytes by id. */
  readonly uploads: ReadonlyMap<string, Uint8Array>;
}

/** Of one file, and of all, that travel as text within the tree. */
const MAX_INLINE_BYTES = 512 * 1024;
const MAX_ALL_INLINE_BYTES = 4 * 1024 ** 2;

/**
 * `folder` is where the files go, from the root of the repository; `old` is what lies there, relative to it; `known` are
 * the blobs that the host has.
 */
export function treeChange(
  folder: string,
  files: readonly SkillFile[],
  old: readonly RegistryEntry[],
  known: ReadonlySet<string>,
): TreeChange {
  const before = new Map(old.map((entry) => [entry.path, entry]));
  const entries: NewTreeEntry[] = [];
  const uploads = new Map<string, Uint8Array>();
  let inline = 0;
  for (const { path, mode, bytes } of files) {
    const oid = blobId(bytes);
    const there = before.get(path);
    before.delete(path);
    if (there?.oid === oid && there.mode === mode) continue;
    const entry = { path: joinPath(folder, path), mode, type: 'blob' } as const;
    const room = Math.min(MAX_INLINE_BYTES, MAX_ALL_INLINE_BYTES - inline);
    const content = known.has(oid) || bytes.length > room ? null : plainText(bytes);
    if (content === null) {
      entries.push({ ...entry, sha: oid });
      if (!known.has(oid)) uploads.set(oid, bytes);
    } else {
      entries.push({ ...entry, content });
      inline += bytes.length;
    }
  }
  for (const { path, mode } of before.values())
    entries.push({
      path: joinPath(folder, path),
      mode,
      type: mode === '160000' ? 'commit' : 'blob',
      sha: null,
    });
  return { entries: entries.sort((a, b) => compareUtf8(a.path, b.path)), uploads };
}

/** Whether a file stands where the other side has a folder: what is stale and what is new would get in each other's way. */
export function swapsFileAndFolder(files: readonly SkillFile[], old: readonly RegistryEntry[]): boolean {
  const isBlocked = (
    paths: readonly { readonly path: string }[],
    others: readonly { readonly path: string }[],
  ) => {
    const taken = new Set(paths.map(({ path }) => path));
    return others.some(({ path }) => {
      for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
        if (taken.has(path.slice(0, at))) return true;
      return false;
    });
  };
  return isBlocked(files, old) || isBlocked(old, files);
}

/** The text that JSON carries unharmed, or null: other bytes than UTF-8, a byte order mark, a NUL. */
function plainText(bytes: Uint8Array): string | null {
  if (bytes.includes(0) || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
