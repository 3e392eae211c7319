// Tells names of who holds rights from words that could take a right away: copyright lines and the names of works.

/** A part may have a holder of its own, whose rights the licence of the rest says nothing of. */
const PART_OF = '(?:portions|parts|some portions|some parts|original work|modifications|contributions)';
const COPYRIGHT = new RegExp(
  `^(?:(?:all|${PART_OF})(?: are)? )?(?:copyright(?:ed|s)?\\b|copr\\.|©|\\(c\\)|all rights reserved\\b|\\d{4}[-–,\\d ]*(?:©|\\(c\\)))`,
  'i',
);
/** Said in a copyright line or where it goes on. */
export const KEEPS_RIGHTS = new RegExp(
  [
    `\\b(?:reserved|retained|rights held|unpublished work)\\b|^${PART_OF}`,
    'voorbehouden|zastrzeżone|saklıdır|vyhrazen|förbehåll|fenntart|pidätet|rezervate|dilindungi|защищен|захищен',
    '보유|보호|محفوظة|שמורות|สงวน',
  ].join('|'),
  'i',
);
const ADDRESSES =
  /https?:\/\/\S+|[^\s@]{1,64}@\S+|(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|dev|io|me|net|org)\b(?:\/\S*)?/gi;
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
  /^(?:academi\w*|allow\w*|are|as|be|been|being|but|certain|charit\w*|companies|competitors?|could|current\w*|customers?|demo|deploy\w*|earlier|educat\w*|former|had|has|have|hobb\w*|if|inside|intended|is|might|most|old|older|outside|parts?|portions?|publish\w*|share\w*|subscri\w*|upload\w*|previous\w*|prior|schools?|should|some|than|that|they|this|those|to|was|we|were|when|where|which|while|who|will|within|would|you|your)$/;
/** What says that there is more than the one work, and whose that is. */
const OF_OTHERS =
  /^(?:adapt\w*|belong\w*|borrow\w*|bundl\w*|cc|closed|compris\w*|contain\w*|deriv\w*|embed\w*|featur\w*|includ\w*|incorporat\w*|integrat\w*|keep\w*|nc|nd|ours|own(?:s|ed)|plus|powered|remain\w*|separate\w*|using|vendor\w*|with(?:held|holds?)|yours?)$/;
/** The same in languages that copyright lines are met in: "forbidden", "use", "commercial", "only". */
const LIMITING_ABROAD =
  /^(?:apenas|autoris\p{L}*|autoriz\p{L}*|comercia\p{L}*|erlaub\p{L}*|gewerblich\p{L}*|interd\p{L}*|kein\p{L}*|kommer[zs]\p{L}*|nicht|nur|nutzung\p{L}*|privat\p{L}*|prohib\p{L}*|proib\p{L}*|réserv\p{L}*|reservad\p{L}*|riservat\p{L}*|sauf|seulement|solamente|solo|sólo|soltanto|uniquement|untersag\p{L}*|usage|uso|util\p{L}*|verboten\p{L}*|vietat\p{L}*|vorbehalt\p{L}*|запре\p{L}*|коммерч\p{L}*|некоммерч\p{L}*|использ\p{L}*|только)$/u;
/** And in writing without spaces or capitals, where it stands inside of words. */
const LIMITING_SIGNS =
  /[禁仅僅限勿]|保留|版[权權]所有|不得|不可|不能|商[业業用]|[许許]可|授[权權]|使用|[个個]人|用途|[学學][习習]|[转転轉][载載]|[营営營]利|금지|상업|개인|사용|허가|허락|제한|한정|용도/u;
