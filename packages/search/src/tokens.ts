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
const ASCII_TOKEN = /[A-Za-z0-9]+(?:(?:_+|[-.'])[A-Za-z0-9]+)*(?:\+\+|#)?/g;
/** A word that is no identifier of several parts, whatever its case. */
const PLAIN = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+)$/;
const LOWERCASE = /^[a-z]+$/;
/** `python3`, `oauth2`. Shorter words and longer numbers (`mp3`, `sha256`) are names that mean little without them. */
const NUMBERED = /^([a-z]{4,})\d{1,2}$/;
/** `pdfs`, `llms`: the stemmer takes the s off only behind a vowel, and acronyms have none. */
const CONSONANTS_AND_S = /^[b-df-hj-np-tv-xz]+[b-df-hj-np-rtv-xz]s$/;

/** What a chunk holds a token for: its words as they are written, or the pairs of a run, which are terms already. */
export interface Written {
  readonly words: readonly string[];
  readonly run: boolean;
}

/** What is written in one chunk, in order: for each of it there is a token, unless none of its words is a term. */
export function chunkWords(chunk: string): Written[] {
  if (PLAIN.test(chunk)) return [{ words: [chunk], run: false }];
  if (isAscii(chunk)) return (chunk.match(ASCII_TOKEN) ?? []).map(identifier);
  return Array.from(normalise(chunk).matchAll(TOKEN), ({ 0: text, groups }) =>
    groups?.run === undefined ? identifier(text) : run([...fold(text)]),
  );
}

/** The tokens of one chunk. */
export function chunkTokens(chunk: string): Token[] {
  return chunkWords(chunk).flatMap(({ words, run }) => {
    const terms = run ? words : [...new Set(words.flatMap(wordTerms))];
    return terms.length > 0 ? [{ terms, run }] : [];
  });
}

function run(characters: readonly string[]): Written {
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return { words: characters.length === 1 ? characters : pairs, run: true };
}

/** `config.getUserById` gives configgetUserById · config · getUserById, get, User, By, Id. */
function identifier(text: string): Written {
  const suffix = text.endsWith('#') ? '#' : text.endsWith('++') ? '++' : '';
  const written = suffix === '' ? text : text.slice(0, -suffix.length);
  const words: string[] = [];
  if (written.includes('.')) {
    const dotted = written.split('.');
    if (written.length - dotted.length < MAX_TERM_LENGTH) words.push(joinDotted(dotted));
    for (const segment of dotted) addParts(segment, words);
  } else addParts(written, words);
  const last = words.at(-1) ?? '';
  if (suffix === '++' || (suffix === '#' && last.length === 1)) words.push(last + suffix);
  return { words, run: false };
}

/** Adds the words of what stands between dots and their parts, and before them the whole where there are several. */
function addParts(segment: string, words: string[]): void {
  const end = isPossessive(segment) ? segment.length - 2 : segment.length;
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < end; at++) {
    if (!isJoiner(segment.charCodeAt(at))) continue;
    if (at > start) addCamelParts(segment.slice(start, at), parts);
    start = at + 1;
  }
  addCamelParts(segment.slice(start, end), parts);
  if (parts.length > 1) words.push(parts.join(''));
  for (const part of parts) words.push(part);
}

/** The s of a possessive is no word of its own. */
function isPossessive(segment: string): boolean {
  return segment.endsWith("'s") || segment.endsWith('’s');
}

/** A `_`, `-` or `'`, or one of their typographic kin: ‐ ’. */
function isJoiner(code: number): boolean {
  return code === 0x5f || code === 0x2d || code === 0x27 || code === 0x2010 || code === 0x2019;
}

/** Without the dots, but for those between digits: 1.2 is not 12. */
function joinDotted(segments: readonly string[]): string {
  return segments.reduce((joined, segment) =>
    /\d$/.test(joined) && /^\d/.test(segment) ? `${joined}.${segment}` : joined + segment,
  );
}

/** With its number, and without. */
export const MAX_WORD_TERMS = 2;

/** The terms a word is found by. None if it is no word: too long, or made of nothing but marks. */
export function wordTerms(word: string): string[] {
  if (word.length > MAX_TERM_LENGTH) return [];
  const folded = fold(word);
  const terms = [stemmed(folded)];
  const letters = endsInDigit(folded) ? NUMBERED.exec(folded)?.[1] : undefined;
  if (letters !== undefined) terms.push(stemmed(letters));
  return terms.filter((term) => term !== '' && term.length <= MAX_TERM_LENGTH);
}

function endsInDigit(word: string): boolean {
  const code = word.charCodeAt(word.length - 1);
  return code >= 0x30 && code <= 0x39;
}

function stemmed(word: string): string {
  if (!LOWERCASE.test(word)) return word;
  return word.endsWith('s') && CONSONANTS_AND_S.test(word) ? word.slice(0, -1) : stem(word);
}

/** `getUserById` → get, User, By, Id; `XMLHttpRequest` → XML, Http, Request; `APIs` and `sha256` stay whole. */
function addCamelParts(word: string, parts: string[]): void {
  let start = 0;
  for (let at = 1; at < word.length && word.length <= MAX_TERM_LENGTH; at++) {
    if (!beginsPart(word, at)) continue;
    parts.push(word.slice(start, at));
    start = at;
  }
  parts.push(start === 0 ? word : word.slice(start));
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
