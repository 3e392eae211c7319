// Recognises the licence that a file states, by its text.

import { align, type Edit } from './lib/licence-align.ts';
import { isName } from './lib/licence-holders.ts';
import { readNotices } from './lib/licence-notices.ts';
import { type LicenceTemplate, type LicenceTemplates, unpackTemplates } from './lib/licence-templates.ts';
import { type LicenceWords, licenceWords } from './lib/licence-words.ts';
import { isPermissiveId, type Licence, UNRECOGNISED } from './licence.ts';
import { MAX_LICENCE_BYTES } from './licence-file.ts';

export type LicenceMatcher = (text: string) => Licence;

let loading: Promise<LicenceMatcher> | undefined;

/**
 * What recognises the text of a licence file: `unrecognised`, and so restrictive, unless every word of it belongs to a
 * known licence or to a title, copyright line or notice around it. Tolerant of names, years, wrapping, headings and
 * Markdown, of nothing else: a sentence added or a term left out is another licence. The texts are loaded when first
 * asked for. Source: format, section 10.
 */
export function loadLicenceMatcher(): Promise<LicenceMatcher> {
  loading ??= unpackTemplates().then((templates) => {
    const matcher = new Matcher(templates);
    return (text) => matcher.read(text);
  });
  return loading;
}

/** A licence shorter than this share of its word pairs in the file is not looked at word by word. */
const MIN_SHARED = 0.8;
/** So many of the licences that share most are. */
const MAX_CANDIDATES = 6;
/** Licences in one file. */
const MAX_PARTS = 6;

/** A text of more words is more likely a licence than notices. */
const LONG_WORDS = 400;
/** Of the pairs of a longer licence one in so many is enough to choose by. */
const SAMPLED = 8;

/** As Markdown strikes out words. */
const STRUCK_OUT = /(?<!~)~~(?!~)/;

const UNKNOWN_WORD = 0xffff;
const PAIR_SLOTS = 1 << 16;

function slot(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> 16;
}

class Matcher {
  readonly #templates: LicenceTemplates;
  /** Slots of the word pairs of a licence's terms, each once, made when it is first compared. */
  readonly #pairs = new Map<LicenceTemplate, Uint16Array>();
  readonly #titles = new Map<LicenceTemplate, ReadonlySet<string>>();
  readonly #marks = new Uint32Array(PAIR_SLOTS);
  #mark = 0;

  constructor(templates: LicenceTemplates) {
    this.#templates = templates;
  }

  read(text: string): Licence {
    if (text.length > MAX_LICENCE_BYTES) return UNRECOGNISED;
    const unified = text.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '');
    if (STRUCK_OUT.test(unified)) return UNRECOGNISED;
    const file = licenceWords(unified, (word) => this.#templates.numbers.has(word));
    // A loop: Uint16Array.from with a function takes seven times as long.
    const numbers = new Uint16Array(file.words.length);
    file.words.forEach((word, i) => {
      numbers[i] = this.#templates.numbers.get(word) ?? UNKNOWN_WORD;
    });
    const found = this.#explain({ text: unified, file, numbers }, 0, numbers.length, MAX_PARTS, false);
    if (found === null || found.length === 0) return UNRECOGNISED;
    const restrictive = found.find((label) => label.startsWith('!'));
    if (restrictive !== undefined) return { kind: 'restrictive', label: restrictive.slice(1) };
    return { kind: 'permissive', label: joined(found) };
  }

