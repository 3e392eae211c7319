// What happens when standard output ends before the command does: `skillquay check | head`, or a full disk.
import { ExitCode } from './exit-codes.ts';

/** Who stops reading has seen enough, which is no failure. What cannot be written for another reason is one. */
export function allowClosedOutput(): void {
  // Nothing is left to say it on.
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error: Error) => {
    if (isClosed(error)) return;
    process.stderr.write(`skillquay: what was found cannot be printed: ${error.message}\n`);
    process.exit(ExitCode.output);
  });
}

/** Calls back when nobody reads standard output any more. */
export function onClosedOutput(closed: () => void): void {
  process.stdout.on('error', (error: Error) => {
    if (isClosed(error)) closed();
  });
}

function isClosed(error: Error): boolean {
  return 'code' in error && error.code === 'EPIPE';
}
