// Documents for property tests: few words in many shapes, so that documents share terms and scores tie.

import fc from 'fast-check';
import type { SearchScope, SegmentDocument } from '../src/api.ts';
import { SegmentBuilder } from '../src/build.ts';

const WORDS = [
  'the',
  'use',
  'skill',
  'skills',
  'deploy',
  'deploying',
  'database',
  'getUserById',
  'get_user_by_id',
  'user-by-id',
  'Node.js',
  'C++',
  'C#',
  '1.2.3',
  '2024',
  'naïve',
  'NAIVE',
  'ＷＩＤＥ',
  '数据库迁移',
  '数据库',
  '迁移',
  '数',
  'データベース',
  'ﾃﾞｰﾀ',
  '코드리뷰',
  '코드',
  'ฐานข้อมูล',
  'straße',
  'Привет',
  'user’s',
  '—',
  '✅',
  '😀',
  '...',
  '`x`',
  'a',
  'é',
  '𠮷野家',
  'ﬁle',
  '\u0301',
  '\ud800',
];

const text = (maxLength: number) =>
  fc
    .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(' ', '\n', '', '-', '.', '_', ', ', '’')), {
      maxLength,
    })
    .map((words) => words.flat().join(''));

export const document: fc.Arbitrary<SegmentDocument> = fc.record({
  name: text(3),
  description: text(8),
  details: text(3),
  body: text(20),
});

export const query = fc.oneof({ weight: 4, arbitrary: text(5) }, { weight: 1, arbitrary: fc.string() });

/** Documents by number, with gaps, and a count above them. */
export const numbered = fc
  .tuple(fc.array(fc.tuple(document, fc.nat({ max: 2 })), { maxLength: 25 }), fc.nat({ max: 3 }))
  .map(([list, rest]) => {
    const documents = new Map<number, SegmentDocument>();
    let next = 0;
    for (const [one, gap] of list) {
      documents.set(next + gap, one);
      next += gap + 1;
    }
    return { documents, count: next + rest };
  });

export function scopes(count: number): fc.Arbitrary<SearchScope> {
  const number = fc.integer({ min: 0, max: count });
  return fc
    .record({
      range: fc.tuple(number, number),
      groups: fc.array(fc.integer({ min: -1, max: Math.max(0, count >> 1) }), {
        minLength: count,
        maxLength: count,
      }),
      groupRange: fc.tuple(number, number),
      whole: fc.boolean(),
    })
    .map(({ range, groups, groupRange, whole }) => ({
      from: whole ? 0 : Math.min(...range),
      to: whole ? count : Math.max(...range),
      groupOf: Int32Array.from(groups),
      groupFrom: whole ? 0 : Math.min(...groupRange),
      groupTo: whole ? count : Math.max(...groupRange),
    }));
}

/** Every document a group of its own, all in scope. */
export function everything(count: number): SearchScope {
  return {
    from: 0,
    to: count,
    groupOf: Int32Array.from({ length: count }, (_, id) => id),
    groupFrom: 0,
    groupTo: count,
  };
}

export function build(documents: ReadonlyMap<number, SegmentDocument>, count: number): Uint8Array {
  const builder = new SegmentBuilder();
  for (const [id, one] of documents) builder.add(id, one);
  return builder.finish(count);
}
