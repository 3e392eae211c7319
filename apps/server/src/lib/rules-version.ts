// Names the rules by which an index was made: another version, or another limit, is another index.
import { createHash } from 'node:crypto';
import { READING_RULES, type ReadingLimits } from '@skillquay/core/limits';
import type { Serving } from '@skillquay/snapshot/tables';

/**
 * E.g. `1-5f3c0a9e81d24b67`. The Unicode version of the runtime counts: it decides what a word is, so processes that
 * share a store and differ in it must not share indexes. What licences decide counts likewise: what one index keeps back
 * another holds.
 */
export function rulesVersion(limits: ReadingLimits, serving: Serving): string {
  const sorted = Object.entries(limits).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256')
    .update(JSON.stringify([sorted, process.versions.unicode, serving]))
    .digest('hex');
  return `${READING_RULES}-${hash.slice(0, 16)}`;
}
