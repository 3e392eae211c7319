// Reads the text of a row from the objects of the repository, or says why there is none.
import { decodeUtf8 } from '@skillquay/core/decode';
import { readLfsPointer } from '@skillquay/core/lfs';
import { SIZE_UNKNOWN } from '../tables.ts';
import type { Scope } from './read-scope.ts';

export type Body =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly reason: 'object_missing' | 'too_large' | 'lfs_pointer';
      readonly size?: number;
    }
  /** `looksLike` completes "it looks like …". */
  | { readonly ok: false; readonly reason: 'not_text'; readonly looksLike: string };

/**
 * The whole text of a served row, as stored. The index knows size and kind of what was read while it was built; what
 * was not is judged here, by the same rules.
 */
export async function readBody(scope: Scope, row: number): Promise<Body> {
  const { maxFileBytes } = scope.base;
  const size = scope.index.size[row] ?? SIZE_UNKNOWN;
  if (size !== SIZE_UNKNOWN && size > maxFileBytes) return { ok: false, reason: 'too_large', size };
  const bytes = await scope.base.read(scope.index.oid(row));
  if (bytes === null) return { ok: false, reason: 'object_missing' };
  if (bytes.length > maxFileBytes) return { ok: false, reason: 'too_large', size: bytes.length };
  const pointer = readLfsPointer(bytes);
  if (pointer !== null) return { ok: false, reason: 'lfs_pointer', size: pointer.size };
  const decoded = decodeUtf8(bytes);
  return decoded.ok ? decoded : { ok: false, reason: 'not_text', looksLike: decoded.looksLike };
}
