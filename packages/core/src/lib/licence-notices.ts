// Understands what stands around a licence text, or in place of one: titles, copyright lines, "licensed under …".
import { isAlsoWord, readLicenceField } from '../licence.ts';
import { isCopyright, joint, KEEPS_RIGHTS, sentencesOf } from './licence-holders.ts';

export interface Notices {
  /** Of the licences that titles and notices name, often none. */
  readonly labels: readonly string[];
  /** All rights are reserved, or those in a part, which only the text of a licence below can give away. */
  readonly keepsRights: boolean;
}

/**
 * What the titles, copyright lines and notices of a text say; null where it says anything else, which could be a
 * restriction or the name of a part.
 */
export function readNotices(text: string): Notices | null {
  const labels: string[] = [];
  let keepsRights = false;
  for (const paragraph of text.split(/\n[ \t\r>#*/]*\n/)) {
    const found = readLines(paragraph.split('\n')) ?? readLines(asSentences(paragraph));
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
  for (const line of paragraph.replace(/^[\s>#*/]+/gm, '').split('\n')) {
    const words = withoutDecoration(line);
    const between: string | null = above === null ? ' ' : joint(above, words);
    if (between === null) blocks.push(line);
    else blocks.push(`${blocks.pop() ?? ''}${between}${line}`);
    above = (above !== null && between !== null) || isCopyright(words) ? line : null;
  }
  return blocks.flatMap((block) => {
    const line = block.trim().replace(/\s+/g, ' ');
    return isCopyright(withoutDecoration(line)) ? [line] : sentencesOf(line, /^[A-Z(<]/);
  });
}

function readLines(lines: readonly string[]): Notices | null {
  const labels: string[] = [];
  let keepsRights = false;
  for (const line of lines) {
    const words = withoutDecoration(line);
    if (!/\p{L}/u.test(words)) continue;
    if (isCopyright(words)) {
      keepsRights ||= KEEPS_RIGHTS.test(words);
      continue;
    }
    const named = readStatement(words);
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

/** Titles, and lines that only say that a licence is above or follows. */
const TITLE =
  /^(?:(?:copying|licensing|terms and conditions|copyright(?: notice)?|copyright and licen[cs]e(?: notice)?)|(?:the )?(?:(?:project|software|full) )?licen[cs]e(?: (?:agreement|information|notice|terms|text))?(?: follows)?|(?:the )?(?:full )?text of the licen[cs]e(?: follows)?|end of (?:license|terms and conditions)|(?:this|the) (?:project|software|work|repository|skill) is (?:licen[cs]ed|provided|released|available) under the following (?:terms|conditions|licen[cs]e))$/i;
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
function readStatement(words: string): string[] | null {
  const identifier = /^SPDX-License-Identifier:?\s*(.+)$/i.exec(words)?.[1];
  if (identifier !== undefined) return readName(identifier);
  const address = VIEW.exec(words)?.[1];
  if (address !== undefined) return readName(address);
  if (ADDRESS.test(words)) return readAddress(words);
  // The name is the title of the text below.
  if (/ under(?: the)?$/i.test(words)) return readStatement(`${words} MIT`) === null ? null : [];
  if (TITLE.test(words) || STANDING.some((sentence) => sentence.test(words))) return [];
  const [, subject = '', how = '', name = ''] = LICENSED.exec(words) ?? [];
  if (name === '') return isAlsoWord(words) ? null : readName(words);
  if (/\bto\b/i.test(how) && !TO_ALL.test(name)) return null;
  const [work = '', holder] = subject.replace(IS, '').split(' by ', 2);
  if (work !== '' && !OF_ALL.test(work)) return null;
  return holder === undefined || isCopyright(`Copyright ${holder}`) ? readName(name) : null;
}

/** What the stewards of licences print around them, and the SPDX texts lack. */
const STANDING: readonly RegExp[] = [
  /^one line to give the (?:library|program)'s name and (?:an|a brief) idea of what it does$/i,
  /^signature of Ty Coon$/i,
  /^The text of the Creative Commons public licenses is dedicated to the public domain under the CC0 Public Domain Dedication$/i,
  /^This General Public License does not permit incorporating your program into proprietary programs$/i,
  /^If your program is a subroutine library, you may consider it more useful to permit linking proprietary applications with the library$/i,
  /^If this is what you want to do, use the GNU (?:Library|Lesser) General Public License instead of this License$/i,
];

const ADDRESS = /^(?:https?:\/\/\S+|(?:[a-z0-9-]{1,63}\.){1,4}(?:com|io|net|org)(?:\/\S*)?)$/i;

/** Who publishes open licences alone, and where they print their address in them; or an account or a repository. */
const SILENT =
  /^(?:https?:\/\/)?(?:www\.)?(?:fsf\.org|gnu\.org(?:\/(?:licenses|philosophy)(?:\/[\w.-]+)?)?|creativecommons\.org|opensource\.org|(?:github|gitlab|codeberg)\.(?:com|org)(?:\/(?!\S*(?:licen[cs]|terms|eula|legal))[\w.-]+){1,2})\/?$/i;

/** An address alone names the licence that is published there, or where the work is: it may lead to any terms. */
function readAddress(address: string): string[] | null {
  const named = readName(address);
  return named !== null && named.length > 0 ? named : SILENT.test(address) ? [] : null;
}

function readName(words: string): string[] | null {
  if (words.length > 300) return null;
  const licence = readLicenceField(words.replace(/^\(|[.:;]$/g, ''));
  if (licence === null) return [];
  return licence.kind === 'permissive' ? [licence.label] : null;
}
