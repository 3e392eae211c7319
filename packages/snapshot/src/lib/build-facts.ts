// What is known of the files of a commit, by entry: filled from readers and from the previous index.
import type { AskedScript, SkillFacts } from '@skillquay/core/facts';
import { type DiagnosticRecord, type EncodedDiagnostic, SHA256_BYTES, SIZE_UNKNOWN } from '../tables.ts';
import type { LicenceField } from './build-licences.ts';
import { type Introduction, type ReadResult, type ReadTask, type SegmentPiece, Want } from './build-read.ts';
import { factsOf, includeOf, licenceOf, scriptsOf } from './file-records.ts';
import { isDigest } from './sha256.ts';

/** Where the search document of an entry comes from, beside document numbers of the previous index. */
export const NO_DOCUMENT = -1;
export const NEW_DOCUMENT = -2;

export class Facts {
  /** Bytes, SIZE_UNKNOWN until asked for and for what is missing. */
  readonly size: Uint32Array;
  /** Of the files that pointers stand for, by the entry of the pointer. */
  readonly pointedSize = new Map<number, number>();
  /** `Found` of each entry that was read. */
  readonly found: Uint8Array;
  /** 1 for each entry that was read, or known from the previous index. */
  readonly known: Uint8Array;
  readonly document: Int32Array;
  /** SHA-256 of the bytes of each entry, 32 each; zero where nobody asked. */
  readonly sha256: Uint8Array;
  readonly #skill: (SkillFacts | Uint8Array | undefined)[];
  readonly introduction: (Introduction | undefined)[];
  readonly links: (readonly string[] | undefined)[];
  /** What files are told about themselves. */
  readonly diagnostics: (DiagnosticRecord | EncodedDiagnostic)[] = [];
  readonly pieces: SegmentPiece[] = [];

  constructor(count: number) {
    this.size = new Uint32Array(count).fill(SIZE_UNKNOWN);
    this.found = new Uint8Array(count);
    this.known = new Uint8Array(count);
    this.document = new Int32Array(count).fill(NO_DOCUMENT);
    this.sha256 = new Uint8Array(count * SHA256_BYTES);
    this.#skill = new Array(count);
    this.introduction = new Array(count);
    this.links = new Array(count);
  }

  /** Takes a skill over from another index, as it is written there. */
  takeOverSkill(entry: number, encoded: Uint8Array): void {
    this.#skill[entry] = encoded;
  }

  skillOf(entry: number): SkillFacts | undefined {
    const skill = this.#skill[entry];
    return skill instanceof Uint8Array ? factsOf(skill) : skill;
  }

  /** The skill as another index holds it; undefined where it was read. */
  encodedSkill(entry: number): Uint8Array | undefined {
    const skill = this.#skill[entry];
    return skill instanceof Uint8Array ? skill : undefined;
  }

  includeOf(entry: number): readonly string[] | undefined {
    const skill = this.#skill[entry];
    return skill instanceof Uint8Array ? includeOf(skill) : skill?.include;
  }

  scriptsOf(entry: number): readonly AskedScript[] | undefined {
    const skill = this.#skill[entry];
    return skill instanceof Uint8Array ? scriptsOf(skill) : skill?.scripts;
  }

  licenceOf(entry: number): LicenceField {
    const skill = this.#skill[entry];
    return skill instanceof Uint8Array ? licenceOf(skill) : (skill ?? {});
  }

  add(task: ReadTask, result: ReadResult): void {
    for (let i = 0; i < task.entries.length; i += 1) {
      const entry = task.entries[i] ?? 0;
      this.known[entry] = 1;
      this.found[entry] = result.found[i] ?? 0;
    }
    for (const { entry, facts } of result.skills) this.#skill[entry] = facts;
    for (const { entry, introduction } of result.introductions) this.introduction[entry] = introduction;
    for (const { entry, size } of result.pointers) this.pointedSize.set(entry, size);
    for (const { entry, targets } of result.links) this.links[entry] = targets;
    for (const diagnostic of result.diagnostics) this.diagnostics.push({ ...diagnostic, ofFile: true });
    this.addDigests(task, result);
    this.addPieces(result.pieces);
  }

  addDigests({ entries, wants }: ReadTask, { sha256 }: ReadResult): void {
    if (sha256.length === 0) return;
    for (let i = 0; i < entries.length; i += 1) {
      if (((wants[i] ?? 0) & Want.digest) === 0) continue;
      const digest = sha256.subarray(i * SHA256_BYTES, (i + 1) * SHA256_BYTES);
      this.sha256.set(digest, (entries[i] ?? 0) * SHA256_BYTES);
    }
  }

  hasDigest(entry: number): boolean {
    return isDigest(this.sha256, entry);
  }

  addPieces(pieces: readonly SegmentPiece[]): void {
    for (const piece of pieces) {
      this.pieces.push(piece);
      for (const entry of piece.entries) this.document[entry] = NEW_DOCUMENT;
    }
  }
}