  /**
   * The labels of all that a part of the file states, `!` before a restrictive one; null where something is left. Who
   * reserves all rights gives them away again only in the text of a licence that the part stands above.
   */
  #explain(whole: Read, from: number, to: number, parts: number, isAbove: boolean): readonly string[] | null {
    // Notices are seldom as long as a licence, and to find out that one is none takes a fifth of the time.
    const isLong = to - from > LONG_WORDS && parts > 0;
    const ofLicence = isLong ? this.#explainLicence(whole, from, to, parts, isAbove) : null;
    if (ofLicence !== null) return ofLicence;
    const notices = readNotices(rawBetween(whole, from, to));
    if (notices !== null) return notices.keepsRights && !isAbove ? null : notices.labels;
    return isLong || parts === 0 ? null : this.#explainLicence(whole, from, to, parts, isAbove);
  }

  /** The same of a part that holds the text of a licence; null where none explains it. */
  #explainLicence(
    whole: Read,
    from: number,
    to: number,
    parts: number,
    isAbove: boolean,
  ): readonly string[] | null {
    const numbers = whole.numbers.subarray(from, to);
    for (const template of this.#candidates(numbers)) {
      const alignment = align(numbers, template.words, template.termsBegin, template.termsEnd);
      if (alignment === null) continue;
      if (!alignment.edits.every((edit) => this.#isSlight(edit, template, whole, from))) continue;
      if (!isPermissiveId(template.label)) return [`!${template.label}`];
      const before = this.#explain(whole, from, from + alignment.from, parts - 1, true);
      const after =
        before === null ? null : this.#explain(whole, from + alignment.to, to, parts - 1, isAbove);
      if (before === null || after === null) continue;
      return [...before, template.label, ...after];
    }
    return null;
  }

  /** Licences whose terms this part of the file may have, those that share most first. */
  #candidates(numbers: Uint16Array): LicenceTemplate[] {
    this.#mark += 1;
    const mark = this.#mark;
    const marks = this.#marks;
    for (let i = 1; i < numbers.length; i += 1) marks[slot(numbers[i - 1]!, numbers[i]!)] = mark;
    const found: { template: LicenceTemplate; shared: number }[] = [];
    for (const template of this.#templates.templates) {
      if ((template.termsEnd - template.termsBegin) * MIN_SHARED > numbers.length) continue;
      const pairs = this.#pairsOf(template);
      let shared = 0;
      for (const pair of pairs) if (marks[pair] === mark) shared += 1;
      if (shared < pairs.length * MIN_SHARED) continue;
      found.push({ template, shared: (shared / pairs.length) * (template.termsEnd - template.termsBegin) });
    }
    found.sort((a, b) => b.shared - a.shared);
    return found.slice(0, MAX_CANDIDATES).map(({ template }) => template);
  }

  #pairsOf(template: LicenceTemplate): Uint16Array {
    let pairs = this.#pairs.get(template);
    if (pairs === undefined) {
      const distinct = new Set<number>();
      const isLong = template.termsEnd - template.termsBegin > LONG_WORDS;
      for (let i = template.termsBegin + 1; i < template.termsEnd; i += 1) {
        const pair = slot(template.words[i - 1]!, template.words[i]!);
        if (!isLong || pair % SAMPLED === 0) distinct.add(pair);
      }
      pairs = Uint16Array.from(distinct);
      this.#pairs.set(template, pairs);
    }
    return pairs;
  }

  /** A difference that leaves the licence what it is: who holds the rights, a title, a small word. */
  #isSlight(edit: Edit, template: LicenceTemplate, whole: Read, offset: number): boolean {
    const { vocabulary } = this.#templates;
    const from = edit.from + offset;
    const to = edit.to + offset;
    const lost = Array.from(
      template.words.subarray(edit.lostFrom, edit.lostTo),
      (word) => vocabulary[word] ?? '',
    );
    const added = whole.file.words.slice(from, to);
    const inTerms = edit.lostTo > template.termsBegin && edit.lostFrom < template.termsEnd;
    if (!inTerms || lost.every((word) => FILLED_IN.has(word))) {
      if (added.length === 0) return true;
      const raw = rawBetween(whole, from, to);
      if ((!inTerms || STANDS_APART.test(raw)) && readNotices(raw) !== null) return true;
    }
    const atHead = edit.lostFrom === 0;
    for (const part of withoutCommon(added, lost)) {
      if (
        inTerms &&
        !part.lost.every((word) => FILLED_IN.has(word) || (atHead && this.#titleOf(template).has(word)))
      ) {
        return false;
      }
      if (!part.lost.some((word) => NAMING.has(word))) {
        if (part.added.length === 0) continue;
        // Where no name stood there is none to fill in, and "any" is what a restriction would replace.
        const small = part.lost.length === 0 ? ADDED : part.lost.includes('any') ? ARTICLES : FILLED_IN;
        if (part.added.every((word) => small.has(word) && !NAMING.has(word))) continue;
        return false;
      }
      if (part.added.every((word) => FILLED_IN.has(word))) continue;
      if (part.lost.length === 0 || part.added.length > MAX_NAMES || !isName(part.added)) return false;
    }
    return true;
  }

  #titleOf(template: LicenceTemplate): ReadonlySet<string> {
    let title = this.#titles.get(template);
    if (title === undefined) {
      title = new Set([
        ...licenceWords(`${template.name} ${template.label.replaceAll('-', ' ')}`).words,
        ...TITLE_WORDS,
      ]);
      this.#titles.set(template, title);
    }
    return title;
  }
}

