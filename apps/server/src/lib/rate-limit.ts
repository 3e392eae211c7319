// How often one client may ask: a token bucket for each, refilled evenly, with room for a burst.
import { LRUCache } from 'lru-cache';

/** Clients remembered; one that is forgotten starts with a full bucket. */
const MAX_CLIENTS = 20_000;

interface Bucket {
  tokens: number;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface RateLimit {
  /** Takes one request of a client. 0 = allowed, else the seconds after which the next one is. */
  take(client: string): number;
}

/** `perMinute` requests on average, and as many at once. */
export function createRateLimit(perMinute: number, now: () => number): RateLimit {
  const perMs = perMinute / 60_000;
  const buckets = new LRUCache<string, Bucket>({ max: MAX_CLIENTS });
  return {
    take(client) {
      const time = now();
      const bucket = buckets.get(client) ?? { tokens: perMinute, at: time };
      buckets.set(client, bucket);
      bucket.tokens = Math.min(perMinute, bucket.tokens + Math.max(0, time - bucket.at) * perMs);
      bucket.at = time;
      if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000));
      bucket.tokens -= 1;
      return 0;
    },
  };
}
