// What `check` says of a folder before it is published: what an agent would not get.
import { RegistryError } from '@skillquay/registry/errors';
import { checkFolder } from '../check-folder.ts';
import { counted } from '../count.ts';
import type { Io } from './io.ts';

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** Errors first. Throws CommandError for what is no folder. */
export async function problemsOf(folder: string, io: Io): Promise<readonly Problem[]> {
  const { diagnostics } = await checkFolder(folder, { show: io.doing, clear() {} });
  const problems = diagnostics.flatMap(({ severity, path, line, message, hint }) => {
    if (severity === 'info') return [];
    const place = path === '' ? '' : `${path}${line === undefined ? '' : `:${line}`}: `;
    return [{ severity, text: `${place}${message} ${hint}` }];
  });
  return problems.sort((a, b) => (a.severity === b.severity ? 0 : a.severity === 'error' ? -1 : 1));
}

/** null where an agent would get the skill as it is. */
export function refusalFor(problems: readonly Problem[]): RegistryError | null {
  const errors = problems.filter(({ severity }) => severity === 'error').map(({ text }) => text);
  if (errors.length === 0) return null;
  return new RegistryError(
    'invalid',
    `An agent would not get this skill as it is (${counted(errors.length, 'error')}): ${errors.join(' ')} Mend it (\`skillquay check --fix\` mends what is mechanical), or publish it all the same with --force.`,
  );
}
