// Writes a segment: terms in order, each with its postings, then the documents.

import { DictionaryWriter, type TermCursor } from './dictionary.ts';
import { HEADER_BYTES, MAX_DOCUMENTS, type SegmentLayout, writeHeader } from './format.ts';
import { copyPostings, isDense, type Renumbering, writePostings } from './postings.ts';
import { ByteSink } from './sink.ts';

/** A term of another segment. */
export interface TermSource {
  readonly bytes: Uint8Array;
  readonly layout: SegmentLayout;
  readonly cursor: TermCursor;
  readonly numbers: Renumbering;
}

export class SegmentWriter {
  readonly #count: number;
  /** Postings are written where they stay: the largest part is never copied. */
  readonly #sink: ByteSink;
  readonly #entries = new ByteSink(1 << 16);
  readonly #blocks = new ByteSink(1 << 12);
  readonly #dictionary = new DictionaryWriter(this.#entries, this.#blocks);

  /** `capacity` is a guess at the size of the whole, in bytes. */
  constructor(count: number, capacity: number) {
    if (count >= MAX_DOCUMENTS) throw new RangeError(`A segment holds less than ${MAX_DOCUMENTS} documents.`);
    this.#count = count;
    this.#sink = new ByteSink(capacity + HEADER_BYTES);
    this.#sink.length = HEADER_BYTES;
  }

  /** A term (UTF-8) and its postings (packed, in order, at least one). */
  add(term: Uint8Array, termLength: number, packed: Uint32Array, length: number): void {
    const start = this.#sink.length;
    writePostings(packed, length, this.#count, this.#sink);
    this.#dictionary.add(term, termLength, length, start - HEADER_BYTES, this.#sink.length - start);
  }

  /**
   * The term at which a cursor stands, with its postings under the new numbers of their documents, if these are written
   * one by one there and here; else nothing is done. Returns whether it was.
   */
  addCopy({ bytes, cursor, layout, numbers }: TermSource): boolean {
    const { documents } = cursor;
    if (isDense(documents, layout.count) || isDense(documents, this.#count)) return false;
    const start = this.#sink.length;
    const kept = copyPostings(bytes, cursor, numbers, this.#sink);
    if (kept > 0)
      this.#dictionary.add(
        cursor.term,
        cursor.termLength,
        kept,
        start - HEADER_BYTES,
        this.#sink.length - start,
      );
    return true;
  }

  /** `present` holds a bit for each document number, low bit first. */
  finish(present: Uint8Array): Uint8Array {
    const sink = this.#sink;
    const dictionaryAt = sink.length;
    sink.reserve(this.#entries.length + this.#blocks.length + present.length);
    sink.append(this.#entries.bytes.subarray(0, this.#entries.length));
    const blocksAt = sink.length;
    sink.append(this.#blocks.bytes.subarray(0, this.#blocks.length));
    const documentsAt = sink.length;
    sink.append(present);
    writeHeader(sink.bytes, {
      count: this.#count,
      documents: countBits(present),
      terms: this.#dictionary.terms,
      dictionaryAt,
      blocksAt,
      documentsAt,
      end: sink.length,
    });
    return sink.bytes.subarray(0, sink.length);
  }
}

function countBits(bytes: Uint8Array): number {
  let bits = 0;
  for (let byte of bytes) for (; byte !== 0; byte &= byte - 1) bits++;
  return bits;
}
