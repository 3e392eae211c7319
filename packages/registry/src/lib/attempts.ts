// Makes a change anew when the branch has moved meanwhile; nothing else is tried again. Source: spec, The personal
// registry, "Conflicts".
import { setTimeout as delay } from 'node:timers/promises';
import { RefMoved, RegistryConflictError } from '../errors.ts';

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Milliseconds before the second and the third attempt, give or take a quarter. */
const WAITS_MS = [500, 1_000];

/** `registry` is named in the RegistryConflictError that is thrown when the third attempt meets a moved branch as well. */
export async function attempts<T>(
  registry: string,
  { signal, wait = sleep }: { readonly signal: AbortSignal; readonly wait?: Wait | undefined },
  attempt: (number: number) => Promise<T>,
): Promise<T> {
  for (let number = 1; ; number += 1) {
    signal.throwIfAborted();
    try {
      return await attempt(number);
    } catch (error) {
      if (!(error instanceof RefMoved)) throw error;
    }
    const milliseconds = WAITS_MS[number - 1];
    if (milliseconds === undefined)
      throw new RegistryConflictError(
        `Others changed ${registry} at the same time, at each of ${number} attempts. Your change was not made; try again.`,
      );
    await wait(milliseconds * (0.75 + Math.random() / 2), signal);
  }
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return delay(milliseconds, undefined, { signal });
}
