// Recognises the small text that Git LFS commits in place of a file.

/** Git LFS itself reads no larger pointer. Source: git-lfs specification. */
export const MAX_LFS_POINTER_BYTES = 1_023;

export interface LfsPointer {
  /** Bytes of the file that the pointer stands for. */
  readonly size: number;
}

const BEGINNING = 'version https://';
const POINTER =
  /^version https:\/\/(?:git-lfs\.github\.com\/spec\/v1|hawser\.github\.com\/spec\/v1)\r?\n(?:ext-\d-[^\n]*\n)*oid sha256:[0-9a-f]{64}\r?\nsize (\d{1,15})\r?\n?$/;

/** The pointer that a blob is, or null. */
export function readLfsPointer(bytes: Uint8Array): LfsPointer | null {
  if (bytes.length > MAX_LFS_POINTER_BYTES) return null;
  for (let i = 0; i < BEGINNING.length; i += 1) {
    if (bytes[i] !== BEGINNING.charCodeAt(i)) return null;
  }
  const size = POINTER.exec(new TextDecoder().decode(bytes))?.[1];
  return size === undefined ? null : { size: Number(size) };
}
