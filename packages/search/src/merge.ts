// Merges segments: postings are renumbered and copied, never computed again, since each depends on its document alone.

import { compareBytes, TermCursor } from './lib/dictionary.ts';
import { readHeader, type SegmentLayout } from './lib/format.ts';
import { type Renumbering, readPostings, renumbering } from './lib/postings.ts';
import { SegmentWriter } from './lib/writer.ts';

export interface SegmentPart {
  readonly bytes: Uint8Array;
  /** For each document number of the part its number in the result, ascending, or -1 = left out. */
  readonly map: Int32Array;
}

/**
 * One segment of the documents that the parts keep, numbered below `count`: byte for byte the one that a builder
 * makes of these documents. Throws `SegmentError` for a part that cannot be read.
 */
export function mergeSegments(parts: readonly SegmentPart[], count: number): Uint8Array {
  const open = parts.map((part) => openPart(part, count));
  const present = presentDocuments(open, count);
  const size = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  const writer = new SegmentWriter(count, size + (size >>> 6));
  const postings = new PostingsMerger(Math.max(count, ...open.map(({ layout }) => layout.count)));
  let remaining = open.filter(({ cursor }) => cursor.next());
  const sharing: OpenPart[] = [];
  while (remaining.length > 0) {
    const count = findFirstTerm(remaining, sharing);
    const first = sharing[0]!;
    if (count > 1 || !writer.addCopy(first)) {
      postings.clear();
      for (let at = 0; at < count; at++) postings.add(sharing[at]!);
      const { term, termLength } = first.cursor;
      if (postings.length > 0) writer.add(term, termLength, postings.packed, postings.length);
    }
    for (let at = 0; at < count; at++) {
      const part = sharing[at]!;
      if (!part.cursor.next()) remaining = remaining.filter((other) => other !== part);
    }
  }
  return writer.finish(present);
}

interface OpenPart extends SegmentPart {
  readonly layout: SegmentLayout;
  readonly cursor: TermCursor;
  readonly numbers: Renumbering;
}

function openPart({ bytes, map }: SegmentPart, count: number): OpenPart {
  const layout = readHeader(bytes);
  if (map.length < layout.count) throw new RangeError('A document of a part has no new number.');
  let last = -1;
  for (const renumbered of map) {
    if (renumbered < 0) continue;
    if (renumbered <= last || renumbered >= count)
      throw new RangeError('New numbers ascend below the count.');
    last = renumbered;
  }
  const numbers = renumbering(map, layout.count);
  return { bytes, map, layout, cursor: new TermCursor(bytes, layout), numbers };
}

function presentDocuments(parts: readonly OpenPart[], count: number): Uint8Array {
  const present = new Uint8Array(Math.ceil(count / 8));
  for (const { bytes, map, layout } of parts) {
    for (let document = 0; document < layout.count; document++) {
      const renumbered = map[document]!;
      const bit = bytes[layout.documentsAt + (document >>> 3)]! & (1 << (document & 7));
      if (renumbered < 0 || bit === 0) continue;
      const mask = 1 << (renumbered & 7);
      if ((present[renumbered >>> 3]! & mask) !== 0) throw new RangeError('Two documents get one number.');
      present[renumbered >>> 3]! |= mask;
    }
  }
  return present;
}

/** Puts the parts which stand at the term that comes first to the beginning of `first`. Returns how many there are. */
function findFirstTerm(parts: readonly OpenPart[], first: OpenPart[]): number {
  let count = 0;
  for (const part of parts) {
    const { term, termLength } = part.cursor;
    const leader = first[0]?.cursor;
    const order =
      leader && count > 0 ? compareBytes(term, 0, termLength, leader.term, leader.termLength) : -1;
    if (order < 0) count = 0;
    if (order <= 0) first[count++] = part;
  }
  return count;
}

/** Brings the postings that a term has in several parts into one order. */
class PostingsMerger {
  packed: Uint32Array;
  length = 0;
  #spare: Uint32Array;
  readonly #added: Uint32Array;

  constructor(capacity: number) {
    this.packed = new Uint32Array(capacity);
    this.#spare = new Uint32Array(capacity);
    this.#added = new Uint32Array(capacity);
  }

  clear(): void {
    this.length = 0;
  }

  /** Adds the postings of the term at which the part stands. */
  add({ bytes, cursor, layout, map }: OpenPart): void {
    if (this.length === 0) {
      this.length = readPostings(bytes, cursor, layout.count, this.packed);
      this.length = renumber(this.packed, this.length, map);
      return;
    }
    const added = this.#added;
    const addedLength = renumber(added, readPostings(bytes, cursor, layout.count, added), map);
    if (addedLength === 0) return;
    const { packed, length } = this;
    if (packed[length - 1]! < added[0]!) {
      packed.set(added.subarray(0, addedLength), length);
      this.length += addedLength;
      return;
    }
    const merged = this.#spare;
    let left = 0;
    let right = 0;
    for (let at = 0; at < length + addedLength; at++) {
      const takeLeft = right === addedLength || (left < length && packed[left]! < added[right]!);
      merged[at] = takeLeft ? packed[left++]! : added[right++]!;
    }
    this.#spare = packed;
    this.packed = merged;
    this.length += addedLength;
  }
}

/** Gives packed postings the new numbers of their documents, leaving out those without. Returns how many are left. */
function renumber(packed: Uint32Array, length: number, map: Int32Array): number {
  let kept = 0;
  for (let index = 0; index < length; index++) {
    const posting = packed[index]!;
    const renumbered = map[posting >>> 8]!;
    if (renumbered >= 0) packed[kept++] = renumbered * 256 + (posting & 0xff);
  }
  return kept;
}
