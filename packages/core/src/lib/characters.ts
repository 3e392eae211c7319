// Characters that a reader of a text cannot see and that can make it say something else than it shows.

/** How one character is named to people: `U+202E`. */
export function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Signs that suppress a vowel and after which a joiner chooses the form of a letter, at the end of a word too. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`;
const JOINED = String.raw`[^\0-\x7f\u200c\u200d]`;
/**
 * A joiner where emoji and scripts need it: after a virama, between two characters that are neither ASCII nor joiners,
 * and, the non-joiner, between a Latin word and its Persian ending. Source: RFC 5892, appendix A.
 */
const JOINER = String.raw`(?:(?<=${VIRAMA})[\u200c\u200d]|(?<=${JOINED})[\u200c\u200d](?=${JOINED})|(?<=[A-Za-z0-9])\u200c(?=\p{Script=Arabic}))`;

/**
 * What no value of front matter may hold: C0 and C1 controls except tab and line feed, bidirectional controls, tag
 * characters, annotation marks, zero-width characters that join nothing. Variation selectors and the grapheme joiner may
 * stand anywhere. Source: format, section 2.
 */
const FORBIDDEN = new RegExp(
  String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\p{Bidi_Control}\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]` +
    String.raw`|(?!${JOINER})[\u200c\u200d]`,
  'u',
);

/**
 * Where a body may hide something from its reader: what front matter must not hold, without the marks that right-to-left
 * writing uses in earnest and without the white space and the form feed of old files; and fillers that are drawn as
 * nothing, and variation selectors in a row or of the supplementary kind. `unitsOfWriting` says which are harmless.
 */
const SUSPICIOUS =
  /[\0-\x08\x0e-\x1f\x7f\u180e\u200b-\u200d\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\ufe00-\ufe0f]{2}|\udb40[\udc00-\uddef]/g;

/** The flags of England, Scotland and Wales: a black flag, then tags, then the tag that ends them. */
const FLAG =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/uy;
const FLAG_UNITS = 14;
const JOINS = new RegExp(JOINER, 'uy');
/** Thai, Lao, Khmer, Burmese and the like write no spaces: a zero-width one says where a line may break. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tai_Tham}]/u;

const PRINTABLE_ASCII = /^[\n\t\x20-\x7e]*$/;

export interface FoundCharacter {
  /** UTF-16 offset in the text. */
  readonly at: number;
  readonly character: string;
}

/** The first character that a value must not hold, or null. */
export function findForbidden(value: string): FoundCharacter | null {
  return PRINTABLE_ASCII.test(value) ? null : located(FORBIDDEN.exec(value));
}

export interface FoundRun {
  /** UTF-16 offset of the first character. */
  readonly at: number;
  readonly first: string;
  /** Code points that stand side by side. */
  readonly count: number;
}

/** What a body hides from its reader, from a UTF-16 offset on: characters that stand side by side are one finding. */
export function* findSuspicious(text: string, from: number): Generator<FoundRun> {
  for (let at = nextSuspicious(text, from); at !== -1; ) {
    const first = characterAt(text, at);
    let end = at + first.length;
    let count = 1;
    let next = nextSuspicious(text, end);
    for (; next === end; next = nextSuspicious(text, end)) {
      end += characterAt(text, end).length;
      count += 1;
    }
    yield { at, first, count };
    at = next;
  }
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** The offset of the next character that deserves a warning, or -1. */
function nextSuspicious(text: string, from: number): number {
  SUSPICIOUS.lastIndex = from;
  for (let found = SUSPICIOUS.exec(text); found !== null; found = SUSPICIOUS.exec(text)) {
    const skipped = unitsOfWriting(text, found.index);
    if (skipped === 0) return found.index;
    SUSPICIOUS.lastIndex = found.index + skipped;
  }
  return -1;
}

/** UTF-16 units from here on that ordinary writing consists of, 0 if something is hidden. */
function unitsOfWriting(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0;
  if (code === 0x200c || code === 0x200d) return matches(JOINS, text, at) ? 1 : 0;
  if (code === 0x200b) return UNSPACED.test(text[at - 1] ?? '') && UNSPACED.test(text[at + 1] ?? '') ? 1 : 0;
  if (code === 0xfeff) return at === 0 ? 1 : 0;
  // A selector of the supplementary kind chooses between the shapes of one ideograph.
  if (code >= 0xe0100) return /\p{Script=Han}$/u.test(text.slice(Math.max(0, at - 2), at)) ? 2 : 0;
  if (code >= 0xe0000) return matches(FLAG, text, at - 2) ? FLAG_UNITS - 2 : 0;
  return 0;
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function located(found: RegExpExecArray | null): FoundCharacter | null {
  return found === null ? null : { at: found.index, character: found[0] };
}

/**
 * What shows nothing, or turns round what is shown: controls, line separators, bidirectional controls, annotation marks,
 * ignorable characters, halves of a surrogate pair. The two selectors that choose between the text and the emoji form of
 * a character (U+FE0E, U+FE0F) are part of how ordinary emoji are typed, so they may stand.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\ufff9-\ufffb]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u;
const EVERY_UNSEEN = new RegExp(UNSEEN, 'gu');
const VISIBLE_ASCII = /^[\x20-\x7e]*$/;

export function hasUnseen(text: string): boolean {
  return !VISIBLE_ASCII.test(text) && UNSEEN.test(text);
}

/** The text with every character that cannot be seen written as `\u{…}`. */
export function escapeUnseen(text: string): string {
  if (VISIBLE_ASCII.test(text)) return text;
  return text.replace(EVERY_UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The text without the characters a title or summary must not carry into a listing. */
export function dropForbidden(text: string): string {
  return findForbidden(text) === null ? text : text.replace(new RegExp(FORBIDDEN, 'gu'), '');
}

/** Whether there is something to see in a text. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
