// Characters and bytes of a text. A character is a Unicode code point everywhere; no cut ever splits one.
import { dropForbidden } from './lib/characters.ts';

export { escapeUnseen } from './lib/characters.ts';

/** Whether the units at `at` and `at + 1` are one character. */
function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/**
 * Where there is no surrogate, units are characters. The engine answers this at once for a string it keeps in one byte
 * a unit, which most files are.
 */
const SURROGATE = /[\ud800-\udfff]/;
const NOT_ASCII = /[^\x00-\x7f]/;

/** Below this many characters, counting is as quick as looking for surrogates. */
const SHORT = 64;

/** Number of characters. */
export function codePointLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length;
  let length = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    if (isPair(text, i)) {
      length -= 1;
      i += 1;
    }
  }
  return length;
}

/** The unit index at which `characters` characters after the unit index `start` end; never beyond the text. */
export function advance(text: string, start: number, characters: number): number {
  if (characters > SHORT && !SURROGATE.test(text)) return Math.min(start + characters, text.length);
  let at = start;
  let left = characters;
  while (left > 0 && at < text.length) {
    at += isPair(text, at) ? 2 : 1;
    left -= 1;
  }
  return at;
}

/** Characters [from, to) of a text. */
export function sliceCodePoints(text: string, from: number, to = Number.POSITIVE_INFINITY): string {
  const start = advance(text, 0, from);
  return text.slice(start, to === Number.POSITIVE_INFINITY ? text.length : advance(text, start, to - from));
}

/** The text itself if it has at most `characters` characters, else its beginning, with `…` as its last one. */
export function cutAt(text: string, characters: number): string {
  if (codePointLength(text) <= characters) return text;
  return `${sliceCodePoints(text, 0, characters - 1).trimEnd()}…`;
}

/** The text itself if it has at most `characters` characters, else its beginning, ended at a word, with `…` as its last one. */
export function cutAtWord(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const whole = advance(text, 0, characters);
  if (whole === text.length) return text;
  if (characters < 1) return '';
  const end = advance(text, 0, characters - 1);
  const head = text.slice(0, end);
  // A long run without a space (Chinese, a URL) is cut where it is: half of it says more than nothing.
  const space = /\s/.test(text.slice(end, end + 1)) ? end : lastSpace(head);
  return `${head.slice(0, space > end / 2 ? space : wholeSigns(text, end)).trimEnd()}…`;
}

/** What belongs to the character before it: marks, variation selectors, skin tones, joiners, tags, parts of Hangul. */
const CONTINUES = /^(?:\u200d|[\p{M}\p{Emoji_Modifier}\u200c\u{e0020}-\u{e007f}\u1160-\u11ff])/u;
const FLAG_LETTERS = /[\u{1f1e6}-\u{1f1ff}]+$/u;
/** UTF-16 units. What goes on for longer is no sign that anyone could read. */
const MAX_SIGN_UNITS = 64;

/** The nearest end at or before `end` that takes no emoji and no letter with its marks apart. */
function wholeSigns(text: string, end: number): number {
  for (let at = end; at >= Math.max(0, end - MAX_SIGN_UNITS); at -= isPair(text, at - 2) ? 2 : 1) {
    const next = text.slice(at, at + 2);
    const flag = FLAG_LETTERS.exec(text.slice(Math.max(0, at - MAX_SIGN_UNITS), at))?.[0] ?? '';
    const splitsFlag = flag.length % 4 !== 0 && /^\ud83c[\udde6-\uddff]/.test(next);
    if (!CONTINUES.test(next) && text[at - 1] !== '\u200d' && !splitsFlag) return at;
  }
  return end;
}

function lastSpace(text: string): number {
  for (let i = text.length - 1; i > 0; i -= 1) {
    if (/\s/.test(text.charAt(i))) return i;
  }
  return -1;
}

/** Bytes of the text as UTF-8. Half of a surrogate pair counts as the replacement character it becomes. */
export function utf8Length(text: string): number {
  if (!NOT_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isPair(text, i)) {
      bytes += 2;
      i += 1;
    } else bytes += 2;
  }
  return bytes;
}

/** Bytes of `JSON.stringify(text)` as UTF-8, without its two quotes. */
export function jsonByteLength(text: string): number {
  if (!NOT_ASCII.test(text)) return JSON.stringify(text).length - 2;
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += JSON_ASCII_BYTES[unit] ?? 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, i)) {
      bytes += 4;
      i += 1;
    } else bytes += (unit & 0xf800) === 0xd800 ? 6 : 3;
  }
  return bytes;
}

/** Bytes JSON needs for each ASCII character: `\n` and its like two, other controls six. */
const JSON_ASCII_BYTES = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit >= 0x20) return 1;
  return unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 2 : 6;
});

/** Upper bounds of a piece of text; a bound that is absent does not bind. */
export interface TextBounds {
  readonly characters?: number;
  /** As UTF-8. */
  readonly bytes?: number;
  /** As a JSON string, without quotes. */
  readonly jsonBytes?: number;
}

export interface TextPiece {
  /** Unit index behind the piece. */
  readonly end: number;
  readonly characters: number;
  readonly bytes: number;
  readonly jsonBytes: number;
}

/** The longest piece of a text from the unit index `start` that keeps within every bound, in one pass. */
export function measurePiece(text: string, start: number, bounds: TextBounds): TextPiece {
  const maxCharacters = bounds.characters ?? Number.POSITIVE_INFINITY;
  const maxBytes = bounds.bytes ?? Number.POSITIVE_INFINITY;
  const maxJsonBytes = bounds.jsonBytes ?? Number.POSITIVE_INFINITY;
  let end = start;
  let characters = 0;
  let bytes = 0;
  let jsonBytes = 0;
  while (end < text.length && characters < maxCharacters) {
    const unit = text.charCodeAt(end);
    let units = 1;
    let plain = 1;
    let json: number;
    if (unit < 0x80) json = JSON_ASCII_BYTES[unit] ?? 1;
    else if (unit < 0x800) {
      plain = 2;
      json = 2;
    } else if (isPair(text, end)) {
      units = 2;
      plain = 4;
      json = 4;
    } else {
      plain = 3;
      json = (unit & 0xf800) === 0xd800 ? 6 : 3;
    }
    if (bytes + plain > maxBytes || jsonBytes + json > maxJsonBytes) break;
    end += units;
    characters += 1;
    bytes += plain;
    jsonBytes += json;
  }
  return { end, characters, bytes, jsonBytes };
}

/** Printable ASCII with single spaces: already on one line. */
const ONE_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** A text on one line: line ends, tabs and other controls become spaces, and runs of spaces one. */
export function oneLine(text: string): string {
  return ONE_LINE.test(text) ? text : text.replace(/[\s\x00-\x1f\x7f-\x9f]+/g, ' ').trim();
}

/** A text on one line, without what nobody sees and what turns it round. */
export function visibleLine(text: string): string {
  return oneLine(dropForbidden(oneLine(text)));
}
