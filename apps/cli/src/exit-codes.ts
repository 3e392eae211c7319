// Exit codes of the command, from sysexits.h; 1 is `check` saying no.

export const ExitCode = {
  ok: 0,
  findings: 1,
  usage: 64,
  badData: 65,
  unavailable: 69,
  internal: 70,
  output: 74,
  tryAgain: 75,
  noPermission: 77,
  configuration: 78,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A failure a person can act on: one sentence, and the code the process ends with. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  /** For a program, where the exit code does not say it. */
  readonly code: string | undefined;
  constructor(exitCode: ExitCode, message: string, code?: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
    this.code = code;
  }
}
