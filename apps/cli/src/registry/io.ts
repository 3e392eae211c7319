// What a command of the registry is given to talk to whoever started it: a person at a terminal, or a program.
import { createInterface } from 'node:readline/promises';
import type { CallOptions } from '@skillquay/registry/backend';
import type { Environment } from '@skillquay/registry/config';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { printable, printableText, progressOn } from '../terminal.ts';

export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Ends with the command; what is under way is told to whoever watches. */
  readonly call: CallOptions;
  /** Somebody is there who can answer. */
  readonly canAsk: boolean;
  /** Columns of the terminal that results are shown on; null where they are read by a program. */
  readonly columns: number | null;
  /**
   * Says something before the result; a program that reads JSON does not hear of it. Each of several lines is one line,
   * whatever the names in it hold.
   */
  say(text: string | readonly string[]): void;
  /** Says it beside the result, where a script that reads the result does not take it for a part. */
  note(text: string): void;
  /** Tells what is being done while nothing else is shown. */
  doing(what: string): void;
  /** Asks a person, whatever the options say. Only where somebody can be asked. */
  ask(question: string): Promise<boolean>;
  /** True at once with --yes. Throws CommandError `usage` where nobody can be asked. */
  confirm(question: string): Promise<boolean>;
}

export interface IoOptions {
  readonly json: boolean;
  readonly yes: boolean;
}

/** The Io of this process. */
export function processIo(
  options: IoOptions,
  signal: AbortSignal,
): { readonly io: Io; readonly clear: () => void } {
  const progress = progressOn(process.stderr);
  const canAsk = process.stdin.isTTY === true && process.stdout.isTTY === true && !options.json;
  const doing = (what: string) => {
    if (!options.json) progress.show(printable(what));
  };
  const ask = async (question: string) => {
    progress.clear();
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    // It takes Ctrl-C for itself, and the end of the input for nothing.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    try {
      const asked = lines.question(`${printable(question)} [y/N] `, { signal });
      return /^\s*y(?:es)?\s*$/i.test(await Promise.race([asked, ended]));
    } finally {
      lines.close();
    }
  };
  const io: Io = {
    env: process.env,
    cwd: process.cwd(),
    call: {
      signal,
      onStep: doing,
      onWait: (seconds, why) => doing(`waiting ${Math.ceil(seconds)} s: ${why}`),
    },
    canAsk,
    columns: process.stdout.isTTY === true && !options.json ? (process.stdout.columns ?? 80) : null,
    say(text) {
      if (options.json) return;
      progress.clear();
      const shown = typeof text === 'string' ? printableText(text) : text.map(printable).join('\n');
      process.stdout.write(`${shown}\n`);
    },
    note(text) {
      if (options.json) return;
      progress.clear();
      process.stderr.write(`${printable(text)}\n`);
    },
    doing,
    ask,
    async confirm(question) {
      if (options.yes) return true;
      if (!canAsk) throw notAsked(question);
      return ask(question);
    },
  };
  return { io, clear: () => progress.clear() };
}

/** What is thrown when a person says no: everything is as it was, and nobody who goes on from here takes it for done. */
export function declined(message: string): CommandError {
  return new CommandError(ExitCode.noPermission, message, 'declined');
}

function notAsked(question: string): CommandError {
  return new CommandError(ExitCode.usage, `${question} Nobody can be asked here: pass --yes.`);
}
