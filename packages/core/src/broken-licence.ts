// What a SKILL.md that is no skill says of its licence: it has none to pass on, and may still forbid it.
import type { SkillFacts } from './facts.ts';
import { readFrontMatter } from './front-matter.ts';
import { isBlank } from './lib/characters.ts';
import { lostKeys } from './lib/lost-keys.ts';
import { readYaml, type Value } from './lib/yaml-tree.ts';

/** Front matter that is too long to be read is looked at as far as this. */
const MAX_HEAD_CHARACTERS = 65_536;

type LicenceField = Pick<SkillFacts, 'license' | 'licenseUnreadable'>;

const UNREADABLE: LicenceField = { licenseUnreadable: true };

/** What the text of a broken SKILL.md says under `license`, read as far as it can be; unreadable is not silence. */
export function readBrokenLicence(text: string): LicenceField {
  const front = readFrontMatter(text, '', { recover: true });
  if (front.kind === 'invalid') return readHead(headOf(text).slice(0, MAX_HEAD_CHARACTERS));
  const isUncertain = front.kind === 'recovered' && front.uncertain.has('license');
  return isUncertain ? UNREADABLE : fieldOf(front.fields.get('license'));
}

function fieldOf(value: Value | undefined): LicenceField {
  if (value === undefined) return {};
  if (value.kind !== 'text') return UNREADABLE;
  return isBlank(value.text) ? {} : { license: value.text.trim() };
}

/** Front matter may lack its first line, its last, or both. */
const OPENING = /^[^\p{L}{"'-]*(?:-{3,}[^\n]*(?:\n|$))?/u;
const FENCED = /^[^\p{L}{"'-]*-{3,}/u;
const KEY = /^["'{]*[\p{L}_][\p{L}\p{N}_ .-]{0,60}["']?[ \t]*:/u;
const CLOSING = /^(?:-{3,}|\.\.\.)[ \t\r]*$|(?<=^[ \t\r]*\n)#{1,6} /m;

/** What stands where front matter should: up to a closing line, or to the first heading behind an empty line. */
function headOf(text: string): string {
  const head = text.slice(OPENING.exec(text)?.[0].length ?? 0);
  if (!FENCED.test(text) && !KEY.test(head)) return '';
  const end = CLOSING.exec(head);
  return end === null ? head : head.slice(0, end.index);
}

/** The line of the key with those that are indented below it. */
const OWN_LINES = /^license[ \t]*:(?=[ \t\r\n]|$).*(?:\n[ \t]+\S.*)*/m;

function readHead(head: string): LicenceField {
  if (!lostKeys(head, new Map()).includes('license')) return {};
  const own = OWN_LINES.exec(head);
  if (own === null) return UNREADABLE;
  const tree = readYaml(own[0], 0);
  const value = tree.ok ? tree.root.entries.get('license') : undefined;
  if (value === undefined) return UNREADABLE;
  const isEmpty = value.kind === 'text' && isBlank(value.text);
  const lines = { at: own.index, end: own.index + own[0].length, isBlank: isEmpty };
  return lostKeys(head, new Map([['license', lines]])).includes('license') ? UNREADABLE : fieldOf(value);
}
