// Lays a licence text beside the words of a file, from the first shared words to the last, and names every difference.

export interface Edit {
  /** Words of the file that the licence does not have. */
  readonly from: number;
  readonly to: number;
  /** Words of the licence that the file does not have. */
  readonly lostFrom: number;
  readonly lostTo: number;
}

export interface Alignment {
  /** Where in the file the licence begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Differences between those, and what is missing of the licence before and after (there from = to). */
  readonly edits: readonly Edit[];
}

/** So many equal words in a row end a difference. */
const ROW = 4;
/** The longest difference, on the side of the file and of the licence, that is looked across. */
const MAX_ADDED = 48;
const MAX_LOST = 48;
/** Words of a preamble or an appendix that may be missing at once. */
const MAX_SKIPPED = 1_500;
/** More differences than this are another text. */
const MAX_EDITS = 60;

/**
 * Null where the licence is not there, or differs in more than a few places. Only around its terms, which stand
 * between two positions of the licence, may more than a line be missing at once.
 */
export function align(
  file: ArrayLike<number>,
  licence: ArrayLike<number>,
  termsBegin: number,
  termsEnd: number,
): Alignment | null {
  const start = findStart(file, licence, termsBegin);
  if (start === null) return null;
  let { i, j } = start;
  const from = i;
  const edits: Edit[] = j > 0 ? [{ from: i, to: i, lostFrom: 0, lostTo: j }] : [];
  while (j < licence.length) {
    if (i < file.length && file[i] === licence[j]) {
      i += 1;
      j += 1;
      continue;
    }
    const next = findRow(file, i, licence, j, j >= termsEnd || j < termsBegin);
    if (next === null) {
      edits.push({ from: i, to: i, lostFrom: j, lostTo: licence.length });
      break;
    }
    edits.push({ from: i, to: next.i, lostFrom: j, lostTo: next.j });
    if (edits.length > MAX_EDITS) return null;
    ({ i, j } = next);
  }
  return { from, to: i, edits };
}

/** The first place of the file that has a row of the licence's first words, or of its terms' first. */
function findStart(file: ArrayLike<number>, licence: ArrayLike<number>, termsBegin: number) {
  const heads: number[] = [];
  for (let j = 0; j < MAX_LOST && j + ROW <= licence.length; j += 1) heads.push(j);
  for (let j = termsBegin; j < termsBegin + MAX_LOST && j + ROW <= licence.length; j += 1) {
    if (j >= MAX_LOST) heads.push(j);
  }
  for (let i = 0; i < file.length; i += 1) {
    for (const j of heads) if (isRow(file, i, licence, j)) return { i, j };
  }
  return null;
}

/** The nearest later place where both go on alike; around the terms what is missing of the licence counts little. */
function findRow(
  file: ArrayLike<number>,
  i: number,
  licence: ArrayLike<number>,
  j: number,
  aroundTerms: boolean,
) {
  const maxLost = aroundTerms ? MAX_SKIPPED : MAX_LOST;
  const weight = aroundTerms ? MAX_SKIPPED / MAX_ADDED : 1;
  let best: { i: number; j: number } | null = null;
  let cost = Number.POSITIVE_INFINITY;
  for (let added = 0; added <= MAX_ADDED && added * weight < cost; added += 1) {
    const limit = Math.min(maxLost, cost - added * weight - 1);
    for (let lost = 0; lost <= limit; lost += 1) {
      if (!isRow(file, i + added, licence, j + lost)) continue;
      best = { i: i + added, j: j + lost };
      cost = added * weight + lost;
      break;
    }
  }
  return best;
}

/** At the end of both, what is left is enough. */
function isRow(file: ArrayLike<number>, i: number, licence: ArrayLike<number>, j: number): boolean {
  const length = Math.min(ROW, licence.length - j);
  if (length <= 0 || i + length > file.length) return false;
  for (let k = 0; k < length; k += 1) if (file[i + k] !== licence[j + k]) return false;
  return true;
}
