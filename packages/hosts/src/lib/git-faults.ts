// What git said when a repository could not be answered for, for the operator's log.
import { GitError } from '@skillquay/git/process';
import { HostError, type HostErrorCode } from '../host.ts';

/** Never for a client: it holds a host's words, and paths of this machine. */
export interface GitFault {
  /** Key of the repository. */
  readonly repository: string;
  /** What the client is told. */
  readonly code: HostErrorCode;
  readonly git: string;
  /** The end of what git printed, without credentials. */
  readonly stderr: string;
}

/** That these are not there is no fault. */
const ORDINARY: ReadonlySet<HostErrorCode> = new Set(['mount.repo_not_found', 'mount.ref_not_found']);
/** Between `//` and `@` of a URL. */
const CREDENTIALS = /\/\/[^/@\s]+@/g;

/** Tells of an error that came from git, once however often it is answered from memory. Returns the error. */
export function teller(
  log: ((fault: GitFault) => void) | undefined,
): (repository: string, error: unknown) => unknown {
  const told = new WeakSet<Error>();
  return (repository, error) => {
    if (!(error instanceof HostError) || !(error.cause instanceof GitError)) return error;
    if (ORDINARY.has(error.code) || told.has(error)) return error;
    told.add(error);
    const { message, stderr } = error.cause;
    log?.({
      repository,
      code: error.code,
      git: message,
      stderr: stderr.replace(CREDENTIALS, '//').trimEnd(),
    });
    return error;
  };
}
