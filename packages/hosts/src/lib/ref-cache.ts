// Remembers what refs mean for a while: one question at a time, and an old answer while nobody answers.
import type { Caller } from '@skillquay/core/caller';
import { HostError } from '../host.ts';

export interface RefCacheOptions<T> {
  readonly load: () => Promise<T>;
  /** Milliseconds for which an answer is trusted. */
  readonly ttlMs: number;
  /** Milliseconds past that for which it is served when the host does not answer. */
  readonly staleMs: number;
  readonly now: () => number;
}

export interface Known<T> {
  readonly value: T;
  readonly expiresAt: number;
  /** When the host said so; set when it does not answer any more. */
  readonly staleSince?: number;
}

/** How long a failure stands before the host is asked again. */
export const RETRY_MS = 10_000;

export class RefCache<T> {
  readonly #options: RefCacheOptions<T>;
  #known: (Known<T> & { readonly at: number }) | undefined;
  #failed: { error: unknown; at: number } | undefined;
  #asking: Promise<void> | undefined;

  constructor(options: RefCacheOptions<T>) {
    this.#options = options;
  }

  /**
   * What is known, asked for when it is older than it may be. Throws what `load` throws when nothing may be served.
   * Who passes a `maxAgeMs` wants to know sooner than others whether something has changed.
   */
  async get(caller?: Caller, maxAgeMs = Number.POSITIVE_INFINITY): Promise<Known<T>> {
    const { ttlMs, staleMs, now } = this.#options;
    if (this.#known && now() < this.#known.at + Math.min(ttlMs, maxAgeMs)) return this.#known;
    // What the host denies is asked again after the usual time, what it fails to answer sooner.
    const patience = isDown(this.#failed?.error) ? Math.min(RETRY_MS, ttlMs) : ttlMs;
    if (!this.#failed || now() >= this.#failed.at + patience) await waitFor(this.#ask(), caller?.signal);
    if (this.#failed === undefined && this.#known) return this.#known;
    const { error } = this.#failed ?? { error: undefined };
    const age = this.#known ? now() - this.#known.at : Number.POSITIVE_INFINITY;
    if (this.#known && isDown(error) && age < ttlMs + staleMs)
      return {
        value: this.#known.value,
        expiresAt: now() + Math.min(RETRY_MS, ttlMs),
        staleSince: this.#known.at,
      };
    throw error;
  }

  /** What `get` would answer from memory now, the same object until it is asked for again; null = it would ask. */
  get fresh(): Known<T> | null {
    return this.#known !== undefined && this.#options.now() < this.#known.expiresAt ? this.#known : null;
  }

  /** Whether a question is under way. */
  get busy(): boolean {
    return this.#asking !== undefined;
  }

  /** One question for all who ask meanwhile; it goes on when one of them goes away. */
  #ask(): Promise<void> {
    this.#asking ??= this.#options
      .load()
      .then(
        (value) => {
          const at = this.#options.now();
          this.#known = { value, at, expiresAt: at + this.#options.ttlMs };
          this.#failed = undefined;
        },
        (error: unknown) => {
          this.#failed = { error, at: this.#options.now() };
          // A repository that is gone is not served from memory later.
          if (!isDown(error)) this.#known = undefined;
        },
      )
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}

function isDown(error: unknown): boolean {
  return (
    error instanceof HostError && (error.code === 'mount.unavailable' || error.code === 'mount.rate_limited')
  );
}

/** Waits for work that others wait for too: an abort ends the wait, not the work. */
export async function waitFor<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  // Nobody may be left to hear that it failed.
  work.catch(() => {});
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
