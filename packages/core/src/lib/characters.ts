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
export const JOINER = String.raw`(?:(?<=${VIRAMA})[\u200c\u200d]|(?<=${JOINED})[\u200c\u200d](?=${JOINED})|(?<=[A-Za-z0-9])\u200c(?=\p{Script=Arabic}))`;

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
