// Characters by which a body may hide something from its reader, told apart from those that ordinary writing needs.
import { JOINER } from './characters.ts';

/**
 * Controls but for the white space and the form feed of old files, line separators, whatever Unicode ignores by default,
 * bidirectional controls, annotation marks, and the blank of Braille. `unitsOfWriting` says which are harmless where.
 * Spelled out: a pattern of code units is the fastest, and every body is looked through.
 */
const SUSPICIOUS =
  /\u034f|[\0-\x08\x0e-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|\u17b4|\u17b5|[\u180b-\u180f]|[\ufe00-\ufe0f]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/g;

export interface FoundRun {
  /** UTF-16 offset of the first character. */
  readonly at: number;
  readonly first: string;
  /** Code points that stand side by side. */
  readonly count: number;
}

/** What a body hides from its reader, from a UTF-16 offset on: characters that stand side by side are one finding. */
export function* findSuspicious(text: string, from: number): Generator<FoundRun> {
  const body: Body = { text, isRightToLeft: null };
  for (let at = nextSuspicious(body, from); at !== -1; ) {
    const first = characterAt(text, at);
    let end = at + first.length;
    let count = 1;
    let next = nextSuspicious(body, end);
    for (; next === end; next = nextSuspicious(body, end)) {
      end += characterAt(text, end).length;
      count += 1;
    }
    yield { at, first, count };
    at = next;
  }
}

interface Body {
  readonly text: string;
  /** Whether some letter is written from right to left; null until somebody asks. */
  isRightToLeft: boolean | null;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** The offset of the next character that deserves a warning, or -1. */
function nextSuspicious(body: Body, from: number): number {
  SUSPICIOUS.lastIndex = from;
  for (let found = SUSPICIOUS.exec(body.text); found !== null; found = SUSPICIOUS.exec(body.text)) {
    const skipped = unitsOfWriting(body, found.index);
    if (skipped === 0) return found.index;
    SUSPICIOUS.lastIndex = found.index + skipped;
  }
  return -1;
}

/** The flags of England, Scotland and Wales: a black flag, then tags, then the tag that ends them. */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/uy;
const FLAG_UNITS = 14;
const JOINS = new RegExp(JOINER, 'uy');
/** Thai, Lao, Khmer, Burmese and the like write no spaces: a zero-width one says where a line may break. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Tham}]/u;
const RIGHT_TO_LEFT =
  /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Samaritan}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}]/u;

/** UTF-16 units from here on that ordinary writing consists of, 0 if something is hidden. */
function unitsOfWriting(body: Body, at: number): number {
  const { text } = body;
  const code = text.codePointAt(at) ?? 0;
  if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Script=Han}$/u.test(behind(text, at)) ? 2 : 0;
  if (code >= 0xe0000) return matches(FLAG, text, at - 2) ? FLAG_UNITS - 2 : 0;
  return isWriting(body, at, code) ? 1 : 0;
}

function isWriting(body: Body, at: number, code: number): boolean {
  const { text } = body;
  if (isSelector(code)) return !isSelector(text.charCodeAt(at + 1)) && takesSelector(behind(text, at), code);
  switch (code) {
    case 0x00ad:
      return text[at - 1] !== '\u00ad' && text[at + 1] !== '\u00ad';
    case 0x034f:
      return /\p{M}$/u.test(behind(text, at));
    case 0x061c:
    case 0x200e:
    case 0x200f:
      body.isRightToLeft ??= RIGHT_TO_LEFT.test(text);
      return body.isRightToLeft;
    case 0x115f:
    case 0x1160:
      return JAMO.test(text[at - 1] ?? '') || JAMO.test(text[at + 1] ?? '');
    case 0x180b:
    case 0x180c:
    case 0x180d:
    case 0x180f:
      return /\p{Script=Mongolian}$/u.test(behind(text, at));
    case 0x200b:
      return UNSPACED.test(text[at - 1] ?? '') && UNSPACED.test(text[at + 1] ?? '');
    case 0x200c:
    case 0x200d:
      return matches(JOINS, text, at);
    case 0x2800:
      return matches(BRAILLE, text, at);
    case 0xfeff:
      return at === 0;
    default:
      return false;
  }
}

/** Parts of Hangul syllables that are seen; the fillers stand for one that is missing. */
const JAMO = /[\u1100-\u115e\u1161-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/;
/** Patterns of Braille with dots in them, near on the same line: their blank is a space, or a part of a picture. */
const BRAILLE = /(?<=[\u2801-\u28ff][\u2800 ]{0,80})\u2800|\u2800(?=[\u2800 ]{0,80}[\u2801-\u28ff])/y;

function isSelector(code: number): boolean {
  return code >= 0xfe00 && code <= 0xfe0f;
}

/** Whether a character has other shapes to select. Behind a letter of ASCII a selector only carries something. */
function takesSelector(before: string, code: number): boolean {
  if (/[^\0-\x7f]$/.test(before))
    return /[\p{S}\p{P}\p{Emoji}\p{M}\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}]$/u.test(before);
  return code >= 0xfe0e && /[\d#*]$/.test(before);
}

/** The character before an offset, or the second half of it. */
function behind(text: string, at: number): string {
  return text.slice(Math.max(0, at - 2), at);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
