// Scores: BM25F in whole numbers, so that every machine gives every document the same one.
//
//   score(document) = Σ over the query's terms of  inverse frequency(term) × impact(term, document)
//
// The impact is kept in the posting. It depends on its document alone: fields are measured against the typical
// lengths below, never against an average of the corpus, which is why segments merge by copying.

/** A field's weight, the length that counts as neither short nor long (in terms), and how much length matters. */
interface FieldRule {
  readonly weight: number;
  readonly typicalLength: number;
  readonly lengthEffect: number;
}

export const FIELDS = ['name', 'description', 'details', 'body'] as const;
export type Field = (typeof FIELDS)[number];

const RULES: Readonly<Record<Field, FieldRule>> = {
  name: { weight: 8, typicalLength: 4, lengthEffect: 0.5 },
  description: { weight: 4, typicalLength: 40, lengthEffect: 0.6 },
  details: { weight: 2, typicalLength: 16, lengthEffect: 0.6 },
  body: { weight: 0.5, typicalLength: 800, lengthEffect: 0.75 },
};

/** How soon more of the same term stops to matter (BM25's k1). */
const SATURATION = 1.2;

export const MAX_IMPACT = 255;

/** What one occurrence of a term adds in a field of so many terms. */
export function occurrenceWeight(field: Field, length: number): number {
  const { weight, typicalLength, lengthEffect } = RULES[field];
  return weight / (1 - lengthEffect + (lengthEffect * length) / typicalLength);
}

/** The summed weight of a term's occurrences in a document as a byte from 1 to 255. Plain IEEE arithmetic: exact. */
export function impactOf(weight: number): number {
  return Math.max(1, Math.round((MAX_IMPACT * weight) / (SATURATION + weight)));
}

const FRACTION_BITS = 8;

/**
 * log2((N + 1) / (n + ½)) in 256ths, at least 1, for a term in n of N documents. By repeated squaring, because
 * Math.log may differ between machines.
 */
export function inverseFrequency(termDocuments: number, documents: number): number {
  let ratio = (2 * documents + 2) / (2 * termDocuments + 1);
  let logarithm = 0;
  while (ratio >= 2) {
    ratio /= 2;
    logarithm += 1;
  }
  for (let bit = 0; bit < FRACTION_BITS; bit++) {
    ratio *= ratio;
    logarithm *= 2;
    if (ratio >= 2) {
      ratio /= 2;
      logarithm += 1;
    }
  }
  return Math.max(1, logarithm);
}
