// Searches a segment where it lies: opening it reads the header and nothing else.

import { Buffer } from 'node:buffer';
import type { SearchPage, SearchResult, SearchScope } from './api.ts';
import { findTerm } from './lib/dictionary.ts';
import { readHeader, type SegmentLayout } from './lib/format.ts';
import { bestGroups } from './lib/groups.ts';
import { addScores, type PostingList, readPostings } from './lib/postings.ts';
import { parseQuery } from './lib/query.ts';
import { inverseFrequency } from './lib/score.ts';
import { Scratch } from './lib/scratch.ts';

export { SegmentError } from './lib/format.ts';

export interface Segment {
  /** Document numbers are below. */
  readonly docCount: number;
  /**
   * Groups whose documents in scope hold any word of the query, best first. Throws `SegmentError` where the bytes are
   * damaged.
   */
  search(query: string, scope: SearchScope, page: SearchPage): SearchResult;
}

/** Reads a segment in place; the bytes must not change. Throws `SegmentError` if they are no segment. */
export function openSegment(bytes: Uint8Array): Segment {
  return new ByteSegment(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
}

// One set for all segments: a search runs to its end before the next one begins.
const documentScores = new Scratch();
const runScores = new Scratch();
const pairsHeld = new Scratch();
let runPostings = new Uint32Array(0);

class ByteSegment implements Segment {
  readonly #bytes: Uint8Array;
  readonly #layout: SegmentLayout;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#layout = readHeader(bytes);
  }

  get docCount(): number {
    return this.#layout.count;
  }

  search(query: string, scope: SearchScope, page: SearchPage): SearchResult {
    const { terms, runs } = parseQuery(query);
    if (terms.length === 0 && runs.length === 0) return { hits: [], more: false, empty: true };
    const inside = clipped(scope, this.#layout.count);
    const scores = documentScores.cleared(this.#layout.count);
    for (const term of terms) this.#addTerm(term, scores);
    for (const run of runs) this.#addRun(run, inside, scores);
    return { ...bestGroups(scores, inside, page), empty: false };
  }

  #find(term: string): PostingList | undefined {
    return findTerm(this.#bytes, this.#layout, Buffer.from(term, 'utf8'));
  }

  #addTerm(term: string, scores: Int32Array): void {
    const list = this.#find(term);
    if (list === undefined) return;
    const { count, documents } = this.#layout;
    addScores(this.#bytes, list, count, inverseFrequency(list.documents, documents), scores);
  }

  /** Where a document in scope holds all pairs of the run, only such documents match by it; otherwise any pair does. */
  #addRun(pairs: readonly string[], scope: SearchScope, scores: Int32Array): void {
    const { count, documents } = this.#layout;
    const sums = runScores.cleared(count);
    const held = pairsHeld.cleared(count);
    if (runPostings.length < count) runPostings = new Uint32Array(count);
    const packed = runPostings;
    for (const pair of pairs) {
      const list = this.#find(pair);
      if (list === undefined) continue;
      const factor = inverseFrequency(list.documents, documents);
      const length = readPostings(this.#bytes, list, count, packed);
      for (let index = 0; index < length; index++) {
        const posting = packed[index]!;
        sums[posting >>> 8]! += factor * (posting & 0xff);
        held[posting >>> 8]! += 1;
      }
    }
    const needed = anyHolds(held, pairs.length, scope) ? pairs.length : 1;
    for (let document = scope.from; document < scope.to; document++) {
      if (held[document]! >= needed) scores[document]! += sums[document]!;
    }
  }
}

function clipped(scope: SearchScope, count: number): SearchScope {
  return { ...scope, from: Math.max(0, scope.from), to: Math.min(count, scope.to, scope.groupOf.length) };
}

function anyHolds(
  held: Int32Array,
  pairs: number,
  { from, to, groupOf, groupFrom, groupTo }: SearchScope,
): boolean {
  const lowest = Math.max(0, groupFrom);
  for (let document = from; document < to; document++) {
    if (held[document] !== pairs) continue;
    const group = groupOf[document]!;
    if (group >= lowest && group < groupTo) return true;
  }
  return false;
}
