// The documents of each group: a scope's `groupOf`, the other way round.

export class Members {
  /** The documents of group g are documents[starts[g], starts[g + 1]), ascending. */
  readonly #starts: Int32Array;
  readonly #documents: Int32Array;

  constructor(groupOf: Int32Array) {
    const groups = groupOf.reduce((most, group) => Math.max(most, group + 1), 0);
    // Counted one place further on, so that filling a group moves its start to where it belongs.
    const starts = new Int32Array(groups + 2);
    for (const group of groupOf) if (group >= 0) starts[group + 2]! += 1;
    for (let group = 2; group < starts.length; group++) starts[group]! += starts[group - 1]!;
    const documents = new Int32Array(starts.at(-1) ?? 0);
    groupOf.forEach((group, document) => {
      if (group < 0) return;
      documents[starts[group + 1]!] = document;
      starts[group + 1]! += 1;
    });
    this.#starts = starts;
    this.#documents = documents;
  }

  of(group: number): Int32Array {
    return this.#documents.subarray(this.#starts[group], this.#starts[group + 1]);
  }
}

/** Turned round once: every search of a snapshot brings the same array. */
const known = new WeakMap<Int32Array, Members>();

export function membersOf(groupOf: Int32Array): Members {
  let members = known.get(groupOf);
  if (members === undefined) {
    members = new Members(groupOf);
    known.set(groupOf, members);
  }
  return members;
}
