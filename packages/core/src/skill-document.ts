// The document that a host of the skills extension receives as a skill's SKILL.md: front matter that any reader can
// take, where the text comes from, and the whole context. Source: format, section 8; spec, points 2 and 3.
//
// The same skill gives the same bytes, in every commit and from every process: the digest of the document is kept, and
// the document is not. A change of what is written here must raise READING_RULES.
import type { ContextPart, WithheldEntry } from './answers.ts';
import { framedPart } from './contract/content.ts';
import type { SkillFacts } from './facts.ts';
import { escapeUnseen } from './lib/characters.ts';
import { contentPart } from './lib/context-part.ts';
import { keyFault, quoted, yamlLines } from './lib/portable-yaml.ts';
import { MAX_DESCRIPTION_CHARACTERS } from './limits.ts';
import { showPath } from './show-path.ts';
import { codePointLength, cutAtWord } from './text.ts';

/** The front matter of the document as data, as `skills/list` carries it. Fields that are not there are absent. */
export interface ServedFrontMatter {
  readonly name: string;
  /** At most 1,024 characters. */
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly 'allowed-tools'?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A file of the skill's directory that no read returns. */
export interface LeftOutFile extends Pick<WithheldEntry, 'path' | 'reason' | 'size'> {
  /** Where its bytes are. */
  readonly url?: string;
}

export interface DocumentSources {
  readonly facts: SkillFacts;
  /** Paths of what the document is made of, in the order of its parts. */
  readonly sources: readonly string[];
  readonly leftOut: readonly LeftOutFile[];
  /** How many more there are than `leftOut` holds. */
  readonly moreLeftOut?: number;
}

/** What an entry of the skill says of it. Keys of the format's own (`skillcdn`) stay out of it. */
export function servedFrontMatter(facts: SkillFacts): ServedFrontMatter {
  const { name, description, license, compatibility, allowedTools, metadata } = facts;
  return {
    name,
    description: cutAtWord(description, MAX_DESCRIPTION_CHARACTERS),
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(allowedTools === undefined ? {} : { 'allowed-tools': allowedTools }),
    ...(metadata === undefined || Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/** Everything before the context, with a line feed at its end. */
export function documentHead({ facts, sources, leftOut, moreLeftOut = 0 }: DocumentSources): string {
  const served = servedFrontMatter(facts);
  const lines = [
    '---',
    ...yamlLines({ ...served }),
    '---',
    'assembled from:',
    ...sources.map((path) => `- ${showPath(path)}`),
    ...(leftOut.length === 0 ? [] : ['left out:', ...leftOut.map(leftOutLine)]),
    ...(moreLeftOut === 0 ? [] : [`- ${moreLeftOut} more`]),
    ...(served.description === facts.description ? [] : ['--- full description ---', facts.description]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The document. What follows the head is what the pages of `load_skill` hold, put together. */
export function assembleDocument(head: string, parts: readonly ContextPart[]): string {
  return head + parts.map((part) => framedPart(contentPart(part))).join('');
}

/** By code of the reason; a code that is not here stands for itself. What lies in a closed folder is never named. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['too_large', 'too large to be served here'],
  ['lfs_pointer', 'kept in Git LFS'],
  ['symlink', 'a symbolic link, which is not followed'],
  ['submodule', 'a submodule, which is another repository'],
  ['not_text', 'not text'],
  ['beyond_limit', 'beyond a limit of this deployment'],
  ['object_missing', 'its content is not in the repository'],
  ['unaddressable_path', 'its path cannot be written in an address'],
  ['restrictive_license', 'its license keeps it at the source'],
]);

function leftOutLine({ path, reason, size, url }: LeftOutFile): string {
  const bytes = size === undefined ? '' : `, ${size} bytes`;
  const where = url === undefined ? '' : `: ${escapeUnseen(url)}`;
  return `- ${showPath(path)} (${REASONS.get(reason) ?? reason}${bytes})${where}`;
}

/** Agent Skills: lower-case ASCII letters and digits, single hyphens between them. */
const PORTABLE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_CHARACTERS = 64;
const MAX_COMPATIBILITY_CHARACTERS = 500;

/**
 * What a strict host refuses in a skill whatever way its front matter is written, as a clause for its author; null if
 * nothing. That the name is the directory's is for whoever knows the directory.
 */
export function whyNotPortable({ name, description, compatibility, metadata }: SkillFacts): string | null {
  if (name.length > MAX_NAME_CHARACTERS || !PORTABLE_NAME.test(name)) {
    return `the name ${shown(name)} must be 1 to 64 of the letters a to z, digits, and single hyphens between them`;
  }
  if (description === '') return 'the description must not be empty';
  if (compatibility !== undefined) {
    const length = codePointLength(compatibility);
    if (length === 0 || length > MAX_COMPATIBILITY_CHARACTERS) {
      return `compatibility must have 1 to 500 characters and has ${length}`;
    }
  }
  for (const key of Object.keys(metadata ?? {})) {
    const fault = keyFault(key);
    if (fault !== null) return `the metadata key ${shown(key)} ${fault}; give it another`;
  }
  return null;
}

const MAX_SHOWN_CHARACTERS = 80;

function shown(text: string): string {
  return cutAtWord(escapeUnseen(quoted(text)), MAX_SHOWN_CHARACTERS);
}
