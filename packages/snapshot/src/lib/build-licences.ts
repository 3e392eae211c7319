// Whose licence holds where: reads the licence files of a commit and resolves them with the fields. Source: format, section 10.
import { decodeUtf8 } from '@skillquay/core/decode';
import type { SkillFacts } from '@skillquay/core/facts';
import { readLfsPointer } from '@skillquay/core/lfs';
import {
  type Licence,
  type ResolvedLicence,
  readLicenceField,
  strictest,
  UNRECOGNISED,
} from '@skillquay/core/licence';
import { licenceFilesOf, MAX_LICENCE_BYTES, mayBeLicenceFile } from '@skillquay/core/licence-file';
import { loadLicenceMatcher } from '@skillquay/core/licence-text';
import type { ReadingLimits } from '@skillquay/core/limits';
import { MANIFEST_FILE } from '@skillquay/core/manifest-file';
import { basename, dirname, joinPath } from '@skillquay/core/paths';
import { streamObjects } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import { skillFolderOf } from '../classify.ts';
import { type Policy, Scope, scopeOf } from '../policy.ts';
import { RowMode } from '../tables.ts';
import { ByteBudget } from './build-limits.ts';
import { type Listing, oidsOf } from './build-listing.ts';
import { OWN_FIELD, ownFile, placeOfField } from './licence-place.ts';

/** What was said; null = nothing. `where` as an index writes it. */
export type Said = ResolvedLicence | null;

/** The field of a SKILL.md or SKILLCDN.md. */
export type LicenceField = Pick<SkillFacts, 'license' | 'licenseUnreadable'>;

/** What a field says, null where it is silent. */
export function licenceOfField({ license, licenseUnreadable }: LicenceField): Licence | null {
  if (licenseUnreadable === true) return UNRECOGNISED;
  return license === undefined ? null : readField(license);
}

/** Tens of thousands of skills name the same few licences. */
const fields = new Map<string, Licence | null>();
const MAX_FIELDS = 1_000;
const MAX_FIELD_LENGTH = 200;

function readField(text: string): Licence | null {
  if (text.length > MAX_FIELD_LENGTH) return readLicenceField(text);
  const known = fields.get(text);
  if (known !== undefined) return known;
  if (fields.size === MAX_FIELDS) fields.clear();
  const licence = readLicenceField(text);
  fields.set(text, licence);
  return licence;
}

interface FileLicence extends Licence {
  readonly name: string;
}

/** The licences of a commit but for the fields of its skills, which are not read yet. */
export class Licences {
  /** What the licence files in a folder say: of folders with something called SKILL.md, and of the root. */
  readonly #files: ReadonlyMap<string, FileLicence>;
  /** For what each manifest governs, in their order; last for what lies below none. */
  readonly #places: readonly Said[];

  constructor(policy: Policy, files: ReadonlyMap<string, FileLicence>) {
    this.#files = files;
    const root = files.get('');
    const ofRootFile: Said = root === undefined ? null : said(root, root.name);
    const fields = policy.manifests.map(({ folder, facts }): Said => {
      const field = licenceOfField(facts);
      return field === null ? null : said(field, placeOfField(joinPath(folder, MANIFEST_FILE)));
    });
    const ofRoot = (number: number): Said => ofRootFile ?? fields[number] ?? null;
    const places = policy.manifests.map(({ folder }, number): Said => {
      let at = number;
      for (let above = folder; above !== ''; above = policy.manifests[at]?.folder ?? '') {
        const field = fields[at] ?? null;
        if (field !== null) return field;
        at = policy.above[at] ?? -1;
      }
      return ofRoot(at);
    });
    this.#places = [...places, ofRootFile];
  }

  /** Of files that no skill owns, by the number of the manifest that governs them, -1 where none does. */
  ofPlace(manifest: number): Said {
    return this.#places.at(manifest) ?? null;
  }

  /** What the licence files in a skill's directory say: then its field is not heard. */
  ofDirectory(folder: string): Said {
    const file = this.#files.get(folder);
    return file === undefined ? null : said(file, ownFile(file.name));
  }

