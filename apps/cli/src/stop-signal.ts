// Ctrl-C and its kin: the first asks the command to stop, the second ends the process.
import { onClosedOutput } from './closed-output.ts';

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const NAMES = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/**
 * Aborted by the first signal, and when nobody reads the output any more. Taken as early as possible, so that nothing is
 * left half started.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of NAMES)
    process.on(name, () => {
      if (stopping.signal.aborted) process.exit(128 + SIGNALS[name]);
      stopping.abort();
    });
  onClosedOutput(() => stopping.abort());
  return stopping.signal;
}

/** Runs `work`, which stops when the signal is aborted; what that makes it throw is no failure. */
export async function untilStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What a short command must not leave behind is removed even when a signal ends it; gives how to forget about it. */
export function onInterrupt(clean: () => void): () => void {
  const stops = NAMES.map((name) => {
    const stop = () => {
      clean();
      process.exit(128 + SIGNALS[name]);
    };
    process.once(name, stop);
    return () => process.off(name, stop);
  });
  return () => {
    for (const stop of stops) stop();
  };
}
