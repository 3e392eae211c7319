import { expect, test } from 'vitest';
import { waitFor } from './ref-cache.ts';

test('work that fails after its only waiter has gone is nobody’s error', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    const gone = new Error('gone');
    const waiting = waitFor(Promise.reject(new Error('failed')), AbortSignal.abort(gone));
    await expect(waiting).rejects.toBe(gone);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  expect(unhandled).toEqual([]);
});
