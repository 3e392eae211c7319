// Many strings as one run of UTF-8 bytes with the end of each: written once, decoded one at a time.

const MAX_BYTES = 0xffff_ffff;

/** A view of strings in a file. When they were written in UTF-8 byte order, they can be searched by halving. */
export class Strings {
  readonly count: number;
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#ends = ends;
    this.count = ends.length;
  }

  get(i: number): string {
    return this.#bytes.toString('utf8', this.#start(i), this.#ends[i]);
  }

  /** A view of its bytes. */
  bytesOf(i: number): Uint8Array {
    return this.#bytes.subarray(this.#start(i), this.#ends[i]);
  }

  /** Orders string `i` and string `j` of `others` by their bytes. */
  compare(i: number, others: Strings, j: number): number {
    return this.#compareTo(i, others.#bytes, others.#start(j), others.#ends[j]);
  }

  /** The first string that is not less than the key, `count` if all are. */
  lowerBound(key: Uint8Array): number {
    let from = 0;
    let to = this.count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#compareTo(middle, key) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The position of a string, -1 where it is not among them. */
  indexOf(text: string): number {
    const key = Buffer.from(text);
    const at = this.lowerBound(key);
    // Compared as text too: half of a surrogate pair has no bytes of its own and must find nothing.
    return at < this.count && this.#compareTo(at, key) === 0 && this.get(at) === text ? at : -1;
  }

  /** The strings that begin with the prefix, as [from, to). */
  withPrefix(prefix: string): readonly [number, number] {
    const key = Buffer.from(prefix);
    if (key.length === 0) return [0, this.count];
    const from = this.lowerBound(key);
    // No UTF-8 byte is 0xff, so this is above every continuation of the prefix.
    return [from, this.lowerBound(Buffer.concat([key, Buffer.of(0xff)]))];
  }

  /** Those of the strings [from, to) that end with the suffix: a look at the last bytes of each. */
  *endingWith(suffix: string, from: number, to: number): Generator<number> {
    const key = Buffer.from(suffix);
    const bytes = this.#bytes;
    for (let i = from; i < to; i += 1) {
      const end = this.#ends[i] ?? 0;
      let at = key.length;
      const offset = end - at;
      if (offset < this.#start(i)) continue;
      while (at > 0 && bytes[offset + at - 1] === key[at - 1]) at -= 1;
      if (at === 0) yield i;
    }
  }

  #start(i: number): number {
    return i === 0 ? 0 : (this.#ends[i - 1] ?? 0);
  }

  #compareTo(i: number, key: Uint8Array, from = 0, to = key.length): number {
    const bytes = this.#bytes;
    const start = this.#start(i);
    const length = (this.#ends[i] ?? 0) - start;
    const shared = Math.min(length, to - from);
    for (let at = 0; at < shared; at += 1) {
      const difference = (bytes[start + at] ?? 0) - (key[from + at] ?? 0);
      if (difference !== 0) return difference;
    }
    return length - (to - from);
  }
}

/** Collects strings for a file, as text or as its UTF-8. */
export class StringsWriter {
  #buffer: Buffer;
  #length = 0;
  readonly #ends: Uint32Array;
  #count = 0;

  constructor(count: number) {
    // Memory that is never written to is never taken.
    this.#buffer = Buffer.allocUnsafe(Math.max(256, count * 256));
    this.#ends = new Uint32Array(count);
  }

  add(text: string | Uint8Array): void {
    const room = typeof text === 'string' ? text.length * 3 : text.length;
    if (this.#length + room > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + room));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    if (typeof text === 'string') this.#length += this.#buffer.write(text, this.#length);
    else {
      this.#buffer.set(text, this.#length);
      this.#length += text.length;
    }
    if (this.#length > MAX_BYTES) throw new RangeError('The strings of an index exceed 4 GiB.');
    this.#ends[this.#count] = this.#length;
    this.#count += 1;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  get ends(): Uint32Array {
    return this.#ends;
  }
}

export function writeStrings(texts: Iterable<string | Uint8Array>, count: number): StringsWriter {
  const writer = new StringsWriter(count);
  for (const text of texts) writer.add(text);
  return writer;
}
