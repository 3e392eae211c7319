// The obvious search, slow and small: what the segment must agree with in every hit, score and order.

import type { GroupHit, SearchPage, SearchResult, SearchScope, SegmentDocument } from '../src/api.ts';
import { FIELDS, impactOf, inverseFrequency, occurrenceWeight } from '../src/lib/score.ts';
import { tokens } from '../src/tokens.ts';

export function oracleSearch(
  documents: ReadonlyMap<number, SegmentDocument>,
  query: string,
  scope: SearchScope,
  page: SearchPage,
): SearchResult {
  const impacts = new Map([...documents].map(([id, document]) => [id, impactsOf(document)]));
  const score = (id: number, terms: Iterable<string>) => {
    let sum = 0;
    for (const term of new Set(terms)) {
      const holders = [...impacts.values()].filter((byTerm) => byTerm.has(term)).length;
      sum += (impacts.get(id)?.get(term) ?? 0) * inverseFrequency(holders, documents.size);
    }
    return sum;
  };
  const inScope = [...documents.keys()].filter((id) => {
    const group = scope.groupOf[id] ?? -1;
    return (
      id >= scope.from && id < scope.to && group >= 0 && group >= scope.groupFrom && group < scope.groupTo
    );
  });

  const asked = tokens(query);
  const words = new Set(
    asked.filter((token) => !token.run || new Set(token.terms).size === 1).flatMap(({ terms }) => terms),
  );
  const runs = new Map(
    asked
      .filter((token) => token.run && new Set(token.terms).size > 1)
      .map(({ terms }) => {
        const distinct = [...new Set(terms)];
        return [distinct.join(' '), distinct];
      }),
  );
  const total = new Map(inScope.map((id) => [id, score(id, words)]));
  for (const pairs of runs.values()) {
    const holdsAll = (id: number) => pairs.every((pair) => impacts.get(id)?.has(pair));
    const strict = inScope.some(holdsAll);
    for (const id of inScope) {
      if (!strict || holdsAll(id)) total.set(id, (total.get(id) ?? 0) + score(id, pairs));
    }
  }

  const groups = new Map<number, number[]>();
  for (const id of inScope) {
    if (total.get(id) === 0) continue;
    const group = scope.groupOf[id] ?? -1;
    groups.set(group, [...(groups.get(group) ?? []), id]);
  }
  const all = [...groups].map(([group, ids]): GroupHit => {
    const best = ids.toSorted((left, right) => total.get(right)! - total.get(left)! || left - right);
    return {
      group,
      score: total.get(best[0]!)!,
      docs: best.slice(0, 6),
      matching: ids.length,
      own: ids.includes(group),
    };
  });
  all.sort((left, right) => right.score - left.score || left.group - right.group);
  const { after } = page;
  const behind = all.filter(
    ({ score, group }) =>
      after === null || score < after.score || (score === after.score && group > after.group),
  );
  return {
    hits: behind.slice(0, page.limit),
    more: behind.length > page.limit,
    empty: asked.length === 0,
  };
}

/** What each term of a document counts. */
export function impactsOf(document: SegmentDocument): Map<string, number> {
  const weights = new Map<string, number>();
  for (const field of FIELDS) {
    const terms = tokens(document[field]).flatMap((token) => token.terms);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, times] of counts) {
      weights.set(term, (weights.get(term) ?? 0) + times * occurrenceWeight(field, terms.length));
    }
  }
  return new Map([...weights].map(([term, weight]) => [term, impactOf(weight)]));
}
