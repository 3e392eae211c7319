// What goes wrong in a command of the registry, as a code for a program, a sentence for a person and an exit code.
import { GitError, type GitErrorKind } from '@skillquay/git/process';
import { HostError } from '@skillquay/hosts/host';
import { RegistryError, type RegistryErrorCode } from '@skillquay/registry/errors';
import { CommandError, ExitCode } from '../exit-codes.ts';

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
}

/** A signal ended the command. Source: bash(1), 128 and the number of the signal. */
const INTERRUPTED = 130;

/** Source: spec, The personal registry, "Command line"; sysexits.h. */
const EXIT_OF: Readonly<Record<RegistryErrorCode, ExitCode>> = {
  config: ExitCode.configuration,
  no_credential: ExitCode.noPermission,
  credential: ExitCode.noPermission,
  denied: ExitCode.noPermission,
  refused: ExitCode.noPermission,
  // The repository that the configuration names.
  not_found: ExitCode.configuration,
  unreachable: ExitCode.unavailable,
  conflict: ExitCode.tryAgain,
  rate_limited: ExitCode.tryAgain,
  invalid: ExitCode.badData,
  bad_data: ExitCode.badData,
  internal: ExitCode.internal,
};

const HOST_EXIT: Readonly<Partial<Record<HostError['code'], ExitCode>>> = {
  'mount.unavailable': ExitCode.unavailable,
  'mount.rate_limited': ExitCode.tryAgain,
};

const GIT_EXIT: Readonly<Partial<Record<GitErrorKind, ExitCode>>> = {
  missing: ExitCode.configuration,
  timeout: ExitCode.tryAgain,
};

/** What the file system says when it is not its user's. */
const NOT_ALLOWED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

const CODE_OF_EXIT = new Map<number, string>([
  [ExitCode.usage, 'usage'],
  [ExitCode.badData, 'invalid'],
  [ExitCode.unavailable, 'unreachable'],
  [ExitCode.tryAgain, 'try_again'],
  [ExitCode.noPermission, 'denied'],
  [ExitCode.configuration, 'config'],
]);

export function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { code: 'cancelled', message: 'cancelled.', exitCode: INTERRUPTED };
  if (error instanceof RegistryError)
    return { code: error.code, message: error.message, exitCode: EXIT_OF[error.code] };
  if (error instanceof CommandError)
    return {
      code: error.code ?? CODE_OF_EXIT.get(error.exitCode) ?? 'internal',
      message: error.message,
      exitCode: error.exitCode,
    };
  if (error instanceof HostError)
    return {
      code: error.code.replace(/^mount\./, ''),
      message: error.message,
      exitCode: HOST_EXIT[error.code] ?? ExitCode.badData,
    };
  if (error instanceof GitError) {
    const exitCode = GIT_EXIT[error.kind] ?? ExitCode.internal;
    return { code: CODE_OF_EXIT.get(exitCode) ?? 'internal', message: `${error.message}.`, exitCode };
  }
  if (error instanceof Error && 'code' in error && 'path' in error && NOT_ALLOWED.has(error.code))
    return {
      code: 'denied',
      message: `${error.path} cannot be used by this user (${error.code}).`,
      exitCode: ExitCode.noPermission,
    };
  const said = error instanceof Error ? error.message : String(error);
  return {
    code: 'internal',
    message: `something went wrong that should not: ${said}`,
    exitCode: ExitCode.internal,
  };
}
