// How much one answer may hold, and the sheet of lines that keeps to it.
// Source: contract, Loading a skill and Results and continuations; spec, Answers.
import { jsonByteLength } from './text.ts';

/** Bytes of one serialized tool result: the text, its envelope and its `_meta`. */
export const MAX_RESULT_BYTES = 24_576;
/** UTF-8 bytes of a skill's context on one page. */
export const MAX_CONTEXT_BYTES = 16_384;
/** UTF-8 bytes of a skill's header lines. */
export const MAX_SKILL_HEADER_BYTES = 4_096;
/** UTF-8 bytes of the paths a skill's first page names as its files, and again as its references. */
export const MAX_PATH_LIST_BYTES = 3_072;
export const MAX_PATH_LIST_ITEMS = 200;
export const MAX_INSTRUCTIONS_CHARACTERS = 2_000;

export interface ResultBudget {
  /** Bytes of the whole serialized result. */
  readonly maxBytes: number;
  /** Bytes the result has in this protocol era when its text is empty. */
  readonly overheadBytes: number;
}

/** Lines of one text, and the bytes of JSON that are left for more. */
export class Sheet {
  readonly #lines: string[] = [];
  /** Lines whose cost is already taken off; the last and longest are often never asked for. */
  #measured = 0;
  #left: number;

  constructor(budget: ResultBudget) {
    this.#left = budget.maxBytes - budget.overheadBytes;
  }

  /** Bytes of JSON still free. */
  get left(): number {
    for (; this.#measured < this.#lines.length; this.#measured += 1) {
      this.#left -= lineCost(this.#lines[this.#measured] ?? '');
    }
    return this.#left;
  }

  /** Adds lines that must stand, whatever they cost. */
  add(...lines: readonly string[]): void {
    this.#lines.push(...lines);
  }

  /** Adds a line if it leaves `reserve` bytes free. */
  offer(line: string, reserve: number): boolean {
    if (lineCost(line) > this.left - reserve) return false;
    this.add(line);
    return true;
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

/** Bytes of JSON a line takes, its end included. */
export function lineCost(line: string): number {
  return jsonByteLength(line) + 2;
}
