// What went wrong at a host, in words that are safe to show: nothing that git or the host said is repeated.
import { GitError } from '@skillquay/git/process';
import { HostError } from '../host.ts';

export const notFound = () =>
  new HostError(
    'mount.repo_not_found',
    'There is no such repository here, or it is not public. Check the owner and the name.',
  );

/** Not an ancestor and not existing read alike. */
export const refNotFound = (ref: string) =>
  new HostError(
    'mount.ref_not_found',
    /^[0-9a-f]{7,40}$/i.test(ref)
      ? `The repository has no branch or tag ${ref}, and no such commit in the history of its default branch.`
      : `The repository has no branch or tag "${ref}".`,
  );

export const noCommits = () =>
  new HostError(
    'mount.ref_not_found',
    'The repository has no commits yet on its default branch. Push one, or name a branch with @<branch>.',
  );

export const unsupported = (message: string) => new HostError('mount.unsupported', message);

/** Seconds after which an attempt may succeed. */
const RETRY_AFTER_S = 10;

export const unavailable = (message: string) => new HostError('mount.unavailable', message, RETRY_AFTER_S);

const SHA256 =
  'The repository names its objects by SHA-256, which is not supported yet; SHA-1 repositories are.';

/** What git quotes, and URLs: they hold names that people chose, which say nothing of what went wrong. */
const NAMES = /'[^'\n]*'|[a-z][a-z0-9+.-]*:\/\/\S+/gi;

/** The first pattern that fits what git printed decides. The order matters: a 429 is also an HTTP error. */
const SAYINGS: ReadonlyArray<readonly [RegExp, () => HostError]> = [
  [/^fatal: .*(?:mismatched algorithms|object[- ]format|support algorithm)/m, () => unsupported(SHA256)],
  [
    /\bnot our ref\b/,
    () => new HostError('mount.ref_not_found', 'The host no longer has this commit. Name a branch or a tag.'),
  ],
  [
    /\breturned error: 429\b|\bHTTP 429\b|rate limit/i,
    () => new HostError('mount.rate_limited', 'The host asks for a pause. Try again later.', 60),
  ],
  [
    /\breturned error: 5\d\d\b/,
    () => unavailable('The host of the repository has an error. Try again later.'),
  ],
  [
    /^Host key verification failed/m,
    () => unavailable('The SSH host key is not known. Connect once by hand.'),
  ],
  [
    /Permission denied|Authentication failed|could not read (?:Username|Password)|\breturned error: (?:401|403|404|410)\b/i,
    notFound,
  ],
  // A redirect is not followed: the repository is not at this name.
  [/\breturned error: 3\d\d\b|^fatal: unable to update url base from redirection/m, notFound],
  [/does not appear to be a git repository|\bnot found\b|does not exist|no such file/i, notFound],
  [/^fatal: transport \s*not allowed/m, () => unsupported('The URL has a scheme that is not supported.')],
];

/** Says why, for the operator's log: `cause` is never shown. */
export function because(cause: unknown, error: HostError): HostError {
  error.cause = cause;
  return error;
}

/** Turns what git threw into a HostError; anything else is passed on as it is. */
export function hostFailure(error: unknown): unknown {
  const failure = shown(error);
  return failure instanceof HostError && failure !== error ? because(error, failure) : failure;
}

function shown(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  switch (error.kind) {
    case 'cancelled':
      return error;
    case 'missing':
      return unavailable(error.message);
    case 'unsupported':
      return unsupported(SHA256);
    case 'timeout':
      return unavailable('The host of the repository did not answer in time. Try again later.');
    case 'full':
      return unavailable('The disk of this server is full. Make room on it, or try again later.');
    case 'too_large':
      return unsupported('The repository is larger than this server fetches.');
    case 'failed': {
      const said = error.stderr.replace(NAMES, '');
      const saying = SAYINGS.find(([pattern]) => pattern.test(said));
      return saying?.[1]() ?? unavailable('The host of the repository cannot be reached. Try again later.');
    }
  }
}
