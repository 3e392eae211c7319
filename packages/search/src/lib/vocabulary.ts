// The terms met while a segment is built, each with a number, and the chunks of text they were met in.
//
// Text is made of the same chunks again and again. A chunk is recognised by its bytes in a hash table, so that it is
// taken apart and stemmed once; the table is a cache, emptied when it has grown too large, and shapes no result.

import { Buffer } from 'node:buffer';
import { chunkTokens } from '../tokens.ts';

const FIRST_SLOTS = 1 << 16;
/** Bytes of chunk text kept in the cache. Many times what the chunks of natural language take. */
const MAX_CACHED_BYTES = 12 * 1024 ** 2;
const MAX_CACHED_CHUNKS = 1 << 20;
/** Longer chunks hardly come twice. In bytes. */
const MAX_CHUNK_BYTES = 160;

/** Where the terms of a chunk stand in `Vocabulary.termIds`. */
export interface TermRange {
  readonly from: number;
  readonly to: number;
}

export class Vocabulary {
  /** Terms as UTF-8, a byte in each character of the string: strings that sort like their bytes. */
  readonly names: string[] = [];
  /** The numbers of terms, by chunk: valid until the next chunk is looked up. */
  termIds = new Uint32Array(1 << 16);
  from = 0;
  to = 0;

  readonly #ids = new Map<string, number>();
  #slots = new Int32Array(FIRST_SLOTS);
  #hashes = new Int32Array(1 << 14);
  #textAt = new Int32Array(1 << 14);
  #termsAt = new Int32Array(1 << 14);
  #text = new Uint8Array(1 << 18);
  #chunks = 0;

  /** Looks up bytes[start, end), whose hash is given; `from` and `to` then tell where its terms are. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): void {
    const length = end - start;
    if (length > MAX_CHUNK_BYTES) {
      this.from = this.#chunks === 0 ? 0 : this.#termsAt[this.#chunks]!;
      this.to = this.#addTerms(bytes, start, end, this.from);
      return;
    }
    const mask = this.#slots.length - 1;
    let slot = spread(hash) & mask;
    for (;;) {
      const chunk = this.#slots[slot]! - 1;
      if (chunk < 0) break;
      if (this.#hashes[chunk] === hash && this.#isChunk(chunk, bytes, start, length)) {
        this.from = this.#termsAt[chunk]!;
        this.to = this.#termsAt[chunk + 1]!;
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#remember(bytes, start, end, hash);
  }

  #isChunk(chunk: number, bytes: Uint8Array, start: number, length: number): boolean {
    const text = this.#text;
    const at = this.#textAt[chunk]!;
    if (this.#textAt[chunk + 1]! - at !== length) return false;
    for (let index = 0; index < length; index++) {
      if (text[at + index] !== bytes[start + index]) return false;
    }
    return true;
  }

  #remember(bytes: Uint8Array, start: number, end: number, hash: number): void {
    this.#makeRoom(end - start);
    const chunk = this.#chunks++;
    const at = this.#textAt[chunk]!;
    for (let index = start; index < end; index++) this.#text[at + index - start] = bytes[index]!;
    this.#textAt[chunk + 1] = at + end - start;
    this.#hashes[chunk] = hash;
    this.from = this.#termsAt[chunk]!;
    this.to = this.#addTerms(bytes, start, end, this.from);
    this.#termsAt[chunk + 1] = this.to;
    this.#insert(chunk);
  }

  #insert(chunk: number): void {
    const mask = this.#slots.length - 1;
    let slot = spread(this.#hashes[chunk]!) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = chunk + 1;
  }

  #makeRoom(length: number): void {
    const used = this.#textAt[this.#chunks]!;
    if (this.#chunks === MAX_CACHED_CHUNKS || used + length > MAX_CACHED_BYTES) {
      this.#chunks = 0;
      this.#slots.fill(0);
      return;
    }
    if (used + length > this.#text.length)
      this.#text = grown(this.#text, new Uint8Array(this.#text.length * 2));
    if (this.#chunks + 2 > this.#hashes.length) {
      const size = this.#hashes.length * 2;
      this.#hashes = grown(this.#hashes, new Int32Array(size));
      this.#textAt = grown(this.#textAt, new Int32Array(size));
      this.#termsAt = grown(this.#termsAt, new Int32Array(size));
    }
    if (this.#chunks * 2 > this.#slots.length) {
      this.#slots = new Int32Array(this.#slots.length * 2);
      for (let chunk = 0; chunk < this.#chunks; chunk++) this.#insert(chunk);
    }
  }

  /** Numbers the terms of a chunk and writes them to `termIds` from a place on. Returns where they end. */
  #addTerms(bytes: Uint8Array, start: number, end: number, from: number): number {
    let to = from;
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
    for (const { terms } of chunkTokens(chunk)) {
      for (const term of terms) {
        if (to === this.termIds.length) this.termIds = grown(this.termIds, new Uint32Array(to * 2));
        this.termIds[to++] = this.#ids.get(term) ?? this.#name(term);
      }
    }
    return to;
  }

  #name(term: string): number {
    const utf8 = Buffer.from(term, 'utf8');
    const id = this.names.length;
    // Decoded from the bytes, both are strings of their own: a slice would keep the whole text alive.
    this.names.push(utf8.toString('latin1'));
    this.#ids.set(utf8.toString('utf8'), id);
    return id;
  }
}

function spread(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8;
}

function grown<T extends Uint32Array | Int32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
