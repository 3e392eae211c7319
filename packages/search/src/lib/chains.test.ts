import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Chains } from './chains.ts';

it('lists keep what was pushed, however they were interleaved and however long they grew', () => {
  const pushes = fc.array(
    fc.record({ list: fc.nat({ max: 2_000 }), times: fc.oneof(fc.constant(1), fc.nat({ max: 3_000 })) }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(pushes, (pushes) => {
      const chains = new Chains();
      const expected = new Map<number, number[]>();
      let value = 0xffff_ff00;
      for (const { list, times } of pushes) {
        const kept = expected.get(list) ?? [];
        expected.set(list, kept);
        for (let time = 0; time < times; time++) {
          value = (value + 1) >>> 0;
          chains.push(list, value);
          kept.push(value);
        }
      }
      for (const [list, kept] of expected) {
        const read = new Uint32Array(kept.length);
        chains.read(list, read);
        expect([chains.length(list), ...read]).toEqual([kept.length, ...kept]);
      }
    }),
  );
});
