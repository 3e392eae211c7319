// The bytes of an index: what the builder found out, laid out so that a reader answers without parsing any entry.
// They are a function of the tables and the segment alone. `lib/file-sections.ts` says how sections lie in the file.
import { compareUtf8 } from '@skillquay/core/paths';
import { deriveFolders } from './folders.ts';
import type { Index } from './index.ts';
import { DiagnosticFlag, FileIndex, type Meta, OID_BYTES, SEVERITIES, SkillFlag } from './lib/file-index.ts';
import {
  diagnosticToText,
  licenceToText,
  manifestToText,
  skillToText,
  textToText,
} from './lib/file-records.ts';
import { IndexFileError, readSections, writeSections } from './lib/file-sections.ts';
import { writeStrings } from './lib/file-strings.ts';
import {
  type DiagnosticRecord,
  type EncodedDiagnostic,
  type EncodedSkill,
  RowClass,
  SHA256_BYTES,
  type SkillRecord,
  type SnapshotTables,
} from './tables.ts';

export { IndexFileError } from './lib/file-sections.ts';

/**
 * Lays out an index. Returns pieces to be written one behind the other; most are views of what was passed in, so write
 * them before it changes. Throws RangeError when the tables are not what `tables.ts` says they are.
 */
export function encodeIndex(tables: SnapshotTables, segment: Uint8Array): Uint8Array[] {
  const { rows, skills, listing, manifests, licences, texts, links, overviews, closedFolders, diagnostics } =
    tables;
  const { keptFolders } = tables;
  checkOrder(rows.path);
  const folders = deriveFolders(tables);
  const paths = writeStrings(rows.path, rows.count);
  const skillTexts = writeStrings(map(skills, skillToText), skills.length);
  const manifestTexts = writeStrings(map(manifests, manifestToText), manifests.length);
  const licenceTexts = writeStrings(map(licences, licenceToText), licences.length);
  const textTexts = writeStrings(map(texts, textToText), texts.length);
  const linkTexts = writeStrings(
    map(links, (record) => JSON.stringify(record.targets)),
    links.length,
  );
  const kept = writeStrings(
    map(keptFolders, (record) => record.folder),
    keptFolders.length,
  );
  const closed = writeStrings(closedFolders, closedFolders.length);
  const diagnosticPaths = writeStrings(
    map(diagnostics, (record) => record.path),
    diagnostics.length,
  );
  const diagnosticTexts = writeStrings(map(diagnostics, diagnosticToText), diagnostics.length);
  const folderKeys = writeStrings(folders.key, folders.key.length);
  const docRow = documentRows(tables);
  return writeSections({
    meta: Buffer.from(metaText(tables)),
    pathBytes: paths.bytes,
    pathEnds: paths.ends,
    class: column(rows.class, rows.count),
    withheld: column(rows.withheld, rows.count),
    mode: column(rows.mode, rows.count),
    flags: column(rows.flags, rows.count),
    size: column(rows.size, rows.count),
    owner: column(rows.skill, rows.count),
    doc: column(rows.doc, rows.count),
    oid: column(rows.oid, rows.count * OID_BYTES),
    sha256: column(rows.sha256, rows.count * SHA256_BYTES),
    docRow,
    docGroup: documentGroups(tables, docRow),
    skillRow: Uint32Array.from(skills, (record) => record.row),
    skillCopyOf: Int32Array.from(skills, (record) => record.copyOf),
    skillFlags: Uint8Array.from(skills, skillFlags),
    skillLicence: Int32Array.from(skills, (record) => record.licence),
    skillListing: column(listing.reason, skills.length),
    skillSha256: column(listing.sha256, skills.length * SHA256_BYTES),
    skillSize: column(listing.size, skills.length),
    skillBytes: skillTexts.bytes,
    skillEnds: skillTexts.ends,
    manifestRow: Uint32Array.from(manifests, (record) => record.row),
    manifestBytes: manifestTexts.bytes,
    manifestEnds: manifestTexts.ends,
    placeLicence: Int32Array.from([...manifests.map((record) => record.licence), tables.looseLicence]),
    keptFolderBytes: kept.bytes,
    keptFolderEnds: kept.ends,
    keptFolderLicence: Int32Array.from(keptFolders, (record) => record.licence),
    licenceBytes: licenceTexts.bytes,
    licenceEnds: licenceTexts.ends,
    textRow: Uint32Array.from(texts, (record) => record.row),
    textBytes: textTexts.bytes,
    textEnds: textTexts.ends,
    linkRow: Uint32Array.from(links, (record) => record.row),
    linkBytes: linkTexts.bytes,
    linkEnds: linkTexts.ends,
    overviewRow: Uint32Array.from(overviews, (record) => record.row),
    closedBytes: closed.bytes,
    closedEnds: closed.ends,
    diagnosticFlags: Uint8Array.from(diagnostics, diagnosticFlags),
    diagnosticErrors: errorNumbers(diagnostics),
    diagnosticPathBytes: diagnosticPaths.bytes,
    diagnosticPathEnds: diagnosticPaths.ends,
    diagnosticBytes: diagnosticTexts.bytes,
    diagnosticEnds: diagnosticTexts.ends,
    folderBytes: folderKeys.bytes,
    folderEnds: folderKeys.ends,
    folderParent: folders.parent,
    folderRows: folders.rows,
    folderCounts: folders.counts,
    folderManifest: folders.manifest,
    folderOverview: folders.overview,
    folderSkill: folders.skill,
    folderClosed: folders.closed,
    childFolderEnds: folders.childFolderEnds,
    childFolders: folders.childFolders,
    childFileEnds: folders.childFileEnds,
    childFiles: folders.childFiles,
    segment,
  });
}

