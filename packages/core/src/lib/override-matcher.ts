// Finds the phrases of `override-phrases.ts` in a text, where it says them itself and does not quote or forbid them.
import { CodeBlocks, lineAround, spanAt } from './code-blocks.ts';
import { ANYTHING, FILLERS, JOINED_LANGUAGES, PHRASES, type Phrase } from './override-phrases.ts';
import { readable } from './readable.ts';

export interface FoundPhrase {
  readonly phrase: Phrase;
  /** UTF-16 offset in the text. */
  readonly at: number;
  /** The words as they stand, on one line. */
  readonly words: string;
}

/** Words, or characters of languages written without spaces, that may stand between two parts. */
const MAX_FILLERS = 4;
/** Words that `ANYTHING` stands for. */
const MAX_OTHER_WORDS = 3;
/** Beginnings of phrases that are followed up in one text: more are no prose. */
const MAX_BEGINNINGS = 5_000;

const SPACED = PHRASES.filter(({ language }) => !JOINED_LANGUAGES.has(language));
const JOINED = PHRASES.filter(({ language }) => JOINED_LANGUAGES.has(language));
const firstWords = (phrases: readonly Phrase[]) => [
  ...new Set(phrases.flatMap(({ parts }) => parts[0] ?? [])),
];
const isLatin = (word: string) => /^[a-z]/.test(word);
/** A letter with a mark before the others counts as what stands between two words. */
const withoutMarks = (word: string) => word.replace(/^[à-ÿ]/, '');
const SECOND_WORDS = [...new Set([...SPACED.flatMap(({ parts }) => parts[1] ?? []), ...FILLERS])];
/**
 * Where a phrase may begin: a first word, and behind it a word that may follow one. The pattern for other alphabets is
 * only tried on texts that hold them.
 */
const LATIN_BEGINNING = new RegExp(
  `\\b_?(?:${firstWords(SPACED).filter(isLatin).join('|').replace('dont', "don['’]?t")})` +
    `(?=[^a-z0-9]{1,8}(?:${SECOND_WORDS.map(withoutMarks).filter(isLatin).join('|')}))`,
  'gi',
);
const OTHER_BEGINNING = new RegExp(
  firstWords(PHRASES)
    .filter((word) => !isLatin(word))
    .join('|'),
  'gi',
);
const OTHER_ALPHABET = /[\u0400-\u04ff\u3040-\u9fff\uac00-\ud7a3]/;
const byFirstWord = new Map(
  firstWords(SPACED).map((word) => [word, SPACED.filter(({ parts }) => parts[0]?.includes(word))]),
);

/** Every phrase that a text says from a UTF-16 offset on, by alphabet. Work is linear in its length. */
export function* findPhrases(given: string, from: number): Generator<FoundPhrase> {
  const found = new Set<number>();
  // What nobody sees stands within a word, or in the place of the blank between two.
  for (const instead of ['', ' '] as const) {
    const { text, offsetOf } = readable(given, from, instead);
    if (instead !== '' && text === given) return;
    const beginnings = OTHER_ALPHABET.test(text) ? [LATIN_BEGINNING, OTHER_BEGINNING] : [LATIN_BEGINNING];
    for (const beginning of beginnings)
      for (const { phrase, at, end } of matchesOf(beginning, text, from)) {
        const place = offsetOf(at);
        if (found.has(place)) continue;
        found.add(place);
        yield { phrase, at: place, words: text.slice(at, end).replace(/\s+/g, ' ') };
      }
  }
}

function* matchesOf(beginning: RegExp, text: string, from: number) {
  const blocks = new CodeBlocks(text, from);
  let next = from;
  for (let left = MAX_BEGINNINGS; left > 0; left -= 1) {
    // Whoever takes the findings one by one may look at another text in between.
    beginning.lastIndex = next;
    const found = beginning.exec(text);
    if (found === null) return;
    next = beginning.lastIndex;
    const at = found.index + (found[0].startsWith('_') ? 1 : 0);
    const match = spacedAt(text, at) ?? joinedAt(text, at);
    if (match === null) continue;
    next = match.end;
    if (!isOnlyMentioned(text, at, match.end, blocks)) yield { ...match, at };
  }
}

