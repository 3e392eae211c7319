// Characters that a reader of a text cannot see and that can make it say something else than it shows.

/** How one character is named to people: `U+202E`. */
export function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * What no value of front matter may hold: C0 and C1 controls except tab and line feed, bidirectional controls, tag
 * characters, zero-width characters that join nothing. The joiners U+200C and U+200D may stand beside anything that
 * is not ASCII, as emoji and scripts need them; variation selectors and the grapheme joiner may stand anywhere.
 * Source: format, section 2.
 */
const FORBIDDEN =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Bidi_Control}\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\u{e0000}-\u{e007f}\p{Cs}]|(?<![^\0-\x7f])[\u200c\u200d](?![^\0-\x7f])/u;

/**
 * What a body may hold and a reader should know of: as above, but without the marks that right-to-left writing uses
 * in earnest, and without the white space and the form feed of old files.
 */
const SUSPICIOUS =
  /[\0-\x08\x0e-\x1f\x7f\u180e\u200b\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|\udb40[\udc00-\udc7f]/g;

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

/** The first character of a body, from a UTF-16 offset on, that deserves a warning, or null. */
export function findSuspicious(text: string, from: number): FoundCharacter | null {
  SUSPICIOUS.lastIndex = from;
  return located(SUSPICIOUS.exec(text));
}

function located(found: RegExpExecArray | null): FoundCharacter | null {
  return found === null ? null : { at: found.index, character: found[0] };
}

const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** The text with every character that cannot be seen written as `\u{…}`. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The text without the characters a title or summary must not carry into a listing. */
export function dropForbidden(text: string): string {
  return findForbidden(text) === null ? text : text.replace(new RegExp(FORBIDDEN, 'gu'), '');
}

/** Whether there is something to see in a text. */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
}
