import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GroupHit, SearchPage, SearchScope } from '../api.ts';
import { bestGroups } from './groups.ts';

/** Every group, its documents sorted, all sorted, cut. */
function obvious(scores: Int32Array, scope: SearchScope, { after, limit }: SearchPage) {
  const groups = new Map<number, number[]>();
  for (let document = scope.from; document < scope.to; document++) {
    const group = scope.groupOf[document]!;
    if (scores[document] === 0 || group < scope.groupFrom || group >= scope.groupTo) continue;
    groups.set(group, [...(groups.get(group) ?? []), document]);
  }
  const hits = [...groups].map(([group, documents]): GroupHit => {
    const sorted = documents.toSorted((left, right) => scores[right]! - scores[left]! || left - right);
    const own = documents.includes(group);
    return { group, score: scores[sorted[0]!]!, docs: sorted.slice(0, 6), matching: documents.length, own };
  });
  const behind = hits
    .toSorted((left, right) => right.score - left.score || left.group - right.group)
    .filter(
      (hit) => !after || hit.score < after.score || (hit.score === after.score && hit.group > after.group),
    );
  return { hits: behind.slice(0, limit), more: behind.length > limit };
}

it('passes over documents without losing a group, on the first page and behind any cursor', () => {
  const search = fc.integer({ min: 0, max: 600 }).chain((count) =>
    fc.record({
      // Few distinct scores tie, many do not; groups of one and of many documents, in no order.
      scores: fc.array(fc.oneof(fc.nat({ max: 4 }), fc.nat({ max: 2 ** 31 - 1 })), {
        minLength: count,
        maxLength: count,
      }),
      groupOf: fc
        .integer({ min: 0, max: count })
        .chain((most) =>
          fc.array(fc.integer({ min: -1, max: most }), { minLength: count, maxLength: count }),
        ),
      after: fc.option(
        fc.record({ score: fc.oneof(fc.nat({ max: 4 }), fc.nat()), group: fc.nat({ max: count }) }),
      ),
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  );
  fc.assert(
    fc.property(search, ({ scores, groupOf, after, limit }) => {
      const count = scores.length;
      const numbers = Int32Array.from(scores);
      const scope = {
        from: 0,
        to: count,
        groupOf: Int32Array.from(groupOf),
        groupFrom: 0,
        groupTo: count + 1,
      };
      expect(bestGroups(numbers, scope, { after, limit })).toEqual(obvious(numbers, scope, { after, limit }));
    }),
    { numRuns: 500 },
  );
});
