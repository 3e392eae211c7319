// Tells copyright lines by their shape: marks and years, then names of a few words, divided by commas and "and".

/** What each word that is no name is, as one letter; `readShape` says which. */
const LETTER_OF = new Map(
  Object.entries({
    C: 'copyright copyrighted copyrights copr',
    Y: 'now present today',
    q: 'contributions modifications parts portions',
    z: 'rights reserved',
    '&': 'and or & dba und',
    s: 'see',
    v: 'with',
    O: `ab ag as asa bv co company consortium corp corporation ev foundation gmbh inc incorporated kg lda limited llc llp lp
      ltd ltda nv oy pbc plc pte pty sa sarl sas society spa srl sro stiftung`,
    R: `affiliates authors author authors.txt authors.md committers community contributor contributors contributors.txt
      contributors.md developers developer development group holder holders maintainers maintainer organisation
      organization owner owners people project projects regents team year email`,
    I: 'dr jr mr mrs ms prof sr st',
    w: `a above al all at by d da das de del den der des di dos du e el et file from ibn in individual its la le list
      listed of other others original readme repository respective ten ter the their these to van various vom von
      y zu`,
  }).flatMap(([letter, words]) => words.split(/\s+/).map((word) => [word, letter] as const)),
);
const LETTER_OF_MARK = new Map([
  ['(c)', 'C'],
  ['©', 'C'],
  ['\u0001', '@'],
  [';', ','],
  ['/', ','],
  ['–', '-'],
  ['—', '-'],
]);

const ADDRESS =
  /https?:\/\/[^\s<>()[\]]+|[^\s@<>()[\]]{0,64}@[^\s<>()[\]]+|(?<![\w.-])(?:[a-z0-9-]{1,63}\.){1,4}(?:com|dev|dk|io|me|net|org|tools)\b(?!\.\w)(?:\/[^\s<>()[\]]*)?/gi;
/** Said in an address that leads to other terms. */
const OF_TERMS = /clause|commercial|eula|legal|polic(?:y|ies)|terms|\btos\b/i;
/** What a template says to fill in, left as it was. */
const UNFILLED =
  /[[{<](?:yyyy|years?|date|(?:full ?|your |project )?name|name of (?:author|(?:the )?copyright (?:owner|holder))|(?:the )?(?:copyright )?(?:owners?|holders?)|authors?|organization|project|e-?mail)(?:[\]}>]|$)/gi;
