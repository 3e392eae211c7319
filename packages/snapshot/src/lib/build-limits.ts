// How much of a commit may be read: bytes of blobs in all, spent in path order.

export class ByteBudget {
  #left: number;
  /** How many files were refused. */
  refused = 0;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Whether so many bytes may still be read. The first refusal ends it: the rest is left out in path order. */
  take(bytes: number): boolean {
    if (this.refused === 0 && bytes <= this.#left) {
      this.#left -= bytes;
      return true;
    }
    this.refused += 1;
    return false;
  }

  /** The same for what is served whether it is read or not. */
  takeForDigest(bytes: number): boolean {
    if (this.refused > 0 || bytes > this.#left) {
      this.#left = 0;
      return false;
    }
    this.#left -= bytes;
    return true;
  }
}

/** "12 files beyond the limit of 200,000 indexed files are not searched." */
export function partialSentence(count: number, limit: number, what: string, consequence: string): string {
  const number = (value: number) => value.toLocaleString('en-US');
  const files = count === 1 ? '1 file' : `${number(count)} files`;
  return `${files} beyond the limit of ${number(limit)} ${what} ${count === 1 ? 'is' : 'are'} ${consequence}.`;
}