  /** Of the skill in a folder. `field` is asked for only where it decides. */
  ofSkill(folder: string, manifest: number, field: () => LicenceField): Said {
    const ofDirectory = this.ofDirectory(folder);
    if (ofDirectory !== null) return ofDirectory;
    const ofField = licenceOfField(field());
    return ofField === null ? this.ofPlace(manifest) : said(ofField, OWN_FIELD);
  }
}

function said({ kind, label }: Licence, where: string): ResolvedLicence {
  return { kind, label, where };
}

/**
 * Of the bytes that are read of a commit one in so many may be text of licences, each text counted once: to recognise a
 * hostile one takes up to a millisecond a KiB. What lies beyond is not recognised, and so not passed on.
 */
export const LICENCE_SHARE = 16;

/** Reads the licence files that may decide. One that a manifest excludes is as if it had never been there. */
export async function readLicences(
  git: GitRepository,
  listing: Listing,
  policy: Policy,
  { blobBytes }: ReadingLimits,
  signal: AbortSignal,
): Promise<Licences> {
  const folders = decidingFiles(listing, policy);
  const readable: number[] = [];
  for (const entries of folders.values())
    for (const entry of entries.values()) if (isFile(listing.mode[entry])) readable.push(entry);
  const budget = new ByteBudget(blobBytes / LICENCE_SHARE);
  const licences = await readEach(git, listing, readable, budget, signal);
  const files = new Map<string, FileLicence>();
  for (const [folder, entries] of folders) {
    const found = Array.from(entries, ([name, entry]) => ({
      ...(licences.get(oidText(listing, entry)) ?? UNRECOGNISED),
      name,
    }));
    const strict = strictest(found);
    for (const one of found) if (one === strict) files.set(folder, one);
  }
  return new Licences(policy, files);
}

/** No entry: a name that no address can spell, whose content is not looked at. */
const NO_ENTRY = -1;

/**
 * The names that state the licence of a folder, with their entries: of folders with something called SKILL.md, and of
 * the root.
 */
function decidingFiles(listing: Listing, policy: Policy): Map<string, ReadonlyMap<string, number>> {
  const named = new Map<string, Map<string, number>>();
  const add = (path: string, entry: number) => {
    const name = basename(path);
    if (!mayBeLicenceFile(name)) return;
    const others = named.get(dirname(path));
    if (others) others.set(name, entry);
    else named.set(dirname(path), new Map([[name, entry]]));
  };
  const folders = new Set(['']);
  for (let entry = 0; entry < listing.count; entry += 1) {
    if (policy.scope[entry] !== Scope.open) continue;
    const path = listing.path[entry] ?? '';
    const folder = skillFolderOf(path);
    if (folder !== null) folders.add(folder);
    add(path, entry);
  }
  for (const { path } of listing.unaddressable) if (scopeOf(policy, path) === Scope.open) add(path, NO_ENTRY);
  const deciding = new Map<string, ReadonlyMap<string, number>>();
  for (const folder of folders) {
    const files = named.get(folder);
    if (files === undefined) continue;
    const names = licenceFilesOf(files.keys());
    if (names.length === 0) continue;
    deciding.set(folder, new Map(names.map((name) => [name, files.get(name) ?? NO_ENTRY])));
  }
  return deciding;
}

/** What files say, by their hash: most are copies of a few. One that cannot be read is not among them. */
async function readEach(
  git: GitRepository,
  listing: Listing,
  entries: readonly number[],
  budget: ByteBudget,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Licence>> {
  const said = new Map<string, Licence>();
  const distinct = [...new Map(entries.map((entry) => [oidText(listing, entry), entry])).values()];
  if (distinct.length === 0) return said;
  const match = await loadLicenceMatcher();
  await streamObjects(
    git,
    oidsOf(listing, distinct),
    (i, content) => {
      if (content === null || !budget.take(content.length) || readLfsPointer(content) !== null) return;
      const decoded = decodeUtf8(content);
      if (decoded.ok) said.set(oidText(listing, distinct[i] ?? NO_ENTRY), match(decoded.text));
    },
    { signal, maxBytes: MAX_LICENCE_BYTES },
  );
  return said;
}

function isFile(mode: number | undefined): boolean {
  return mode === RowMode.file || mode === RowMode.executable;
}

function oidText(listing: Listing, entry: number): string {
  return Buffer.from(oidsOf(listing, [entry])).toString('latin1');
}
