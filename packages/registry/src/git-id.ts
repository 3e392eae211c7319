// The name git gives to content, by which it is kept, compared and checked.
import { createHash } from 'node:crypto';

/** Digits of an id in a repository that names its objects by SHA-256. */
const SHA256_DIGITS = 64;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export type IdKind = 'sha1' | 'sha256';

export function isGitId(text: string): boolean {
  return ID.test(text);
}

/** How the repository of an id names its objects. */
export function kindOfId(oid: string): IdKind {
  return oid.length === SHA256_DIGITS ? 'sha256' : 'sha1';
}

export function blobId(bytes: Uint8Array, kind: IdKind = 'sha1'): string {
  return createHash(kind).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Whether these are the bytes that an id names. */
export function isBlob(oid: string, bytes: Uint8Array): boolean {
  return blobId(bytes, kindOfId(oid)) === oid;
}
