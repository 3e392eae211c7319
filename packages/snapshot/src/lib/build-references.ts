// Follows links from what is served, step by step, so that what it links to can be read as well. Source: format, section 5.
import { MAX_LINK_STEPS } from '@skillquay/core/limits';
import type { Entries } from '../classify.ts';
import { type Policy, Scope } from '../policy.ts';
import { RowMode } from '../tables.ts';
import { positionOf } from './build-ranges.ts';

export interface LinkGraph {
  readonly entries: Entries;
  /** Entries from here on were left out by the limit of tree entries. */
  readonly kept: number;
  readonly policy: Policy;
  /** Links of an entry, undefined where it has none or was not read. */
  readonly linksOf: (entry: number) => readonly string[] | undefined;
  /** Makes sure that the links of these entries, in path order, are known: they are linked to and so are served. */
  readonly serve: (entries: readonly number[]) => Promise<void>;
}

/**
 * Serves everything that is at most MAX_LINK_STEPS links away from `sources`. Loops end, because nothing is
 * followed twice. Returns the entries at the last step that link further, to files that are served nowhere.
 */
export async function followLinks(graph: LinkGraph, sources: readonly number[]): Promise<number[]> {
  const reached = new Uint8Array(graph.entries.path.length);
  for (const entry of sources) reached[entry] = 1;
  let frontier = sources;
  for (let step = 1; step <= MAX_LINK_STEPS && frontier.length > 0; step += 1) {
    const next: number[] = [];
    for (const source of frontier) collectTargets(graph, source, reached, next);
    frontier = next.sort((a, b) => a - b);
    if (frontier.length > 0) await graph.serve(frontier);
  }
  return frontier.filter((entry) => targetsOf(graph, entry).some((target) => reached[target] === 0));
}

function collectTargets(graph: LinkGraph, source: number, reached: Uint8Array, found: number[]): void {
  for (const target of targetsOf(graph, source)) {
    if (reached[target] === 1) continue;
    reached[target] = 1;
    found.push(target);
  }
}

/** The files that an entry links to and that policy lets be served. */
function targetsOf(graph: LinkGraph, source: number): number[] {
  const targets: number[] = [];
  for (const path of graph.linksOf(source) ?? []) {
    const entry = positionOf(graph.entries.path, path);
    if (entry === -1 || entry >= graph.kept || graph.policy.scope[entry] !== Scope.open) continue;
    const mode = graph.entries.mode[entry];
    if (mode === RowMode.file || mode === RowMode.executable) targets.push(entry);
  }
  return targets;
}
