import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

const never = new AbortController().signal;

it('tasks have their turn in order, one at a time, whatever becomes of those before', async () => {
  const turns = new Turns();
  const log: string[] = [];
  const task =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`);
      await delay(1);
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const all = [turns.run(never, task('a', true)), turns.run(never, task('b')), turns.run(never, task('c'))];
  expect(turns.idle).toBe(false);
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(turns.idle).toBe(true);
});

it('who leaves the queue leaves at once, and lets nobody in before his time', async () => {
  const turns = new Turns();
  const log: string[] = [];
  let finish = () => {};
  const first = turns.run(
    never,
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const leaving = new AbortController();
  const second = turns.run(leaving.signal, async () => log.push('second'));
  const third = turns.run(never, async () => log.push('third'));
  leaving.abort();
  await expect(second).rejects.toThrow(/abort/i);
  await delay(5);
  expect(log).toEqual([]);
  finish();
  await Promise.all([first, third]);
  expect(log).toEqual(['third']);
});
