import { expect, it } from 'vitest';
import { FIELDS, impactOf, inverseFrequency, MAX_IMPACT, occurrenceWeight } from './score.ts';

it('an inverse frequency is the base-2 logarithm in 256ths, and at least one', () => {
  for (const documents of [1, 2, 3, 10, 1_000, 129_091, 2 ** 24 - 1]) {
    for (const holding of [1, 2, documents >> 1, documents - 1, documents]) {
      if (holding < 1 || holding > documents) continue;
      const exact = 256 * Math.log2((2 * documents + 2) / (2 * holding + 1));
      expect(Math.abs(inverseFrequency(holding, documents) - Math.max(1, exact))).toBeLessThanOrEqual(1);
    }
  }
});

it('an impact is a byte that says "matches", grows with the weight and never runs over', () => {
  expect(impactOf(1e-9)).toBe(1);
  expect(impactOf(Number.MAX_VALUE / 1_000)).toBe(MAX_IMPACT);
  expect(impactOf(2)).toBeGreaterThan(impactOf(1));
});

it('a word counts more in a name than in a description, a detail or a body of usual length', () => {
  const usual = { name: 4, description: 40, details: 16, body: 800 };
  const weights = FIELDS.map((field) => occurrenceWeight(field, usual[field]));
  expect(weights).toEqual([8, 4, 2, 0.5]);
});
