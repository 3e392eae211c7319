// Which documents of skills are as they were in the previous index, found by comparing rows: no record is parsed for a
// skill that includes nothing.
import { dirname } from '@skillquay/core/paths';
import type { Classes } from '../classify.ts';
import type { JudgedSkills } from './build-judged.ts';
import type { Documents } from './build-plans.ts';
import type { Previous } from './build-previous.ts';
import { below, belowAt } from './build-ranges.ts';
import type { Commit } from './build-steps.ts';
import { includesNothing } from './file-records.ts';
import { isLeftOut } from './left-out.ts';

export class KeptDocuments {
  readonly #commit: Commit;
  readonly #classes: Classes;
  readonly #judged: JudgedSkills;
  readonly #documents: Documents;
  readonly #previous: Previous;
  /** 1 for each entry to which other rules apply than before. */
  readonly #hasOtherRules: Uint8Array;
  /** Directories in or above which the previous index lacked files. */
  readonly #lacked: ReadonlySet<string>;

  constructor(
    commit: Commit,
    classes: Classes,
    judged: JudgedSkills,
    documents: Documents,
    previous: Previous,
  ) {
    this.#commit = commit;
    this.#classes = classes;
    this.#judged = judged;
    this.#documents = documents;
    this.#previous = previous;
    this.#hasOtherRules = entriesWithOtherRules(commit, previous);
    this.#lacked = directoriesThatLacked(previous);
  }

  /** The skill in the previous index whose document is the same, -1 where it may be another. */
  of(skill: number): number {
    const entry = this.#classes.skills[skill] ?? 0;
    const { index } = this.#previous;
    const before = this.#previous.skillOf(entry);
    if (before === -1 || index.listing.reason[before] !== 0 || this.#hasOtherRules[entry] === 1) return -1;
    const directory = dirname(this.#commit.listing.path[entry] ?? '');
    if (this.#lacked.has(directory) || this.#documents.lacksFiles(directory)) return -1;
    return this.#includesTheSame(skill, before) ? before : -1;
  }

  #includesTheSame(skill: number, before: number): boolean {
    const entries = this.#judged.includes[skill]?.entries ?? [];
    const { index } = this.#previous;
    if (includesNothing(index.encodedSkill(before))) return entries.length === 0;
    const { includes } = index.skill(before);
    return (
      includes.length === entries.length &&
      entries.every((entry, i) => this.#previous.rowOf(entry) === includes[i])
    );
  }
}

function entriesWithOtherRules({ listing, policy }: Commit, previous: Previous): Uint8Array {
  const marked = new Uint8Array(listing.count);
  const before = new Set(previous.index.manifests.map(({ row }) => row));
  for (const { entry, folder } of policy.manifests) {
    if (before.delete(previous.rowOf(entry))) continue;
    const { from, to } = belowAt(listing.path, folder, entry);
    marked.fill(1, from, to);
  }
  // What is left was in force and is not any more, or is another now.
  for (const { row, folder } of previous.index.manifests) {
    if (!before.has(row)) continue;
    const { from, to } = below(listing.path, folder);
    marked.fill(1, from, to);
  }
  return marked;
}

function directoriesThatLacked({ index }: Previous): ReadonlySet<string> {
  const lacked = new Set<string>();
  for (let row = 0; row < index.rowCount; row += 1) {
    const withheld = index.withheld[row] ?? 0;
    if (withheld === 0) continue;
    const path = index.path(row);
    if (!isLeftOut({ path, withheld, owner: index.owner[row] ?? -1 })) continue;
    for (let folder = dirname(path); !lacked.has(folder); folder = dirname(folder)) {
      lacked.add(folder);
      if (folder === '') break;
    }
  }
  return lacked;
}