const TOKEN =
  /\(c\)|all rights reserved\b|©|&|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:[.'’_+/·-]+[\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*|[\s"“”„'’`*[\]<>{}|!]+|./giu;
const YEARS = /^\d{4}(?:-(?:\d{2,4}|present|now|today))?$/i;

/** Words of no name, in any case: only where all stand as names do, shape cannot tell. What limits begins so. */
const NO_NAME =
  /^(?:after|against|any|are|be|because|been|before|but|can|cannot|do|does|during|for|has|have|he|if|is|it|keep|may|must|nda|never|no|non|none|not|nothing|off|only|out|shall|she|should|than|that|they|this|those|under|unless|until|use|used|usage|was|we|were|what|when|where|which|while|who|will|within|without)$|^(?:backend|closed|components?$|confiden|consent|contains|copies|copy(?:ing)?$|demo$|dependenc|disclos|distribut|edition|evaluat|exclu[ds]|forbid|includ|incorporat|licen[cs]|logos?$|model|noncommercial|part(?:y|ies)$|patent|permission|prohibit|prompts|propriet|prosecut|redistribut|requires|required|reserve|restrict|retain|rights?$|secret|strict|terms$|third$|trial|unauthor|unpublished|version|violat|void$|weights|withh)/;
/** With which names of firms begin too. */
const OF_FIRMS = /^(?:commercial|internal|personal|private)/;
/** The same in other languages that use these letters. */
const NO_NAME_ABROAD =
  /^(?:cấm|derech|dilindungi|direit|diritt|droit|důvěr|eigentum|fenntart|fortrol|förbeh|förbj|forbeh|gewerb|gizli|interdi|intern[aeo]?$|kein|kielle|kom+er[csz]|konfid|luottam|mật|nicht|nur$|nutzung|oikeu|paslapt|pidät|poufn|práv|praw|priva[dt]|prohib|proib|rahasia|recht|reserv|riserv|rezerv|rättigh|saklı|segret|sekret|streng|taikos|taj[neo]|tit(?:k|ok)|uso$|utili[sz]|verboten|vertra|vertrouw|vietat|voorbeh|vorbeh|vyhra|zakaz|zastrz|всі$|все$|для|запре|копи|личн|не$|усі$|забор|защищ|захищ|ком+ер|конф|прав[аоы]?$|секрет|собственност|таємн|тайн|только|служебн)|geheim|hem+elig|hemlig|saladus|salaisuu|slēpum/;
/** And in writing without spaces. */
const NO_NAME_SIGN =
  /[禁仅僅限勿秘密權权権保留不得無許许授用商載载転转]|内部|取扱|사내|비밀|대외비|기밀|금지|보유|전용|불가|제한|사용/u;

const MAX_CHARACTERS = 1_000;
const MAX_WORD_CHARACTERS = 40;

/**
 * A line as one letter a word or mark, null where one cannot be in a copyright line: `C` copyright, `Y` years, `N` a name
 * in capitals, `n` in small letters (`k`: three at most), `D` one that is no word (`Node.js`), `F` a first name that is a
 * word too, `I` an initial, `L` Cyrillic or Greek, `U` without case, `O` a legal form, `R` who has made it together, `w` a
 * small word, `v` with, `s` see, `q` a part, `@` an address, `Z` "all rights reserved", `z` a word of that, `X` no name,
 * `x` none but in that of a firm.
 */
function readShape(line: string): string | null {
  if (line.length > MAX_CHARACTERS) return null;
  let shape = '';
  const plain = line
    .replace(UNFILLED, '\u0001')
    .replace(ADDRESS, (address) => (OF_TERMS.test(address) ? '\u0002' : '\u0001'))
    .replace(FOR_LANGUAGE, ' ');
  for (const [token] of plain.matchAll(TOKEN)) {
    const letter = letterOf(token);
    if (letter === null) return null;
    shape += letter;
  }
  // A closing bracket may have been taken for decoration; the full stop of an abbreviation ends nothing.
  const closed = shape.lastIndexOf('(') > shape.lastIndexOf(')') ? `${shape})` : shape;
  return closed.replace(/([OI])\.|(w)\.(?=,)/g, '$1$2');
}
const FOR_LANGUAGE = / for (?:C|Go|Java|JavaScript|Node(?:\.js)?|PHP|Python|Ruby|Rust|Swift|TypeScript)\b/g;

function letterOf(token: string): string | null {
  if (/^[\s"“”„'’`*[\]<>{}|!]/.test(token)) return '';
  const mark = LETTER_OF_MARK.get(token.toLowerCase());
  if (mark !== undefined) return mark;
  if (/^[,.:()-]$/.test(token)) return token;
  if (/^(?:\p{Lu}\.)*\p{Lu}$/u.test(token)) return 'I';
  const small = token.toLowerCase();
  if (small === 'all rights reserved') return 'Z';
  const known = LETTER_OF.get(small.replace(/\./g, '')) ?? LETTER_OF.get(small);
  if (known !== undefined) return known;
  if (YEARS.test(token) || /^\d{2}$/.test(token)) return 'Y';
  if (token.length > MAX_WORD_CHARACTERS || !/\p{L}/u.test(token)) return /^\d$/.test(token) ? 'd' : null;
  if (token === 'Will' || token === 'May') return 'F';
  const words = small.split(/[^\p{L}\p{N}\p{M}]+/u);
  if (OF_FIRMS.test(small)) return 'x';
  if (/n['’]t$/.test(small) || words.some((word) => NO_NAME.test(word) || NO_NAME_ABROAD.test(word)))
    return 'X';
  if (/^\p{Script=Latin}/u.test(token) || /^\p{N}/u.test(token)) {
    if (/[^\p{Script=Latin}\p{M}\p{N}.'’_+/·-]/u.test(token)) return null;
    if (
      /^\p{Lu}{2,5}$/u.test(token) ||
      /\p{Ll}\p{Lu}|\p{L}[._/\d]|^[^-]+-\p{L}+-|\p{Ll}-\p{Ll}|\p{Lu}-?\p{Lu}\p{Ll}/u.test(token)
    )
      return 'D';
    if (!/^\p{Ll}/u.test(token)) return 'N';
    return token.length <= 3 ? 'k' : 'n';
  }
  if (/^[\p{Script=Cyrillic}\p{Script=Greek}-]+$/u.test(token)) return /^\p{Lu}/u.test(token) ? 'L' : null;
  if (!/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー·]+$/u.test(token))
    return null;
  const name = token.replace(OF_COMPANY, '');
  const longest = name === token ? 4 : 12;
  return name.length <= longest && !NO_NAME_SIGN.test(name) ? 'U' : null;
}
const OF_COMPANY =
  /^(?:株式会社|주식회사)|(?:有限公司|公司|集团|集團|株式会社|大学|大學|协会|基金会|团队|贡献者|주식회사|재단|기여자)$/u;

/** What may stand in brackets: addresses, where the authors are named, another name, or the same in other letters. */
const IN_BRACKETS = /\((?:@(?:,?@)*|[swRY&]+|D{1,2}[dY]?|L{1,3}|U{1,2}|N[w]+N|O)\)/g;
const NEXT_COPYRIGHT = /(?<=[NDInkLUOR@])(?=q?C)/g;
const NICKNAME = /\([ND]\)(?=[ND])/g;
/** The shapes of a name: of a person, a firm or a group, an account, in other letters, and where to find the names. */
const HOLDER = [
  /^[wR]*I{0,3}[NDF]?(?:[wRI]*[ND]){0,3}[wRI]*$/,
  /^[wR]*(?:[NDInkv@R]w*){0,6}[OR]+(?:w*R)*$/,
  /^xN{0,2}O+$/,
  /^sw*R[wR]*$/,
  /^w*D?[nkD]{1,2}$/,
  /^w*[ND]k[ND]?$/,
  /^L{1,3}I?$/,
  /^U{1,2}$/,
];

/** Looked for first, as it takes a hundredth of the time. */
const MAY_BE_COPYRIGHT = /^.{0,40}?(?:copyright|copr|©|\(c\)|all rights)/i;

/** A line or sentence that says whose the work is, and nothing else. */
export function isCopyright(words: string): boolean {
  if (!MAY_BE_COPYRIGHT.test(words)) return false;
  const shape = readShape(words);
  if (shape === null) return false;
  const bare = shape.replace(NICKNAME, '').replace(IN_BRACKETS, '@').replace(NEXT_COPYRIGHT, '.');
  if (!/^(?:w*q?w*C|Y+[-,Y]*C|Z)/.test(bare)) return false;
  return bare
    .split(/[.Z]+/)
    .every((clause, i) => (i === 0 || /^[,@]*$|^q?C/.test(clause)) && isHolders(clause));
}

function isHolders(clause: string): boolean {
  // Behind a legal form no name begins but in a row.
  if (/O-+[^Y@]/.test(clause)) return false;
  return clause
    .replace(/^w*q?w*(?=C)/, '')
    .replace(/^q?[CY:,&-]*(?:w(?=Y)[CY:,&-]*)?/, '')
    .split(/[,&:-]+/)
    .every((part) => {
      const name = part
        .replace(/(?:w?Y)+/g, '')
        .replace(/@+$/, '')
        .replace(/^@+(?=.)/, '');
      return name === '' || HOLDER.some((shape) => shape.test(name));
    });
}

/** What joins a line to the copyright line above it, where it goes on with its names; null where it does not. */
export function joint(above: string, line: string): ' ' | ', ' | null {
  const next = readShape(line);
  if (next === null || /^q?C/.test(next)) return null;
  if (
    /^(?:[&@zYO(]|D\)|[NDIw]{0,4},?[OR])/.test(next) ||
    /(?:[,&:;–—-]|\s(?:and|by|of|the))\s*$/i.test(above)
  )
    return ' ';
  return next.includes('@') ? ', ' : null;
}

/** The words of a name, in small letters, in a sentence of a licence. */
export function isName(words: readonly string[]): boolean {
  if (words.some((word) => LETTER_OF.get(word) === 'q')) return false;
  const shape = words.map((word) => letterOf(word) ?? 'X').join('');
  return /^(?:[wRO&]*[nkNDIUL@]){0,4}[wRO&]*$/.test(shape);
}

/** All rights are kept, or those in a part. */
export const KEEPS_RIGHTS =
  /\breserved\b|^(?:original work|modifications|contributions|(?:some )?(?:portions|parts))\b/i;

/** The sentences of a text, where what begins one looks as `begin` says. */
export function sentencesOf(text: string, begin: RegExp): string[] {
  const sentences: string[][] = [];
  for (const piece of text.split(/(?<=[.!?;:]["”’)>]?)\s+/)) {
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
