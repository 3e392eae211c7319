// Why a commit could not be indexed: a stable code and a sentence that may be shown to anyone.
import { GitError } from '@skillquay/git/process';

export type BuildErrorCode =
  /** The listing is incomplete, or holds more manifests than are read: policy would be incomplete too. */
  | 'indexer.tree_truncated'
  /** The repository is of a kind that cannot be read. */
  | 'indexer.unsupported'
  /** Git could not read the commit. */
  | 'indexer.unreadable'
  | 'indexer.cancelled'
  | 'indexer.failed';

/** What is said of an error that nobody foresaw: what it says itself may name paths of this machine. */
export const UNEXPECTED = 'An unexpected error ended the build.';

export class BuildError extends Error {
  readonly code: BuildErrorCode;
  constructor(code: BuildErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BuildError';
    this.code = code;
  }
}

/** An error as it crosses between threads, where classes are lost. */
export interface PlainBuildError {
  readonly code: BuildErrorCode;
  readonly message: string;
  /** For the operator's log, never for a client. */
  readonly detail: string;
}

export function toPlainError(error: unknown): PlainBuildError {
  const known = toBuildError(error);
  return { code: known.code, message: known.message, detail: detailOf(known.cause ?? known) };
}

/** All that is known of an error, for the operator's log. */
export function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = error instanceof GitError && error.stderr !== '' ? `${error.stderr.trimEnd()}\n` : '';
  return said + (error.stack ?? error.message);
}

export function fromPlainError(plain: PlainBuildError): BuildError {
  return new BuildError(plain.code, plain.message, { cause: new Error(plain.detail) });
}

export function toBuildError(error: unknown): BuildError {
  if (error instanceof BuildError) return error;
  if (error instanceof GitError) return ofGit(error);
  if (error instanceof Error && error.name === 'AbortError')
    return new BuildError('indexer.cancelled', 'Indexing was cancelled.', { cause: error });
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  const message = isFull ? 'No space is left on the disk of this machine.' : UNEXPECTED;
  return new BuildError('indexer.failed', message, { cause: error });
}

function ofGit(error: GitError): BuildError {
  switch (error.kind) {
    case 'cancelled':
      return new BuildError('indexer.cancelled', 'Indexing was cancelled.', { cause: error });
    case 'too_large':
      return new BuildError(
        'indexer.tree_truncated',
        'The repository has more entries than can be listed, so nobody can say what its manifests decide.',
        { cause: error },
      );
    case 'unsupported':
      return new BuildError('indexer.unsupported', `The repository cannot be read: ${error.message}.`, {
        cause: error,
      });
    default:
      return new BuildError('indexer.unreadable', 'Git could not read the commit.', { cause: error });
  }
}
