// What a query asks for.

import { tokens } from '../tokens.ts';

export interface Query {
  /** Distinct terms, any of which makes a document match. */
  readonly terms: readonly string[];
  /** Runs of at least two distinct pairs: a document should hold all pairs of a run. */
  readonly runs: readonly (readonly string[])[];
}

/** Further terms are ignored. With the largest impact and inverse frequency, scores stay below 2^31. */
const MAX_QUERY_TERMS = 1_024;

export function parseQuery(text: string): Query {
  const terms = new Set<string>();
  const runs = new Map<string, string[]>();
  let budget = MAX_QUERY_TERMS;
  for (const token of tokens(text)) {
    const distinct = [...new Set(token.terms)];
    budget -= distinct.length;
    if (budget < 0) break;
    if (token.run && distinct.length > 1) runs.set(distinct.join(' '), distinct);
    else for (const term of distinct) terms.add(term);
  }
  return { terms: [...terms], runs: [...runs.values()] };
}
