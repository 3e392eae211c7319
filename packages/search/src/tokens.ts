// Tokens: what of a text can be searched. Documents and queries are taken apart by the same rules.
//
//   chunk        what stands between ASCII blanks and punctuation: `getUserById`, `user_by_id`, `Node.js`, `C++`
//   identifier   words joined by `_`, `-`, `.` or an apostrophe: a term for the whole without its joiners, one for
//                each word, and where a word is in camel case one for each of its parts; what ends in a few digits
//                has one for its letters too
//   run          neighbouring characters of scripts written without spaces (and Hangul): a term for each pair
//
// Terms are normalised (NFKC), folded (case, accents) and, where they are made of a–z, stemmed as English.

import { fold, isAscii, normalise } from './lib/fold.ts';
import { stem } from './lib/stem.ts';

/** A word, an identifier or a run, with every term it is found by: at least one. */
export interface Token {
  readonly terms: readonly string[];
  /** The terms are the pairs of a run, in order, possibly repeated. */
  readonly run: boolean;
}

/** Longer terms are not words: they are encoded data, and are not searchable. In UTF-16 code units. */
export const MAX_TERM_LENGTH = 64;

/** Every byte by its part in a chunk. Bytes of characters beyond ASCII count as letters until the chunk is read. */
export const OUTSIDE = 0;
export const LETTER = 1;
/** Between letters: `_ - . '`. */
export const JOINER = 2;
/** Behind letters: `C++`, `C#`. */
export const SUFFIX = 3;

export const BYTE_CLASS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (byte >= 0x80 || /[A-Za-z0-9]/.test(character)) return LETTER;
  if ("_-.'".includes(character)) return JOINER;
  return '+#'.includes(character) ? SUFFIX : OUTSIDE;
});

