// Takes over what the previous index knows of files that did not change: same path, same content, read the same way.
import { compareUtf8 } from '@skillquay/core/paths';
import { isSkillPath } from '../classify.ts';
import type { Index } from '../index.ts';
import {
  LISTING_REASONS,
  type ListingReason,
  RowClass,
  RowFlag,
  RowMode,
  SHA256_BYTES,
  SIZE_UNKNOWN,
  WITHHELD_REASONS,
} from '../tables.ts';
import type { Facts } from './build-facts.ts';
import type { Listing } from './build-listing.ts';
import { Found, isDescribed, Want } from './build-read.ts';
import { includesNothing, licenceOf } from './file-records.ts';
import { isDigest } from './sha256.ts';

const OID_BYTES = 20;

export class Previous {
  readonly #index: Index;
  readonly #listing: Listing;
  /** Row of each entry that did not change, -1 for the others. */
  readonly #row: Int32Array;
  /** 1 for each row whose title and summary were read because it introduces its folder. */
  readonly #introduces: Uint8Array;
  /** The diagnostics of row i are those from 2i to 2i + 1. */
  readonly #diagnostics: Uint32Array;
  /** 1 for each row whose signals were read because a skill includes it. */
  readonly #included: Uint8Array;

  constructor(index: Index, listing: Listing) {
    this.#index = index;
    this.#listing = listing;
    this.#row = unchangedRows(index, listing);
    this.#diagnostics = index.diagnosticsOfRows();
    this.#introduces = new Uint8Array(index.rowCount);
    for (const { row } of index.overviews) this.#introduces[row] = 1;
    this.#included = includedRows(index);
  }

  get segment(): Uint8Array {
    return this.#index.segment;
  }

  get docCount(): number {
    return this.#index.docCount;
  }

  get index(): Index {
    return this.#index;
  }

  /** The row of an entry that did not change, -1 for the others. */
  rowOf(entry: number): number {
    return this.#row[entry] ?? -1;
  }

  /** Number of the skill whose SKILL.md an entry was and is, -1 without one. */
  skillOf(entry: number): number {
    const row = this.#row[entry] ?? -1;
    return this.#index.class[row] === RowClass.skill ? (this.#index.owner[row] ?? -1) : -1;
  }

