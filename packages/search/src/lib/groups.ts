// Folds scored documents under their groups, and takes a page of the groups.

import type { GroupHit, SearchPage, SearchResult, SearchScope } from '../api.ts';
import { membersOf } from './members.ts';
import { Largest } from './top.ts';

/** Documents named with a hit. */
export const MAX_HIT_DOCUMENTS = 6;

/** Groups met before a first look at what a page still takes, as a multiple of the page. */
const FIRST_LOOK = 8;

/** By group; all 0 between searches. */
let bestScores = new Int32Array(0);

/** Scores are by document, 0 = does not match; `scope` lies within them. */
export function bestGroups(
  scores: Int32Array,
  scope: SearchScope,
  page: SearchPage,
): Pick<SearchResult, 'hits' | 'more'> {
  const groupFrom = Math.max(0, scope.groupFrom);
  const groups = Math.max(0, scope.groupTo - groupFrom);
  const keys = topKeys(scores, scope, groupFrom, groups, page);
  const members = membersOf(scope.groupOf);
  const hits = keys.slice(0, page.limit).map((key) => {
    const group = groupFrom + groups - 1 - (key % groups);
    const matching: number[] = [];
    for (const document of members.of(group)) {
      if (document >= scope.from && document < scope.to && scores[document] !== 0) matching.push(document);
    }
    return groupHit(group, matching, scores);
  });
  return { hits, more: keys.length > page.limit };
}

function groupHit(group: number, matching: readonly number[], scores: Int32Array): GroupHit {
  const best = matching.toSorted((left, right) => scores[right]! - scores[left]! || left - right);
  return {
    group,
    score: scores[best[0]!]!,
    docs: best.slice(0, MAX_HIT_DOCUMENTS),
    matching: matching.length,
    own: matching.includes(group),
  };
}

/**
 * The best groups behind the cursor, one more than the page takes, as a number each, largest first: score × groups +
 * the rank among equals, the lowest group highest. Exact, as scores are below 2^31 and groups below 2^22.
 *
 * A document that scores less than what a full first page already has cannot bring its group in: it is passed over,
 * which is what happens to nearly all of them. Behind a cursor none is: a group counts there only by the best of all
 * its documents, which may be the last of them.
 */
function topKeys(
  scores: Int32Array,
  { from, to, groupOf }: SearchScope,
  groupFrom: number,
  groups: number,
  { after, limit }: SearchPage,
): number[] {
  if (bestScores.length < groups) bestScores = new Int32Array(groups);
  const best = bestScores;
  const met: number[] = [];
  let nextLook = (limit + 1) * FIRST_LOOK;
  let threshold = 1;
  const ceiling = after === null ? Number.MAX_SAFE_INTEGER : after.score;
  const reached = after === null ? -1 : after.group - groupFrom;

  const select = () => {
    const top = new Largest(limit + 1);
    for (const group of met) {
      const score = best[group]!;
      if (score > ceiling || (score === ceiling && group <= reached)) continue;
      const key = score * groups + (groups - 1 - group);
      if (key > top.threshold) top.push(key);
    }
    return top.sorted();
  };

  for (let document = from; document < to; document++) {
    const score = scores[document]!;
    if (score < threshold) continue;
    const group = groupOf[document]! - groupFrom;
    if (group < 0 || group >= groups) continue;
    const known = best[group]!;
    if (score > known) best[group] = score;
    if (known !== 0) continue;
    met.push(group);
    if (after !== null || met.length !== nextLook) continue;
    const keys = select();
    if (keys.length > limit) threshold = Math.floor(keys[limit]! / groups);
    nextLook *= 2;
  }
  const keys = select();
  for (const group of met) best[group] = 0;
  return keys;
}
