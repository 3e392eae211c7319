// The entries of a tree that can be named in an address, and those that cannot.
import { checkRepositoryPath } from '@skillquay/core/paths';
import { OID_BYTES, type TreeListing } from '@skillquay/git/tree';
import type { Entries } from '../classify.ts';

export interface Listing extends Entries {
  readonly count: number;
  /** 20 bytes an entry. */
  readonly oid: Uint8Array;
  readonly unaddressable: readonly UnaddressableEntry[];
}

export interface UnaddressableEntry {
  /** Bytes that are not UTF-8 stand as U+FFFD. */
  readonly path: string;
  /** One sentence. */
  readonly reason: string;
}

const NOT_UTF8 = 'Its bytes are not UTF-8.';

export function addressableEntries(tree: TreeListing): Listing {
  const path: string[] = [];
  const mode = new Uint8Array(tree.count);
  const oid = new Uint8Array(tree.count * OID_BYTES);
  const unaddressable: UnaddressableEntry[] = [];
  for (let i = 0; i < tree.count; i += 1) {
    const name = tree.path(i);
    const reason = name.includes('\ufffd') && !tree.validUtf8(i) ? NOT_UTF8 : checkRepositoryPath(name);
    if (reason !== null) {
      unaddressable.push({ path: name, reason });
      continue;
    }
    const at = path.push(name) - 1;
    mode[at] = tree.modes[i] ?? 0;
    oid.set(tree.oids.subarray(i * OID_BYTES, (i + 1) * OID_BYTES), at * OID_BYTES);
  }
  const count = path.length;
  return {
    count,
    path,
    mode: mode.subarray(0, count),
    oid: oid.subarray(0, count * OID_BYTES),
    unaddressable,
  };
}

/** The object ids of some entries, one after the other. */
export function oidsOf(listing: Pick<Listing, 'oid'>, entries: ArrayLike<number>): Uint8Array {
  const oids = new Uint8Array(entries.length * OID_BYTES);
  for (let i = 0; i < entries.length; i += 1) {
    const at = (entries[i] ?? 0) * OID_BYTES;
    oids.set(listing.oid.subarray(at, at + OID_BYTES), i * OID_BYTES);
  }
  return oids;
}
