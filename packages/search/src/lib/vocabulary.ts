// The terms met while a segment is built, each with a number, and the chunks of text they were met in.
//
// Text is made of the same chunks again and again. A chunk is recognised by its bytes in a hash table, so that it is
// taken apart and stemmed once; the table is a cache, emptied when it has grown too large, and shapes no result.

import { Buffer } from 'node:buffer';
import { chunkWords, MAX_WORD_TERMS, wordTerms } from '../tokens.ts';

const FIRST_SLOTS = 1 << 16;
const FIRST_RECORDS = 1 << 16;
/** 32 MiB of chunks, many times what the words of natural language take. */
const MAX_RECORDS = 1 << 23;
/** Longer chunks hardly come twice. In bytes. */
const MAX_CHUNK_BYTES = 160;
const MAX_WORDS = 50_000;
const MAX_WORD_LENGTH = 14;

// A chunk's record, all in one place: its hash, how many terms and bytes it has, the numbers of its terms, its bytes.
const HASH = 0;
const SIZES = 1;
const TERMS = 2;
const BYTES_BITS = 8;

export class Vocabulary {
  /** Terms as UTF-8, a byte in each character of the string: strings that sort like their bytes. */
  readonly names: string[] = [];
  /** The numbers of the terms of the chunk looked up last are records[from, to). */
  records = new Int32Array(FIRST_RECORDS);
  from = 0;
  to = 0;

  readonly #ids = new Map<string, number>();
  /** The numbers of the terms of words; a cache like the table. */
  readonly #words = new Map<string, readonly number[]>();
  /** Tokens are counted; by term, the one it was last met in. */
  #token = 0;
  readonly #tokens: number[] = [];
  /** By hash: where a record begins, plus one; 0 = free. */
  #slots = new Int32Array(FIRST_SLOTS);
  #recordBytes = new Uint8Array(this.records.buffer);
  #chunks = 0;
  #end = 0;
  readonly #maxRecords: number;

  /** The size of the cache, in numbers of four bytes. */
  constructor(maxRecords = MAX_RECORDS) {
    this.#maxRecords = maxRecords;
  }

  /** Looks up bytes[start, end), whose hash is given. */
  find(bytes: Buffer, start: number, end: number, hash: number): void {
    const length = end - start;
    if (length > MAX_CHUNK_BYTES) {
      this.#addTerms(bytes, start, end);
      return;
    }
    const { records } = this;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      const record = slots[slot]! - 1;
      if (record < 0) break;
      if (records[record + HASH] !== hash) continue;
      const sizes = records[record + SIZES]!;
      const from = record + TERMS;
      const to = from + (sizes >>> BYTES_BITS);
      if ((sizes & 0xff) !== length || !this.#isText(to * 4, bytes, start, length)) continue;
      this.from = from;
      this.to = to;
      return;
    }
    this.#remember(bytes, start, end, hash);
  }

  #isText(at: number, bytes: Buffer, start: number, length: number): boolean {
    const text = this.#recordBytes;
    for (let index = 0; index < length; index++) {
      if (text[at + index] !== bytes[start + index]) return false;
    }
    return true;
  }

  #remember(bytes: Buffer, start: number, end: number, hash: number): void {
    if (this.#end > this.#maxRecords) this.#forget();
    const length = end - start;
    const record = this.#end;
    this.#addTerms(bytes, start, end);
    const { to } = this;
    this.#reserve(to + MAX_CHUNK_BYTES);
    this.records[record + HASH] = hash;
    this.records[record + SIZES] = ((to - this.from) << BYTES_BITS) | length;
    for (let index = 0; index < length; index++) this.#recordBytes[to * 4 + index] = bytes[start + index]!;
    this.#end = to + ((length + 3) >>> 2);
    if (this.#chunks * 2 >= this.#slots.length) this.#growSlots();
    this.#chunks++;
    this.#insert(record);
  }

  #insert(record: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = spread(this.records[record + HASH]!) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = record + 1;
  }

  #growSlots(): void {
    const known = this.#slots.filter((slot) => slot !== 0);
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (const slot of known) this.#insert(slot - 1);
  }

  #forget(): void {
    this.#slots.fill(0);
    this.#chunks = 0;
    this.#end = 0;
  }

  #reserve(length: number): void {
    if (length <= this.records.length) return;
    const grown = new Int32Array(Math.max(length, this.records.length * 2));
    grown.set(this.records);
    this.records = grown;
    this.#recordBytes = new Uint8Array(grown.buffer);
  }

  /** Numbers the terms of a chunk, where the next record has them. */
  #addTerms(bytes: Buffer, start: number, end: number): void {
    this.from = this.#end + TERMS;
    this.to = this.from;
    for (const { words, run } of chunkWords(bytes.toString('utf8', start, end))) {
      this.#reserve(this.to + words.length * MAX_WORD_TERMS);
      this.#token += 1;
      for (const word of words) {
        if (run) this.records[this.to++] = this.#number(word);
        else for (const term of this.#wordNumbers(word)) this.#addOnce(term);
      }
    }
  }

  /** A token names each of its terms once. */
  #addOnce(term: number): void {
    if (this.#tokens[term] === this.#token) return;
    this.#tokens[term] = this.#token;
    this.records[this.to++] = term;
  }

  /** Identifiers are made of the same few words. */
  #wordNumbers(word: string): readonly number[] {
    if (word.length > MAX_WORD_LENGTH) return wordTerms(word).map((term) => this.#number(term));
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    if (this.#words.size === MAX_WORDS) this.#words.clear();
    const numbers = wordTerms(word).map((term) => this.#number(term));
    this.#words.set(word, numbers);
    return numbers;
  }

  #number(term: string): number {
    return this.#ids.get(term) ?? this.#name(term);
  }

  #name(term: string): number {
    // Decoded from bytes, a name is a string of its own: a slice would keep the whole text alive.
    const utf8 = Buffer.from(term, 'utf8');
    const name = utf8.toString('latin1');
    this.#ids.set(utf8.length === term.length ? name : utf8.toString('utf8'), this.names.length);
    this.#tokens.push(0);
    return this.names.push(name) - 1;
  }
}

function spread(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8;
}
