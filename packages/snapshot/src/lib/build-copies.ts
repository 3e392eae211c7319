// Finds skills that are copies of each other, and which of them counts. Source: format, section 9.
import { createHash } from 'node:crypto';
import type { Licence } from '@skillquay/core/licence';
import { compareUtf8, dirname, isHidden } from '@skillquay/core/paths';
import type { Listing } from './build-listing.ts';

const OID_BYTES = 20;

export interface CopyInput {
  readonly listing: Listing;
  /** Entry of each skill's SKILL.md. */
  readonly skills: readonly number[];
  /** Number of the skill each entry belongs to, -1 without one. */
  readonly owner: Int32Array;
  /** Entries of the manifests whose rules are in force for a skill, from the root down. */
  readonly rulesOf: (skill: number) => readonly number[];
  /** Entries a skill includes, in order, and paths of those that are missing. */
  readonly includesOf: (skill: number) => {
    readonly entries: readonly number[];
    readonly missing: readonly string[];
  };
  readonly licenceOf: (skill: number) => Licence | null;
}

export interface Copies {
  readonly hidden: Uint8Array;
  /** The skill each is a copy of, -1 for the one that counts. */
  readonly copyOf: Int32Array;
}

/** Copies agree in relative paths, contents and modes of their files, in the rules in force, in what they include and in licence. */
export function findCopies(input: CopyInput): Copies {
  const { listing, skills } = input;
  const hidden = Uint8Array.from(skills, (entry) => (isHidden(listing.path[entry] ?? '') ? 1 : 0));
  const copyOf = new Int32Array(skills.length).fill(-1);
  const files = filesBySkill(skills.length, input.owner);
  const firstOf = new Map<string, number>();
  const depth = (skill: number) => (listing.path[skills[skill] ?? 0] ?? '').split('/').length;
  const comesBefore = (a: number, b: number) =>
    (hidden[a] ?? 0) - (hidden[b] ?? 0) ||
    depth(a) - depth(b) ||
    compareUtf8(listing.path[skills[a] ?? 0] ?? '', listing.path[skills[b] ?? 0] ?? '');
  const candidates = sharedSkillFiles(listing, skills);
  const keys = new Map<number, string>();
  for (const skill of candidates) {
    const key = keyOf(input, skill, files.rows.subarray(files.ends[skill - 1] ?? 0, files.ends[skill]));
    keys.set(skill, key);
    const first = firstOf.get(key);
    if (first === undefined || comesBefore(skill, first) < 0) firstOf.set(key, skill);
  }
  for (const [skill, key] of keys) {
    const first = firstOf.get(key) ?? skill;
    if (first !== skill) copyOf[skill] = first;
  }
  return { hidden, copyOf };
}

/** Skills whose SKILL.md has the content of another's: only they can be copies. */
function sharedSkillFiles(listing: Listing, skills: readonly number[]): number[] {
  const count = new Map<string, number>();
  const oids = skills.map((entry) => oidText(listing, entry));
  for (const oid of oids) count.set(oid, (count.get(oid) ?? 0) + 1);
  const shared: number[] = [];
  oids.forEach((oid, skill) => {
    if ((count.get(oid) ?? 0) > 1) shared.push(skill);
  });
  return shared;
}

/** The entries of each skill, in path order: those of skill i end at `ends[i]`. */
function filesBySkill(count: number, owner: Int32Array): { rows: Int32Array; ends: Int32Array } {
  const ends = new Int32Array(count);
  for (const skill of owner) if (skill !== -1) ends[skill] = (ends[skill] ?? 0) + 1;
  let total = 0;
  for (let skill = 0; skill < count; skill += 1) {
    const size = ends[skill] ?? 0;
    ends[skill] = total;
    total += size;
  }
  const rows = new Int32Array(total);
  for (let entry = 0; entry < owner.length; entry += 1) {
    const skill = owner[entry] ?? -1;
    if (skill === -1) continue;
    const at = ends[skill] ?? 0;
    rows[at] = entry;
    ends[skill] = at + 1;
  }
  return { rows, ends };
}

function keyOf(input: CopyInput, skill: number, files: Int32Array): string {
  const { listing } = input;
  const folder = dirname(listing.path[input.skills[skill] ?? 0] ?? '');
  const start = folder === '' ? 0 : folder.length + 1;
  const hash = createHash('sha256');
  for (const entry of files) {
    hash.update(`${(listing.path[entry] ?? '').slice(start)}\0${listing.mode[entry]}\0`);
    hash.update(listing.oid.subarray(entry * OID_BYTES, (entry + 1) * OID_BYTES));
  }
  hash.update('\0rules\0');
  for (const entry of input.rulesOf(skill)) hash.update(oidText(listing, entry), 'latin1');
  hash.update('\0includes\0');
  const { entries, missing } = input.includesOf(skill);
  for (const entry of entries) hash.update(oidText(listing, entry), 'latin1');
  for (const path of missing)
    hash.update(`\0${path.startsWith(`${folder}/`) ? path.slice(start) : `/${path}`}`);
  const licence = input.licenceOf(skill);
  if (licence !== null) hash.update(`\0licence\0${licence.kind}\0${licence.label}`);
  return hash.digest('base64');
}

function oidText(listing: Listing, entry: number): string {
  return Buffer.from(listing.oid.buffer, listing.oid.byteOffset + entry * OID_BYTES, OID_BYTES).toString(
    'latin1',
  );
}

/** Counted, browsed and searched: what is no copy and not hidden, and hidden ones where there is no other. */
export function discoverable(copies: Copies): Uint8Array {
  const anyVisible = copies.hidden.includes(0);
  return Uint8Array.from(copies.copyOf, (original, skill) =>
    original === -1 && (!anyVisible || copies.hidden[skill] === 0) ? 1 : 0,
  );
}
