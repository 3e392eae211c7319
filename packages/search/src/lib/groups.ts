// Folds scored documents under their groups, and takes a page of the groups.

import type { GroupHit, SearchPage, SearchResult, SearchScope } from '../api.ts';
import { Scratch } from './scratch.ts';
import { Largest } from './top.ts';

/** Documents named with a hit. */
export const MAX_HIT_DOCUMENTS = 6;

/** Groups met before a first look at what a page still takes, as a multiple of the page. */
const FIRST_LOOK = 8;

const bestScores = new Scratch();
const metGroups = new Scratch();
const hitSlots = new Scratch();

/** Scores are by document, 0 = does not match; `scope` lies within them. */
export function bestGroups(
  scores: Int32Array,
  scope: SearchScope,
  page: SearchPage,
): Pick<SearchResult, 'hits' | 'more'> {
  const groupFrom = Math.max(0, scope.groupFrom);
  const groups = Math.max(0, scope.groupTo - groupFrom);
  const keys = topKeys(scores, scope, groupFrom, groups, page);
  const hits = keys.slice(0, page.limit).map((key) => ({
    group: groupFrom + groups - 1 - (key % groups),
    score: Math.floor(key / groups),
    members: [] as number[],
  }));

  const slots = hitSlots.cleared(groups);
  hits.forEach(({ group }, index) => {
    slots[group - groupFrom] = index + 1;
  });
  const { from, to, groupOf } = scope;
  for (let document = from; document < to; document++) {
    const slot = slots[groupOf[document]! - groupFrom];
    if (slot && scores[document] !== 0) hits[slot - 1]!.members.push(document);
  }
  return {
    hits: hits.map(({ group, score, members }) => groupHit(group, score, members, scores)),
    more: keys.length > page.limit,
  };
}

function groupHit(group: number, score: number, members: readonly number[], scores: Int32Array): GroupHit {
  const best = members.toSorted((left, right) => scores[right]! - scores[left]! || left - right);
  const docs = best.slice(0, MAX_HIT_DOCUMENTS);
  return { group, score, docs, matching: members.length, own: members.includes(group) };
}

/**
 * The best groups behind the cursor, one more than the page takes, as a number each, largest first: score × groups +
 * the rank among equals, the lowest group highest. Exact, as scores are below 2^31 and groups below 2^22.
 *
 * A document that scores less than what a full page already has cannot bring its group in: it is passed over, which
 * is what happens to nearly all of them. Groups in front of the cursor are met whole, since they score more.
 */
function topKeys(
  scores: Int32Array,
  { from, to, groupOf }: SearchScope,
  groupFrom: number,
  groups: number,
  { after, limit }: SearchPage,
): number[] {
  const best = bestScores.cleared(groups);
  const met = metGroups.cleared(groups);
  let metCount = 0;
  let nextLook = (limit + 1) * FIRST_LOOK;
  let threshold = 1;
  const ceiling = after === null ? Number.MAX_SAFE_INTEGER : after.score;
  const reached = after === null ? -1 : after.group - groupFrom;

  const select = () => {
    const top = new Largest(limit + 1);
    for (let index = 0; index < metCount; index++) {
      const group = met[index]!;
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
    met[metCount++] = group;
    if (metCount !== nextLook) continue;
    const keys = select();
    if (keys.length > limit) threshold = Math.floor(keys[limit]! / groups);
    nextLook *= 2;
  }
  return select();
}
