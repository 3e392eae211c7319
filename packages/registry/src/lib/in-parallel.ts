// Runs a task for each of many, so many at a time.

/**
 * Throws what the first task to fail throws, when those that were running have ended; no other is begun then. A task's
 * signal is aborted by that failure, and with `signal`.
 */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  task: (item: T, signal: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const ended = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const failures: unknown[] = [];
  let next = 0;
  const lane = async () => {
    while (next < items.length && failures.length === 0) {
      const item = items[next++];
      if (item === undefined) continue;
      await task(item, ended).catch((error: unknown) => {
        failures.push(error);
        failed.abort();
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
}
