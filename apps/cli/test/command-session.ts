// Runs commands as `command.ts` does, but many in one process that has the command loaded: for tests of what commands
// do. What becomes of their process (signals, terminals, kills) is tested with processes of their own.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Ran } from './command.ts';

export interface SessionOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const HOST = fileURLToPath(new URL('./command-host.mjs', import.meta.url));
/** Longer than the host waits for a command. */
const PATIENCE_MS = 90_000;
const LOOKS_EVERY_MS = 1;
const MINE = (): SessionOptions => ({ cwd: process.cwd(), env: process.env });
const clock = new Int32Array(new SharedArrayBuffer(4));

/** The process that runs the commands, and the files by which it is talked to. */
class Host {
  readonly #dir = mkdtempSync(join(tmpdir(), 'skillquay-command-host-'));
  readonly #questions: number;
  readonly #out: Tail;
  readonly #err: Tail;
  readonly #answers: Tail;
  isBusy = false;
  hasEnded = false;

  constructor() {
    const questions = join(this.#dir, 'questions');
    const answers = join(this.#dir, 'answers');
    const made = spawnSync('mkfifo', [questions]);
    if (made.status !== 0) throw new Error(`mkfifo: ${made.stderr}`);
    this.#out = new Tail(join(this.#dir, 'out'));
    this.#err = new Tail(join(this.#dir, 'err'));
    this.#answers = new Tail(answers);
    const stdio = ['ignore', this.#out.end, this.#err.end] as const;
    spawn(process.execPath, [HOST, questions, answers], { stdio: [...stdio] }).unref();
    // Open for both, or this would wait until the other end is.
    this.#questions = openSync(questions, 'r+');
  }

  ask(args: readonly string[], options: SessionOptions): void {
    this.isBusy = true;
    writeSync(this.#questions, `${JSON.stringify({ args, ...options })}\n`);
  }

  /** What came of it, if anything has yet. */
  answer(): Ran | undefined {
    const text = this.#answers.rest('\n');
    if (text === '') return undefined;
    const { code, ended } = JSON.parse(text);
    this.isBusy = false;
    const ran = { code, out: this.#out.rest(), err: this.#err.rest() };
    if (ended) this.end();
    return ran;
  }

  end(): void {
    this.hasEnded = true;
    closeSync(this.#questions);
    for (const tail of [this.#out, this.#err, this.#answers]) closeSync(tail.end);
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** A file that grows, read piece by piece. */
class Tail {
  readonly path: string;
  readonly end: number;
  #read = 0;

  constructor(path: string) {
    this.path = path;
    this.end = openSync(path, 'a+');
  }

  /** What has been added since the last call, once it ends with `last`; '' until then. */
  rest(last = ''): string {
    const pieces: Buffer[] = [];
    let at = this.#read;
    for (;;) {
      const piece = Buffer.alloc(64 * 1024);
      const bytes = readSync(this.end, piece, 0, piece.length, at);
      if (bytes === 0) break;
      at += bytes;
      pieces.push(piece.subarray(0, bytes));
    }
    const text = Buffer.concat(pieces).toString();
    if (!text.endsWith(last)) return '';
    this.#read = at;
    return text;
  }
}

let host: Host | undefined;
process.once('exit', () => host?.hasEnded === false && host.end());

/** Begins the command. Returns how to look whether it has ended, which throws once it takes too long. */
function begin(args: readonly string[], options: SessionOptions): () => Ran | undefined {
  if (host === undefined || host.hasEnded) host = new Host();
  if (host.isBusy) throw new Error('one command at a time: give the second a process of its own');
  const asked = host;
  asked.ask(args, options);
  const late = Date.now() + PATIENCE_MS;
  return () => {
    const ran = asked.answer();
    if (ran === undefined && Date.now() > late) throw new Error(`no answer to ${JSON.stringify(args)}`);
    return ran;
  };
}

/** Runs the command while nothing else goes on in this process. */
export function inSession(args: readonly string[], options: SessionOptions = MINE()): Ran {
  const look = begin(args, options);
  for (;;) {
    const ran = look();
    if (ran !== undefined) return ran;
    Atomics.wait(clock, 0, 0, LOOKS_EVERY_MS);
  }
}

/** Runs it while this process goes on, which may be the host that the command asks. */
export async function inSessionMeanwhile(args: readonly string[], options: SessionOptions): Promise<Ran> {
  const look = begin(args, options);
  for (;;) {
    const ran = look();
    if (ran !== undefined) return ran;
    await delay(LOOKS_EVERY_MS);
  }
}
