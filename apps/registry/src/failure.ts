// How the process ends when it cannot serve: one line for a person, and a code for a program. Source: spec, The
// personal registry, "Boot".
import { RegistryError } from '@skillquay/registry/errors';

export const ExitCode = { ok: 0, configuration: 2, noCredential: 3, refused: 4, other: 70 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

export const COMMAND = 'skill-registry-mcp';

export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof RegistryError)) return ExitCode.other;
  switch (error.code) {
    case 'config':
      return ExitCode.configuration;
    case 'no_credential':
      return ExitCode.noCredential;
    case 'credential':
      return ExitCode.refused;
    default:
      return ExitCode.other;
  }
}

/** One line and its end, and the stack behind it where `debug` says so. */
export function failureText(error: unknown, debug: boolean): string {
  const isOurs = error instanceof RegistryError;
  const said = error instanceof Error ? error.message : String(error);
  const message = isOurs ? said : `something went wrong that should not: ${said}`;
  const line = `${COMMAND}: ${message.replace(/\s+/g, ' ').trim()}\n`;
  return visible(debug && error instanceof Error ? `${line}${error.stack}\n` : line);
}

/** Nothing that a variable or a host says moves the cursor of who reads it. */
function visible(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, '');
}
