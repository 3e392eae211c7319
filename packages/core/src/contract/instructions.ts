// What a client tells its model about a mount when it connects. Source: contract, Connection and prompt.
import type { FolderEntry, MountIdentity, MountOverview, SkillEntry } from '../answers.ts';
import { MAX_INSTRUCTIONS_CHARACTERS } from '../budget.ts';
import {
  brief,
  countsText,
  diagnosticText,
  noticeLines,
  partialLines,
  showFolder,
  showRef,
} from '../lib/result-text.ts';
import { showPath } from '../show-path.ts';
import { codePointLength, cutAtWord } from '../text.ts';
import { type FailedStatus, failedText, type IndexingStatus } from './status.ts';

const MAX_ABOUT_CHARACTERS = 300;
const MAX_FOLDER_DESCRIPTION_CHARACTERS = 80;
/** Characters a skill's description may have, tried in this order until all skills fit. */
const SKILL_DESCRIPTION_CHARACTERS = [160, 120, 80, 60, 40];
const MAX_SKILL_NAME_CHARACTERS = 64;
const MAX_LINE_CHARACTERS = 200;

/** What is known about the mount when someone connects. */
export type MountState =
  /** `rootName`: stands before every path in a skill URI, where the root of the repository is a listed skill. */
  | { readonly kind: 'ready'; readonly overview: MountOverview; readonly rootName: string | null }
  | { readonly kind: 'indexing'; readonly status: IndexingStatus }
  | { readonly kind: 'failed'; readonly status: FailedStatus };

const HOW = [
  'To use a skill:',
  '1. browse_repo {} lists folders, skills and documents; browse_repo {"path":"<folder>"} goes deeper.',
  '2. search_repo {"query":"<words>"} finds skills and documents by words of the content.',
  '3. load_skill {"path":"<…/SKILL.md>"} gives its rules, instructions and included files. Follow the Next line until it says complete: true, then use the skill.',
  '4. read_repo_file {"path":"<file>"} reads a file that a skill names, or a document.',
  'Paths start at the repository root.',
];

/** At most 2,000 characters; what does not fit is left to browsing. */
export function renderInstructions(identity: MountIdentity, state: MountState): string {
  const head = [
    `Agent skills from ${cut(identity.repository)}, ${showMount(identity)}, commit ${shownCommit(identity)}.`,
  ];
  head.push(...noticeLines(identity));
  const tail = [...HOW, ...uriLines(identity, state)];
  if (state.kind === 'ready') {
    const about = [...stateLines(state.overview), ...aboutLines(state.overview)];
    return fit(head, about, state.overview, tail);
  }
  head.push(
    state.kind === 'indexing'
      ? 'Status: indexing. What the repository holds is not known yet; the tools wait for it or say when to call again.'
      : `Status: failed: ${cut(failedText(state.status))}`,
  );
  return fit(head, [], null, tail);
}

/** Where a path has its URI. A name that escapes make long is left to the lists of resources. */
function uriLines({ repository }: MountIdentity, state: MountState): readonly string[] {
  const rootName = state.kind === 'ready' ? state.rootName : null;
  const prefix = `skill:/${repository}${rootName === null ? '' : `/${rootName}`}`;
  return prefix.length > MAX_LINE_CHARACTERS ? [] : [`The same as MCP resources: ${prefix}/<path>`];
}

function showMount(identity: MountIdentity): string {
  return identity.path === '' ? 'whole repository' : `only ${cut(showPath(identity.path))}`;
}

function shownCommit(identity: MountIdentity): string {
  return `${showPath(identity.commit)} (${cut(showRef(identity))})`;
}

