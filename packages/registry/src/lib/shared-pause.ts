// One pause for all who have to wait for a host: each hears of it once, leaves when his own call ends, and it ends when
// nobody is left.
import type { CallOptions } from '../backend.ts';
import { unlessAborted } from './turns.ts';

export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** Milliseconds over which those go on who have waited: all in one moment is what a host limits next. */
const SPREAD_MS = 1_000;

interface Running {
  readonly ended: Promise<void>;
  readonly stop: AbortController;
  readonly until: number;
  readonly why: string;
  readonly told: Set<CallOptions['onWait']>;
  waiting: number;
}

export class SharedPause {
  readonly #wait: Wait;
  #running: Running | null = null;

  constructor(wait: Wait) {
    this.#wait = wait;
  }

  /** Waits so long, or as long as others still wait. */
  async begin(seconds: number, why: string, options: CallOptions): Promise<void> {
    if (this.#running !== null) return this.passed(options);
    this.#running = this.#start(seconds, why);
    await this.#join(this.#running, options);
  }

  /** Waits while others do, and goes on after them. */
  async passed(options: CallOptions): Promise<void> {
    while (this.#running !== null) {
      await this.#join(this.#running, options);
      await this.#wait(Math.random() * SPREAD_MS, options.signal);
    }
  }

  #start(seconds: number, why: string): Running {
    const stop = new AbortController();
    const ended = this.#wait(seconds * 1_000, stop.signal);
    const until = Date.now() + seconds * 1_000;
    const running: Running = { ended, stop, until, why, told: new Set(), waiting: 0 };
    const end = () => this.#end(running);
    ended.then(end, end);
    return running;
  }

  #end(running: Running): void {
    if (this.#running === running) this.#running = null;
  }

  async #join(running: Running, { signal, onWait }: CallOptions): Promise<void> {
    running.waiting += 1;
    try {
      if (!running.told.has(onWait)) {
        running.told.add(onWait);
        onWait?.(Math.max(1, Math.ceil((running.until - Date.now()) / 1_000)), running.why);
      }
      await unlessAborted(running.ended, signal);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) {
        this.#end(running);
        running.stop.abort();
      }
    }
  }
}
