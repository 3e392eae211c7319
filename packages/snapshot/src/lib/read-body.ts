// Reads the text of a row from the objects of the repository, or says why there is none.
import { decodeUtf8 } from '@skillquay/core/decode';
import { readLfsPointer } from '@skillquay/core/lfs';
import { MAX_MANIFEST_BYTES } from '@skillquay/core/limits';
import { RowClass, SIZE_UNKNOWN } from '../tables.ts';
import type { Scope } from './read-scope.ts';

interface Unread {
  readonly ok: false;
  readonly reason: 'object_missing' | 'too_large' | 'lfs_pointer';
  readonly size?: number;
}

export type Bytes = { readonly ok: true; readonly bytes: Uint8Array } | Unread;

export type Body =
  | { readonly ok: true; readonly text: string }
  | Unread
  /** `looksLike` completes "it looks like …". */
  | { readonly ok: false; readonly reason: 'not_text'; readonly looksLike: string };

/** The whole text of a served row, as stored. */
export async function readBody(scope: Scope, row: number): Promise<Body> {
  const read = await readBytes(scope, row);
  if (!read.ok) return read;
  const decoded = decodeUtf8(read.bytes);
  return decoded.ok ? decoded : { ok: false, reason: 'not_text', looksLike: decoded.looksLike };
}

/**
 * The bytes of a served row, as stored. The index knows size and kind of what was read while it was built; what was
 * not is judged here, by the same rules.
 */
export async function readBytes(scope: Scope, row: number): Promise<Bytes> {
  const maxFileBytes = limitOf(scope, row);
  const size = scope.index.size[row] ?? SIZE_UNKNOWN;
  if (size !== SIZE_UNKNOWN && size > maxFileBytes) return { ok: false, reason: 'too_large', size };
  const bytes = await scope.base.read(scope.index.oid(row));
  if (bytes === null) return { ok: false, reason: 'object_missing' };
  if (bytes.length > maxFileBytes) return { ok: false, reason: 'too_large', size: bytes.length };
  const pointer = readLfsPointer(bytes);
  return pointer === null ? { ok: true, bytes } : { ok: false, reason: 'lfs_pointer', size: pointer.size };
}

/** Bytes of the largest that is read. Rules are part of documents that were put together whatever that limit is. */
function limitOf({ base, index }: Scope, row: number): number {
  return index.class[row] === RowClass.manifest
    ? Math.max(base.maxFileBytes, MAX_MANIFEST_BYTES)
    : base.maxFileBytes;
}
