import fc from 'fast-check';
import { expect, it } from 'vitest';
import { copyPostings, readPostings, renumbering, writePostings } from './postings.ts';
import { ByteSink } from './sink.ts';

const COUNT = 2_000;
const numbers = (maxLength: number) =>
  fc.uniqueArray(fc.nat({ max: COUNT - 1 }), { maxLength }).map((list) => list.sort((a, b) => a - b));

it('a copied list is the one that is written of the documents that are kept', () => {
  const changes = fc.record({ documents: numbers(200), dropped: numbers(4), inserted: numbers(4) });
  fc.assert(
    fc.property(changes, ({ documents, dropped, inserted }) => {
      let next = 0;
      const map = Int32Array.from({ length: COUNT }, (_, document) => {
        if (inserted.includes(document)) next++;
        return dropped.includes(document) ? -1 : next++;
      });
      const packed = Uint32Array.from(documents, (document) => document * 256 + (document % 255) + 1);
      const list = new ByteSink(0);
      writePostings(packed, packed.length, COUNT, list);
      const kept = [...packed].flatMap((posting) => {
        const renumbered = map[posting >>> 8] ?? -1;
        return renumbered < 0 ? [] : [renumbered * 256 + (posting & 0xff)];
      });
      const copy = new ByteSink(0);
      const place = { start: 0, end: list.length, documents: packed.length };
      expect(copyPostings(list.bytes, place, renumbering(map, COUNT), copy)).toBe(kept.length);
      const read = new Uint32Array(kept.length);
      readPostings(copy.bytes, { start: 0, end: copy.length, documents: kept.length }, next + 1, read);
      expect([...read]).toEqual(kept);
    }),
    { numRuns: 500 },
  );
});
