// Growing lists of 32-bit numbers, very many of them: one for each term while a segment is built.
//
// A list is a chain of slices, each twice as long as the one before it up to a limit; the last place of a full slice
// holds where the next one begins. Slices come from pages of a fixed size, so growing never copies.

const PAGE_BITS = 18;
const PAGE = 1 << PAGE_BITS;
const FIRST_SLICE = 2;
const LONGEST_SLICE = 512;

/** Numbers kept for a list, next to each other: a push touches one place in memory, and the slice it writes to. */
const STATE = 4;
const FIRST = 0;
const TAIL = 1;
const LENGTH = 2;
/** Places left in the last slice, the one for the link included, and above these bits the size of that slice. */
const ROOM = 3;
const ROOM_BITS = 16;

export class Chains {
  readonly #pages: Uint32Array[] = [];
  #free = PAGE;
  #state = new Uint32Array(1024 * STATE);

  /** Numbers in all lists. */
  total = 0;

  length(list: number): number {
    return this.#state[list * STATE + LENGTH] ?? 0;
  }

  push(list: number, value: number): void {
    const own = list * STATE;
    if (own >= this.#state.length) this.#grow(own + STATE);
    const state = this.#state;
    let at = state[own + TAIL]!;
    let room = state[own + ROOM]!;
    if (room === 0) {
      at = this.#allocate(FIRST_SLICE);
      state[own + FIRST] = at;
      room = (FIRST_SLICE << ROOM_BITS) | FIRST_SLICE;
    } else if ((room & 0xffff) === 1) {
      const size = Math.min(LONGEST_SLICE, (room >>> ROOM_BITS) * 2);
      const next = this.#allocate(size);
      this.#pages[at >>> PAGE_BITS]![at & (PAGE - 1)] = next;
      room = (size << ROOM_BITS) | size;
      at = next;
    }
    this.#pages[at >>> PAGE_BITS]![at & (PAGE - 1)] = value;
    state[own + TAIL] = at + 1;
    state[own + ROOM] = room - 1;
    state[own + LENGTH]! += 1;
    this.total++;
  }

  /** Copies a list; `target` has room for it. */
  read(list: number, target: Uint32Array): void {
    const length = this.length(list);
    let at = this.#state[list * STATE + FIRST]!;
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

  #grow(needed: number): void {
    const grown = new Uint32Array(Math.max(needed, this.#state.length * 2));
    grown.set(this.#state);
    this.#state = grown;
  }
}