interface Read {
  readonly text: string;
  readonly file: LicenceWords;
  readonly numbers: Uint16Array;
}

/** The text of some words with all that stands before the first and after the last of them. */
function rawBetween({ text, file }: Read, from: number, to: number): string {
  const begin = from === 0 ? 0 : (file.ends[from - 1] ?? 0);
  const end = to >= file.words.length ? text.length : (file.starts[to] ?? text.length);
  return text.slice(begin, end);
}

const WILDCARD = 'wildcard0placeholder';
/** Words that name who holds the rights: a name may stand in their place. */
const NAMING = new Set([
  WILDCARD,
  ...'author authors company contributor contributors foundation holder holders inc isc its organization owner owners regents university'.split(
    ' ',
  ),
]);
/** And those so small that licences are often printed without them. */
const FILLED_IN = new Set([
  ...NAMING,
  ...'a an and any copyright name names nor of or such that the their these this those'.split(' '),
]);
/** Small words that may stand where the licence has none. */
const ADDED = new Set('a an and any of or the'.split(' '));
const ARTICLES = new Set(['a', 'an']);
/** Behind the end of a sentence or clause, or a paragraph that begins as copyright lines do: no part of a sentence. */
const STANDS_APART =
  /^["'”’)\]*_\s]*[.;:][^\p{L}\p{N}]*\n|^[^\p{L}\p{N}]*\n[^\p{L}\p{N}\n]*\n[^\p{L}\p{N}]*(?:copyright|c\)|©)/iu;
const TITLE_WORDS = 'license licenses agreement public general version the'.split(' ');
const MAX_NAMES = 14;

/** What is left of two rows of words where their common words, in order, are taken out. */
function withoutCommon(added: readonly string[], lost: readonly string[]) {
  const rows = added.length + 1;
  const columns = lost.length + 1;
  const lengths = new Uint16Array(rows * columns);
  for (let i = added.length - 1; i >= 0; i -= 1) {
    for (let j = lost.length - 1; j >= 0; j -= 1) {
      lengths[i * columns + j] =
        added[i] === lost[j]
          ? 1 + lengths[(i + 1) * columns + j + 1]!
          : Math.max(lengths[(i + 1) * columns + j]!, lengths[i * columns + j + 1]!);
    }
  }
  const parts: { added: string[]; lost: string[] }[] = [];
  let part: { added: string[]; lost: string[] } = { added: [], lost: [] };
  let i = 0;
  let j = 0;
  while (i < added.length || j < lost.length) {
    if (i < added.length && j < lost.length && added[i] === lost[j]) {
      if (part.added.length + part.lost.length > 0) parts.push(part);
      part = { added: [], lost: [] };
      i += 1;
      j += 1;
    } else if (
      j >= lost.length ||
      (i < added.length && lengths[(i + 1) * columns + j]! >= lengths[i * columns + j + 1]!)
    ) {
      part.added.push(added[i]!);
      i += 1;
    } else {
      part.lost.push(lost[j]!);
      j += 1;
    }
  }
  if (part.added.length + part.lost.length > 0) parts.push(part);
  return parts;
}

/** A title that names the family of a text that stands below it says nothing more. */
function joined(labels: readonly string[]): string {
  const distinct = [...new Set(labels)];
  return distinct
    .filter((label) => !distinct.some((other) => other !== label && other.startsWith(`${label}-`)))
    .join(' AND ');
}
