// Runs a command of the registry and prints what came of it: a text for people, or one JSON document.
import { ExitCode } from '../exit-codes.ts';
import { stopSignal } from '../stop-signal.ts';
import { printable, printableJson, printableText } from '../terminal.ts';
import { type Failure, failureOf } from './failure.ts';
import { type Io, processIo } from './io.ts';

/** What a command gives back. */
export interface Outcome {
  /** What --json prints. */
  readonly data: object;
  /** What is printed otherwise; '' for nothing. */
  readonly text: string;
  /** The command did something and something of it failed. */
  readonly failure?: Failure | undefined;
}

export interface CommonOptions {
  readonly json: boolean;
  readonly yes?: boolean;
}

export async function run(options: CommonOptions, command: (io: Io) => Promise<Outcome>): Promise<void> {
  const signal = stopSignal();
  const { io, clear } = processIo({ json: options.json, yes: options.yes === true }, signal);
  try {
    const { data, text, failure } = await command(io);
    clear();
    if (options.json) printJson(failure === undefined ? data : { ...data, ...errorDocument(failure) });
    else if (text !== '') process.stdout.write(printableText(text).replace(/\n?$/, '\n'));
    if (failure !== undefined) report(failure, options.json);
  } catch (error) {
    clear();
    const failure = failureOf(error, signal);
    if (options.json) printJson(errorDocument(failure));
    report(failure, options.json);
    if (failure.exitCode === ExitCode.internal && process.env.DEBUG === '1' && error instanceof Error)
      process.stderr.write(`${error.stack}\n`);
  }
}

export function errorDocument({ code, message }: Pick<Failure, 'code' | 'message'>) {
  return { error: { code, message } };
}

export function printJson(document: object): void {
  process.stdout.write(`${printableJson(document)}\n`);
}

function report({ message, exitCode }: Failure, json: boolean): void {
  if (!json) process.stderr.write(`skillquay: ${printable(message)}\n`);
  process.exitCode = exitCode;
}