/** Where names end, and whom it is for begins. */
const FOR_WHOM = /(?:^|[.;:,(–—-])\s*for\s/i;
/** Words in letters that have no case, as names have. */
const MAX_UNCASED = 3;
const SMALL = new Set(
  'a above affiliates al all and at author authors authors.txt by c co contributor contributors dba de del der des developers e et file for from in individual its la le list listed maintainer maintainers of on or other others present project readme repository reserved respective rights see team the their van von with y'.split(
    ' ',
  ),
);
/** Names in small letters, as accounts have: where no other word is a name in capitals, and beside such a one. */
const MAX_SMALL_NAMES = 3;
const MAX_SMALL_BESIDE = 2;
const MAX_NAME_WORDS = 40;
const MAX_NAME_CHARACTERS = 1_000;
const MAX_TITLE_WORDS = 8;
/** What a heading names a part by: what follows is said of that part alone. */
const PARTS =
  /^(?:acknowledg\w*|artwork|assets?|attributions?|components?|credits?|data(?:sets?)?|dependenc\w*|docs?|documentation|examples?|fonts|icons?|images?|librar(?:y|ies)|logos?|materials?|media|modifications?|modules|music|notices?|packages|part(?:y|ies)|parts?|photos|portions?|pictures|samples?|snippets|sounds?|sources|templates|third|third-party|trademarks?|upstream|versions?|weights)$/i;

/** No word that could take a right away. */
export function tellsNothing(words: readonly string[]): boolean {
  const limits = (word: string) =>
    [TELLING, LIMITING, LIMITING_SMALL, LIMITING_ABROAD, LIMITING_SIGNS, OF_OTHERS].some((some) =>
      some.test(word),
    );
  return words.length <= MAX_NAME_WORDS && !words.some((word) => word === 'may' || limits(word));
}

/** What is kept for oneself beside code that is given away. */
const OF_MODELS = /^(?:backend|models?|prompts?|weights)$/i;

/** A line or sentence that says whose the work is, and nothing else. */
export function isCopyright(words: string): boolean {
  if (words.length > MAX_NAME_CHARACTERS || !COPYRIGHT.test(words)) return false;
  const plain = words.replace(ADDRESSES, ' ').replace(/^(copyright(?: \(c\)| ©)?) ?:/i, '$1');
  // What follows on the end of a sentence is no name.
  return sentencesOf(plain, /^\S/).every(
    (sentence, i) =>
      (i === 0 || COPYRIGHT.test(sentence) || !/\p{L}/u.test(sentence)) &&
      !sentence.split(/[^\p{L}]+/u).some((word) => OF_MODELS.test(word)) &&
      isNames(sentence.replace(COPYRIGHT, '')),
  );
}

/** A line below a copyright line, or below another such line, that goes on with its names. */
export function goesOn(above: string, line: string, words: string): boolean {
  if (words.length > MAX_NAME_CHARACTERS) return false;
  const names = words.replace(ADDRESSES, ' ');
  if (names.includes(':') || COPYRIGHT.test(names) || namesPart(names) || !isNames(names)) return false;
  const last = above.trim();
  return GOES_ON.test(words) || !/[.;!?]["”’)]?$/.test(last) || !endsSentence(last, line.trim());
}
const GOES_ON = /^(?:and|&|with|others?\b|et al|\d{4}\b|https?:\/\/|[^\s@]{1,64}@)/i;

function namesPart(words: string): boolean {
  return words.split(/[^\p{L}\p{N}-]+/u).some((word) => PARTS.test(word));
}

/** What a first line names the work as; null where it says more, or names a part of it. */
export function readTitle(words: string): string | null {
  if (words.split(' ').length > MAX_TITLE_WORDS || COPYRIGHT.test(words) || !isNames(words)) return null;
  return namesPart(words) || sentencesOf(words, /^\S/).length > 1 ? null : words;
}

/** The sentences of a text, where what begins one looks as `begin` says. */
export function sentencesOf(text: string, begin: RegExp): string[] {
  const sentences: string[][] = [];
  for (const piece of text.split(/(?<=[.!?;:]["”’)]?)\s+/)) {
    const last = sentences.at(-1);
    const above = last?.at(-1);
    if (last === undefined || above === undefined || (begin.test(piece) && endsSentence(above, piece))) {
      sentences.push([piece]);
    } else last.push(piece);
  }
  return sentences.map((pieces) => pieces.join(' '));
}

function endsSentence(text: string, next: string): boolean {
  const end = text.slice(-MAX_ABBREVIATION);
  return !ABBREVIATED.test(end) && (!OF_COMPANIES.test(end) || /^\p{Lu}/u.test(next));
}
const MAX_ABBREVIATION = 8;
/** A full stop that ends no sentence. */
const ABBREVIATED = /(?:^|[\s,.(])(?:\p{L}|assoc|bros|co|copr|dept|dr|e\.v|jr|prof|pty|sr|st|univ)\.$/iu;
/** One that ends a sentence where the next word begins one. */
const OF_COMPANIES = /(?:^|[\s,(])(?:corp|gmbh|inc|ll[cp]|ltd)\.$/i;

export function isNames(text: string): boolean {
  let small = 0;
  let uncased = 0;
  let capital = 0;
  if (LIMITING_SIGNS.test(text) || FOR_WHOM.test(text)) return false;
  const words = text
    .replace(ADDRESSES, ' ')
    .replace(UNFILLED, ' ')
    .split(/[^\p{L}\p{N}'’.&_-]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  for (const word of words) {
    const bare = word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').toLowerCase();
    for (const part of bare.split(/[^\p{L}\p{N}]+/u)) {
      if (TELLING.test(part) || OF_OTHERS.test(part) || LIMITING_ABROAD.test(part)) return false;
    }
    if (bare.split(/[^\p{L}\p{N}'’]+/u).some((part) => LIMITING.test(part))) return false;
    if (bare === 'may' && word !== 'May') return false;
    if (/\p{Lo}/u.test(word)) uncased += 1;
    if (/^\p{Lu}/u.test(word)) capital += 1;
    if (!/^\p{Ll}/u.test(word)) continue;
    if (LIMITING_SMALL.test(bare)) return false;
    if (!SMALL.has(bare)) small += 1;
  }
  return (
    words.length <= MAX_NAME_WORDS &&
    small <= (capital > 0 ? MAX_SMALL_BESIDE : MAX_SMALL_NAMES) &&
    uncased <= MAX_UNCASED
  );
}
