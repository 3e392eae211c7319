// Keeps the largest of many numbers.

export class Largest {
  readonly #limit: number;
  /** A binary heap, the smallest on top. */
  readonly #heap: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** What a number has to exceed to be kept. */
  get threshold(): number {
    return this.#heap.length < this.#limit ? Number.NEGATIVE_INFINITY : this.#heap[0]!;
  }

  /** A number above the threshold. */
  push(value: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push(value);
      this.#rise(heap.length - 1);
    } else {
      heap[0] = value;
      this.#sink();
    }
  }

  /** Largest first. */
  sorted(): number[] {
    return this.#heap.toSorted((left, right) => right - left);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const value = heap[from]!;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (heap[parent]! <= value) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = value;
  }

  #sink(): void {
    const heap = this.#heap;
    const value = heap[0]!;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  }
}
