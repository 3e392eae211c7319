// A term's postings: which documents hold it, with what impact.
//
//   sparse   for each document in order: varint of the documents skipped since the last one, one byte of impact
//   dense    one byte of impact for each number from 0 to count, 0 = not in this document
//
// Dense where that is shorter for certain. In memory a posting is one number, document × 256 + impact.

import { SegmentError } from './format.ts';
import type { ByteSink } from './sink.ts';

/** Where a term's postings lie, and how many documents they name. */
export interface PostingList {
  readonly start: number;
  readonly end: number;
  readonly documents: number;
}

const MAX_POSTING_BYTES = 6;

export function isDense(documents: number, count: number): boolean {
  return documents * 2 > count;
}

/** Encodes packed postings, which are in order. What the sink holds behind its end is zeros, and stays so. */
export function writePostings(packed: Uint32Array, length: number, count: number, sink: ByteSink): void {
  if (isDense(length, count)) {
    sink.reserve(count);
    const { bytes, length: start } = sink;
    for (let index = 0; index < length; index++) {
      const posting = packed[index]!;
      bytes[start + (posting >>> 8)] = posting;
    }
    sink.length = start + count;
    return;
  }
  sink.reserve(length * MAX_POSTING_BYTES);
  const { bytes } = sink;
  let at = sink.length;
  let next = 0;
  for (let index = 0; index < length; index++) {
    const posting = packed[index]!;
    const document = posting >>> 8;
    at = writePosting(bytes, at, document - next, posting);
    next = document + 1;
  }
  sink.length = at;
}

/** Decodes a list into `packed`, which has room for its documents. Returns how many there are. */
export function readPostings(
  bytes: Uint8Array,
  list: PostingList,
  count: number,
  packed: Uint32Array,
): number {
  const { start, end } = list;
  let length = 0;
  if (isDense(list.documents, count)) {
    if (end - start !== count) throw new SegmentError('postings of another length');
    for (let document = 0; document < count; document++) {
      const impact = bytes[start + document]!;
      if (impact !== 0) packed[length++] = document * 256 + impact;
    }
  } else {
    let at = start;
    let document = -1;
    while (at < end) {
      let byte = bytes[at++]!;
      let gap = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = bytes[at++]!;
        gap |= (byte & 0x7f) << shift;
      }
      document += gap + 1;
      packed[length++] = document * 256 + bytes[at++]!;
    }
    if (at !== end || document >= count) throw new SegmentError('postings do not end where they should');
  }
  if (length !== list.documents) throw new SegmentError('a term has another number of postings');
  return length;
}

/** Which numbers documents get. A change to a few of them leaves most lists as they are, or nearly. */
export interface Renumbering {
  /** For each document its new number, ascending, or -1 = left out. */
  readonly map: Int32Array;
  /** Documents before it keep their numbers. */
  readonly firstChange: number;
  /** Documents from it on are all kept, and as far from each other as before. */
  readonly lastChange: number;
}

export function renumbering(map: Int32Array, count: number): Renumbering {
  let firstChange = 0;
  while (firstChange < count && map[firstChange] === firstChange) firstChange++;
  let lastChange = count;
  const isNext = (document: number) => document === count || map[document]! - map[document - 1]! === 1;
  while (lastChange > firstChange && map[lastChange - 1]! >= 0 && isNext(lastChange)) lastChange--;
  return { map, firstChange, lastChange };
}

/**
 * Copies a sparse list, which stays sparse, with its documents renumbered: what stands before the first change and
 * behind the last is not encoded again, for a posting says how far it is from the one before. Returns how many are kept.
 */
export function copyPostings(
  bytes: Uint8Array,
  list: PostingList,
  { map, firstChange, lastChange }: Renumbering,
  sink: ByteSink,
): number {
  const { start, end } = list;
  sink.reserve(list.documents * MAX_POSTING_BYTES + end - start);
  const target = sink.bytes;
  let length = 0;
  let kept = 0;
  let next = 0;
  let document = -1;
  let at = start;
  let to = sink.length;
  let isCopied = firstChange === 0;
  while (at < end) {
    const posting = at;
    let byte = bytes[at++]!;
    let gap = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 0x7f) << shift;
    }
    document += gap + 1;
    const impact = bytes[at++]!;
    length++;
    if (document < firstChange) {
      next = document + 1;
      continue;
    }
    if (!isCopied) {
      to = copyBytes(bytes, start, posting, target, to);
      kept = length - 1;
      isCopied = true;
    }
    const renumbered = map[document]!;
    if (renumbered >= 0) {
      to = writePosting(target, to, renumbered - next, impact);
      next = renumbered + 1;
      kept++;
    }
    if (document < lastChange) continue;
    to = copyBytes(bytes, at, end, target, to);
    kept += list.documents - length;
    length = list.documents;
    at = end;
  }
  if (!isCopied) {
    to = copyBytes(bytes, start, end, target, to);
    kept = length;
  }
  if (at !== end || document >= map.length) throw new SegmentError('postings do not end where they should');
  if (length !== list.documents) throw new SegmentError('a term has another number of postings');
  sink.length = to;
  return kept;
}

/** Fewer are copied one by one: a view of them would take longer. */
const MIN_VIEWED_BYTES = 64;

/** Returns where the copy ends. */
function copyBytes(source: Uint8Array, from: number, end: number, target: Uint8Array, to: number): number {
  if (end - from >= MIN_VIEWED_BYTES) target.set(source.subarray(from, end), to);
  else for (let i = 0; i < end - from; i++) target[to + i] = source[from + i]!;
  return to + end - from;
}

/** Writes a posting of the sparse form. Returns where it ends. */
function writePosting(bytes: Uint8Array, at: number, skipped: number, impact: number): number {
  let end = at;
  let gap = skipped;
  while (gap >= 0x80) {
    bytes[end++] = (gap & 0x7f) | 0x80;
    gap >>>= 7;
  }
  bytes[end++] = gap;
  bytes[end++] = impact;
  return end;
}

/** Adds factor × impact to the score of each document of the list. */
export function addScores(
  bytes: Uint8Array,
  list: PostingList,
  count: number,
  factor: number,
  scores: Int32Array,
): void {
  const { start, end } = list;
  if (isDense(list.documents, count)) {
    if (end - start !== count) throw new SegmentError('postings of another length');
    for (let document = 0; document < count; document++) {
      scores[document]! += factor * bytes[start + document]!;
    }
    return;
  }
  let at = start;
  let document = -1;
  while (at < end) {
    let byte = bytes[at++]!;
    let gap = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++]!;
      gap |= (byte & 0x7f) << shift;
    }
    document += gap + 1;
    if (document >= count) break;
    scores[document]! += factor * bytes[at++]!;
  }
  if (at !== end || document >= count) throw new SegmentError('postings do not end where they should');
}
