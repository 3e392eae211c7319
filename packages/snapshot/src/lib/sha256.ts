// SHA-256 in one call: for many small files, making a hash object for each takes longer than hashing.
import { hash } from 'node:crypto';

/** 32 bytes. A text counts as its UTF-8 bytes. */
export function sha256(content: Uint8Array | string): Uint8Array {
  return hash('sha256', content, 'buffer');
}
