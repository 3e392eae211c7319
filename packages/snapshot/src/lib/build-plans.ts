// Plans the documents of skills: what each is made of, which of them are as they were, and who makes the others with
// whom. Source: format, section 8.
import { compareUtf8, dirname } from '@skillquay/core/paths';
import { type DocumentSources, documentHead } from '@skillquay/core/skill-document';
import type { Classes } from '../classify.ts';
import { withheldNumber } from '../classify.ts';
import { Scope, scopeOf } from '../policy.ts';
import { SIZE_UNKNOWN } from '../tables.ts';
import type { DocumentPlan, DocumentTask } from './build-assembled.ts';
import { type JudgedSkills, rulesInForce } from './build-judged.ts';
import { oidsOf } from './build-listing.ts';
import { below } from './build-ranges.ts';
import { ownerOf, skillFolders } from './build-rows.ts';
import type { Commit } from './build-steps.ts';
import { type Below, isLeftOut, leftOutFile, MAX_LEFT_OUT } from './left-out.ts';

/** Bytes and documents of one task: a task is held in memory whole, and is one or two git processes. */
const TASK_BYTES = 16 * 1024 ** 2;
const TASK_DOCUMENTS = 4_000;

export class Documents {
  readonly #commit: Commit;
  readonly #classes: Classes;
  readonly #judged: JudgedSkills;
  readonly #commitId: string;
  readonly #rawUrl: string | null;
  readonly #leftOut: readonly Below[];
  readonly #leftOutPaths: readonly string[];
  readonly #hasRules: ReadonlyMap<number, boolean>;

  constructor(
    commit: Commit,
    classes: Classes,
    judged: JudgedSkills,
    source: { readonly commit: string; readonly rawUrl: string | null },
  ) {
    this.#commit = commit;
    this.#classes = classes;
    this.#judged = judged;
    this.#commitId = source.commit;
    this.#rawUrl = source.rawUrl;
    this.#leftOut = leftOutOf(commit, classes);
    this.#leftOutPaths = this.#leftOut.map(({ path }) => path);
    this.#hasRules = new Map(commit.manifests.map(({ entry, hasRules }) => [entry, hasRules]));
  }

  /** Whether a skill's directory lacks files. Its document names the commit then, if only in a URL. */
  lacksFiles(directory: string): boolean {
    if (this.#leftOut.length === 0) return false;
    const { from, to } = below(this.#leftOutPaths, directory);
    return from < to;
  }

  /** Bytes of the files that the context of a skill is made of. */
  bytesOf(skill: number): number {
    const { entry, manifests, includes } = this.#sourcesOf(skill);
    const { size } = this.#commit.facts;
    return [...manifests, entry, ...includes].reduce((sum, source) => sum + (size[source] ?? 0), 0);
  }

  #sourcesOf(skill: number) {
    const entry = this.#classes.skills[skill] ?? 0;
    const manifests = rulesInForce(this.#commit, entry);
    return { entry, manifests, includes: this.#judged.includes[skill]?.entries ?? [] };
  }

  /** Tasks for the documents of these skills, in their order. */
  *tasks(skills: readonly number[]): Generator<DocumentTask & { readonly bytes: number }> {
    let batch = new Batch(this.#commit);
    for (const skill of skills) {
      const { entry, manifests, includes } = this.#sourcesOf(skill);
      const rules = manifests.filter((rule) => this.#hasRules.get(rule));
      batch.add(skill, entry, this.#head(entry, rules, includes), rules, includes);
      if (!batch.isFull) continue;
      yield batch.task();
      batch = new Batch(this.#commit);
    }
    if (!batch.isEmpty) yield batch.task();
  }

  #head(entry: number, rules: readonly number[], includes: readonly number[]): string {
    const { facts, listing } = this.#commit;
    const skill = facts.skillOf(entry);
    if (skill === undefined) throw new Error('A valid skill has facts.');
    const sources = [...rules, entry, ...includes].map((source) => listing.path[source] ?? '');
    return documentHead({ facts: skill, sources, ...this.#leftOutIn(listing.path[entry] ?? '') });
  }

  #leftOutIn(path: string): Pick<DocumentSources, 'leftOut' | 'moreLeftOut'> {
    if (this.#leftOut.length === 0) return { leftOut: [] };
    const { from, to } = below(this.#leftOutPaths, dirname(path));
    const end = Math.min(to, from + MAX_LEFT_OUT);
    const leftOut = this.#leftOut
      .slice(from, end)
      .map((file) => leftOutFile(file, this.#rawUrl, this.#commitId));
    return { leftOut, moreLeftOut: to - end };
  }
}

class Batch {
  readonly #commit: Commit;
  readonly #plans: DocumentPlan[] = [];
  readonly #entries: number[] = [];
  readonly #shared = new Map<number, number>();
  #bytes = 0;

  constructor(commit: Commit) {
    this.#commit = commit;
  }

  get isEmpty(): boolean {
    return this.#plans.length === 0;
  }

  get isFull(): boolean {
    return this.#bytes >= TASK_BYTES || this.#plans.length >= TASK_DOCUMENTS;
  }

  add(
    skill: number,
    entry: number,
    head: string,
    rules: readonly number[],
    includes: readonly number[],
  ): void {
    const { facts, listing } = this.#commit;
    const share = (file: number): number => {
      const known = this.#shared.get(file);
      if (known !== undefined) return known;
      this.#bytes += facts.size[file] ?? 0;
      this.#shared.set(file, this.#shared.size);
      return this.#shared.size - 1;
    };
    this.#plans.push({
      skill,
      path: listing.path[entry] ?? '',
      head,
      rules: rules.map(share),
      includes: includes.map(share),
    });
    this.#entries.push(entry);
    this.#bytes += head.length + (facts.size[entry] ?? 0);
  }

  task(): DocumentTask & { readonly bytes: number } {
    const { listing } = this.#commit;
    const shared = [...this.#shared.keys()];
    return {
      plans: this.#plans,
      oids: oidsOf(listing, this.#entries),
      sharedPaths: shared.map((file) => listing.path[file] ?? ''),
      sharedOids: oidsOf(listing, shared),
      bytes: this.#bytes,
    };
  }
}

/** Everything that documents name as left out, in path order, as the rows of the index will have it. */
function leftOutOf(commit: Commit, classes: Classes): Below[] {
  const { listing, facts, policy } = commit;
  const found: Below[] = [];
  for (let entry = 0; entry < listing.count; entry += 1) {
    const withheld = classes.withheld[entry] ?? 0;
    if (withheld === 0) continue;
    const path = listing.path[entry] ?? '';
    const owner = classes.owner[entry] ?? -1;
    const size = Math.min(SIZE_UNKNOWN, facts.pointedSize.get(entry) ?? facts.size[entry] ?? 0);
    found.push({ path, withheld, owner, size });
  }
  const open = listing.unaddressable.filter(({ path }) => scopeOf(policy, path) === Scope.open);
  if (open.length > 0) {
    const withheld = withheldNumber('unaddressable_path');
    const skillAt = skillFolders(commit, classes);
    const seen = new Set<string>();
    for (const { path } of open) {
      if (seen.has(path)) continue;
      seen.add(path);
      found.push({ path, withheld, owner: ownerOf(path, skillAt), size: SIZE_UNKNOWN });
    }
    found.sort((a, b) => compareUtf8(a.path, b.path));
  }
  return found.filter(isLeftOut);
}
