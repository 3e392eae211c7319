// The bytes of a segment. Numbers are little-endian; "varint" is the usual seven bits a byte, low bits first.
//
//   header      40 bytes, below
//   postings    of every term, in term order (postings.ts)
//   dictionary  terms sorted by their UTF-8 bytes, front-coded in blocks of 16 (dictionary.ts)
//   blocks      for each block, where it begins: u32 in the dictionary, u32 in the postings
//   documents   a bit for each number from 0 to count: is there a document (low bit first)
//
// Everything follows from the documents alone: the same documents give the same bytes however they came together.

const MAGIC = 0x53_51_4b_53;
const VERSION = 1;
export const HEADER_BYTES = 40;
export const BLOCK_ENTRY_BYTES = 8;

/** Numbers of documents stay below, so that a number and an impact fit 32 bits. */
export const MAX_DOCUMENTS = 2 ** 24;

/** The bytes are no segment of this version, or not all of it. Whoever sees it builds the segment again. */
export class SegmentError extends Error {
  readonly code = 'segment-unreadable';

  constructor(reason: string) {
    super(`Unreadable search segment: ${reason}.`);
    this.name = 'SegmentError';
  }
}

/** Where the parts of a segment lie, in bytes from its start, and what it counts. */
export interface SegmentLayout {
  /** Document numbers are below. */
  readonly count: number;
  /** Numbers that have a document. */
  readonly documents: number;
  readonly terms: number;
  readonly dictionaryAt: number;
  readonly blocksAt: number;
  readonly documentsAt: number;
  readonly end: number;
}

export function writeHeader(bytes: Uint8Array, layout: SegmentLayout): void {
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const { count, documents, terms, dictionaryAt, blocksAt, documentsAt, end } = layout;
  const fields = [MAGIC, VERSION, count, documents, terms, dictionaryAt, blocksAt, documentsAt, end, 0];
  fields.forEach((field, index) => {
    header.setUint32(index * 4, field, true);
  });
}

export function readHeader(bytes: Uint8Array): SegmentLayout {
  if (bytes.length < HEADER_BYTES) throw new SegmentError('shorter than its header');
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const field = (index: number) => header.getUint32(index * 4, true);
  if (field(0) !== MAGIC || field(1) !== VERSION) throw new SegmentError('another format');
  const layout: SegmentLayout = {
    count: field(2),
    documents: field(3),
    terms: field(4),
    dictionaryAt: field(5),
    blocksAt: field(6),
    documentsAt: field(7),
    end: field(8),
  };
  const fits =
    layout.count < MAX_DOCUMENTS &&
    layout.documents <= layout.count &&
    layout.dictionaryAt >= HEADER_BYTES &&
    layout.blocksAt >= layout.dictionaryAt &&
    layout.documentsAt === layout.blocksAt + blockCount(layout.terms) * BLOCK_ENTRY_BYTES &&
    layout.end === layout.documentsAt + Math.ceil(layout.count / 8) &&
    layout.end === bytes.length;
  if (!fits) throw new SegmentError('its parts do not fit its length');
  return layout;
}

export const BLOCK_TERMS = 16;

export function blockCount(terms: number): number {
  return Math.ceil(terms / BLOCK_TERMS);
}
