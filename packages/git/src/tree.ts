// Lists a whole tree of a commit in columns: for 129,000 entries no object per entry, only bytes and offsets.
import { hexToBytes } from './lib/hex.ts';
import { GitError, runGit } from './process.ts';
import type { GitRepository } from './repository.ts';

/** Entries sorted by the bytes of their paths; each path once. */
export interface TreeListing {
  readonly count: number;
  /** All paths, one after the other; path `i` is `pathBytes[offsets[i] … offsets[i + 1]]`. */
  readonly pathBytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** 0 file, 1 executable, 2 symbolic link, 3 submodule. */
  readonly modes: Uint8Array;
  /** 20 bytes an entry. */
  readonly oids: Uint8Array;
  /** Bytes that are not UTF-8 become U+FFFD: ask `validUtf8` first. */
  path(index: number): string;
  validUtf8(index: number): boolean;
}

export interface ListOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of listing after which it is refused (GitError `too_large`). */
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
}

export const OID_BYTES = 20;
/** Stands in the tree of a working folder for the hash of a file that cannot be opened. */
export const UNREADABLE_OID: Uint8Array = Buffer.from('cannot be opened now');
const TAB = 0x09;
const ZERO = 0x30;
const SHA1_HEX = 40;

const STRICT = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Whether the hash at `index` of `oids` (20 bytes each) stands for a file that could not be opened. */
export function isUnreadable(oids: Uint8Array, index: number): boolean {
  return UNREADABLE_OID.every((byte, i) => oids[index * OID_BYTES + i] === byte);
}

/** Everything below `treeish`, recursively. Throws GitError; `unsupported` for a SHA-256 repository. */
export async function listTree(
  repo: GitRepository,
  treeish: string,
  options: ListOptions = {},
): Promise<TreeListing> {
  const raw = await runGit(['ls-tree', '-r', '-z', '--full-tree', '--end-of-options', treeish], {
    repo,
    ...options,
  });
  return parseListing(raw);
}

/** Takes `ls-tree -r -z` output apart. */
export function parseListing(raw: Buffer): TreeListing {
  let count = 0;
  for (let at = raw.indexOf(0); at !== -1; at = raw.indexOf(0, at + 1)) count++;
  const modes = new Uint8Array(count);
  const oids = new Uint8Array(count * OID_BYTES);
  const offsets = new Uint32Array(count + 1);
  const pathBytes = new Uint8Array(raw.length);
  let end = 0;
  let position = 0;
  let sorted = true;
  for (let i = 0; i < count; i++) {
    // `100644 blob <hash>\t<path>\0`, or `160000 commit <hash>\t<path>\0`.
    const kind = kindOf(raw, position);
    const hash = position + (kind === 3 ? '160000 commit ' : '100644 blob ').length;
    const start = hash + SHA1_HEX + 1;
    if (raw[start - 1] !== TAB)
      throw new GitError(
        'unsupported',
        'the repository names its objects by SHA-256, which is not supported',
      );
    modes[i] = kind;
    hexToBytes(raw, hash, oids, i * OID_BYTES, OID_BYTES);
    offsets[i] = end;
    const stop = raw.indexOf(0, start);
    pathBytes.set(raw.subarray(start, stop), end);
    if (i > 0 && !follows(pathBytes, offsets[i - 1]!, end, end + stop - start)) sorted = false;
    end += stop - start;
    position = stop + 1;
  }
  offsets[count] = end;
  const listing = { count, modes, oids, offsets, pathBytes: pathBytes.slice(0, end) };
  return withPaths(sorted ? listing : ordered(listing));
}

/** Whether the path at `[second, end)` comes after the one at `[first, second)`. */
function follows(bytes: Uint8Array, first: number, second: number, end: number): boolean {
  let at = second;
  for (let i = first; i < second && at < end; i++, at++)
    if (bytes[i] !== bytes[at]) return bytes[i]! < bytes[at]!;
  return end - second > second - first;
}

/** `100644` 0, `100755` 1, `120000` 2, `160000` 3; older trees hold `100664`. */
function kindOf(raw: Buffer, at: number): number {
  const [second, owner] = [raw[at + 1]! - ZERO, raw[at + 3]! - ZERO];
  if (second === 2) return 2;
  if (second === 6) return 3;
  return (owner & 1) === 1 ? 1 : 0;
}

type Columns = Pick<TreeListing, 'count' | 'modes' | 'oids' | 'offsets' | 'pathBytes'>;

/** Git writes trees in order, but a made-up tree need not be: sorts it, and keeps the first of equal paths. */
function ordered(columns: Columns): Columns {
  const bytes = (i: number) => columns.pathBytes.subarray(columns.offsets[i], columns.offsets[i + 1]);
  const order = Array.from({ length: columns.count }, (_, i) => i).sort(
    (a, b) => Buffer.compare(bytes(a), bytes(b)) || a - b,
  );
  const kept = order.filter((i, at) => at === 0 || Buffer.compare(bytes(order[at - 1]!), bytes(i)) !== 0);
  const out = {
    count: kept.length,
    modes: new Uint8Array(kept.length),
    oids: new Uint8Array(kept.length * OID_BYTES),
    offsets: new Uint32Array(kept.length + 1),
    pathBytes: new Uint8Array(columns.pathBytes.length),
  };
  let end = 0;
  for (const [at, i] of kept.entries()) {
    out.modes[at] = columns.modes[i]!;
    out.oids.set(columns.oids.subarray(i * OID_BYTES, (i + 1) * OID_BYTES), at * OID_BYTES);
    out.pathBytes.set(bytes(i), end);
    end += bytes(i).length;
    out.offsets[at + 1] = end;
  }
  return { ...out, pathBytes: out.pathBytes.slice(0, end) };
}

function withPaths(columns: Columns): TreeListing {
  const { pathBytes, offsets } = columns;
  const text = Buffer.from(pathBytes.buffer, pathBytes.byteOffset, pathBytes.byteLength);
  return {
    ...columns,
    path: (i) => text.toString('utf8', offsets[i], offsets[i + 1]),
    validUtf8(i) {
      try {
        STRICT.decode(pathBytes.subarray(offsets[i], offsets[i + 1]));
        return true;
      } catch {
        return false;
      }
    },
  };
}
