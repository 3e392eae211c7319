// An open index: views of the sections of a file, with strings and records decoded by the call that wants them.
import type { ResolvedLicence } from '@skillquay/core/licence';
import { dirname } from '@skillquay/core/paths';
import type { FolderTable, Index } from '../index.ts';
import type {
  ClassCounts,
  DiagnosticRecord,
  EncodedDiagnostic,
  IndexIdentity,
  ListingColumns,
  ManifestRecord,
  OverviewRecord,
  SkillRecord,
  TextRecord,
} from '../tables.ts';
import { SHA256_BYTES } from '../tables.ts';
import {
  decodedDiagnostic,
  licenceFromText,
  linksFromText,
  manifestFromText,
  skillFromText,
  textFromText,
} from './file-records.ts';
import { IndexFileError, type SectionName } from './file-sections.ts';
import { Strings } from './file-strings.ts';
import { nearestKept, placedIn } from './licence-place.ts';

export interface Meta {
  readonly identity: IndexIdentity;
  readonly counts: ClassCounts;
  readonly partial: readonly string[];
  readonly rawUrl: string | null;
}

export const OID_BYTES = 20;
export const SkillFlag = { hidden: 1, discoverable: 2 } as const;
export const DiagnosticFlag = { ofFile: 4 } as const;
/** The two low bits of a diagnostic's flags are its place here. */
export const SEVERITIES = ['info', 'warning', 'error'] as const;
const SEVERITY_BITS = 3;

type Sections = Readonly<Record<SectionName, Uint8Array>>;

