// Builds a segment from documents.

import { Buffer } from 'node:buffer';
import type { SegmentDocument } from './api.ts';
import { Chains } from './lib/chains.ts';
import { MAX_DOCUMENTS } from './lib/format.ts';
import { FIELDS, type Field, impactOf, occurrenceWeight } from './lib/score.ts';
import { Vocabulary } from './lib/vocabulary.ts';
import { SegmentWriter } from './lib/writer.ts';
import { BYTE_CLASS, JOINER, LETTER, OUTSIDE } from './tokens.ts';

/** A document whose fields may also be UTF-8, which spares decoding them. */
export type DocumentText = { readonly [field in keyof SegmentDocument]: string | Uint8Array };

/** Enough for nearly every corpus; the writer grows where it is not. */
const TYPICAL_POSTING_BYTES = 3;

/** Takes documents in any order, gives one segment. Holds the postings in memory: about four bytes each. */
export class SegmentBuilder {
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new Chains();
  readonly #present: number[] = [];
  /** By term, its place among the terms of the document that is read, from 1; 0 = not met in it. */
  #places = new Int32Array(1 << 14);
  /** By place: the term, its occurrences in the field that is read, its weight from the fields before. */
  #terms = new Uint32Array(1 << 12);
  #occurrences = new Int32Array(1 << 12);
  #weights = new Float64Array(1 << 12);
  #placeCount = 0;

  /** Each number is given once; not every number needs a document. */
  add(id: number, document: DocumentText): void {
    if (!Number.isInteger(id) || id < 0 || id >= MAX_DOCUMENTS)
      throw new RangeError(`A document has no number ${id}.`);
    this.#present.push(id);
    for (const field of FIELDS) {
      const text = document[field];
      this.#addField(
        field,
        typeof text === 'string'
          ? Buffer.from(text, 'utf8')
          : Buffer.from(text.buffer, text.byteOffset, text.length),
      );
    }
    for (let place = 0; place < this.#placeCount; place++) {
      const term = this.#terms[place]!;
      this.#postings.push(term, id * 256 + impactOf(this.#weights[place]!));
      this.#places[term] = 0;
    }
    this.#placeCount = 0;
  }

  /** The segment of documents numbered below `count`. The builder is of no further use. */
  finish(count: number): Uint8Array {
    const present = presentBits(this.#present, count);
    const { names } = this.#vocabulary;
    const order = sortedOrder(names);
    const writer = new SegmentWriter(count, this.#postings.total * TYPICAL_POSTING_BYTES);
    const packed = new Uint32Array(this.#present.length);
    const term = Buffer.alloc(256);
    for (const id of order) {
      const length = term.write(names[id]!, 'latin1');
      const documents = this.#postings.length(id);
      this.#postings.read(id, packed);
      sort(packed, documents);
      writer.add(term, length, packed, documents);
    }
    return writer.finish(present);
  }

  #addField(field: Field, bytes: Buffer): void {
    const length = this.#countTerms(bytes);
    if (length === 0) return;
    const each = occurrenceWeight(field, length);
    for (let place = 0; place < this.#placeCount; place++) {
      this.#weights[place]! += each * this.#occurrences[place]!;
      this.#occurrences[place] = 0;
    }
  }

  /** Walks the chunks of a field and counts their terms. Returns how many terms there are. */
  #countTerms(bytes: Buffer): number {
    const vocabulary = this.#vocabulary;
    const size = bytes.length;
    let length = 0;
    let at = 0;
    while (at < size) {
      let byte = bytes[at]!;
      if (BYTE_CLASS[byte] !== LETTER) {
        at++;
        continue;
      }
      const start = at;
      let hash = 0;
      do {
        hash = Math.imul(hash ^ byte, 0x01000193) + byte;
        byte = ++at < size ? bytes[at]! : 0;
      } while (BYTE_CLASS[byte] !== OUTSIDE);
      let end = at;
      if (BYTE_CLASS[bytes[end - 1]!] === JOINER) {
        while (BYTE_CLASS[bytes[end - 1]!] === JOINER) end--;
        hash = 0;
        for (let index = start; index < end; index++) {
          hash = Math.imul(hash ^ bytes[index]!, 0x01000193) + bytes[index]!;
        }
      }
      vocabulary.find(bytes, start, end, hash);
      length += vocabulary.to - vocabulary.from;
      this.#count(vocabulary.records, vocabulary.from, vocabulary.to);
    }
    return length;
  }

  #count(terms: Int32Array, from: number, to: number): void {
    const known = this.#vocabulary.names.length;
    if (known > this.#places.length) this.#places = larger(this.#places, new Int32Array(known * 2));
    for (let index = from; index < to; index++) {
      const term = terms[index]!;
      const place = this.#places[term]!;
      if (place === 0) this.#meet(term);
      else this.#occurrences[place - 1]! += 1;
    }
  }

  /** The first time a term occurs in a document. */
  #meet(term: number): void {
    const place = this.#placeCount++;
    if (place === this.#terms.length) {
      this.#terms = larger(this.#terms, new Uint32Array(place * 2));
      this.#occurrences = larger(this.#occurrences, new Int32Array(place * 2));
      this.#weights = larger(this.#weights, new Float64Array(place * 2));
    }
    this.#places[term] = place + 1;
    this.#terms[place] = term;
    this.#occurrences[place] = 1;
    this.#weights[place] = 0;
  }
}

/** The numbers of the names in the order of the names. */
function sortedOrder(names: readonly string[]): Uint32Array {
  const order = Uint32Array.from(names, (_, index) => index);
  return order.sort((left, right) => (names[left]! < names[right]! ? -1 : 1));
}

function presentBits(ids: readonly number[], count: number): Uint8Array {
  const present = new Uint8Array(Math.ceil(count / 8));
  for (const id of ids) {
    const bit = 1 << (id & 7);
    if (id >= count || (present[id >>> 3]! & bit) !== 0)
      throw new RangeError(`Document ${id} was given twice, or is not below ${count}.`);
    present[id >>> 3]! |= bit;
  }
  return present;
}

/** Sorts the first numbers of an array, which nearly always are in order. */
function sort(numbers: Uint32Array, length: number): void {
  for (let index = 1; index < length; index++) {
    if (numbers[index - 1]! < numbers[index]!) continue;
    numbers.subarray(0, length).sort();
    return;
  }
}

function larger<T extends Uint32Array | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
