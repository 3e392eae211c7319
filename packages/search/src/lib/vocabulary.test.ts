import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunkTokens } from '../tokens.ts';
import { Vocabulary } from './vocabulary.ts';

it('gives a chunk its own terms, although all hashes collide and the cache overflows', () => {
  const chunk = fc.oneof(
    fc.constantFrom('a', 'b', 'ab', 'deploy', 'deploys', 'getUserById', '数据库', 'é', 'x'.repeat(200), '✅'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
  );
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 80 }), fc.nat({ max: 200 }), (chunks, records) => {
      const vocabulary = new Vocabulary(records);
      for (const text of chunks) {
        const bytes = Buffer.from(`<${text}>`);
        vocabulary.find(bytes, 1, bytes.length - 1, bytes.length % 3);
        const { names, records, from, to } = vocabulary;
        const found = [...records.subarray(from, to)].map((id) =>
          Buffer.from(names[id] ?? '', 'latin1').toString(),
        );
        expect(found).toEqual(chunkTokens(text).flatMap(({ terms }) => terms));
      }
    }),
  );
});
