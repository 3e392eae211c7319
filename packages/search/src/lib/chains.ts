// Growing lists of 32-bit numbers, very many of them: one for each term while a segment is built.
//
// A list is a chain of slices, each twice as long as the one before it up to a limit; the last place of a full slice
// holds where the next one begins. Slices come from pages of a fixed size, so growing never copies.

const PAGE_BITS = 18;
const PAGE = 1 << PAGE_BITS;
const FIRST_SLICE = 2;
const LONGEST_SLICE = 512;

export class Chains {
  readonly #pages: Uint32Array[] = [];
  #free = PAGE;
  #first = new Uint32Array(1024);
  #tail = new Uint32Array(1024);
  /** Places left in the last slice, the one for the link included. */
  #room = new Uint16Array(1024);
  #slice = new Uint16Array(1024);
  #lengths = new Uint32Array(1024);

  length(list: number): number {
    return this.#lengths[list] ?? 0;
  }

  push(list: number, value: number): void {
    if (list >= this.#lengths.length) this.#grow(list);
    let at = this.#tail[list]!;
    if (this.#lengths[list] === 0) {
      at = this.#allocate(FIRST_SLICE);
      this.#first[list] = at;
      this.#slice[list] = FIRST_SLICE;
      this.#room[list] = FIRST_SLICE;
    } else if (this.#room[list] === 1) {
      const size = Math.min(LONGEST_SLICE, this.#slice[list]! * 2);
      const next = this.#allocate(size);
      this.#pages[at >>> PAGE_BITS]![at & (PAGE - 1)] = next;
      this.#slice[list] = size;
      this.#room[list] = size;
      at = next;
    }
    this.#pages[at >>> PAGE_BITS]![at & (PAGE - 1)] = value;
    this.#tail[list] = at + 1;
    this.#room[list]! -= 1;
    this.#lengths[list]! += 1;
  }

  /** Copies a list; `target` has room for it. */
  read(list: number, target: Uint32Array): void {
    const length = this.length(list);
    let at = this.#first[list]!;
    let size = FIRST_SLICE;
    let copied = 0;
    while (copied < length) {
      const page = this.#pages[at >>> PAGE_BITS]!;
      const offset = at & (PAGE - 1);
      const here = Math.min(size - 1, length - copied);
      for (let index = 0; index < here; index++) target[copied + index] = page[offset + index]!;
      copied += here;
      at = page[offset + size - 1]!;
      size = Math.min(LONGEST_SLICE, size * 2);
    }
  }

  #allocate(size: number): number {
    if (this.#free + size > PAGE) {
      this.#pages.push(new Uint32Array(PAGE));
      this.#free = 0;
    }
    const at = (this.#pages.length - 1) * PAGE + this.#free;
    this.#free += size;
    return at;
  }

  #grow(list: number): void {
    const size = Math.max(list + 1, this.#lengths.length * 2);
    this.#first = resized(this.#first, new Uint32Array(size));
    this.#tail = resized(this.#tail, new Uint32Array(size));
    this.#lengths = resized(this.#lengths, new Uint32Array(size));
    this.#room = resized(this.#room, new Uint16Array(size));
    this.#slice = resized(this.#slice, new Uint16Array(size));
  }
}

function resized<T extends Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
