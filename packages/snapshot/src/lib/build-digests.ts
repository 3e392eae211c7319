// Digests what the skills extension lists: the files of skills that can be listed, and their documents. What cannot be
// digested is not listed. Source: format, sections 8 and 9.
import { MAX_CONTEXT_FILE_BYTES } from '@skillquay/core/limits';
import type { Classes } from '../classify.ts';
import { type ListingColumns, MAX_LISTED_BYTES, SHA256_BYTES } from '../tables.ts';
import type { JudgedSkills } from './build-judged.ts';
import { KeptDocuments } from './build-kept.ts';
import { ByteBudget } from './build-limits.ts';
import { Documents } from './build-plans.ts';
import { between, type Candidates, findCandidates, isServedEntry, listingNumber } from './build-portable.ts';
import type { Commit } from './build-steps.ts';

export interface Listings extends ListingColumns {
  /** 1 for each entry whose digest the index holds. */
  readonly isDigested: Uint8Array;
}

export async function listSkills(
  commit: Commit,
  classes: Classes,
  judged: JudgedSkills,
  source: { readonly commit: string; readonly rawUrl: string | null },
): Promise<Listings> {
  const candidates = findCandidates(commit, classes, judged);
  const { reason } = candidates;
  const columns = {
    reason,
    sha256: new Uint8Array(reason.length * SHA256_BYTES),
    size: new Uint32Array(reason.length),
  };
  await digestFiles(commit, classes, candidates);
  await digestAll(new Documents(commit, classes, judged, source), commit, classes, judged, columns);
  judgeSizes(commit, classes, candidates, columns);
  // A nested skill that turned out not to be listed is read as it is stored.
  await digestFiles(commit, classes, candidates);
  reason.forEach((number, skill) => {
    if (number === 0) return;
    columns.sha256.fill(0, skill * SHA256_BYTES, (skill + 1) * SHA256_BYTES);
    columns.size[skill] = 0;
  });
  return { ...columns, isDigested: entriesOf(classes, candidates) };
}

/** 1 for each file in the directory of a skill without a reason, but for their SKILL.md. */
function entriesOf(classes: Classes, { reason, from, to }: Candidates): Uint8Array {
  const inside = new Uint8Array(classes.class.length);
  reason.forEach((number, skill) => {
    if (number === 0) inside.fill(1, from[skill], to[skill]);
  });
  for (let entry = 0; entry < inside.length; entry += 1)
    if (inside[entry] === 1 && !isServedEntry(classes, entry)) inside[entry] = 0;
  classes.skills.forEach((entry, skill) => {
    if (reason[skill] === 0) inside[entry] = 0;
  });
  return inside;
}

async function digestFiles(commit: Commit, classes: Classes, candidates: Candidates): Promise<void> {
  const { facts, reading } = commit;
  const inside = entriesOf(classes, candidates);
  const wanted: number[] = [];
  inside.forEach((isInside, entry) => {
    if (isInside === 1 && !facts.hasDigest(entry)) wanted.push(entry);
  });
  if (wanted.length === 0) return;
  await reading.digest(wanted);
  // Of the entries before each: how many should have a digest and have none.
  const lost = new Uint32Array(inside.length + 1);
  for (const entry of wanted) if (!facts.hasDigest(entry)) lost[entry + 1] = 1;
  for (let i = 1; i < lost.length; i += 1) lost[i] = (lost[i] ?? 0) + (lost[i - 1] ?? 0);
  const { reason, from, to } = candidates;
  const unavailable = listingNumber('file_unavailable');
  reason.forEach((number, skill) => {
    if (number === 0 && between(lost, from[skill] ?? 0, to[skill] ?? 0) > 0) reason[skill] = unavailable;
  });
}

async function digestAll(
  documents: Documents,
  commit: Commit,
  classes: Classes,
  judged: JudgedSkills,
  { reason, sha256, size }: ListingColumns,
): Promise<void> {
  const { previous } = commit;
  const kept = previous === null ? null : new KeptDocuments(commit, classes, judged, documents, previous);
  const wanted: number[] = [];
  let bytes = 0;
  // However many skills share their rules and includes: no more is put together of a commit than is read of one.
  const budget = new ByteBudget(commit.limits.blobBytes);
  reason.forEach((number, skill) => {
    if (number !== 0) return;
    const cost = documents.bytesOf(skill);
    if (cost > MAX_CONTEXT_FILE_BYTES) reason[skill] = listingNumber('too_large');
    else if (!budget.take(cost)) reason[skill] = listingNumber('file_unavailable');
    if (reason[skill] !== 0) return;
    const before = kept?.of(skill) ?? -1;
    if (before === -1 || previous === null) {
      wanted.push(skill);
      bytes += commit.facts.size[classes.skills[skill] ?? 0] ?? 0;
      return;
    }
    const { listing } = previous.index;
    sha256.set(
      listing.sha256.subarray(before * SHA256_BYTES, (before + 1) * SHA256_BYTES),
      skill * SHA256_BYTES,
    );
    size[skill] = listing.size[before] ?? 0;
  });
  await commit.reading.assemble(documents.tasks(wanted), bytes, ({ plans }, result) => {
    plans.forEach(({ skill }, i) => {
      size[skill] = result.size[i] ?? 0;
      if (size[skill] === 0) reason[skill] = listingNumber('file_unavailable');
      else sha256.set(result.sha256.subarray(i * SHA256_BYTES, (i + 1) * SHA256_BYTES), skill * SHA256_BYTES);
    });
  });
}

/** Judges directories again with the documents in the place of the SKILL.md that they are made of. */
function judgeSizes(
  { facts }: Commit,
  classes: Classes,
  { reason, from, to, bytes }: Candidates,
  { size }: ListingColumns,
): void {
  const grown = new Float64Array(bytes.length);
  classes.skills.forEach((entry, skill) => {
    if (reason[skill] === 0) grown[entry + 1] = (size[skill] ?? 0) - (facts.size[entry] ?? 0);
  });
  for (let i = 1; i < grown.length; i += 1) grown[i] = (grown[i] ?? 0) + (grown[i - 1] ?? 0);
  const tooLarge = listingNumber('too_large');
  reason.forEach((number, skill) => {
    if (number !== 0) return;
    const [first, end] = [from[skill] ?? 0, to[skill] ?? 0];
    const total = between(bytes, first, end) + between(grown, first, end);
    if (total > MAX_LISTED_BYTES) reason[skill] = tooLarge;
  });
}
