// Looks through front matter that was recovered for keys that decide something and stand where recovery reads no keys.

/** The keys that are looked for, as people write them: the key itself, and what a name like it begins with. */
const DECISIVE = [
  { key: 'license', named: 'licen[cs](?:es?|ed|ing)', like: String.raw`licen[cs][\p{L}\p{N}_.-]*` },
  { key: 'skillcdn', named: 'skillcdn', like: 'skillcdn' },
  { key: 'allowed-tools', named: 'allowed[-_ ]?tools?', like: 'allowed[-_ ]?tools?' },
] as const;

/** What may indent a line or stand before its first word: blanks, `- `, `? `, `{`, quotes. */
const LINE_START = String.raw`(?<=^[^\p{L}\p{N}\n]{0,200})`;
/** `SPDX-License-Identifier` holds the word, `unlicensed` does not. */
const WORD_START = String.raw`(?<![\p{L}\p{N}])`;
const WORD_END = String.raw`(?![\p{L}\p{N}])`;
/** Between a key and its colon: blanks and line ends, quotes, brackets. */
const MARKS = String.raw`[^\p{L}\p{N}:=]{0,200}`;

const PATTERNS = DECISIVE.map(({ key, named, like }) => ({
  key,
  anywhere: new RegExp(`${WORD_START}${like}${MARKS}[:=]|${LINE_START}${named}${WORD_END}`, 'imu'),
  atLineStart: new RegExp(String.raw`${LINE_START}${named}${MARKS}(?:[:=]|[-–—→]\s)`, 'imu'),
}));

/** A key that was read with certainty: where its lines lie, and whether there is anything in its value. */
export interface CertainKey {
  readonly at: number;
  readonly end: number;
  readonly isBlank: boolean;
}

/**
 * Which of `license`, `skillcdn` and `allowed-tools` a source names outside of the lines that were read as these keys
 * with certainty. Whoever wrote one meant it, so it is not silence. A value that is known is doubted only where another
 * line begins with the key.
 */
export function lostKeys(source: string, certain: ReadonlyMap<string, CertainKey>): string[] {
  const lost = PATTERNS.filter(({ key, anywhere, atLineStart }) => {
    const own = certain.get(key);
    const rest = own === undefined ? source : `${source.slice(0, own.at)}\n${source.slice(own.end)}`;
    return (own?.isBlank === false ? atLineStart : anywhere).test(asSeen(rest));
  });
  return lost.map(({ key }) => key);
}

const COMMENT = /^[ \t]*#.*$/gm;
/** Line ends for an editor, though not for YAML. */
const LINE_SEPARATOR = /[\u2028\u2029]/g;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** What Unicode does not call a form of the colon, and a reader does. */
const LOOKS_LIKE_COLON = /[\u02d0\u0589\u05c3\u2236\ua789]/g;

/** A text as a person sees it, without its comments. */
function asSeen(text: string): string {
  return text
    .replace(COMMENT, '')
    .replace(LINE_SEPARATOR, '\n')
    .replace(IGNORABLE, '')
    .normalize('NFKC')
    .replace(LOOKS_LIKE_COLON, ':');
}
