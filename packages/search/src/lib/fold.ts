// Folding: what two spellings of a word have in common whatever their case, accents and width.

/** Letters that carry a stroke or are joined, and so have no accent to take off. */
const LETTERS = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['ς', 'σ'],
]);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

/**
 * Marks that decorate a letter: accents of any alphabet, Hebrew points, Arabic vowels. Others stay: a kana
 * with and without its voicing mark are two sounds, and an Indic vowel sign is a vowel.
 */
const MARKS = /(?=\p{M})(?!\p{scx=Hiragana})[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}]/gu;

/** Soft hyphens, joiners, variation selectors, byte order marks; but a zero-width space does part words. */
const INVISIBLE = /(?!\u200b)\p{Default_Ignorable_Code_Point}/gu;

const BEYOND_ASCII = /[^\0-\x7f]/;

export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text);
}

/** Compatibility composition (width, ligatures), without invisible characters. Case and accents stay. */
export function normalise(text: string): string {
  return isAscii(text) ? text : text.replace(INVISIBLE, '').normalize('NFKC');
}

/** Folds the case and the accents of normalised text. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(LETTER, (letter) => LETTERS.get(letter) ?? letter);
}