/** What a limit or a fault left out: a catalog that is not complete does not pass for one that is. */
function stateLines(overview: MountOverview): readonly string[] {
  const lines = partialLines(overview.partial).slice(0, 2).map(cut);
  const [first] = overview.diagnostics;
  if (first !== undefined) {
    const more = overview.diagnostics.length - 1 + (overview.moreDiagnostics ?? 0);
    lines.push(
      `Diagnostics: ${cut(diagnosticText(first))}${more > 0 ? ` (and ${more} more; \`skillquay check\` lists them)` : ''}`,
    );
  }
  return lines;
}

function aboutLines(overview: MountOverview): readonly string[] {
  const lines = [`Contains: ${countsText(overview.counts)}.`];
  const about = overview.description ?? overview.overview?.summary;
  const name = overview.name === undefined ? '' : brief(overview.name, MAX_LINE_CHARACTERS);
  if (name !== '' || about !== undefined) {
    const text = about === undefined ? '' : brief(about, MAX_ABOUT_CHARACTERS);
    lines.push(`About: ${[name, text].filter((part) => part !== '').join(': ')}`);
  }
  if (overview.language !== undefined) lines.push(`Language of the content: ${brief(overview.language, 60)}`);
  if (overview.overview !== undefined)
    lines.push(`Introduction: read_repo_file ${showPath(overview.overview.path)}`);
  return lines;
}

function folderLine(folder: FolderEntry): string {
  const text = folder.description ?? folder.skill?.description ?? folder.name;
  const about = text === undefined ? '' : `: ${brief(text, MAX_FOLDER_DESCRIPTION_CHARACTERS)}`;
  return `- ${showFolder(folder.path)} (${countsText(folder)})${about}`;
}

function skillLine(skill: SkillEntry, characters: number): string {
  const name = brief(skill.name, MAX_SKILL_NAME_CHARACTERS);
  const mark = skill.describedOnly === undefined ? '' : ' (described only)';
  return `- ${showPath(skill.path)}: ${name}${mark} – ${brief(skill.description, characters)}`;
}

function cut(text: string): string {
  return cutAtWord(text, MAX_LINE_CHARACTERS);
}

/** Head and tail stand; between them what is known of the mount, as far as it fits. */
function fit(
  head: readonly string[],
  about: readonly string[],
  overview: MountOverview | null,
  tail: readonly string[],
): string {
  const left = MAX_INSTRUCTIONS_CHARACTERS - costOf([...head, ...tail]);
  const lines: string[] = [];
  const room = (): number => left - costOf(lines);
  for (const line of about) if (cost(line) <= room()) lines.push(line);
  if (overview !== null) {
    const skills = allSkills(overview, room());
    lines.push(...skills);
    lines.push(...someFolders(overview.folders, skills.length > 0, room()));
  }
  return [...head, ...lines, ...tail].join('\n');
}

/** Every skill of a small mount, each with what it is for; nothing where they do not all fit. */
function allSkills({ skills, counts }: MountOverview, room: number): readonly string[] {
  if (skills === undefined || skills.length === 0 || skills.length < counts.skills) return [];
  for (const characters of SKILL_DESCRIPTION_CHARACTERS) {
    const lines = ['Skills:', ...skills.map((skill) => skillLine(skill, characters))];
    if (costOf(lines) <= room) return lines;
  }
  return [];
}

/** Folders from the first on; where the skills are named, only those that hold documents. */
function someFolders(folders: readonly FolderEntry[], skillsNamed: boolean, room: number): readonly string[] {
  const label = 'Folders:';
  // How many there are in all is not known here: the overview is bounded.
  const more = '- and more: browse_repo {}';
  const all = folders.filter(({ documents }) => !skillsNamed || documents > 0).map(folderLine);
  let left = room - costOf([label, more]);
  const over = all.findIndex((line) => {
    left -= cost(line);
    return left < 0;
  });
  const shown = over === -1 ? all : all.slice(0, over);
  if (shown.length === 0) return [];
  return [label, ...shown, ...(over === -1 ? [] : [more])];
}

function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + cost(line), 0);
}

function cost(line: string): number {
  return codePointLength(line) + 1;
}
