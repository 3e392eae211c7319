// Understands what stands around a licence text, or in place of one: titles, copyright lines, "licensed under …".
import { readLicenceField } from '../licence.ts';

/**
 * The labels of the licences that a text names in titles and notices, often none; null where it says anything else,
 * which could be a restriction. At the top of a file a line may name the work.
 */
export function readNotices(text: string, atTop: boolean): string[] | null {
  const labels: string[] = [];
  for (const paragraph of (atTop ? withoutName(text) : text).split(/\n[ \t\r>#*/]*\n/)) {
    const found = readLines(paragraph.split('\n')) ?? readLines(sentences(paragraph.replace(/\s+/g, ' ')));
    if (found === null) return null;
    labels.push(...found);
  }
  return labels;
}

/** Without a first line that only names the work, as a heading above a copyright line or a licence does. */
function withoutName(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf('\n');
  const name = trimmed.slice(0, Math.max(0, end));
  const rest = trimmed.slice(name.length);
  const words = withoutDecoration(name);
  const isName =
    rest.trim() !== '' &&
    !COPYRIGHT.test(words) &&
    words.split(' ').length <= MAX_TITLE_WORDS &&
    isNames(words);
  return isName ? rest : text;
}

/** A line after a copyright line may go on with its names. */
function readLines(lines: readonly string[]): string[] | null {
  const labels: string[] = [];
  let inCopyright = false;
  for (const line of lines) {
    const words = withoutDecoration(line);
    if (!/\p{L}/u.test(words)) continue;
    if (isCopyrightStatement(words) || (inCopyright && isNames(words))) {
      inCopyright = true;
      continue;
    }
    const named = readStatement(words);
    if (named === null) return null;
    labels.push(...named);
  }
  return labels;
}

/** Marks of Markdown, of comments and of quotation. */
const DECORATION = /[\s#*_>=~`/|;\-–—•"“”<!:.,)]/;

function withoutDecoration(line: string): string {
  let from = 0;
  let to = line.length;
  while (
    from < to &&
    (DECORATION.test(line[from]!) || (line[from] === '(' && !/^\(c\)/i.test(line.slice(from, from + 3))))
  ) {
    from += 1;
  }
  while (to > from && DECORATION.test(line[to - 1]!)) to -= 1;
  return line.slice(from, to).replace(/\s+/g, ' ');
}

function sentences(paragraph: string): string[] {
  return paragraph.split(/(?<=[.!;:]["”’)]?)\s+(?=[A-Z(<])/);
}

const COPYRIGHT =
  /^(?:(?:all|portions|parts|some portions|some parts|original work|modifications|contributions)(?: are)? )?(?:copyright(?:ed|s)?\b|copr\.|©|\(c\)|all rights reserved\b|\d{4}[-–,\d ]*(?:©|\(c\)))/i;
/** What a template says to fill in, left as it was. */
const UNFILLED =
  /[[{<](?:yyyy|year|date|full ?name|name|your|owner|copyright|author|project)\b[^\]}>]{0,60}[\]}>]/gi;
/** Words that a name does not need and a restriction may. */
const TELLING =
  /^(?:no|not|non\w*|only|except\w*|must|shall|can|cannot|commercial\w*|restrict\w*|prohibit\w*|permi\w*|forb\w*|without|prior|consent\w*|conditions?|evil|us(?:e|ed|es|age|ing)|sell\w*|sale|resale|resell\w*|re?distribut\w*|distribut\w*|modif\w*|purposes?|personal|personally|internal\w*|evaluat\w*|patents?|clauses?|provided|unless|requir\w*|fees?|pa(?:y|id|ys|yment)|royalt\w*|derivatives?|commons|proprietary|confidential\w*|terms?|agreements?|licen[cs]\w*|solely|limitations?|subject|disclos\w*|train|trained|training|military|ethical\w*|harm\w*|students?|employees?|private\w*|secret\w*|granted|reproduc\w*|copie[sd]|copy|copying|extract|retain)$/;
/** Likewise, and no word of a name: when a right begins and ends, who is left out, what may be or once was. */
const LIMITING =
  /^(?:after|approv\w*|ask|bann?ed|barred|before|cease[ds]?|contact|disallow\w*|during|exclu\w*|expir\w*|formerly|illegal\w*|neither|never|nobody|none|nothing|pending|permission|trial|unlawful\w*|unlicen[cs]ed|until|valid|void|(?:are|ca|do|does|is|must|should|wo|would)n['’]?t)$/;
/** What is said so in small letters; in capitals it may be a name. */
const LIMITING_SMALL =
  /^(?:academi\w*|allow\w*|as|be|been|being|certain|charit\w*|companies|competitors?|could|current\w*|customers?|demo|deploy\w*|earlier|educat\w*|former|hobb\w*|if|inside|intended|might|most|old|older|outside|parts?|portions?|publish\w*|share\w*|subscri\w*|upload\w*|previous\w*|prior|schools?|should|some|to|when|where|while|will|within|would)$/;
/** The same in languages that copyright lines are met in: "forbidden", "use", "commercial", "only". */
const LIMITING_ABROAD =
  /^(?:apenas|autoris\p{L}*|autoriz\p{L}*|comercia\p{L}*|erlaub\p{L}*|gewerblich\p{L}*|interd\p{L}*|kein\p{L}*|kommer[zs]\p{L}*|nicht|nur|nutzung\p{L}*|privat\p{L}*|prohib\p{L}*|proib\p{L}*|réserv\p{L}*|sauf|seulement|solamente|solo|sólo|soltanto|uniquement|untersag\p{L}*|usage|uso|util\p{L}*|verboten\p{L}*|vietat\p{L}*|запре\p{L}*|коммерч\p{L}*|некоммерч\p{L}*|использ\p{L}*|только)$/u;
/** And in writing without spaces or capitals, where it stands inside of words. */
const LIMITING_SIGNS =
  /[禁仅僅限勿]|不得|不可|不能|商[业業用]|[许許]可|授[权權]|使用|[个個]人|用途|[学學][习習]|[转転轉][载載]|[营営營]利|금지|상업|개인|사용|허가|허락|제한|한정|용도/u;
/** Where names end, and whom it is for begins. */
const FOR_WHOM = /(?:^|[.;:,(–—-])\s*for\s/i;
/** Words in letters that have no case, as names have. */
const MAX_UNCASED = 3;
const SMALL = new Set(
  'a al all and at author authors by co contributor contributors dba de del der des developers e et file for from in its la le list maintainer maintainers of on or others present project repository reserved rights see team the their van von with y'.split(
    ' ',
  ),
);
/** Names in small letters, as accounts have. */
const MAX_SMALL_NAMES = 3;
const MAX_NAME_WORDS = 40;
const MAX_TITLE_WORDS = 8;

/** No word that could take a right away. */
export function tellsNothing(words: readonly string[]): boolean {
  const limits = (word: string) =>
    [TELLING, LIMITING, LIMITING_SMALL, LIMITING_ABROAD, LIMITING_SIGNS].some((some) => some.test(word));
  return words.length <= MAX_NAME_WORDS && !words.some((word) => word === 'may' || limits(word));
}

function isCopyrightStatement(words: string): boolean {
  return COPYRIGHT.test(words) && isNames(words.replace(COPYRIGHT, ''));
}

function isNames(text: string): boolean {
  let small = 0;
  let uncased = 0;
  if (LIMITING_SIGNS.test(text) || FOR_WHOM.test(text)) return false;
  const words = text
    .replace(/https?:\/\/\S+|[^\s@]{1,64}@\S+/g, ' ')
    .replace(UNFILLED, ' ')
    .split(/[^\p{L}\p{N}'’.&_-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  for (const word of words) {
    const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').toLowerCase();
    for (const part of bare.split(/[^\p{L}\p{N}]+/u)) {
      if (TELLING.test(part) || LIMITING_ABROAD.test(part)) return false;
    }
    if (bare.split(/[^\p{L}\p{N}'’]+/u).some((part) => LIMITING.test(part))) return false;
    if (bare === 'may' && word !== 'May') return false;
    if (/\p{Lo}/u.test(word)) uncased += 1;
    if (!/^\p{Ll}/u.test(word)) continue;
    if (LIMITING_SMALL.test(bare)) return false;
    if (!SMALL.has(bare)) small += 1;
  }
  return words.length <= MAX_NAME_WORDS && small <= MAX_SMALL_NAMES && uncased <= MAX_UNCASED;
}

/** Words of titles and of sentences that only say that a licence follows. */
const TITLE = new Set(
  `a agreement all and are as available below by code conditions contents copy copyright covered distributed
  documentation file files following follows for free full general here in information is it its licence licences
  license licensed licenses licensing made notice notices of open package program project provided public released
  repository reproduced see skill skills software source terms text that the these this to under version work works`.split(
    /\s+/,
  ),
);
/** What is licensed so is not all there is, or no longer. */
const PARTIAL = new Set(
  'certain earlier except most old older other part partially partly parts portion portions previous prior releases selected some versions was were will be been'.split(
    ' ',
  ),
);
const LICENSED =
  /^(.{0,120}?)\s*\b(?:(?:dual[- ])?licen[cs]ed|released|distributed|made available|available|provided|covered|dedicated)((?: (?:under|by|to|as))+)\s+(?:either(?: of)?\s+)?(.+)$/i;
/** What a work can be given to; anyone else is who alone has it. */
const TO_ALL = /^(?:the )?public domain\b/i;
const VIEW =
  /^to view a copy of (?:this|the) licen[cs]e,? (?:please )?(?:visit|see|go to)\s+(\S+?)[.,]?(?: or send a letter to creative commons((?:,? (?:\d{1,5}|p\.?o\.? box|second|castro|street|suite|\d+th floor|san francisco|mountain view|stanford|california|ca|usa|united states)){1,14}))?$/i;

/** The labels that one line or sentence names; null where it says more. */
function readStatement(words: string): string[] | null {
  const identifier = /^SPDX-License-Identifier:?\s*(.+)$/i.exec(words)?.[1];
  if (identifier !== undefined) return readName(identifier);
  const address = VIEW.exec(words)?.[1];
  if (address !== undefined) return readName(address);
  if (ADDRESS.test(words)) return readAddress(words);
  if (STANDING.some((sentence) => sentence.test(words))) return [];
  const plain = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (plain.every((word) => TITLE.has(word))) return [];
  const whole = readName(words);
  if (whole !== null) return whole;
  const [, subject = '', how = '', name = ''] = LICENSED.exec(words) ?? [];
  if (name === '' || (/\bto\b/i.test(how) && !TO_ALL.test(name))) return null;
  const about = subject.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  if (
    about.some((word) => PARTIAL.has(word)) ||
    (!about.every((word) => TITLE.has(word)) &&
      !isNames(subject.replace(/\b(?:is|are|project|this)\b/gi, '')))
  ) {
    return null;
  }
  return readName(name);
}

/** What the stewards of licences print around them, and the SPDX texts lack. */
const STANDING: readonly RegExp[] = [
  /^The text of the Creative Commons public licenses is dedicated to the public domain under the CC0 Public Domain Dedication$/i,
  /^This General Public License does not permit incorporating your program into proprietary programs$/i,
  /^If your program is a subroutine library, you may consider it more useful to permit linking proprietary applications with the library$/i,
  /^If this is what you want to do, use the GNU (?:Library|Lesser) General Public License instead of this License$/i,
];

const ADDRESS = /^(?:https?:\/\/\S+|(?:[a-z0-9-]{1,63}\.){1,4}(?:com|io|net|org)(?:\/\S*)?)$/i;

/** An address alone names the licence that is published there, or nothing. */
function readAddress(address: string): string[] | null {
  const named = readName(address);
  return named ?? (/creativecommons\.org\/licenses/i.test(address) ? null : []);
}

function readName(words: string): string[] | null {
  if (words.length > 300) return null;
  const licence = readLicenceField(words.replace(/^\(|[.:;]$/g, ''));
  if (licence === null) return [];
  return licence.kind === 'permissive' ? [licence.label] : null;
}
