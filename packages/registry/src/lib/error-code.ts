// What a system calls an error, for a sentence.

/** `ENOENT`, `EACCES`, …; never the message, which names paths. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
