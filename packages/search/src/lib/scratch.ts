// Working memory that is kept from one search to the next.

export class Scratch {
  #numbers = new Int32Array(0);

  /** So many zeros. Valid until the next call. */
  cleared(length: number): Int32Array {
    if (this.#numbers.length < length) this.#numbers = new Int32Array(length);
    return this.#numbers.subarray(0, length).fill(0);
  }
}
