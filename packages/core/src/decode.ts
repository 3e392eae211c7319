// Turns the bytes of a file into text, or says what they are instead.
import { type Position, positionAt } from './lib/position.ts';

export type Decoded =
  /** The text as stored: a byte order mark stays its first character. */
  | { readonly ok: true; readonly text: string }
  /** `looksLike` completes "it looks like …"; `at` is where the first byte stands that is not UTF-8. */
  | { readonly ok: false; readonly looksLike: string; readonly at: Position };

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes that decide what a file looks like; enough for every signature and a fair sample of a text. */
const SAMPLE_BYTES = 512;

/** Decodes strictly: any sequence that is not well-formed UTF-8 makes the whole file no text. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  let text: string;
  try {
    text = STRICT.decode(bytes);
  } catch {
    const valid = LENIENT.decode(bytes.subarray(0, wellFormedLength(bytes)));
    return { ok: false, looksLike: guess(bytes), at: positionAt(valid, valid.length) };
  }
  const wide = text.charCodeAt(0) === 0 || text.charCodeAt(1) === 0 ? wideText(bytes) : null;
  return wide === null ? { ok: true, text } : { ok: false, looksLike: wide, at: { line: 1, column: 1 } };
}

const SIGNATURES: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0xff, 0xfe, 0, 0], 'UTF-32'],
  [[0, 0, 0xfe, 0xff], 'UTF-32'],
  [[0xff, 0xfe], 'UTF-16 (little-endian)'],
  [[0xfe, 0xff], 'UTF-16 (big-endian)'],
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG image'],
  [[0xff, 0xd8, 0xff], 'a JPEG image'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x50, 0x4b, 3, 4], 'a ZIP archive'],
  [[0x1f, 0x8b], 'a gzip archive'],
];

function guess(bytes: Uint8Array): string {
  for (const [signature, name] of SIGNATURES) {
    if (signature.every((byte, i) => bytes[i] === byte)) return name;
  }
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const controls = sample.reduce((count, byte) => count + (byte < 9 || (byte > 13 && byte < 32) ? 1 : 0), 0);
  return wideText(bytes) ?? (controls > sample.length / 32 ? 'binary data' : 'Windows-1252 or Latin-1 text');
}

/** Names UTF-16 without a byte order mark: text in which every second byte is zero, and none of the others. */
function wideText(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, Math.min(bytes.length & ~1, SAMPLE_BYTES));
  if (sample.length < 8) return null;
  const zeroOnly = (odd: number) => sample.every((byte, i) => (byte === 0) === ((i & 1) === odd));
  if (zeroOnly(1)) return 'UTF-16 (little-endian)';
  return zeroOnly(0) ? 'UTF-16 (big-endian)' : null;
}

/** Bytes before the first sequence that is not well-formed (Unicode, table 3-7). */
function wellFormedLength(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return at;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (length === 0 || second < low || second > high) return 0;
  for (let i = 2; i < length; i += 1) {
    if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
