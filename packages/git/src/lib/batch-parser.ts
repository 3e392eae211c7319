// Takes the answer of `git cat-file --batch` apart: `<hash> <type> <size>\n<bytes>\n`, or `<hash> missing\n`.

const LF = 0x0a;
const BLANK = 0x20;
const ZERO = 0x30;
/** `b` of `blob`. */
const BLOB = 0x62;
/** `m` of `missing`. */
const MISSING = 0x6d;
const EMPTY = Buffer.alloc(0);

/** Size of an object that is not there, or is no blob. */
export const NO_OBJECT = 0xffffffff;

/**
 * Feed a chunk, then call `next()` until it is false. After true, `size` and `content` describe one object:
 * `content` is null when it is missing, no blob (`size` NO_OBJECT both times), or larger than the bound.
 * A body that lies within one chunk is a view of it; only one that crosses chunks is copied.
 */
export class BatchParser {
  size = 0;
  content: Buffer | null = null;
  readonly #maxBytes: number;
  #chunk: Buffer = EMPTY;
  #at = 0;
  #header: Buffer = EMPTY;
  /** Bytes of the current body still to come, its line feed included; -1 while a header is awaited. */
  #rest = -1;
  #body: Buffer | null = null;
  #filled = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  feed(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  next(): boolean {
    if (this.#rest === -1 && !this.#readHeader()) return false;
    return this.#rest === 0 ? this.#finish() : this.#readBody();
  }

  #readHeader(): boolean {
    const end = this.#chunk.indexOf(LF, this.#at);
    if (end === -1) {
      if (this.#at < this.#chunk.length)
        this.#header = Buffer.concat([this.#header, this.#chunk.subarray(this.#at)]);
      this.#at = this.#chunk.length;
      return false;
    }
    let line = this.#chunk.subarray(this.#at, end);
    if (this.#header.length > 0) {
      line = Buffer.concat([this.#header, line]);
      this.#header = EMPTY;
    }
    this.#at = end + 1;
    this.content = null;
    this.#body = null;
    this.#filled = 0;
    const type = line.indexOf(BLANK) + 1;
    if (line[type] === MISSING) {
      this.size = NO_OBJECT;
      this.#rest = 0;
      return true;
    }
    let size = 0;
    for (let i = line.lastIndexOf(BLANK) + 1; i < line.length; i++) size = size * 10 + line[i]! - ZERO;
    this.#rest = size + 1;
    const wanted = line[type] === BLOB;
    this.size = wanted ? Math.min(size, NO_OBJECT - 1) : NO_OBJECT;
    if (!wanted || size > this.#maxBytes) return true;
    if (this.#at + size <= this.#chunk.length) this.content = this.#chunk.subarray(this.#at, this.#at + size);
    else this.#body = Buffer.allocUnsafeSlow(size);
    return true;
  }

  #readBody(): boolean {
    const taken = Math.min(this.#rest, this.#chunk.length - this.#at);
    if (this.#body !== null && taken > 0) {
      // The copy stops by itself before the line feed, where the body is full.
      this.#filled += this.#chunk.copy(this.#body, this.#filled, this.#at, this.#at + taken);
    }
    this.#at += taken;
    this.#rest -= taken;
    return this.#rest === 0 && this.#finish();
  }

  #finish(): boolean {
    this.#rest = -1;
    if (this.#body !== null) this.content = this.#body;
    this.#body = null;
    return true;
  }
}
