// The entries of a tree that can be named in an address, and those that cannot.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { checkRepositoryPath, compareUtf8 } from '@skillquay/core/paths';
import { isUnreadable, OID_BYTES, type TreeListing } from '@skillquay/git/tree';
import type { Entries } from '../classify.ts';

export interface Listing extends Entries {
  readonly count: number;
  /** 20 bytes an entry. */
  readonly oid: Uint8Array;
  /** In byte order of what stands as their paths. */
  readonly unaddressable: readonly UnaddressableEntry[];
}

export interface UnaddressableEntry {
  /** Bytes that are not UTF-8 stand as `\xe9`: with a backslash, no address names what this seems to be either. */
  readonly path: string;
  /** One sentence. */
  readonly reason: string;
  readonly mode: number;
  /** 20 bytes. */
  readonly oid: Uint8Array;
}

const NOT_UTF8 = 'Its bytes are not UTF-8.';

export function addressableEntries(tree: TreeListing): Listing {
  const path: string[] = [];
  const mode = new Uint8Array(tree.count);
  const oid = new Uint8Array(tree.count * OID_BYTES);
  const unaddressable: UnaddressableEntry[] = [];
  for (let i = 0; i < tree.count; i += 1) {
    const name = tree.path(i);
    const isText = !name.includes('\ufffd') || tree.validUtf8(i);
    const reason = isText ? checkRepositoryPath(name) : NOT_UTF8;
    const kind = tree.modes[i] ?? 0;
    if (reason !== null) {
      const bytes = tree.pathBytes.subarray(tree.offsets[i], tree.offsets[i + 1]);
      const hash = tree.oids.subarray(i * OID_BYTES, (i + 1) * OID_BYTES);
      unaddressable.push({ path: isText ? name : spelledOut(bytes), reason, mode: kind, oid: hash });
      continue;
    }
    const at = path.push(name) - 1;
    mode[at] = kind;
    copyOid(tree.oids, i, oid, at);
  }
  const count = path.length;
  return {
    count,
    path,
    mode: mode.subarray(0, count),
    oid: oid.subarray(0, count * OID_BYTES),
    unaddressable: unaddressable.sort((a, b) => compareUtf8(a.path, b.path)),
  };
}

/** Why the content of an entry is not here. */
export function missingContent(listing: Pick<Listing, 'oid' | 'path'>, entry: number): Diagnostic {
  const code = isUnreadable(listing.oid, entry) ? 'unreadable_file' : 'object_missing';
  return diagnostic(code, { path: listing.path[entry] ?? '' });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const MAX_CHARACTER_BYTES = 4;

/** The characters among the bytes, and every byte that belongs to none by its number. */
function spelledOut(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const character = firstCharacter(bytes.subarray(at, at + MAX_CHARACTER_BYTES));
    text += character ?? `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`;
    at += character === null ? 1 : Buffer.byteLength(character);
  }
  return text;
}

function firstCharacter(bytes: Uint8Array): string | null {
  for (let length = 1; length <= bytes.length; length += 1) {
    try {
      return UTF8.decode(bytes.subarray(0, length));
    } catch {
      // Not a whole character yet, or none.
    }
  }
  return null;
}

/** The object ids of some entries, one after the other. */
export function oidsOf(listing: Pick<Listing, 'oid'>, entries: ArrayLike<number>): Uint8Array {
  const oids = new Uint8Array(entries.length * OID_BYTES);
  for (let i = 0; i < entries.length; i += 1) copyOid(listing.oid, entries[i] ?? 0, oids, i);
  return oids;
}

/** Copies the id at one position to another, byte by byte: a view for each of very many would cost more. */
export function copyOid(source: Uint8Array, from: number, target: Uint8Array, to: number): void {
  for (let i = 0; i < OID_BYTES; i += 1) target[to * OID_BYTES + i] = source[from * OID_BYTES + i] ?? 0;
}
