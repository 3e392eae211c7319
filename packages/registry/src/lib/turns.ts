// Lets tasks of this process have their turn one after the other.

export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** Nobody runs or waits. */
  get idle(): boolean {
    return this.#waiting === 0;
  }

  /** Runs the task when those before it have ended. Throws what it throws, and why `signal` was aborted while it waited. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    const before = this.#last;
    this.#waiting += 1;
    const run = unlessAborted(before, signal).then(task);
    // Who leaves the queue gives nobody a turn before those that are still in front.
    this.#last = Promise.allSettled([before, run]);
    try {
      return await run;
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** Ends with `before`; throws why `signal` was aborted where that comes first. */
export async function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  try {
    await Promise.race([before, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