  /** Why a skill that did not change was not listed ('' = it was), null for any other. */
  listingOf(entry: number): ListingReason | null {
    const skill = this.skillOf(entry);
    return skill === -1 ? null : (LISTING_REASONS[this.#index.listing.reason[skill] ?? 0] ?? null);
  }

  /** The digest of an entry that did not change, null where it was not asked for. */
  sha256Of(entry: number): Uint8Array | null {
    const row = this.#row[entry] ?? -1;
    if (row === -1) return null;
    const { sha256 } = this.#index;
    return isDigest(sha256, row) ? sha256.subarray(row * SHA256_BYTES, (row + 1) * SHA256_BYTES) : null;
  }

  /** SIZE_UNKNOWN where it is not known. */
  sizeOf(entry: number): number {
    const row = this.#row[entry] ?? -1;
    // The row of a pointer has the size of what it stands for.
    if (row === -1 || this.#isPointer(row)) return SIZE_UNKNOWN;
    return this.#index.size[row] ?? SIZE_UNKNOWN;
  }

  #isPointer(row: number): boolean {
    return WITHHELD_REASONS[this.#index.withheld[row] ?? 0] === 'lfs_pointer';
  }

  /** Whether `facts` now hold all that reading the entry for `want` would give. `rowClass` is what it is now. */
  supply(facts: Facts, entry: number, want: number, rowClass: number): boolean {
    const row = this.#row[entry] ?? -1;
    if (row === -1) return false;
    const found =
      (want & Want.skill) === 0 ? this.#foundBefore(row, want, rowClass) : this.#judgedBefore(row);
    if (found === null) return false;
    const isSkill = (found & Found.skill) !== 0;
    const isSearched = isSkill || ((want & Want.search) !== 0 && (found & Found.text) !== 0);
    const doc = this.#index.doc[row] ?? -1;
    if (isSearched && doc === -1) return false;
    const encoded = isSkill ? this.#index.encodedSkill(this.#index.owner[row] ?? -1) : null;
    // Whether its body is searched and followed may have changed; then it is read again.
    const wasDescribed = this.#index.withheld[row] !== 0;
    if (encoded !== null && isDescribed(want, () => licenceOf(encoded)) !== wasDescribed) return false;
    // What was read as a SKILL.md before has its links and diagnostics from there.
    if (facts.known[entry] === 0) this.#copy(facts, entry, row);
    facts.found[entry] = found;
    if (found === Found.pointer) facts.pointedSize.set(entry, this.#index.size[row] ?? SIZE_UNKNOWN);
    if (encoded !== null) facts.takeOverSkill(entry, encoded);
    if (isSearched) facts.document[entry] = doc;
    if ((want & Want.introduction) !== 0) this.#copyIntroduction(facts, entry, row);
    return true;
  }

  /** `Found` of the row as it was read to see whether it is a skill, null where it was not. */
  #judgedBefore(row: number): number | null {
    switch (this.#index.class[row]) {
      case RowClass.skill:
        return Found.text | Found.skill;
      case RowClass.withheld:
        return this.#foundWithheld(row);
      default:
        return this.#isText(row) ? Found.text : 0;
    }
  }

  /** `Found` of the row as it was read before, null where it was not read in the way that is wanted now. */
  #foundBefore(row: number, want: number, rowClass: number): number | null {
    const before = this.#index.class[row] ?? 0;
    if (before === RowClass.withheld)
      return want === 0 && !this.#isPointer(row) ? null : this.#foundWithheld(row);
    if (before !== rowClass) return null;
    if (want === 0) return this.#included[row] === 1 ? null : 0;
    const introduced = before === RowClass.document || this.#introduces[row] === 1;
    const isMarkdownWant = (want & Want.links) !== 0;
    if (isMarkdownWant && introduced !== ((want & Want.introduction) !== 0)) return null;
    if (((want & Want.signals) !== 0) !== (this.#included[row] === 1)) return null;
    // It may be text and not have been asked whether it is.
    if ((want & ~Want.signals) === Want.text && !this.#isText(row)) return null;
    return this.#isText(row) ? Found.text : 0;
  }

  /** `Found` of a row that is withheld for what it holds, null where it is for another reason. */
  #foundWithheld(row: number): number | null {
    if (this.#isPointer(row)) return Found.pointer;
    return WITHHELD_REASONS[this.#index.withheld[row] ?? 0] === 'not_text' ? 0 : null;
  }

  #isText(row: number): boolean {
    return ((this.#index.flags[row] ?? 0) & RowFlag.knownText) !== 0;
  }

  #copy(facts: Facts, entry: number, row: number): void {
    const links = this.#index.links(row);
    if (links.length > 0) facts.links[entry] = links;
    const path = this.#listing.path[entry] ?? '';
    const behind = this.#diagnostics[row * 2 + 1] ?? 0;
    for (let number = this.#diagnostics[row * 2] ?? 0; number < behind; number += 1) {
      const found = this.#index.encodedDiagnostic(number, path);
      if (found.ofFile) facts.diagnostics.push(found);
    }
    facts.known[entry] = 1;
  }

  #copyIntroduction(facts: Facts, entry: number, row: number): void {
    const encoded = this.#index.encodedText(row);
    if (encoded !== null) facts.introduction[entry] = { encoded };
  }
}

function includedRows(index: Index): Uint8Array {
  const included = new Uint8Array(index.rowCount);
  for (let skill = 0; skill < index.skillCount; skill += 1)
    if (!includesNothing(index.encodedSkill(skill)))
      for (const row of index.skill(skill).includes) if (!isSkillPath(index.path(row))) included[row] = 1;
  return included;
}

/** Walks both lists side by side: both are in the byte order of paths. */
function unchangedRows(index: Index, listing: Listing): Int32Array {
  const rows = new Int32Array(listing.count).fill(-1);
  let row = 0;
  let path = index.rowCount > 0 ? index.path(0) : '';
  for (let entry = 0; entry < listing.count && row < index.rowCount; entry += 1) {
    const wanted = listing.path[entry] ?? '';
    while (row < index.rowCount && path !== wanted && compareUtf8(path, wanted) < 0) {
      row += 1;
      if (row < index.rowCount) path = index.path(row);
    }
    if (row < index.rowCount && path === wanted && isSameFile(index, row, listing, entry)) rows[entry] = row;
  }
  return rows;
}

function isSameFile(index: Index, row: number, listing: Listing, entry: number): boolean {
  if (!isFile(index.mode[row]) || !isFile(listing.mode[entry])) return false;
  const before = row * OID_BYTES;
  const now = entry * OID_BYTES;
  for (let i = 0; i < OID_BYTES; i += 1) if (index.oids[before + i] !== listing.oid[now + i]) return false;
  return true;
}

function isFile(mode: number | undefined): boolean {
  return mode === RowMode.file || mode === RowMode.executable;
}
