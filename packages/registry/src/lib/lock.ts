// One task at a time for a name, among all processes that share a folder; what a killed process held is free again.
//
// The lock of a name is the file `<digest>.<n>` with the highest n. It holds who has the lock, or `free`. To take the lock
// is to make the file n + 1 where n is free or its holder gone, which only one process can: no file that may be somebody
// else's by now is ever removed or written. Files below n - 1 are swept by whoever takes n.
import { createHash } from 'node:crypto';
import { open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '@skillquay/git/make-folder';
import { alive } from '@skillquay/git/process-alive';
import { RegistryError } from '../errors.ts';
import { shownSlug } from '../text.ts';
import { MACHINE } from './own-name.ts';
import { Turns } from './turns.ts';

/** How often a holder shows that it lives, and after what silence it is taken for gone wherever it runs. */
const BEAT_MS = 5_000;
const SILENCE_MS = 30_000;
/** A file without a holder is being written, or was left when its writer was killed. */
const UNWRITTEN_MS = 5_000;
const LOOK_MS = 50;
const MAX_WAIT_MS = 600_000;

const FREE = 'free';

export interface Lock {
  /** False when this process was silent for so long that another took over. */
  held(): Promise<boolean>;
}

export interface LockOptions {
  readonly signal: AbortSignal;
  /** Milliseconds after which waiting is given up. */
  readonly maxWaitMs?: number;
}

/** Tasks of this process, by lock: they queue here, and one of them in the folder. */
const queues = new Map<string, Turns>();

/** Throws what the task throws, an AbortError, and RegistryError `internal` when another process never lets go. */
export async function withLock<T>(
  folder: string,
  name: string,
  options: LockOptions,
  task: (lock: Lock) => Promise<T>,
): Promise<T> {
  const lock = join(folder, digestOf(name));
  const turns = queues.get(lock) ?? new Turns();
  queues.set(lock, turns);
  try {
    return await turns.run(options.signal, () => exclusively(lock, name, options, task));
  } finally {
    if (turns.idle) queues.delete(lock);
  }
}

/**
 * A name that every disk keeps as it is given. Names that some disk takes for one have one lock, as what they guard may
 * be one there.
 */
function digestOf(name: string): string {
  return createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex').slice(0, 32);
}

async function exclusively<T>(
  lock: string,
  name: string,
  options: LockOptions,
  task: (lock: Lock) => Promise<T>,
): Promise<T> {
  await makeFolder(dirname(lock), 0o700);
  const own = await take(lock, name, options);
  const file = fileOf(lock, own);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, BEAT_MS).unref();
  try {
    return await task({ held: async () => (await highest(lock)) === own });
  } finally {
    clearInterval(beat);
    await writeFile(file, FREE, { flag: 'r+' }).catch(() => {});
  }
}

async function take(lock: string, name: string, { signal, maxWaitMs }: LockOptions): Promise<number> {
  const giveUp = Date.now() + (maxWaitMs ?? MAX_WAIT_MS);
  for (;;) {
    signal.throwIfAborted();
    const last = await highest(lock);
    if ((last === 0 || (await isFree(fileOf(lock, last)))) && (await make(lock, last + 1))) return last + 1;
    if (Date.now() > giveUp)
      throw new RegistryError(
        'internal',
        `Another process has been busy with ${shownSlug(name)} for too long. Try again, or end that process.`,
      );
    await delay(LOOK_MS * (0.5 + Math.random()), undefined, { signal });
  }
}

async function make(lock: string, own: number): Promise<boolean> {
  const file = fileOf(lock, own);
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: MACHINE })).finally(() => handle.close());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  const numbers = await numbersOf(lock);
  // Others were quicker, twice: the file that was in the way is gone, and this one is below theirs.
  const late = numbers.some((number) => number > own);
  for (const number of numbers)
    if (number < own - 1 || (late && number === own))
      await rm(fileOf(lock, number), { force: true }).catch(() => {});
  return !late;
}

async function isFree(file: string): Promise<boolean> {
  const [text, found] = await Promise.all([
    readFile(file, 'utf8').catch(() => null),
    stat(file).catch(() => null),
  ]);
  // Swept in this moment: there is a higher one.
  if (text === null || found === null) return false;
  if (text.startsWith(FREE)) return true;
  const silence = Date.now() - found.mtimeMs;
  const holder = readHolder(text);
  if (holder === null) return silence > UNWRITTEN_MS;
  return silence > SILENCE_MS || (holder.host === MACHINE && !alive(holder.pid));
}

function readHolder(text: string): { readonly pid: number; readonly host: string } | null {
  try {
    const { pid, host }: { pid?: unknown; host?: unknown } = JSON.parse(text);
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

async function highest(lock: string): Promise<number> {
  return Math.max(0, ...(await numbersOf(lock)));
}

async function numbersOf(lock: string): Promise<number[]> {
  const begin = `${basename(lock)}.`;
  const numbers = (await readdir(dirname(lock)))
    .filter((file) => file.startsWith(begin))
    .map((file) => file.slice(begin.length))
    .filter((rest) => /^[1-9][0-9]{0,14}$/.test(rest));
  return numbers.map(Number);
}

function fileOf(lock: string, number: number): string {
  return `${lock}.${number}`;
}
