import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GroupHit, SegmentDocument } from '../src/api.ts';
import { SegmentBuilder } from '../src/build.ts';
import { mergeSegments } from '../src/merge.ts';
import { openSegment, SegmentError } from '../src/segment.ts';
import { build, document, everything, numbered, query, scopes } from './documents.ts';
import { oracleSearch } from './oracle.ts';

const searches = numbered.chain(({ documents, count }) =>
  fc.record({
    documents: fc.constant(documents),
    count: fc.constant(count),
    query,
    scope: scopes(count),
    limit: fc.integer({ min: 1, max: 8 }),
  }),
);

describe('a search', () => {
  it('gives the hits, scores, order and documents of the obvious search', () => {
    fc.assert(
      fc.property(searches, ({ documents, count, query, scope, limit }) => {
        const segment = openSegment(build(documents, count));
        const page = { after: null, limit };
        expect(segment.search(query, scope, page)).toEqual(oracleSearch(documents, query, scope, page));
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same hits in pages as at once', () => {
    fc.assert(
      fc.property(searches, ({ documents, count, query, scope, limit }) => {
        const segment = openSegment(build(documents, count));
        const whole = segment.search(query, scope, { after: null, limit: 1_000 });
        const paged: GroupHit[] = [];
        for (let more = true; more; ) {
          const page = segment.search(query, scope, { after: paged.at(-1) ?? null, limit });
          paged.push(...page.hits);
          more = page.more;
          expect(page.hits.length).toBe(more ? limit : Math.min(limit, page.hits.length));
        }
        expect(paged).toEqual(whole.hits);
        expect(whole.more).toBe(false);
      }),
    );
  });
});

describe('a segment', () => {
  it('is the same bytes whether its documents came as strings or as UTF-8', () => {
    fc.assert(
      fc.property(numbered, ({ documents, count }) => {
        const builder = new SegmentBuilder();
        for (const [id, { name, description, details, body }] of documents) {
          builder.add(id, { name, description, details, body: Buffer.from(`..${body}`, 'utf8').subarray(2) });
        }
        expect(Buffer.compare(builder.finish(count), build(documents, count))).toBe(0);
      }),
    );
  });

  it('is the same bytes in whatever order its documents came', () => {
    const shuffled = numbered.chain(({ documents, count }) =>
      fc.record({
        documents: fc.constant(documents),
        count: fc.constant(count),
        order: fc.shuffledSubarray([...documents], { minLength: documents.size }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ documents, count, order }) => {
        expect(Buffer.compare(build(new Map(order), count), build(documents, count))).toBe(0);
      }),
    );
  });

  it('is the same bytes built at once as merged from parts of which some documents were dropped', () => {
    const history = fc.record({
      // Each document of the old corpus: kept, or dropped. Each new one comes after so many of the old.
      old: fc.array(fc.record({ document, kept: fc.boolean() }), { maxLength: 25 }),
      added: fc.array(fc.record({ document, after: fc.nat({ max: 25 }), part: fc.nat({ max: 2 }) }), {
        maxLength: 8,
      }),
      rest: fc.nat({ max: 2 }),
    });
    fc.assert(
      fc.property(history, ({ old, added, rest }) => {
        const merged = new Map<number, SegmentDocument>();
        const oldMap = new Int32Array(old.length).fill(-1);
        const parts = [0, 1, 2].map(() => ({
          documents: new Map<number, SegmentDocument>(),
          map: [] as number[],
        }));
        let next = 0;
        for (let position = 0; position <= 25; position++) {
          for (const { document, after, part } of added) {
            if (after !== position) continue;
            parts[part]!.documents.set(parts[part]!.map.length, document);
            parts[part]!.map.push(next);
            merged.set(next++, document);
          }
          const previous = old[position];
          if (previous?.kept) {
            oldMap[position] = next;
            merged.set(next++, previous.document);
          }
        }
        const oldBytes = build(new Map(old.map(({ document }, id) => [id, document])), old.length);
        const bytes = mergeSegments(
          [
            { bytes: oldBytes, map: oldMap },
            ...parts.map(({ documents, map }) => ({
              bytes: build(documents, map.length),
              map: Int32Array.from(map),
            })),
          ],
          next + rest,
        );
        expect(Buffer.compare(bytes, build(merged, next + rest))).toBe(0);
      }),
      { numRuns: 400 },
    );
  });

  it('refuses torn bytes with one error, and never fails otherwise', () => {
    const damage = numbered.chain(({ documents, count }) => {
      const bytes = build(documents, count);
      return fc.record({
        bytes: fc.constant(bytes),
        length: fc.integer({ min: 0, max: bytes.length }),
        flips: fc.array(fc.tuple(fc.nat({ max: bytes.length }), fc.nat({ max: 255 })), { maxLength: 3 }),
        whole: fc.boolean(),
        query,
      });
    });
    fc.assert(
      fc.property(damage, ({ bytes, length, flips, whole, query }) => {
        const torn = bytes.slice(0, whole ? bytes.length : length);
        for (const [at, value] of flips) if (at < torn.length) torn[at] = value;
        try {
          const segment = openSegment(torn);
          segment.search(query, everything(segment.docCount), { after: null, limit: 5 });
          const map = Int32Array.from({ length: segment.docCount }, (_, id) => id);
          mergeSegments([{ bytes: torn, map }], segment.docCount);
        } catch (error) {
          expect(error).toBeInstanceOf(SegmentError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
