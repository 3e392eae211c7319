// Numbers the search documents of a commit in row order and merges their postings into one segment.
import type { ReadingLimits } from '@skillquay/core/limits';
import { mergeSegments, type SegmentPart } from '@skillquay/search/merge';
import { type Facts, NO_DOCUMENT } from './build-facts.ts';
import { partialSentence } from './build-limits.ts';
import type { Previous } from './build-previous.ts';

export interface Documents {
  /** Number of the document of each entry, -1 without one. */
  readonly number: Int32Array;
  readonly count: number;
  readonly segment: Uint8Array;
  /** What the limits left out. */
  readonly partial: readonly string[];
}

export function numberDocuments(
  facts: Facts,
  rowClass: Uint8Array,
  limits: ReadingLimits,
  previous: Previous | null,
): Documents {
  const number = new Int32Array(facts.document.length).fill(-1);
  const candidates: number[] = [];
  for (let entry = 0; entry < number.length; entry += 1)
    if (facts.document[entry] !== NO_DOCUMENT && rowClass[entry] !== 0) candidates.push(entry);
  let count = 0;
  let bytes = 0;
  const partial: string[] = [];
  for (const entry of candidates) {
    const left = candidates.length - count;
    if (count === limits.indexedFiles) {
      partial.push(partialSentence(left, limits.indexedFiles, 'indexed files', 'not searched'));
      break;
    }
    bytes += Math.min(facts.size[entry] ?? 0, limits.indexedBytesPerFile);
    if (bytes > limits.indexedBytes) {
      partial.push(partialSentence(left, limits.indexedBytes, 'bytes of indexed text', 'not searched'));
      break;
    }
    number[entry] = count;
    count += 1;
  }
  return { number, count, segment: merge(facts, number, count, previous), partial };
}

function merge(facts: Facts, number: Int32Array, count: number, previous: Previous | null): Uint8Array {
  const parts: SegmentPart[] = facts.pieces.map(({ bytes, entries }) => {
    const map = new Int32Array(number.length).fill(-1);
    for (const entry of entries) map[entry] = number[entry] ?? -1;
    return { bytes, map };
  });
  if (previous !== null) {
    const map = new Int32Array(previous.docCount).fill(-1);
    for (let entry = 0; entry < number.length; entry += 1) {
      const before = facts.document[entry] ?? NO_DOCUMENT;
      if (before >= 0) map[before] = number[entry] ?? -1;
    }
    parts.push({ bytes: previous.segment, map });
  }
  // The pieces are not needed any more, and take as much memory as what is made of them.
  facts.pieces.length = 0;
  return mergeSegments(parts, count);
}
