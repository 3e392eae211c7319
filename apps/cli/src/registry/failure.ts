// What goes wrong in a command of the registry, as a code for a program, a sentence for a person and an exit code.
import { GitError, type GitErrorKind } from '@skillquay/git/process';
import { HostError, type HostErrorCode } from '@skillquay/hosts/host';
import { RegistryError, type RegistryErrorCode } from '@skillquay/registry/errors';
import { CommandError, ExitCode } from '../exit-codes.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
}

interface ErrorCode {
  /** Source: spec, The personal registry, "Command line"; sysexits.h; of a signal, bash(1). */
  readonly exitCode: number;
  readonly about: string;
}

/** Every code that `error.code` of a JSON document may have. */
export const ERROR_CODES = {
  usage: { exitCode: ExitCode.usage, about: 'a wrong argument, or a question where nobody can be asked' },
  invalid: { exitCode: ExitCode.badData, about: 'a skill, or what else was given, cannot be used as it is' },
  no_such_skill: { exitCode: ExitCode.badData, about: 'the registry has no skill of this name' },
  no_such_source: { exitCode: ExitCode.badData, about: 'what `add` is to read from is not there' },
  changed_here: { exitCode: ExitCode.badData, about: 'a copy was changed on this machine, and left so' },
  bad_data: { exitCode: ExitCode.badData, about: 'what the registry or a source holds cannot be read' },
  unreachable: { exitCode: ExitCode.unavailable, about: 'the host does not answer' },
  internal: { exitCode: ExitCode.internal, about: 'something that should not happen' },
  conflict: { exitCode: ExitCode.tryAgain, about: 'others changed the registry at the same time' },
  rate_limited: { exitCode: ExitCode.tryAgain, about: 'the host wants to be asked later' },
  try_again: { exitCode: ExitCode.tryAgain, about: 'something changed meanwhile, or took too long' },
  no_credential: { exitCode: ExitCode.noPermission, about: 'there is no token' },
  credential: { exitCode: ExitCode.noPermission, about: 'the host does not take the token' },
  denied: { exitCode: ExitCode.noPermission, about: 'the host or this machine does not allow it' },
  refused: {
    exitCode: ExitCode.noPermission,
    about: 'the host refuses what was written, by a rule of its own',
  },
  declined: { exitCode: ExitCode.noPermission, about: 'you said no' },
  not_found: { exitCode: ExitCode.configuration, about: 'the repository of the registry is not there' },
  config: { exitCode: ExitCode.configuration, about: 'the configuration is missing or wrong, or git is' },
  cancelled: { exitCode: 130, about: 'a signal ended it, or nobody read its output any more' },
} as const satisfies Readonly<Record<RegistryErrorCode, ErrorCode> & Record<string, ErrorCode>>;

export type FailureCode = keyof typeof ERROR_CODES;

/** Of a source; a host that is a registry answers in codes of its own. */
const CODE_OF_HOST: Readonly<Record<HostErrorCode, FailureCode>> = {
  'mount.repo_not_found': 'no_such_source',
  'mount.ref_not_found': 'no_such_source',
  'mount.not_allowed': 'denied',
  'mount.rate_limited': 'rate_limited',
  'mount.unavailable': 'unreachable',
  'mount.unsupported': 'bad_data',
};

const CODE_OF_GIT: Readonly<Record<GitErrorKind, FailureCode>> = {
  missing: 'config',
  timeout: 'try_again',
  too_large: 'bad_data',
  unsupported: 'bad_data',
  full: 'denied',
  cancelled: 'internal',
  failed: 'internal',
};

/** What the file system says when it is not its user's. */
const NOT_ALLOWED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/** What a sentence for a person is about, where it has no code of its own. */
const CODE_OF_EXIT: Readonly<Partial<Record<ExitCode, FailureCode>>> = {
  [ExitCode.usage]: 'usage',
  [ExitCode.badData]: 'invalid',
  [ExitCode.unavailable]: 'unreachable',
  [ExitCode.tryAgain]: 'try_again',
  [ExitCode.noPermission]: 'denied',
  [ExitCode.configuration]: 'config',
};

/** Whether it is said in words of its own, so that what has nothing to do with it can go on. */
export function isExpected(error: unknown): boolean {
  return [CommandError, RegistryError, GitError].some((kind) => error instanceof kind);
}

/** All of them, each said once, as the first; undefined for none. */
export function together(failures: readonly Failure[]): Failure | undefined {
  const [first] = failures;
  return first && { ...first, message: [...new Set(failures.map(({ message }) => message))].join(' ') };
}

export function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return failure('cancelled', 'cancelled.');
  if (error instanceof RegistryError) return failure(error.code, error.message);
  if (error instanceof CommandError) {
    const { exitCode, message } = error;
    return { code: error.code ?? CODE_OF_EXIT[exitCode] ?? 'internal', message, exitCode };
  }
  if (error instanceof HostError) return failure(CODE_OF_HOST[error.code], error.message);
  if (error instanceof GitError) return failure(CODE_OF_GIT[error.kind], `${error.message}.`);
  if (error instanceof Error && 'code' in error && 'path' in error && NOT_ALLOWED.has(error.code))
    return failure('denied', `${error.path} cannot be used by this user (${error.code}).`);
  const said = error instanceof Error ? error.message : String(error);
  return failure('internal', `something went wrong that should not: ${said}`);
}

function failure(code: FailureCode, message: string): Failure {
  return { code, message, exitCode: ERROR_CODES[code].exitCode };
}
