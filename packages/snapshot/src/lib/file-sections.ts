// The container of an index file: named sections behind a head that says where each lies and what its bytes add up to.
//
//   0  u32  magic, in this machine's byte order (another order reads as another magic)
//   4  u32  format version
//   8  u32  number of sections
//  12  u32  CRC-32 of the head without these four bytes
//  16  f64  length of the file in bytes
//  24       per section, in the order of SECTIONS: f64 offset, f64 length in bytes, u32 CRC-32, u32 zero
//
// Sections begin at multiples of eight, so that typed arrays are views. A section's checksum covers its padding too:
// every byte of the file is covered by one.
import { crc32 } from 'node:zlib';

const MAGIC = 0x51_53_4b_58;
/** Raised whenever the bytes of a section mean something else than before. */
export const INDEX_FORMAT_VERSION = 3;

const HEAD_BYTES = 24;
const ENTRY_BYTES = 24;
const ALIGNMENT = 8;

export const SECTIONS = [
  'meta',
  'pathBytes',
  'pathEnds',
  'class',
  'withheld',
  'mode',
  'flags',
  'size',
  'owner',
  'doc',
  'oid',
  'sha256',
  'docRow',
  'docGroup',
  'skillRow',
  'skillCopyOf',
  'skillFlags',
  'skillListing',
  'skillSha256',
  'skillSize',
  'skillLicence',
  'skillBytes',
  'skillEnds',
  'manifestRow',
  'manifestBytes',
  'manifestEnds',
  'placeLicence',
  'keptFolderBytes',
  'keptFolderEnds',
  'keptFolderLicence',
  'licenceBytes',
  'licenceEnds',
  'textRow',
  'textBytes',
  'textEnds',
  'linkRow',
  'linkBytes',
  'linkEnds',
  'overviewRow',
  'closedBytes',
  'closedEnds',
  'diagnosticFlags',
  'diagnosticErrors',
  'diagnosticPathBytes',
  'diagnosticPathEnds',
  'diagnosticBytes',
  'diagnosticEnds',
  'folderBytes',
  'folderEnds',
  'folderParent',
  'folderRows',
  'folderCounts',
  'folderManifest',
  'folderOverview',
  'folderSkill',
  'folderClosed',
  'childFolderEnds',
  'childFolders',
  'childFileEnds',
  'childFiles',
  'segment',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** The bytes are not a whole index of this version. Whoever keeps the file builds it again. */
export class IndexFileError extends Error {
  readonly reason: 'version' | 'torn' | 'corrupt';
  constructor(reason: 'version' | 'torn' | 'corrupt', message: string) {
    super(message);
    this.name = 'IndexFileError';
    this.reason = reason;
  }
}

function padded(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/** The file in pieces, to be written one behind the other. Sections are not copied. */
export function writeSections(sections: Readonly<Record<SectionName, ArrayBufferView>>): Uint8Array[] {
  const head = new ArrayBuffer(HEAD_BYTES + SECTIONS.length * ENTRY_BYTES);
  const words = new Uint32Array(head);
  const doubles = new Float64Array(head);
  const chunks: Uint8Array[] = [new Uint8Array(head)];
  let offset = padded(head.byteLength);
  SECTIONS.forEach((name, i) => {
    const bytes = bytesOf(sections[name]);
    const padding = new Uint8Array(padded(bytes.length) - bytes.length);
    const entry = HEAD_BYTES + i * ENTRY_BYTES;
    doubles[entry / 8] = offset;
    doubles[entry / 8 + 1] = bytes.length;
    words[entry / 4 + 4] = crc32(padding, crc32(bytes));
    if (bytes.length > 0) chunks.push(bytes);
    if (padding.length > 0) chunks.push(padding);
    offset += bytes.length + padding.length;
  });
  words[0] = MAGIC;
  words[1] = INDEX_FORMAT_VERSION;
  words[2] = SECTIONS.length;
  doubles[2] = offset;
  words[3] = headChecksum(new Uint8Array(head));
  return chunks;
}

function headChecksum(head: Uint8Array): number {
  return crc32(head.subarray(16), crc32(head.subarray(0, 12)));
}

/** Views of all sections, every one of them checked. Throws IndexFileError. */
export function readSections(file: Uint8Array): Readonly<Record<SectionName, Uint8Array>> {
  const bytes = file.byteOffset % ALIGNMENT === 0 ? bytesOf(file) : new Uint8Array(file);
  const headLength = HEAD_BYTES + SECTIONS.length * ENTRY_BYTES;
  if (bytes.length < HEAD_BYTES) throw new IndexFileError('torn', 'The index file ends inside its head.');
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headLength) >>> 2);
  if (words[0] !== MAGIC || words[1] !== INDEX_FORMAT_VERSION || words[2] !== SECTIONS.length)
    throw new IndexFileError('version', 'The file is not an index of this version.');
  if (bytes.length < headLength) throw new IndexFileError('torn', 'The index file ends inside its head.');
  if (words[3] !== headChecksum(bytes.subarray(0, headLength)))
    throw new IndexFileError('corrupt', 'The head of the index file does not add up.');
  const doubles = new Float64Array(bytes.buffer, bytes.byteOffset, headLength / 8);
  if (doubles[2] !== bytes.length)
    throw new IndexFileError('torn', `The index file has ${bytes.length} of ${doubles[2]} bytes.`);
  const found: Partial<Record<SectionName, Uint8Array>> = {};
  SECTIONS.forEach((name, i) => {
    const entry = HEAD_BYTES + i * ENTRY_BYTES;
    const offset = doubles[entry / 8] ?? 0;
    const length = doubles[entry / 8 + 1] ?? 0;
    if (words[entry / 4 + 4] !== crc32(bytes.subarray(offset, offset + padded(length))))
      throw new IndexFileError('corrupt', `The section "${name}" of the index file does not add up.`);
    found[name] = bytes.subarray(offset, offset + length);
  });
  if (!isWhole(found)) throw new IndexFileError('corrupt', 'The index file lacks a section.');
  return found;
}

function isWhole(found: Partial<Record<SectionName, Uint8Array>>): found is Record<SectionName, Uint8Array> {
  return SECTIONS.every((name) => found[name] !== undefined);
}
