// The sorted terms of a segment. A term in the dictionary is
//
//   u8  bytes it has in common with the term before (0 for the first of a block)
//   u8  bytes that follow
//   …   these bytes
//   varint  documents that hold it
//   varint  bytes of its postings, which lie where those of the term before end
//
// A term is found by binary search over the first terms of the blocks, then by reading one block: nothing is kept
// in memory for a term.

import {
  BLOCK_ENTRY_BYTES,
  BLOCK_TERMS,
  blockCount,
  HEADER_BYTES,
  SegmentError,
  type SegmentLayout,
} from './format.ts';
import type { PostingList } from './postings.ts';
import type { ByteSink } from './sink.ts';

export const MAX_TERM_BYTES = 255;

export class DictionaryWriter {
  readonly #entries: ByteSink;
  readonly #blocks: ByteSink;
  readonly #last = new Uint8Array(MAX_TERM_BYTES);
  #lastLength = 0;
  #terms = 0;

  constructor(entries: ByteSink, blocks: ByteSink) {
    this.#entries = entries;
    this.#blocks = blocks;
  }

  get terms(): number {
    return this.#terms;
  }

  /** Terms come in order. `postingsAt` counts from the first posting. */
  add(term: Uint8Array, length: number, documents: number, postingsAt: number, postingsBytes: number): void {
    const last = this.#last;
    const entries = this.#entries;
    let shared = 0;
    if (this.#terms % BLOCK_TERMS === 0) {
      writeU32(this.#blocks, entries.length);
      writeU32(this.#blocks, postingsAt);
    } else {
      const most = Math.min(length, this.#lastLength);
      while (shared < most && last[shared] === term[shared]) shared++;
    }
    entries.reserve(2 + length);
    const { bytes } = entries;
    let end = entries.length;
    bytes[end++] = shared;
    bytes[end++] = length - shared;
    for (let at = shared; at < length; at++) {
      const byte = term[at]!;
      last[at] = byte;
      bytes[end++] = byte;
    }
    entries.length = end;
    entries.varint(documents);
    entries.varint(postingsBytes);
    this.#lastLength = length;
    this.#terms++;
  }
}

function writeU32(sink: ByteSink, value: number): void {
  sink.byte(value & 0xff);
  sink.byte((value >>> 8) & 0xff);
  sink.byte((value >>> 16) & 0xff);
  sink.byte(value >>> 24);
}

/** Reads terms in order. After a `next()` that is true, the fields describe the term it stands at. */
export class TermCursor implements PostingList {
  readonly term = new Uint8Array(MAX_TERM_BYTES + 1);
  termLength = 0;
  documents = 0;
  start = HEADER_BYTES;
  end = HEADER_BYTES;
  readonly #bytes: Uint8Array;
  readonly #layout: SegmentLayout;
  #at: number;
  #read = 0;

  constructor(bytes: Uint8Array, layout: SegmentLayout) {
    this.#bytes = bytes;
    this.#layout = layout;
    this.#at = layout.dictionaryAt;
  }

  /** Before the first term of a block. */
  seek(block: number): void {
    const { blocksAt, dictionaryAt } = this.#layout;
    const entry = blocksAt + block * BLOCK_ENTRY_BYTES;
    this.#at = dictionaryAt + readU32(this.#bytes, entry);
    this.end = HEADER_BYTES + readU32(this.#bytes, entry + 4);
    this.#read = block * BLOCK_TERMS;
  }

  next(): boolean {
    if (this.#read === this.#layout.terms) return false;
    this.#read++;
    const bytes = this.#bytes;
    const shared = this.#byte();
    const length = shared + this.#byte();
    if (length > MAX_TERM_BYTES) throw new SegmentError('a term is too long');
    for (let index = shared; index < length; index++) this.term[index] = bytes[this.#at++]!;
    this.termLength = length;
    this.documents = this.#varint();
    this.start = this.end;
    this.end += this.#varint();
    const { count, dictionaryAt } = this.#layout;
    if (this.end > dictionaryAt || this.documents === 0 || this.documents > count) {
      throw new SegmentError('a term points outside');
    }
    return true;
  }

  #byte(): number {
    if (this.#at >= this.#layout.blocksAt) throw new SegmentError('the dictionary ends early');
    return this.#bytes[this.#at++]!;
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 35; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new SegmentError('a number is too long');
  }
}

/** The postings of a term given as UTF-8. */
export function findTerm(
  bytes: Uint8Array,
  layout: SegmentLayout,
  term: Uint8Array,
): PostingList | undefined {
  let low = 0;
  let high = blockCount(layout.terms);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareFirstTerm(bytes, layout, middle, term) <= 0) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return undefined;
  const cursor = new TermCursor(bytes, layout);
  cursor.seek(low - 1);
  for (let read = 0; read < BLOCK_TERMS && cursor.next(); read++) {
    const order = compareBytes(cursor.term, 0, cursor.termLength, term, term.length);
    if (order === 0) return { start: cursor.start, end: cursor.end, documents: cursor.documents };
    if (order > 0) return undefined;
  }
  return undefined;
}

function compareFirstTerm(bytes: Uint8Array, layout: SegmentLayout, block: number, term: Uint8Array): number {
  const entry = layout.dictionaryAt + readU32(bytes, layout.blocksAt + block * BLOCK_ENTRY_BYTES);
  if (entry + 2 > layout.blocksAt) throw new SegmentError('a block points outside');
  return compareBytes(bytes, entry + 2, bytes[entry + 1]!, term, term.length);
}

/** Orders `left`, from an offset on, and `right` by their bytes. */
export function compareBytes(
  left: Uint8Array,
  leftAt: number,
  leftLength: number,
  right: Uint8Array,
  rightLength: number,
): number {
  const most = Math.min(leftLength, rightLength);
  for (let index = 0; index < most; index++) {
    const difference = left[leftAt + index]! - right[index]!;
    if (difference !== 0) return difference;
  }
  return leftLength - rightLength;
}

function readU32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}
