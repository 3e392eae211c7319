// What the `license` field of a skill or manifest lets a reader of this server have.
import parseExpression from 'spdx-expression-parse';
import { idOfAddress, LICENCE_NAMES, licenceKey, NEEDS_LICENCE } from './lib/licence-names.ts';
import { PERMISSIVE_IDS } from './lib/permissive-ids.ts';
import { isLicenceFileName, licenceFileSuffix } from './licence-file.ts';

/**
 * `permissive`: anyone may pass the work on (open-source licences, copyleft too, public domain, CC0, CC BY, CC BY-SA).
 * `restrictive`: anything else that was said, the unrecognised included. Source: format, section 10.
 */
export type LicenceKind = 'permissive' | 'restrictive';

export interface Licence {
  readonly kind: LicenceKind;
  /** SPDX identifier or expression; for a field that is neither its own words; `unrecognised` for a file. */
  readonly label: string;
}

export interface ResolvedLicence extends Licence {
  /** Path of the licence file, or `license of <path>` where the field of a skill or manifest said it. */
  readonly where: string;
}

/** Said, and not to be read: not a text, or in a file that cannot be read. Never taken for consent. */
export const UNRECOGNISED: Licence = { kind: 'restrictive', label: 'unrecognised' };

/** The longest field whose words are looked at. */
const MAX_FIELD_CHARACTERS = 1_000;
const MAX_LABEL_CHARACTERS = 80;

const PERMISSIVE = new Set(PERMISSIVE_IDS);
const BY_LOWER_CASE = new Map(PERMISSIVE_IDS.map((id) => [id.toLowerCase(), id]));
/** Identifiers that are words, companies or products too: licences only as SPDX writes them. */
const ALSO_WORDS = new Set(
  `aal entessa eudatagrid fair hpnd icu intel ipa jam miros motosoto multics naumen nokia ntp postgresql sleepycat w3c
  watcom-1.0 wordnet xnet blessing wxwindows`.split(/\s+/),
);

/** True for the SPDX identifier of a licence that lets anyone redistribute. */
export function isPermissiveId(id: string): boolean {
  return PERMISSIVE.has(id);
}

/** True for a text that is the identifier of a licence and as well a word or a name of something else. */
export function isAlsoWord(text: string): boolean {
  return ALSO_WORDS.has(text.toLowerCase());
}

/** The first of the strictest; unrecognised where there is none. Never throws. */
export function strictest(licences: readonly Licence[]): Licence {
  return licences.find(({ kind }) => kind === 'restrictive') ?? licences[0] ?? UNRECOGNISED;
}

/**
 * What a `license` field says, or null where it says nothing: it is empty, or only points at a file ("See LICENSE").
 * Of several licences the strictest counts, whatever joins them. Text that is not understood whole is restrictive.
 */
export function readLicenceField(text: string): Licence | null {
  const words = text.replace(/\s+/g, ' ').trim();
  if (words === '') return null;
  const asWritten: Licence = { kind: 'restrictive', label: cut(words) };
  if (words.length > MAX_FIELD_CHARACTERS) return asWritten;
  const expression = kindOfExpression(words);
  if (expression !== null) return { kind: expression, label: cut(words) };

  const parts = inParts(withoutMarkup(words));
  const names: string[] = [];
  let pointsAway = false;
  for (const part of parts) {
    const meaning = readPart(part);
    if (meaning === 'unknown') return asWritten;
    if (meaning === 'elsewhere') pointsAway = true;
    else if (meaning !== 'here' && !names.includes(meaning.label)) names.push(meaning.label);
  }
  if (names.length > 0) {
    const either = /\/|\bor\b/i.test(words) && !/\band\b|&/i.test(words);
    return { kind: 'permissive', label: cut(names.join(either ? ' OR ' : ' AND ')) };
  }
  return pointsAway ? asWritten : null;
}

/** Null where the text is no SPDX expression. */
function kindOfExpression(text: string): LicenceKind | null {
  let tree: ReturnType<typeof parseExpression>;
  try {
    tree = parseExpression(text);
  } catch {
    return null;
  }
  // The parser knows the exceptions of SPDX, and each of those only adds permissions.
  const leaves = [tree];
  for (let node = leaves.pop(); node !== undefined; node = leaves.pop()) {
    if ('license' in node) {
      if (!PERMISSIVE.has(node.license)) return 'restrictive';
    } else leaves.push(node.left, node.right);
  }
  return 'permissive';
}

