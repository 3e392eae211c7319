// Understands what stands around a licence text, or in place of one: titles, copyright lines, "licensed under …".
import { isAlsoWord, readLicenceField } from '../licence.ts';
import { goesOn, isCopyright, isNames, KEEPS_RIGHTS, readTitle, sentencesOf } from './licence-holders.ts';

export interface Notices {
  /** Of the licences that titles and notices name, often none. */
  readonly labels: readonly string[];
  /** All rights are reserved, or those in a part, which only the text of a licence below can give away. */
  readonly keepsRights: boolean;
}

/**
 * What the titles, copyright lines and notices of a text say; null where it says anything else, which could be a
 * restriction. At the top of a file a line may name the work.
 */
export function readNotices(text: string, atTop: boolean): Notices | null {
  const { rest, title } = atTop ? withoutTitle(text) : { rest: text, title: null };
  const labels: string[] = [];
  let keepsRights = false;
  for (const paragraph of rest.split(/\n[ \t\r>#*/]*\n/)) {
    const found = readLines(paragraph.split('\n'), title) ?? readLines(asSentences(paragraph), title);
    if (found === null) return null;
    labels.push(...found.labels);
    keepsRights ||= found.keepsRights;
  }
  return { labels, keepsRights };
}

/** What is wrapped, read together; but below a copyright line only what goes on with its names. */
function asSentences(paragraph: string): string[] {
  const blocks: string[] = [];
  let above: string | null = null;
  for (const line of paragraph.split('\n')) {
    const words = withoutDecoration(line);
    const names: boolean = above !== null && goesOn(above, line, words);
    if (above !== null && !names) blocks.push(line);
    else blocks.push(`${blocks.pop() ?? ''} ${line}`);
    above = names || isCopyright(words) ? line : null;
  }
  return blocks.flatMap((block) => sentencesOf(block.trim().replace(/\s+/g, ' '), /^[A-Z(<]/));
}

/** The first line may be a heading, above a copyright line or a licence. */
function withoutTitle(text: string): { readonly rest: string; readonly title: string | null } {
  const trimmed = text.trimStart();
  const end = Math.max(0, trimmed.indexOf('\n'));
  const rest = trimmed.slice(end);
  const heading = withoutDecoration(trimmed.slice(0, end));
  // A licence is named there, not a work; or shown, as a picture whose address says which.
  const isLicence = /\]\(https?:/i.test(heading) || (readName(heading)?.length ?? 0) > 0;
  const title = rest.trim() === '' || isLicence ? null : readTitle(heading);
  return title === null ? { rest: text, title } : { rest, title };
}

function readLines(lines: readonly string[], title: string | null): Notices | null {
  const labels: string[] = [];
  let keepsRights = false;
  let above: string | null = null;
  for (const line of lines) {
    const words = withoutDecoration(line);
    if (!/\p{L}/u.test(words)) continue;
    if (isCopyright(words) || (above !== null && goesOn(above, line, words))) {
      keepsRights ||= KEEPS_RIGHTS.test(words);
      above = line;
      continue;
    }
    above = null;
    const named = readStatement(words, title);
    if (named === null) return null;
    labels.push(...named);
  }
  return { labels, keepsRights };
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

/** Words of titles and of sentences that only say that a licence follows. */
const TITLE = new Set(
  `a agreement all and are as available below by conditions copy copyright covered distributed file following follows
  for free full general here in information is it its licence licences license licensed licenses licensing made notice
  notices of open-source project provided public released repository reproduced see skill skills software terms text
  that the these this to under work`.split(/\s+/),
);
const OF_TERMS = /licen[cs]|copyright|terms|conditions|agreement|notice|follow/i;
/** The whole of what the file stands beside. A part, or another name, is licensed for itself. */
const OF_ALL = new RegExp(
  [
    '(?:this|our) (?:(?:open[- ]source|free) )?(?:THING|library|package|plugin)',
    'the (?:entire |whole )?THING|it',
    '(?:all|everything|(?:all|(?:all (?:of )?)?(?:the|these)) (?:files|contents?|materials?|skills)) in (?:this|the) PLACE',
    '(?:(?:all|the) )?contents? of (?:this|the) PLACE',
    '(?:all|these) (?:files|skills)',
  ]
    .map((pattern) => `^(?:${pattern})$`)
    .join('|')
    .replaceAll('PLACE', '(?:THING|director(?:y|ies)|folder|package)')
    .replaceAll('THING', '(?:program|project|repo|repository|skill|software|work)'),
  'i',
);
/** What joins a subject with what is said of it. */
const IS = /(?:^|\s)(?:is|are)(?: (?:free|open[- ]source) software)?(?: (?:hereby|also|dual))?,?$|,$/i;
const LICENSED =
  /^(.{0,120}?)\s*\b(?:(?:dual[- ])?licen[cs]ed|released|distributed|made available|available|provided|covered|dedicated)((?: (?:under|by|to|as))+)\s+(?:either(?: of)?\s+)?(.+)$/i;
/** What a work can be given to; anyone else is who alone has it. */
const TO_ALL = /^(?:the )?public domain\b/i;
const VIEW =
  /^to view a copy of (?:this|the) licen[cs]e,? (?:please )?(?:visit|see|go to)\s+(\S+?)[.,]?(?: or send a letter to creative commons((?:,? (?:\d{1,5}|p\.?o\.? box|second|castro|street|suite|\d+th floor|san francisco|mountain view|stanford|california|ca|usa|united states)){1,14}))?$/i;

/** The labels that one line or sentence names; null where it says more. */
function readStatement(words: string, title: string | null): string[] | null {
  const identifier = /^SPDX-License-Identifier:?\s*(.+)$/i.exec(words)?.[1];
  if (identifier !== undefined) return readName(identifier);
  const address = VIEW.exec(words)?.[1];
  if (address !== undefined) return readName(address);
  if (ADDRESS.test(words)) return readAddress(words);
  // The name is the title of the text below.
  if (/ under(?: the)?$/i.test(words)) return readStatement(`${words} MIT`, title) === null ? null : [];
  if (STANDING.some((sentence) => sentence.test(words))) return [];
  const plain =
    words
      .toLowerCase()
      .replace(/\bopen source\b/g, 'open-source')
      .match(/[\p{L}\p{N}-]+/gu) ?? [];
  if (OF_TERMS.test(words) && plain.every((word) => TITLE.has(word))) return [];
  const [, subject = '', how = '', name = ''] = LICENSED.exec(words) ?? [];
  if (name === '') return isAlsoWord(words) ? null : readName(words);
  if (/\bto\b/i.test(how) && !TO_ALL.test(name)) return null;
  return isOfAll(subject, title) ? readName(name) : null;
}

function isOfAll(subject: string, title: string | null): boolean {
  const about = subject.replace(IS, '');
  const [work = '', holder = ''] = about.split(' by ', 2);
  if (about === '' || (OF_ALL.test(work) && isNames(holder))) return true;
  const name = (text: string) => text.toLowerCase().replace(/^the /, '');
  return title !== null && name(about) === name(title) && !OF_PART.test(title);
}
/** A heading that names a part or a version, as what is said below it may not be of the rest. */
const OF_PART =
  /\b(?:backend|client|code|community|core|edition|frontend|models?|prompts?|release|scripts?|sdk|server|v?\d+\.(?:\d+|x))\b/i;

/** What the stewards of licences print around them, and the SPDX texts lack. */
const STANDING: readonly RegExp[] = [
  /^The text of the Creative Commons public licenses is dedicated to the public domain under the CC0 Public Domain Dedication$/i,
  /^This General Public License does not permit incorporating your program into proprietary programs$/i,
  /^If your program is a subroutine library, you may consider it more useful to permit linking proprietary applications with the library$/i,
  /^If this is what you want to do, use the GNU (?:Library|Lesser) General Public License instead of this License$/i,
];

const ADDRESS = /^(?:https?:\/\/\S+|(?:[a-z0-9-]{1,63}\.){1,4}(?:com|io|net|org)(?:\/\S*)?)$/i;

/** Who publishes open licences alone, and where they print their address in them. */
const OF_STEWARD =
  /^(?:https?:\/\/)?(?:www\.)?(?:fsf\.org|gnu\.org(?:\/(?:licenses|philosophy)(?:\/[\w.-]+)?)?|creativecommons\.org|opensource\.org)\/?$/i;
/** A site, or an account or a repository where code is kept. */
const OF_HOLDER =
  /^(?:https?:\/\/)?(?:(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)(?:\/[\w.-]+){0,2}|[a-z0-9.-]+)\/?$/i;
/** Said in an address of terms, or of the site of a licence that restricts. */
const OTHER_TERMS =
  /licen[cs]|clause|polyform|prosperity|parity|fsl\.|bsl|\bno-|\b(?:commercial|enterprise|eula|legal|polic(?:y|ies)|pricing|proprietary|subscriptions?|terms|tos)\b/i;

/** An address alone names the licence that is published there, or who holds the rights: it may lead to any terms. */
function readAddress(address: string): string[] | null {
  const named = readName(address);
  if (named !== null && named.length > 0) return named;
  const isSilent = OF_STEWARD.test(address) || (OF_HOLDER.test(address) && !OTHER_TERMS.test(address));
  return isSilent ? [] : null;
}

function readName(words: string): string[] | null {
  if (words.length > 300) return null;
  const licence = readLicenceField(words.replace(/^\(|[.:;]$/g, ''));
  if (licence === null) return [];
  return licence.kind === 'permissive' ? [licence.label] : null;
}
