import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.ts';
import { MACHINE } from './own-name.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-lock-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = join(root, 'locks');
beforeEach(() => rmSync(folder, { recursive: true, force: true }));

const signal = new AbortController().signal;
const held = () => withLock(folder, 'a', { signal, maxWaitMs: 300 }, async (lock) => lock.held());

/** The file of this number; the lock has been taken before. */
function fileOf(number: number): string {
  const [first = ''] = readdirSync(folder);
  return join(folder, first.replace(/\d+$/, String(number)));
}
const numbers = () =>
  readdirSync(folder)
    .map((name) => Number(name.split('.')[1]))
    .sort();

/** A process of this machine that has ended. */
const GONE = 2 ** 22 - 1;
async function leave(text: string, secondsAgo = 0, number = 1): Promise<void> {
  await held();
  const file = fileOf(number);
  writeFileSync(file, text);
  const then = Date.now() / 1_000 - secondsAgo;
  utimesSync(file, then, then);
}
const holder = (pid: number, host = MACHINE) => JSON.stringify({ pid, host });

it('tasks of one process run one after the other', async () => {
  let running = 0;
  const most: number[] = [];
  const task = async () => {
    running += 1;
    most.push(running);
    await delay(2);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(folder, 'a', { signal }, task)));
  expect(most).toEqual([1, 1, 1, 1, 1]);
});

it('another name is another lock, also when one begins like the other', async () => {
  await withLock(folder, 'a', { signal }, () => withLock(folder, 'a.1', { signal }, held2));
  async function held2() {
    await withLock(folder, 'a.1.1', { signal }, async () => {});
  }
});

it('a name that no disk keeps as it is given is a lock like any other', async () => {
  // Half a character, which a disk replaces by another.
  await withLock(folder, 'a\ud842', { signal, maxWaitMs: 300 }, async (lock) => {
    expect(await lock.held()).toBe(true);
  });
});

it('names that a disk may take for one are one lock', async () => {
  await withLock(folder, '\u00c9', { signal }, async () => {
    await expect(
      withLock(folder, 'e\u0301', { signal: AbortSignal.timeout(100) }, async () => {}),
    ).rejects.toThrow(/timeout/);
  });
});

it('a task that fails lets go', async () => {
  await expect(
    withLock(folder, 'a', { signal }, async () => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await held()).toBe(true);
});

it('few files are left of it, however often it was taken', async () => {
  for (let i = 0; i < 6; i += 1) await held();
  expect(numbers()).toEqual([5, 6]);
});

describe('is free again when its holder', () => {
  it.each([
    ['was killed', holder(GONE), 0],
    ['has been silent for long, wherever it runs', holder(1, 'elsewhere'), 31],
    ['has been silent for long, and another has its number', holder(process.pid), 31],
    ['was killed before it was written', '', 6],
    ['is not to be read', '{"pid":', 6],
  ])('%s', async (_, text, secondsAgo) => {
    await leave(text, secondsAgo);
    expect(await held()).toBe(true);
  });
});

describe('is waited for when its holder', () => {
  it.each([
    ['lives', holder(process.pid), 0],
    ['lives on another machine', holder(GONE, 'elsewhere'), 20],
    ['is just being written', '', 0],
  ])('%s', async (_, text, secondsAgo) => {
    await leave(text, secondsAgo);
    await expect(held()).rejects.toThrow(/Another process has been busy with `a` for too long/);
  });
});

it('waiting ends with the call', async () => {
  await leave(holder(process.pid));
  const controller = new AbortController();
  const waiting = withLock(folder, 'a', { signal: controller.signal }, async () => {});
  setTimeout(() => controller.abort(), 20);
  await expect(waiting).rejects.toThrow(/abort/i);
});

it('a holder learns that it was taken for gone', async () => {
  const first = withLock(folder, 'a', { signal }, async (lock) => {
    expect(await lock.held()).toBe(true);
    writeFileSync(fileOf(2), holder(process.pid));
    return lock.held();
  });
  expect(await first).toBe(false);
});

it('who comes late, when the file in his way is gone, takes nothing', async () => {
  // As if others had taken the lock twice while this process looked at the first file.
  await leave('free', 0, 1);
  writeFileSync(fileOf(3), holder(process.pid));
  await expect(held()).rejects.toThrow(/busy/);
  writeFileSync(fileOf(3), 'free');
  expect(await held()).toBe(true);
  expect(numbers()).toEqual([3, 4]);
});
