// What a client tells its model about a mount when it connects. Source: contract, Connection and prompt.
import type { MountIdentity, MountOverview } from '../answers.ts';
import { MAX_INSTRUCTIONS_CHARACTERS } from '../budget.ts';
import {
  brief,
  countsText,
  diagnosticText,
  PROVENANCE_NOTICE,
  partialLines,
  showFolder,
  showPath,
  showRef,
} from '../lib/result-text.ts';
import { codePointLength, cutAtWord } from '../text.ts';
import { type FailedStatus, failedText, type IndexingStatus } from './status.ts';

const MAX_ABOUT_CHARACTERS = 300;
const MAX_FOLDER_DESCRIPTION_CHARACTERS = 80;
const MAX_LINE_CHARACTERS = 200;

/** What is known about the mount when someone connects. */
export type MountState =
  | { readonly kind: 'ready'; readonly overview: MountOverview }
  | { readonly kind: 'indexing'; readonly status: IndexingStatus }
  | { readonly kind: 'failed'; readonly status: FailedStatus };

export interface InstructionsOptions {
  /** `skill://…` under which the skills extension serves the same skills; left out until it does. */
  readonly skillUriPrefix?: string;
  /** The host's own description of the repository, used at its root when nothing else describes it. */
  readonly hostDescription?: string;
}

const HOW = [
  'To use a skill:',
  '1. browse_repo {} lists folders, skills and documents; browse_repo {"path":"<folder>"} goes deeper.',
  '2. search_repo {"query":"<words>"} finds skills and documents by words of the content.',
  '3. load_skill {"path":"<…/SKILL.md>"} gives its rules, instructions and included files. Follow the Next line until it says complete: true, then use the skill.',
  '4. read_repo_file {"path":"<file>"} reads a file that a skill names, or a document.',
  'Paths start at the repository root.',
];

/** At most 2,000 characters; what does not fit is left to browsing. */
export function renderInstructions(
  identity: MountIdentity,
  state: MountState,
  options: InstructionsOptions = {},
): string {
  const head = [
    `Agent skills from ${cut(identity.repository)}, ${showMount(identity)}, commit ${shownCommit(identity)}.`,
  ];
  if (!identity.verified) head.push(`Notice: ${PROVENANCE_NOTICE}`);
  const tail = [...HOW];
  if (options.skillUriPrefix !== undefined)
    tail.push(`As MCP resources the same skills are at ${options.skillUriPrefix}/…`);
  if (state.kind === 'ready') {
    const about = [...stateLines(state.overview), ...aboutLines(state.overview, options)];
    return fit(head, about, folderLines(state.overview), tail);
  }
  head.push(
    state.kind === 'indexing'
      ? 'Status: indexing. What the repository holds is not known yet; the tools wait for it or say when to call again.'
      : `Status: failed: ${cut(failedText(state.status))}`,
  );
  return fit(head, [], [], tail);
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
      `Diagnostics: ${cut(diagnosticText(first))}${more > 0 ? ` (and ${more} more; browse_repo shows them)` : ''}`,
    );
  }
  return lines;
}

function aboutLines(overview: MountOverview, options: InstructionsOptions): readonly string[] {
  const lines = [`Contains: ${countsText(overview.counts)}.`];
  const fallback = overview.path === '' ? options.hostDescription : undefined;
  const about = overview.description ?? overview.overview?.summary ?? fallback;
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

function folderLines(overview: MountOverview): readonly string[] {
  return overview.folders.map((folder) => {
    const text = folder.description ?? folder.skill?.description ?? folder.name;
    const about = text === undefined ? '' : `: ${brief(text, MAX_FOLDER_DESCRIPTION_CHARACTERS)}`;
    return `- ${showFolder(folder.path)} (${countsText(folder)})${about}`;
  });
}

function cut(text: string): string {
  return cutAtWord(text, MAX_LINE_CHARACTERS);
}

/** Head and tail stand; between them what is known of the mount, and then folders, as far as they fit. */
function fit(
  head: readonly string[],
  about: readonly string[],
  folders: readonly string[],
  tail: readonly string[],
): string {
  let left = MAX_INSTRUCTIONS_CHARACTERS - [...head, ...tail].reduce((sum, line) => sum + cost(line), 0);
  const shown: string[] = [];
  const offer = (line: string): boolean => {
    if (cost(line) > left) return false;
    left -= cost(line);
    shown.push(line);
    return true;
  };
  about.forEach(offer);

  const label = 'Folders:';
  // How many there are in all is not known here: the overview is bounded.
  const more = '- and more: browse_repo {}';
  left -= cost(label) + cost(more);
  const listed = shown.length;
  let count = 0;
  while (count < folders.length && offer(folders[count] ?? '')) count += 1;
  if (count > 0) shown.splice(listed, 0, label);
  if (count > 0 && count < folders.length) shown.push(more);
  return [...head, ...shown, ...tail].join('\n');
}

function cost(line: string): number {
  return codePointLength(line) + 1;
}
