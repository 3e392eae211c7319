// Continuations: where a page ended, sealed so that it fits that request and no other.
// Source: spec, Answers, "Cursors"; contract, Results and continuations.
//
// Layout, before base64url: format version (1 byte), keyed hash (16 bytes) over version, binding and position, then
// the position as unsigned LEB128 integers. Nothing of the repository is inside, and nothing inside is believed
// before the hash agrees.

export const MAX_CURSOR_CHARACTERS = 512;

const FORMAT_VERSION = 1;
const HASH_BYTES = 16;

/** A keyed hash, such as HMAC-SHA-256, of at least 16 bytes. */
export type Mac = (message: Uint8Array) => Uint8Array;

/** Everything a cursor is valid for. The number of items on a page is not part of it. */
export interface CursorBinding {
  /** Repository and commit: the snapshot's identity. */
  readonly snapshot: string;
  /** Reading-rules version, hash of the limits included. */
  readonly rules: string;
  /** Hash of the serving policy that applied. */
  readonly policy: string;
  /** Path of the mount. */
  readonly mount: string;
  readonly operation: string;
  /** Folder the operation was confined to. */
  readonly scope: string;
  /** Query of a search, path of a skill, '' of a listing. */
  readonly subject: string;
}

/** One to four integers from 0 to 2^53 - 1: what they mean is the operation's own affair. */
export type CursorPosition = readonly number[];

export function sealCursor(mac: Mac, binding: CursorBinding, position: CursorPosition): string {
  const where = encodeIntegers(position);
  const sealed = new Uint8Array(1 + HASH_BYTES + where.length);
  sealed[0] = FORMAT_VERSION;
  sealed.set(hash(mac, binding, where), 1);
  sealed.set(where, 1 + HASH_BYTES);
  return toBase64Url(sealed);
}

/** The position inside a cursor of this binding; null for anything else whatever. */
export function openCursor(mac: Mac, binding: CursorBinding, cursor: string): CursorPosition | null {
  const sealed = cursor.length <= MAX_CURSOR_CHARACTERS ? fromBase64Url(cursor) : null;
  if (sealed === null || sealed[0] !== FORMAT_VERSION || sealed.length <= 1 + HASH_BYTES) return null;
  const where = sealed.subarray(1 + HASH_BYTES);
  if (!sameBytes(hash(mac, binding, where), sealed.subarray(1, 1 + HASH_BYTES))) return null;
  return decodeIntegers(where);
}

function hash(mac: Mac, binding: CursorBinding, position: Uint8Array): Uint8Array {
  const { snapshot, rules, policy, mount, operation, scope, subject } = binding;
  // JSON separates the fields so that no two bindings give one message.
  const bound = JSON.stringify([
    FORMAT_VERSION,
    snapshot,
    rules,
    policy,
    mount,
    operation,
    scope,
    subject,
    [...position],
  ]);
  return mac(new TextEncoder().encode(bound)).subarray(0, HASH_BYTES);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= (a[i] ?? 0) ^ (b[i] ?? 0);
  return difference === 0;
}

function encodeIntegers(integers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const integer of integers) {
    if (!Number.isSafeInteger(integer) || integer < 0) throw new RangeError(`not a position: ${integer}`);
    let rest = integer;
    while (rest >= 0x80) {
      bytes.push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

function decodeIntegers(bytes: Uint8Array): readonly number[] | null {
  const integers: number[] = [];
  let integer = 0;
  let scale = 1;
  for (const byte of bytes) {
    integer += (byte & 0x7f) * scale;
    scale *= 0x80;
    if (!Number.isSafeInteger(integer)) return null;
    if (byte < 0x80) {
      integers.push(integer);
      integer = 0;
      scale = 1;
    }
  }
  return scale === 1 ? integers : null;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function toBase64Url(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digits = Math.min(4, bytes.length - i + 1);
    for (let k = 0; k < digits; k += 1) text += ALPHABET[(group >> (18 - 6 * k)) & 63];
  }
  return text;
}

/** Null unless the text is exactly what `toBase64Url` writes. */
function fromBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; i += 1) {
    held = (held << 6) | ALPHABET.indexOf(text.charAt(i));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at] = held >> bits;
    at += 1;
    held &= (1 << bits) - 1;
  }
  return held === 0 ? bytes : null;
}
