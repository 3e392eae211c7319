// Writes front matter that every reader of YAML takes for the same: one line a key, every value in double quotes.

/**
 * What JSON leaves as it is and a reader of lines or of YAML may not: controls, line separators, the byte order mark,
 * what is no character. What turns a text round or cannot be seen is spelled out as well; joiners, which emoji and
 * scripts need, stand as they are.
 */
const UNSAFE =
  /[\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/g;

/** A text as a double-quoted scalar, which is also a JSON string. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** YAML: a key that stands on one line with its value has at most so many characters, its quotes counted. */
const MAX_KEY_CHARACTERS = 1_024;

/** Why a strict reader would refuse a key, as the end of a sentence about it; null if it would not. */
export function keyFault(key: string): string | null {
  if (key === '__proto__') return 'has a name that strict readers refuse';
  return quoted(key).length > MAX_KEY_CHARACTERS ? 'is longer than YAML allows a key to be' : null;
}

type TextMap = Readonly<Record<string, string>>;

/** The lines of a map of texts: top-level keys as they are, a map in a map indented below its key. */
export function yamlLines(fields: Readonly<Record<string, string | TextMap>>): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    typeof value === 'string' ? [`${key}: ${quoted(value)}`] : [`${key}:`, ...mapLines(value)],
  );
}

function mapLines(map: TextMap): readonly string[] {
  return Object.entries(map).map(([key, value]) => `  ${quoted(key)}: ${quoted(value)}`);
}