const CHUNK = /[A-Za-z0-9\u0080-\uffff](?:[\w\-.'+#\u0080-\uffff]*[A-Za-z0-9+#\u0080-\uffff])?/g;

/** The tokens of a text, in order. */
export function tokens(text: string): Token[] {
  return (text.match(CHUNK) ?? []).flatMap(chunkTokens);
}

const RUN = String.raw`(?=[\p{L}\p{N}\p{M}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const WORD = String.raw`(?:(?!${RUN})[\p{L}\p{N}\p{M}])+`;
const IDENTIFIER = String.raw`${WORD}(?:(?:_+|[-.'’‐])${WORD})*(?:\+\+|#)?`;
const TOKEN = new RegExp(`(?<run>(?:${RUN})+)|${IDENTIFIER}`, 'gu');
const JOINERS = /_+|[-'’‐]/;
const ASCII_TOKEN = /[A-Za-z0-9]+(?:(?:_+|[-.'])[A-Za-z0-9]+)*(?:\+\+|#)?/g;
/** A word that is no identifier of several parts, whatever its case. */
const PLAIN = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+)$/;
const LOWERCASE = /^[a-z]+$/;
/** `python3`, `oauth2`. Shorter words and longer numbers (`mp3`, `sha256`) are names that mean little without them. */
const NUMBERED = /^([a-z]{4,})\d{1,2}$/;
/** `pdfs`, `llms`: the stemmer takes the s off only behind a vowel, and acronyms have none. */
const CONSONANTS_AND_S = /^[b-df-hj-np-tv-xz]+[b-df-hj-np-rtv-xz]s$/;

/** The tokens of one chunk. The builder asks once for each distinct chunk. */
export function chunkTokens(chunk: string): Token[] {
  if (PLAIN.test(chunk)) {
    const terms = new Set<string>();
    addTerm(chunk, terms);
    return terms.size > 0 ? [{ terms: [...terms], run: false }] : [];
  }
  const found: Token[] = [];
  if (isAscii(chunk)) {
    for (const identifier of chunk.match(ASCII_TOKEN) ?? []) addIdentifier(identifier, found);
    return found;
  }
  for (const match of normalise(chunk).matchAll(TOKEN)) {
    if (match.groups?.run === undefined) addIdentifier(match[0], found);
    else addRun([...fold(match[0])], found);
  }
  return found;
}

function addRun(characters: readonly string[], found: Token[]): void {
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  const terms = characters.length === 1 ? characters : pairs;
  if (terms.length > 0) found.push({ terms, run: true });
}

/** `config.getUserById` gives configgetuserbyid · config · getuserbyid, get, user, by, id. */
function addIdentifier(text: string, found: Token[]): void {
  const suffix = text.endsWith('#') ? '#' : text.endsWith('++') ? '++' : '';
  const identifier = text.slice(0, text.length - suffix.length);
  const terms = new Set<string>();
  const dotted = identifier.split('.');
  if (dotted.length > 1 && identifier.length - dotted.length < MAX_TERM_LENGTH)
    addTerm(joinDotted(dotted), terms);
  let last = '';
  for (const segment of dotted) {
    const parts = segmentParts(segment);
    if (parts.length > 1) addTerm(parts.join(''), terms);
    for (const part of parts) addTerm(part, terms);
    last = parts.at(-1) ?? '';
  }
  if (suffix === '++' || (suffix === '#' && last.length === 1)) addTerm(last + suffix, terms);
  if (terms.size > 0) found.push({ terms: [...terms], run: false });
}

function segmentParts(segment: string): string[] {
  if (!JOINERS.test(segment)) return camelParts(segment);
  const words = segment.split(JOINERS);
  // The s of a possessive is no word of its own.
  if (words.at(-1) === 's' && /['’]s$/.test(segment)) words.pop();
  return words.flatMap(camelParts);
}

/** Without the dots, but for those between digits: 1.2 is not 12. */
function joinDotted(segments: readonly string[]): string {
  return segments.reduce((joined, segment) =>
    /\d$/.test(joined) && /^\d/.test(segment) ? `${joined}.${segment}` : joined + segment,
  );
}

/** The terms are a set, because an identifier can be as long as a file. */
function addTerm(word: string, terms: Set<string>): void {
  if (word.length > MAX_TERM_LENGTH) return;
  const folded = fold(word);
  const letters = NUMBERED.exec(folded)?.[1];
  for (const term of [stemmed(folded), ...(letters === undefined ? [] : [stemmed(letters)])]) {
    if (term !== '' && term.length <= MAX_TERM_LENGTH) terms.add(term);
  }
}

/** Stems are remembered, up to a number of them: identifiers are made of the same few words. */
const stems = new Map<string, string>();
const MAX_STEMS = 50_000;

function stemmed(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (!LOWERCASE.test(word)) return word;
  if (stems.size === MAX_STEMS) stems.clear();
  const result = CONSONANTS_AND_S.test(word) ? word.slice(0, -1) : stem(word);
  stems.set(word, result);
  return result;
}

/** `getUserById` → get, User, By, Id; `XMLHttpRequest` → XML, Http, Request; `APIs` and `sha256` stay whole. */
function camelParts(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 1; at < word.length && word.length <= MAX_TERM_LENGTH; at++) {
    if (!beginsPart(word, at)) continue;
    parts.push(word.slice(start, at));
    start = at;
  }
  parts.push(word.slice(start));
  return parts;
}

function beginsPart(word: string, at: number): boolean {
  if (!isUpper(word, at)) return false;
  if (isLower(word, at - 1)) return true;
  // The last capital of an acronym belongs to the word behind it, unless that is the s of a plural.
  return isLower(word, at + 1) && !(word.length === at + 2 && word.endsWith('s'));
}

function isUpper(word: string, at: number): boolean {
  const code = word.charCodeAt(at);
  return code < 0x80 ? code >= 65 && code <= 90 : /\p{Lu}/u.test(word.charAt(at));
}

function isLower(word: string, at: number): boolean {
  const code = word.charCodeAt(at);
  return code < 0x80 ? code >= 97 && code <= 122 : /\p{Ll}/u.test(word.charAt(at));
}
