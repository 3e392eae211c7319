// SHA-256 in one call: for many small files, making a hash object for each takes longer than hashing.
import { hash } from 'node:crypto';
import { SHA256_BYTES } from '../tables.ts';

/** 32 bytes. A text counts as its UTF-8 bytes. */
export function sha256(content: Uint8Array | string): Uint8Array {
  return hash('sha256', content, 'buffer');
}

/** Whether a digest stands at a position of a column, and not zeros. */
export function isDigest(column: Uint8Array, position: number): boolean {
  const end = (position + 1) * SHA256_BYTES;
  for (let at = position * SHA256_BYTES; at < end; at += 1) if (column[at] !== 0) return true;
  return false;
}