const OR_LATER =
  /,?\s*\(?\s*(?:at your option,?\s*)?\b(?:or|and)\s+(?:\(?at your option\)?,?\s*)?(?:any\s+)?(?:later|newer)(?:\s+versions?)?\)?/gi;

/** `[words](target)` becomes both; emphasis, code marks and quotes go. */
function withoutMarkup(text: string): string {
  return text
    .replace(/\[([^\][]*)\]\(([^()\s]*)\)/g, '$1 ($2)')
    .replace(/[`*"'“”‘’<]|>(?!=)/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\(?\s*>=\s*(\d+(?:\.\d+)*)\s*\)?/g, ' $1+')
    .replace(OR_LATER, '+');
}

/** What stands between the words and marks that join licences, or end a sentence. */
function inParts(text: string): string[] {
  const addresses: string[] = [];
  const guarded = text.replace(
    /https?:\/\/[^\s()]*[^\s().,;]/gi,
    (address) => `\u0001${addresses.push(address) - 1}\u0001`,
  );
  return guarded
    .split(
      /\s+(?:and|or|plus)\s+|\s*(?:,(?! ?v(?:ersion)?[ .\d])|[;&|()]|\+\s|\.\s|\.$|\s[-–—+]\s|:\s|(?<![.\w])\/(?=\w)|(?<=\w)\/(?=[A-Z]))\s*/i,
    )
    .map((part) => part.replace(/\u0001(\d+)\u0001/g, (_, number) => addresses[Number(number)] ?? '').trim())
    .filter((part) => part !== '');
}

/** All that a sentence says which only points at a file, the file's name apart. */
const POINTING = new Set(
  `a accompanying also and are at attached be bundled can complete conditions contains details directory exact file
  files folder for found full governed has in included information is its licence license licenses licensed listed
  located more of please project provided read refer repo repository root see skill terms text that the this to under
  with`.split(/\s+/),
);

/** What a pointer says that sends a reader to more than the licence it stands beside. */
const MORE_TERMS = /\bmore (?:conditions|terms)\b/i;
/** A file that only adds to the GPL, which stands beside it. */
const LESSER = /^lesser$/i;

/** A licence's label, `here` for a file of that folder, `elsewhere` for an address of such a file; or unknown. */
function readPart(part: string): { readonly label: string } | 'here' | 'elsewhere' | 'unknown' {
  const label = labelOf(part);
  if (label !== undefined) return { label };
  if (MORE_TERMS.test(part)) return 'unknown';
  let points: 'here' | 'elsewhere' | 'unknown' = 'unknown';
  for (const word of part.split(' ')) {
    const name = word.split('/').at(-1) ?? '';
    if (isLicenceFileName(name)) {
      const suffix = licenceFileSuffix(name);
      if (suffix !== '' && !LESSER.test(suffix)) {
        const named = labelOf(suffix);
        return named === undefined ? 'unknown' : { label: named };
      }
      if (points !== 'elsewhere') points = /^https?:/i.test(word) ? 'elsewhere' : 'here';
    } else if (!POINTING.has(word.toLowerCase())) return 'unknown';
  }
  return points;
}

/** What a name is written with. Any other character may be a word that this does not read, or say "not". */
const OF_NAMES = /^[\w\s.,:;+*/()[\]{}<>"'`&@#$%|©®™‐-―‘-‟…-]*$/;

function labelOf(part: string): string | undefined {
  if (!OF_NAMES.test(part)) return undefined;
  const id = idOfAddress(part);
  if (id !== undefined) return BY_LOWER_CASE.get(id);
  if (isAlsoWord(part)) return PERMISSIVE.has(part) ? part : undefined;
  const key = licenceKey(part);
  if (NEEDS_LICENCE.has(key) && !/licen[cs]e/i.test(part)) return undefined;
  return BY_LOWER_CASE.get(part.toLowerCase()) ?? LICENCE_NAMES.get(key);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_LABEL_CHARACTERS
    ? text
    : `${characters.slice(0, MAX_LABEL_CHARACTERS - 1).join('')}…`;
}
