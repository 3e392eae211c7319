// What to do about a file system that does not take what is to be kept.

export interface DiskFailure extends Error {
  readonly code: string;
  readonly syscall: string;
}

export function isDiskFailure(error: unknown): error is DiskFailure {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** What could not be kept, why, and what to do; `what` begins a sentence. */
export function diskFailureText(what: string, { code, syscall }: DiskFailure): string {
  return `${what} could not be kept (${code} at ${syscall}). ${adviceFor(code)}`;
}

function adviceFor(code: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Make room on the disk, or set XDG_CACHE_HOME to a folder that has some.';
    case 'EACCES':
    case 'EPERM':
    case 'ENOENT':
    case 'EROFS':
    case 'ENOTDIR':
      return 'Set XDG_CACHE_HOME to a folder of yours that can be written.';
    case 'EEXIST':
    case 'EILSEQ':
    case 'EINVAL':
    case 'ENAMETOOLONG':
      return 'A file of it has a name that this disk does not take, or takes for that of another; rename it in the registry.';
    default:
      return 'Try again.';
  }
}