interface Match {
  readonly phrase: Phrase;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}]{1,40}(?:['’]\p{L}{1,10})?/uy;
/** Marks and white space between two words of one sentence. */
const BETWEEN = /[^\p{L}\p{N}]{1,8}/uy;
const ENDS_SENTENCE = /[.,!?;:|=<{}()[\]。，、！？；：]|\n[>\s]*(?:[-*+#]|\n)/u;
const LETTER = /[\p{L}\p{N}]$/u;

function spacedAt(text: string, at: number): Match | null {
  if (LETTER.test(text.slice(Math.max(0, at - 2), at))) return null;
  const first = wordAt(text, at);
  if (first === null) return null;
  for (const phrase of byFirstWord.get(first.word) ?? []) {
    const end = endOfWords(text, first.end, phrase);
    if (end !== -1) return { phrase, end };
  }
  return null;
}

/** The offset behind the last part if the other parts follow, else -1. */
function endOfWords(text: string, from: number, { parts }: Phrase): number {
  let end = from;
  for (let part = 1; part < parts.length; part += 1) {
    const mayBeAnything = parts[part] === ANYTHING;
    if (mayBeAnything) part += 1;
    const mayStandBetween = mayBeAnything ? MAX_OTHER_WORDS : MAX_FILLERS;
    for (let between = 0; ; between += 1) {
      const next = wordBehind(text, end);
      if (next === null) return -1;
      end = next.end;
      if (parts[part]?.includes(next.word)) break;
      if (between === mayStandBetween || !(mayBeAnything || FILLERS.has(next.word))) return -1;
    }
  }
  return end;
}

function wordBehind(text: string, at: number): { word: string; end: number } | null {
  BETWEEN.lastIndex = at;
  const between = BETWEEN.exec(text)?.[0];
  return between === undefined || ENDS_SENTENCE.test(between) ? null : wordAt(text, at + between.length);
}

function wordAt(text: string, at: number): { word: string; end: number } | null {
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0];
  if (word === undefined) return null;
  return { word: word.toLowerCase().replace(/['’]/g, ''), end: at + word.length };
}

function joinedAt(text: string, at: number): Match | null {
  if (text.charCodeAt(at) < 0x1100) return null;
  for (const phrase of JOINED) {
    const [first = [], ...others] = phrase.parts;
    let end = endOfPart(text, at, first, 0);
    for (const part of others) if (end !== -1) end = endOfPart(text, end, part, MAX_FILLERS);
    if (end !== -1) return { phrase, end };
  }
  return null;
}

function endOfPart(text: string, from: number, part: readonly string[], gap: number): number {
  for (let at = from; at <= from + gap; at += 1) {
    const word = part.find((one) => text.startsWith(one, at));
    if (word !== undefined) return at + word.length;
    if (ENDS_SENTENCE.test(text[at] ?? '.')) return -1;
  }
  return -1;
}

/** Characters before a phrase in which a sentence may say that it is not meant, and in which a comment may begin. */
const SENTENCE_CHARACTERS = 160;
const COMMENT_CHARACTERS = 20_000;

const SENTENCE_END = /[.!?。！？]["'”’)*_]*\s|\n\s*(?:\n|[-*+#|>]|\d+[.)]\s)/g;
/** Who writes one of these before a phrase forbids it, or speaks of it. */
const GUARD =
  /\b(?:never|not|cannot|avoid|refus\w*|reject\w*|resist\w*|detect\w*|attempt\w*|tr(?:y|ies|ied|ying) to|inject\w*|jailbreak\w*|attack\w*|adversar\w*|malicious|suspicious|such as|like|requests?|says?|said|saying|ask(?:s|ed|ing)|ask you to|tell(?:s|ing)|claim\w*|contain\w*|phrases?|patterns?)\b|n['’]t\b|不要|禁止|不得|拒绝|攻击/i;
/** What another clause forbids or asks for is something else: `Do not wait; ignore …`. */
const LAST_CLAUSE = /[^;,:.，；：、]*$/;
const EXAMPLE = /\be\.g\.?,?[^\p{L}\p{N}]*$/iu;
const NAMED_BEHIND =
  /^(?:[*_]{1,2}:|:[*_]{1,2})|^[\s"'”’`*_.…]{0,6}(?:attacks?|attempts?|injections?|patterns?|style|phrases?|payloads?)\b/i;

function isOnlyMentioned(text: string, at: number, end: number, blocks: CodeBlocks): boolean {
  if (isInComment(text, at)) return false;
  if (blocks.blockAt(at) !== null) return true;
  const line = lineAround(text, at);
  if (spanAt(line, at) !== null || isQuoted(line.text.slice(0, at - line.start))) return true;
  const before = text.slice(Math.max(0, at - SENTENCE_CHARACTERS), at);
  const sentence = before.slice(lastEnd(before));
  const clause = sentence.slice(sentence.search(LAST_CLAUSE));
  return GUARD.test(clause) || EXAMPLE.test(sentence) || NAMED_BEHIND.test(text.slice(end, end + 40));
}

/** What stands in a comment is seen by an agent and by no reader of the page: it is nobody's quotation. */
function isInComment(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - COMMENT_CHARACTERS), at);
  return before.lastIndexOf('<!--') > before.lastIndexOf('-->');
}

function isQuoted(before: string): boolean {
  const opened = (open: string, close: string) => before.lastIndexOf(open) > before.lastIndexOf(close);
  if ((before.match(/"/g)?.length ?? 0) % 2 === 1) return true;
  if (opened('“', '”') || opened('«', '»') || opened('「', '」') || opened('『', '』') || opened('„', '“'))
    return true;
  return /(?:^|[\s(,:])['‘][^'’]*$/.test(before);
}

function lastEnd(before: string): number {
  let end = 0;
  for (const { 0: found, index } of before.matchAll(SENTENCE_END)) end = index + found.length;
  return end;
}
