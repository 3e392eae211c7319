// The words of a licence text, without what differs between two printings of the same licence.

export interface LicenceWords {
  readonly words: readonly string[];
  /** Where each word begins and ends in the text. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/**
 * Addresses, tags, entities and what a template leaves to fill in: how a text is written, not what it says. A tag is
 * one that HTML has, its attributes have values, and it strikes nothing out: what else stands between `<` and `>` is
 * read.
 */
const NOT_WORDS = new RegExp(
  [
    /(?:https?:\/\/|www\.)[^\s<>)\]]+/,
    /\b(?:[a-z0-9-]{1,63}\.){1,4}(?:com|io|net|org)\b(?:\/[^\s<>)\]]*)?/,
    /<\/?(?:a|address|article|b|big|blockquote|body|br|center|cite|code|dd|div|dl|dt|em|font|footer|h[1-6]|head|header|hr|html|i|img|li|link|main|meta|ol|p|pre|section|small|span|strong|sub|sup|table|tbody|td|th|thead|title|tr|tt|u|ul)(?:\s{1,9}[a-z:-]{1,30}="[^"<>]{0,200}"){0,9}\s{0,9}\/?>/,
    /<(?:years?|yyyy|author|(?:copyright\s{1,40})?(?:holders?|owner)|name\s{1,40}of\s{1,40}(?:author|copyright\s{1,40}owner)|organization|program)>/,
    /<[^\s<>@]{1,64}@[^\s<>]{1,100}>/,
    /&(?:quot|amp|lt|gt|nbsp|#\d{1,5});/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);
/** A word, whole where a hyphen divides it, at the end of a line too. */
const WORD = /[\p{L}\p{N}]+(?:(?:['’]|[‐-](?:\n[ \t]{0,40})?)[\p{L}\p{N}]+)*/gu;
/** What stands on one line of it. */
const PART_OF_WORD = /[\p{L}\p{N}]+(?:['’‐-][\p{L}\p{N}]+)*/gu;
const INSIDE = /['’‐-]/;
const ALL_INSIDE = /['’‐\s-]/g;
/** `1.`, `(b)`, `iv)`: the numbers of a list, which differ where Markdown or a person counted anew. */
const ENUMERATOR = /^(?:\d{1,2}|[a-z]|[ivx]{2,4})$/;

const SAME_WORD = new Map([
  ['licence', 'license'],
  ['licences', 'licenses'],
  ['licenced', 'licensed'],
  ['sublicence', 'sublicense'],
  ['acknowledgement', 'acknowledgment'],
]);

/**
 * The words of a text, where a word that goes on in the next line may be one, or be two (`Grant-` and `Subject`): it is
 * the one that `isKnown` knows.
 *
 * Two texts with equal words differ in case, white space, wrapping, quotes, numbering, addresses and mark-up only.
 */
export function licenceWords(text: string, isKnown: (word: string) => boolean = () => true): LicenceWords {
  const plain = text.replace(NOT_WORDS, (found) => ' '.repeat(found.length));
  const words: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (whole: string, start: number) => {
    const end = start + whole.length;
    const word = plainWord(whole);
    if (word.length <= 4 && isListMark(word, plain, end)) return;
    words.push(SAME_WORD.get(word) ?? word);
    starts.push(start);
    ends.push(end);
  };
  // Not `matchAll`, which makes two more objects a word.
  WORD.lastIndex = 0;
  for (let found = WORD.exec(plain); found !== null; found = WORD.exec(plain)) {
    const { index, 0: whole } = found;
    if (!whole.includes('\n') || isKnown(plainWord(whole))) add(whole, index);
    else for (const part of whole.matchAll(PART_OF_WORD)) add(part[0], index + part.index);
  }
  return { words, starts, ends };
}

function plainWord(whole: string): string {
  return (INSIDE.test(whole) ? whole.replaceAll(ALL_INSIDE, '') : whole).toLowerCase();
}

function isListMark(word: string, text: string, end: number): boolean {
  const mark = text[end];
  return (
    (mark === '.' || mark === ')') && /^(?:\s|$)/.test(text.slice(end + 1, end + 2)) && ENUMERATOR.test(word)
  );
}
