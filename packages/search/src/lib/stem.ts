// The English stemmer: Porter's second algorithm ("Porter2", Snowball's `english`), for words of the letters a–z.
//
// R1 is what follows the first consonant after a vowel, R2 the same within R1; a suffix goes only where it lies in
// one of them. A `y` that acts as a consonant is written `Y` while the steps run.

const VOWEL = /[aeiouy]/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
/** Beginnings with an R1 of their own. */
const FIRST_REGION = /^(?:gener|commun|arsen)/;
/** A vowel between consonants (the second not w, x, Y), or a word that begins with vowel and consonant. */
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;

const EXCEPTIONS = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word): [string, string] => [
    word,
    word,
  ]),
]);

/** Words that step 1b would damage. */
const KEPT = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed']);

type Rule = readonly [suffix: string, replacement: string];

/** Longest suffix first: the longest that fits is the one that counts, even where its condition then fails. */
const STEP_2: readonly Rule[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];

const STEP_3: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

const STEP_4: readonly Rule[] = [
  'ement',
  'able',
  'ance',
  'ence',
  'ible',
  'ment',
  'ant',
  'ate',
  'ent',
  'ion',
  'ism',
  'iti',
  'ive',
  'ize',
  'ous',
  'al',
  'er',
  'ic',
].map((suffix) => [suffix, '']);

const DERIVED = byLastLetter(STEP_2);
const ADJECTIVAL = byLastLetter(STEP_3);
const RESIDUAL = byLastLetter(STEP_4);

/** By the character code of their last letter. */
type Rules = readonly (readonly Rule[] | undefined)[];

function byLastLetter(rules: readonly Rule[]): Rules {
  const byLetter: Rule[][] = [];
  for (const rule of rules) {
    const letter = rule[0].charCodeAt(rule[0].length - 1);
    byLetter[letter] = [...(byLetter[letter] ?? []), rule];
  }
  return byLetter;
}

function ruleFor(word: string, rules: Rules): Rule | undefined {
  const candidates = rules[word.charCodeAt(word.length - 1)];
  if (candidates === undefined) return undefined;
  for (const rule of candidates) if (word.endsWith(rule[0])) return rule;
  return undefined;
}

/** The stem of a word that consists of the letters a–z only. */
export function stem(original: string): string {
  if (original.length <= 2) return original;
  const exception = EXCEPTIONS.get(original);
  if (exception !== undefined) return exception;

  const hasY = original.includes('y');
  let word = hasY ? original.replace(/^y|(?<=[aeiouy])y/g, 'Y') : original;
  const r1 = FIRST_REGION.exec(word)?.[0].length ?? regionBehind(word, 0);
  const r2 = regionBehind(word, r1);

  word = plural(word);
  if (KEPT.has(word)) return word;
  word = pastAndProgressive(word, r1);
  if (hasY && word.length > 2 && /[^aeiouy][yY]$/.test(word)) word = `${word.slice(0, -1)}i`;
  word = derived(word, r1);
  word = adjectival(word, r1, r2);
  word = residual(word, r2);
  word = finalLetter(word, r1, r2);
  return hasY ? word.replaceAll('Y', 'y') : word;
}

/** Where the region begins that follows the first consonant after a vowel from `start` on. */
function regionBehind(word: string, start: number): number {
  let at = start;
  while (at < word.length && !isVowel(word.charCodeAt(at))) at++;
  while (at < word.length && isVowel(word.charCodeAt(at))) at++;
  return Math.min(at + 1, word.length);
}

function isVowel(code: number): boolean {
  return code === 0x61 || code === 0x65 || code === 0x69 || code === 0x6f || code === 0x75 || code === 0x79;
}

/** Step 1a. */
function plural(word: string): string {
  if (!word.endsWith('s')) return word.endsWith('ied') ? iEnding(word) : word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ies')) return iEnding(word);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function iEnding(word: string): string {
  return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
}

const PAST_OR_PROGRESSIVE = ['eedly', 'ingly', 'edly', 'eed', 'ing', 'ed'];

/** Step 1b. */
function pastAndProgressive(word: string, r1: number): string {
  const end = PAST_OR_PROGRESSIVE.find((suffix) => word.endsWith(suffix));
  if (end === undefined) return word;
  const rest = word.slice(0, -end.length);
  if (end.startsWith('ee')) return rest.length >= r1 ? `${rest}ee` : word;
  if (!VOWEL.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLE.test(rest)) return rest.slice(0, -1);
  return rest.length <= r1 && SHORT_SYLLABLE.test(rest) ? `${rest}e` : rest;
}

/** Step 2. */
function derived(word: string, r1: number): string {
  const rule = ruleFor(word, DERIVED);
  if (rule === undefined) return word;
  const [suffix, replacement] = rule;
  const rest = word.slice(0, -suffix.length);
  if (rest.length < r1) return word;
  if (suffix === 'ogi' && !rest.endsWith('l')) return word;
  if (suffix === 'li' && !/[cdeghkmnrt]$/.test(rest)) return word;
  return rest + replacement;
}

/** Step 3. */
function adjectival(word: string, r1: number, r2: number): string {
  const rule = ruleFor(word, ADJECTIVAL);
  if (rule === undefined) return word;
  const [suffix, replacement] = rule;
  const rest = word.slice(0, -suffix.length);
  return rest.length < (suffix === 'ative' ? r2 : r1) ? word : rest + replacement;
}

/** Step 4. */
function residual(word: string, r2: number): string {
  const rule = ruleFor(word, RESIDUAL);
  if (rule === undefined) return word;
  const [suffix] = rule;
  const rest = word.slice(0, -suffix.length);
  return rest.length < r2 || (suffix === 'ion' && !/[st]$/.test(rest)) ? word : rest;
}

/** Step 5. */
function finalLetter(word: string, r1: number, r2: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith('e')) {
    return rest.length >= r2 || (rest.length >= r1 && !SHORT_SYLLABLE.test(rest)) ? rest : word;
  }
  return word.endsWith('ll') && rest.length >= r2 ? rest : word;
}