/**
 * Opens the bytes of a whole index. They are not copied (unless they begin at an address that is no multiple of eight)
 * and must not change afterwards. Throws IndexFileError when they are torn, damaged or of another version.
 */
export function openIndex(bytes: Uint8Array): Index {
  const sections = readSections(bytes);
  try {
    return new FileIndex(sections, bytes.length);
  } catch (error) {
    if (error instanceof IndexFileError) throw error;
    throw new IndexFileError('corrupt', 'The sections of the index file do not fit together.');
  }
}

function checkOrder(paths: readonly string[]): void {
  for (let row = 1; row < paths.length; row += 1)
    if (compareUtf8(paths[row - 1] ?? '', paths[row] ?? '') >= 0)
      throw new RangeError('The rows of an index are sorted by the bytes of their paths, each path once.');
}

function column<T extends Uint8Array | Uint32Array | Int32Array>(values: T, count: number): T {
  if (values.length !== count) throw new RangeError('A column of the rows has another length than the rows.');
  return values;
}

function* map<T, Text>(records: readonly T[], text: (record: T) => Text): Iterable<Text> {
  for (const record of records) yield text(record);
}

function metaText(tables: SnapshotTables): string {
  const { identity, counts } = tables;
  const meta: Meta = {
    identity: { repository: identity.repository, commit: identity.commit, rules: identity.rules },
    counts: {
      entries: counts.entries,
      skill: counts.skill,
      supporting: counts.supporting,
      document: counts.document,
      manifest: counts.manifest,
      overview: counts.overview,
      reference: counts.reference,
      invalidSkill: counts.invalidSkill,
      withheld: counts.withheld,
      excluded: counts.excluded,
      unaddressable: counts.unaddressable,
      other: counts.other,
    },
    partial: tables.partial,
    rawUrl: tables.rawUrl,
  };
  return JSON.stringify(meta);
}

function skillFlags(record: SkillRecord | EncodedSkill): number {
  return (record.hidden ? SkillFlag.hidden : 0) | (record.discoverable ? SkillFlag.discoverable : 0);
}

function diagnosticFlags(record: DiagnosticRecord | EncodedDiagnostic): number {
  return SEVERITIES.indexOf(record.severity) | (record.ofFile ? DiagnosticFlag.ofFile : 0);
}

function errorNumbers(diagnostics: SnapshotTables['diagnostics']): Uint32Array {
  const numbers: number[] = [];
  diagnostics.forEach((record, number) => {
    if (record.severity === 'error') numbers.push(number);
  });
  return Uint32Array.from(numbers);
}

function documentRows({ rows }: SnapshotTables): Uint32Array {
  const found: number[] = [];
  rows.doc.forEach((doc, row) => {
    if (doc === -1) return;
    if (doc !== found.length)
      throw new RangeError('Search documents are numbered in the order of their rows.');
    found.push(row);
  });
  return Uint32Array.from(found);
}

/** A skill's files are folded under its SKILL.md, a document stands for itself, what is not discoverable is not found. */
function documentGroups({ rows, skills }: SnapshotTables, docRow: Uint32Array): Int32Array {
  return Int32Array.from(docRow, (row, doc) => {
    const rowClass = rows.class[row];
    if (rowClass === RowClass.document) return doc;
    if (rowClass !== RowClass.skill && rowClass !== RowClass.supporting) return -1;
    const skill = skills[rows.skill[row] ?? -1];
    return skill?.discoverable ? (rows.doc[skill.row] ?? -1) : -1;
  });
}