function u32(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function i32(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function strings(sections: Sections, bytes: SectionName, ends: SectionName): Strings {
  return new Strings(sections[bytes], u32(sections[ends]));
}

/** The position of a number in an ascending column, -1 where it is not in it. */
function find(column: Uint32Array, value: number): number {
  const at = lowerBound(column, value);
  return column[at] === value ? at : -1;
}

/** The first position in an ascending column whose number is not less than the value. */
export function lowerBound(column: Uint32Array, value: number): number {
  let from = 0;
  let to = column.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((column[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Where the column has the value. */
function positionsOf(column: Uint8Array, value: number): Uint32Array {
  const found: number[] = [];
  column.forEach((one, i) => {
    if (one === value) found.push(i);
  });
  return Uint32Array.from(found);
}

export class FileIndex implements Index {
  readonly byteLength: number;
  readonly identity: IndexIdentity;
  readonly counts: ClassCounts;
  readonly partial: readonly string[];
  readonly rawUrl: string | null;
  readonly rowCount: number;
  readonly class: Uint8Array;
  readonly withheld: Uint8Array;
  readonly mode: Uint8Array;
  readonly flags: Uint8Array;
  readonly size: Uint32Array;
  readonly owner: Int32Array;
  readonly doc: Int32Array;
  readonly docCount: number;
  readonly docRow: Uint32Array;
  readonly docGroup: Int32Array;
  readonly skillCount: number;
  readonly skillRow: Uint32Array;
  readonly skillCopyOf: Int32Array;
  readonly listing: ListingColumns;
  readonly sha256: Uint8Array;
  readonly diagnosticCount: number;
  readonly diagnosticErrors: Uint32Array;
  readonly folders: FolderTable;
  readonly segment: Uint8Array;

  readonly #oid: Buffer;
  readonly #paths: Strings;
  readonly #skillFlags: Uint8Array;
  readonly #skills: Strings;
  readonly #skillLicence: Int32Array;
  readonly #placeLicence: Int32Array;
  readonly #keptFolders: Strings;
  readonly #keptFolderLicence: Int32Array;
  readonly #licences: Strings;
  readonly #manifestRow: Uint32Array;
  readonly #manifests: Strings;
  readonly #textRow: Uint32Array;
  readonly #texts: Strings;
  readonly #linkRow: Uint32Array;
  readonly #links: Strings;
  readonly #overviewRow: Uint32Array;
  readonly #closed: Strings;
  readonly #diagnosticFlags: Uint8Array;
  readonly #diagnosticPaths: Strings;
  readonly #diagnostics: Strings;
  #listedSkills: Uint32Array | undefined;
  #decodedKept: ReadonlyMap<string, number> | undefined;
  #decodedManifests: readonly ManifestRecord[] | undefined;
  #decodedOverviews: readonly OverviewRecord[] | undefined;
  #decodedClosed: readonly string[] | undefined;

  constructor(sections: Sections, byteLength: number) {
    const meta: Meta = JSON.parse(Buffer.from(sections.meta).toString());
    this.byteLength = byteLength;
    this.identity = meta.identity;
    this.counts = meta.counts;
    this.partial = meta.partial;
    this.rawUrl = meta.rawUrl;
    this.class = sections.class;
    this.withheld = sections.withheld;
    this.mode = sections.mode;
    this.flags = sections.flags;
    this.size = u32(sections.size);
    this.owner = i32(sections.owner);
    this.doc = i32(sections.doc);
    this.docRow = u32(sections.docRow);
    this.docGroup = i32(sections.docGroup);
    this.skillRow = u32(sections.skillRow);
    this.skillCopyOf = i32(sections.skillCopyOf);
    this.sha256 = sections.sha256;
    this.listing = {
      reason: sections.skillListing,
      sha256: sections.skillSha256,
      size: u32(sections.skillSize),
    };
    this.diagnosticErrors = u32(sections.diagnosticErrors);
    this.folders = folderTable(sections);
    this.segment = sections.segment;
    this.#oid = Buffer.from(sections.oid.buffer, sections.oid.byteOffset, sections.oid.byteLength);
    this.#paths = strings(sections, 'pathBytes', 'pathEnds');
    this.#skillFlags = sections.skillFlags;
    this.#skills = strings(sections, 'skillBytes', 'skillEnds');
    this.#skillLicence = i32(sections.skillLicence);
    this.#placeLicence = i32(sections.placeLicence);
    this.#keptFolders = strings(sections, 'keptFolderBytes', 'keptFolderEnds');
    this.#keptFolderLicence = i32(sections.keptFolderLicence);
    this.#licences = strings(sections, 'licenceBytes', 'licenceEnds');
    this.#manifestRow = u32(sections.manifestRow);
    this.#manifests = strings(sections, 'manifestBytes', 'manifestEnds');
    this.#textRow = u32(sections.textRow);
    this.#texts = strings(sections, 'textBytes', 'textEnds');
    this.#linkRow = u32(sections.linkRow);
    this.#links = strings(sections, 'linkBytes', 'linkEnds');
    this.#overviewRow = u32(sections.overviewRow);
    this.#closed = strings(sections, 'closedBytes', 'closedEnds');
    this.#diagnosticFlags = sections.diagnosticFlags;
    this.#diagnosticPaths = strings(sections, 'diagnosticPathBytes', 'diagnosticPathEnds');
    this.#diagnostics = strings(sections, 'diagnosticBytes', 'diagnosticEnds');
    this.rowCount = this.#paths.count;
    this.docCount = this.docRow.length;
    this.skillCount = this.skillRow.length;
    this.diagnosticCount = this.#diagnostics.count;
    if (!this.#agrees())
      throw new IndexFileError('corrupt', 'The columns of the index file have different lengths.');
  }

  path(row: number): string {
    return this.#paths.get(row);
  }

  rowOf(path: string): number {
    return this.#paths.indexOf(path);
  }

  rowsEndingWith(text: string, from: number, to: number): Iterable<number> {
    return this.#paths.endingWith(text, from, to);
  }

  oid(row: number): string {
    return this.#oid.toString('hex', row * OID_BYTES, (row + 1) * OID_BYTES);
  }

  get oids(): Uint8Array {
    return this.#oid;
  }

  get listedSkills(): Uint32Array {
    this.#listedSkills ??= positionsOf(this.listing.reason, 0);
    return this.#listedSkills;
  }

  skillHidden(skill: number): boolean {
    return ((this.#skillFlags[skill] ?? 0) & SkillFlag.hidden) !== 0;
  }

  skillDiscoverable(skill: number): boolean {
    return ((this.#skillFlags[skill] ?? 0) & SkillFlag.discoverable) !== 0;
  }

  skill(skill: number): SkillRecord {
    return skillFromText(this.#skills.get(skill), {
      row: this.skillRow[skill] ?? -1,
      hidden: this.skillHidden(skill),
      copyOf: this.skillCopyOf[skill] ?? -1,
      discoverable: this.skillDiscoverable(skill),
      licence: this.#skillLicence[skill] ?? -1,
    });
  }

  skillLicence(skill: number): ResolvedLicence | null {
    const licence = this.#licence(this.#skillLicence[skill]);
    return licence === null ? null : placedIn(dirname(this.path(this.skillRow[skill] ?? -1)), licence);
  }

  placeLicence(manifest: number): ResolvedLicence | null {
    return this.#licence(this.#placeLicence.at(manifest));
  }

  keptFolderLicence(path: string, skillFolder: string | null): ResolvedLicence | null {
    this.#decodedKept ??= new Map(
      Array.from(this.#keptFolderLicence, (licence, i) => [this.#keptFolders.get(i), licence]),
    );
    const kept = nearestKept(this.#decodedKept, path, skillFolder);
    const licence = kept === null ? null : this.#licence(kept.licence);
    return kept === null || licence === null ? null : placedIn(kept.folder, licence);
  }

  #licence(number = -1): ResolvedLicence | null {
    return number === -1 ? null : licenceFromText(this.#licences.get(number));
  }

  encodedSkill(skill: number): Uint8Array {
    return this.#skills.bytesOf(skill);
  }

  get manifests(): readonly ManifestRecord[] {
    this.#decodedManifests ??= Array.from(this.#manifestRow, (row, i) =>
      manifestFromText(this.#manifests.get(i), row, this.#placeLicence[i] ?? -1),
    );
    return this.#decodedManifests;
  }

  text(row: number): TextRecord | null {
    const at = find(this.#textRow, row);
    return at === -1 ? null : textFromText(this.#texts.get(at), row);
  }

  encodedText(row: number): Uint8Array | null {
    const at = find(this.#textRow, row);
    return at === -1 ? null : this.#texts.bytesOf(at);
  }

  links(row: number): readonly string[] {
    const at = find(this.#linkRow, row);
    return at === -1 ? [] : linksFromText(this.#links.get(at));
  }

  get overviews(): readonly OverviewRecord[] {
    this.#decodedOverviews ??= Array.from(this.#overviewRow, (row) => ({
      folder: dirname(this.path(row)),
      row,
    }));
    return this.#decodedOverviews;
  }

  get closedFolders(): readonly string[] {
    this.#decodedClosed ??= Array.from({ length: this.#closed.count }, (_, i) => this.#closed.get(i));
    return this.#decodedClosed;
  }

  diagnostic(number: number): DiagnosticRecord {
    return decodedDiagnostic(this.encodedDiagnostic(number));
  }

  encodedDiagnostic(number: number, path = this.#diagnosticPaths.get(number)): EncodedDiagnostic {
    const flags = this.#diagnosticFlags[number] ?? 0;
    return {
      path,
      severity: SEVERITIES[flags & SEVERITY_BITS] ?? 'error',
      ofFile: (flags & DiagnosticFlag.ofFile) !== 0,
      number,
      encoded: this.#diagnostics.bytesOf(number),
    };
  }

  diagnosticsOfRows(): Uint32Array {
    const ranges = new Uint32Array(this.rowCount * 2);
    let number = 0;
    for (let row = 0; row < this.rowCount; row += 1) {
      const order = () =>
        number < this.diagnosticCount ? this.#diagnosticPaths.compare(number, this.#paths, row) : 1;
      while (order() < 0) number += 1;
      ranges[row * 2] = number;
      while (order() === 0) number += 1;
      ranges[row * 2 + 1] = number;
    }
    return ranges;
  }

  diagnosticsOf(path: string): readonly DiagnosticRecord[] {
    const found: DiagnosticRecord[] = [];
    for (let i = this.#diagnosticPaths.lowerBound(Buffer.from(path)); i < this.diagnosticCount; i += 1) {
      if (this.#diagnosticPaths.get(i) !== path) break;
      found.push(this.diagnostic(i));
    }
    return found;
  }

  diagnosticsBelow(folder: string): readonly [number, number] {
    if (folder !== '') return this.#diagnosticPaths.withPrefix(`${folder}/`);
    return [this.diagnosticsOf('').length, this.diagnosticCount];
  }

  #agrees(): boolean {
    const rows = this.rowCount;
    const columns = [this.class, this.withheld, this.mode, this.flags, this.size, this.owner, this.doc];
    return (
      columns.every((column) => column.length === rows) &&
      this.#oid.length === rows * OID_BYTES &&
      this.sha256.length === rows * SHA256_BYTES &&
      this.listing.sha256.length === this.skillCount * SHA256_BYTES &&
      this.docGroup.length === this.docCount &&
      [this.skillCopyOf, this.#skillFlags, this.#skillLicence, this.listing.reason, this.listing.size].every(
        (column) => column.length === this.skillCount,
      ) &&
      this.#skills.count === this.skillCount &&
      this.#manifests.count === this.#manifestRow.length &&
      this.#placeLicence.length === this.#manifestRow.length + 1 &&
      this.#texts.count === this.#textRow.length &&
      this.#links.count === this.#linkRow.length &&
      this.#diagnosticFlags.length === this.diagnosticCount &&
      this.#diagnosticPaths.count === this.diagnosticCount
    );
  }
}

function folderTable(sections: Sections): FolderTable {
  const keys = strings(sections, 'folderBytes', 'folderEnds');
  return {
    count: keys.count,
    path: (folder) => keys.get(folder).slice(0, -1),
    of: (path) => (path === '' ? 0 : keys.indexOf(`${path}/`)),
    endingWith: (text) => keys.endingWith(`${text}/`, 0, keys.count),
    parent: i32(sections.folderParent),
    rows: u32(sections.folderRows),
    counts: u32(sections.folderCounts),
    manifest: i32(sections.folderManifest),
    overview: i32(sections.folderOverview),
    skill: i32(sections.folderSkill),
    closed: sections.folderClosed,
    childFolderEnds: u32(sections.childFolderEnds),
    childFolders: u32(sections.childFolders),
    childFileEnds: u32(sections.childFileEnds),
    childFiles: u32(sections.childFiles),
  };
}
