// Folds scored documents under their groups, and takes a page of the groups.

import type { GroupHit, SearchPage, SearchResult, SearchScope } from '../api.ts';
import { Scratch } from './scratch.ts';
import { Largest } from './top.ts';

/** Documents named with a hit. */
export const MAX_HIT_DOCUMENTS = 6;

const groupNumbers = new Scratch();

/** Scores are by document, 0 = does not match; `scope` lies within them. */
export function bestGroups(
  scores: Int32Array,
  scope: SearchScope,
  page: SearchPage,
): Pick<SearchResult, 'hits' | 'more'> {
  const { from, to, groupOf } = scope;
  const groupFrom = Math.max(0, scope.groupFrom);
  const groups = Math.max(0, scope.groupTo - groupFrom);
  const best = groupNumbers.cleared(groups);
  for (let document = from; document < to; document++) {
    const score = scores[document]!;
    if (score === 0) continue;
    const group = groupOf[document]! - groupFrom;
    if (group >= 0 && group < groups && score > best[group]!) best[group] = score;
  }

  const { keys, more } = topKeys(best, groups, groupFrom, page);
  const hits = keys.map((key) => ({
    group: groupFrom + groups - 1 - (key % groups),
    score: Math.floor(key / groups),
    members: [] as number[],
  }));

  const slots = groupNumbers.cleared(groups);
  hits.forEach(({ group }, index) => {
    slots[group - groupFrom] = index + 1;
  });
  for (let document = from; document < to; document++) {
    if (scores[document] === 0) continue;
    const slot = slots[groupOf[document]! - groupFrom];
    if (slot) hits[slot - 1]!.members.push(document);
  }
  return { hits: hits.map(({ group, score, members }) => groupHit(group, score, members, scores)), more };
}

function groupHit(group: number, score: number, members: readonly number[], scores: Int32Array): GroupHit {
  const best = members.toSorted((left, right) => scores[right]! - scores[left]! || left - right);
  const docs = best.slice(0, MAX_HIT_DOCUMENTS);
  return { group, score, docs, matching: members.length, own: members.includes(group) };
}

/**
 * The best groups behind the cursor as one number each, largest first: score × groups + the rank among equals, the
 * lowest group highest. Exact, as scores are below 2^31 and groups below 2^22.
 */
function topKeys(best: Int32Array, groups: number, groupFrom: number, { after, limit }: SearchPage) {
  const top = new Largest(limit + 1);
  const ceiling = after === null ? Number.MAX_SAFE_INTEGER : after.score;
  const reached = after === null ? -1 : after.group - groupFrom;
  let threshold = 0;
  for (let group = 0; group < groups; group++) {
    const score = best[group]!;
    if (score === 0 || score > ceiling || (score === ceiling && group <= reached)) continue;
    const key = score * groups + (groups - 1 - group);
    if (key <= threshold) continue;
    top.push(key);
    threshold = Math.max(0, top.threshold);
  }
  const keys = top.sorted();
  return { keys: keys.slice(0, limit), more: keys.length > limit };
}
