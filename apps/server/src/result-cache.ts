// Answers of snapshots, which never change, kept within a bound for whoever asks the same again.
import type { MountOverview } from '@skillquay/core/answers';
import { LRUCache } from 'lru-cache';
import type { ToolText } from './endpoint.ts';

const MAX_OVERVIEWS = 500;

export interface ResultCache {
  readonly texts: LRUCache<string, ToolText> | null;
  /** Serialized results of the skills extension. */
  readonly resources: LRUCache<string, Buffer> | null;
  readonly overviews: LRUCache<string, MountOverview>;
}

/** `maxBytes` is shared evenly between what the tools and what the extension answered; 0 = nothing is kept. */
export function createResultCache(maxBytes: number): ResultCache {
  const share = Math.floor(maxBytes / 2);
  return {
    texts:
      share === 0
        ? null
        : new LRUCache({
            maxSize: share,
            // The text, and the bytes that the fast lane keeps of it for each era.
            sizeCalculation: ({ text }, key) => 4 * text.length + key.length + 256,
          }),
    resources:
      share === 0
        ? null
        : new LRUCache({
            maxSize: share,
            sizeCalculation: ({ length }, key) => length + key.length + 256,
          }),
    overviews: new LRUCache({ max: MAX_OVERVIEWS }),
  };
}
