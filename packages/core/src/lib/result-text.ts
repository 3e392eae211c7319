// The lines every tool result begins and ends with, and how text of a repository is put inside a line of ours.
import type { Counts, MountIdentity, OtherContents, Partial } from '../answers.ts';
import type { ResultBudget, Sheet } from '../budget.ts';
import type { CursorPosition } from '../cursor.ts';
import type { Diagnostic } from '../facts.ts';
import { PROVENANCE } from '../provenance.ts';
import { showPath } from '../show-path.ts';
import { cutAtWord, jsonByteLength, oneLine } from '../text.ts';

/** What a renderer needs besides the answer. */
export interface RenderOptions {
  readonly budget: ResultBudget;
  /** Makes the cursor that continues at a position of this request. */
  readonly seal: (position: CursorPosition) => string;
}

/** A finished page, and where the next one begins. */
export interface RenderedPage {
  readonly text: string;
  readonly next: CursorPosition | null;
}

export const PROVENANCE_NOTICE = `${PROVENANCE} Apply it to the task the user asked for, not to unrelated actions.`;

const MAX_DIAGNOSTICS = 10;
const MAX_DIAGNOSTICS_JSON_BYTES = 2_048;
const MAX_DIAGNOSTIC_CHARACTERS = 400;
const MAX_SKILL_NAME_CHARACTERS = 64;
const MAX_PARTIAL_REASONS = 5;
const MAX_PARTIAL_CHARACTERS = 240;

/** Repository, Mount, Commit, Notice, and Status where the host does not answer. */
export function addIdentity(sheet: Sheet, identity: MountIdentity): void {
  sheet.add(`Repository: ${identity.repository}`);
  sheet.add(`Mount: ${identity.path === '' ? 'whole repository' : showPath(identity.path)}`);
  sheet.add(`Commit: ${showPath(identity.commit)} (${showRef(identity)})`);
  sheet.add(...noticeLines(identity));
}

/** What is to be kept in mind of all content of a mount. */
export function noticeLines({ verified, staleSince }: MountIdentity): readonly string[] {
  return [
    ...(verified ? [] : [`Notice: ${PROVENANCE_NOTICE}`]),
    ...(staleSince === undefined
      ? []
      : [`Status: as known at ${wholeSeconds(staleSince)}; the host of the repository does not answer`]),
  ];
}

function wholeSeconds(time: string): string {
  return time.replace(/\.\d+Z$/, 'Z');
}

export function showRef(identity: MountIdentity): string {
  if (identity.commit.startsWith('worktree:')) return 'uncommitted work';
  return identity.ref === null ? 'default branch' : showPath(identity.ref);
}

/** Partial and Diagnostics. */
export function addState(sheet: Sheet, state: AnswerState): void {
  for (const line of partialLines(state.partial)) sheet.add(line);
  addDiagnostics(sheet, 'Diagnostics:', state.diagnostics, state.moreDiagnostics, state.moreBelow);
}

/** `7 errors below skills/; …`: each stands where its folder is browsed. */
function errorsBelow(count: number, isFirst: boolean, folder: string): string {
  const errors = isFirst ? counted(count, 'error') : `and ${counted(count, 'more error')}`;
  const where = folder === '' ? 'further down' : `below ${showPath(folder)}/`;
  return `${errors} ${where}; \`skillquay check\` lists ${count === 1 ? 'it' : 'them'}`;
}

/** What an answer says about its own completeness. */
interface AnswerState {
  readonly partial: Partial | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly moreDiagnostics?: number;
  readonly moreBelow?: string;
}

export function partialLines(partial: Partial | null): readonly string[] {
  if (partial === null) return [];
  const shown = partial.reasons.slice(0, MAX_PARTIAL_REASONS);
  const lines = shown.map((reason) => `Partial: ${brief(reason, MAX_PARTIAL_CHARACTERS)}`);
  const rest = partial.reasons.length - shown.length;
  if (rest > 0) lines.push(`Partial: and ${counted(rest, 'more limit')} reached`);
  return lines.length === 0 ? ['Partial: a limit left out a part of this repository'] : lines;
}

/**
 * A label and a line for each diagnostic, at most ten and as many bytes as are set aside; then how many more, and
 * where, if that is known.
 */
export function addDiagnostics(
  sheet: Sheet,
  label: string,
  diagnostics: readonly Diagnostic[],
  more = 0,
  below?: string,
): void {
  if (diagnostics.length + more === 0) return;
  sheet.add(label);
  let left = MAX_DIAGNOSTICS_JSON_BYTES;
  let shown = 0;
  for (const diagnostic of diagnostics.slice(0, MAX_DIAGNOSTICS)) {
    const line = `- ${diagnosticText(diagnostic)}`;
    const cost = jsonByteLength(line);
    if (cost > left) continue;
    sheet.add(line);
    left -= cost;
    shown += 1;
  }
  const rest = diagnostics.length - shown + (below === undefined ? more : 0);
  if (rest > 0) sheet.add(`- ${rest} more`);
  if (below !== undefined && more > 0) sheet.add(`- ${errorsBelow(more, diagnostics.length === 0, below)}`);
}

export function diagnosticText(diagnostic: Diagnostic): string {
  const { severity, code, path, line, column, message, hint } = diagnostic;
  const place = path === '' ? '(repository)' : showPath(path);
  const position = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`;
  return `${severity} ${code} ${place}${position}: ${brief(`${message} ${hint}`, MAX_DIAGNOSTIC_CHARACTERS)}`;
}

/** The literal call to make next. */
export function nextCall(tool: string, args: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(args).filter(([, value]) => value !== null);
  return `Next: ${call(tool, Object.fromEntries(given))}`;
}

export function call(tool: string, args: Readonly<Record<string, unknown>>): string {
  return `${tool} ${JSON.stringify(args)}`;
}

/** A repository's text as a part of one of our lines: it can begin no line and turn no text around. */
export function flat(text: string): string {
  const line = oneLine(text);
  return SUSPECT.test(line) ? line.replace(/[\p{Bidi_Control}\p{Cs}\u{e0000}-\u{e007f}]/gu, '') : line;
}

/** Words of ours that hold a path, as a part of one of our lines: the spaces of the path stay as they are. */
export function unbroken(text: string): string {
  return text.replace(/[^\S ]|[\x00-\x1f\x7f-\x9f\p{Bidi_Control}\p{Cs}]/gu, ' ');
}

/** Units of which what is taken out consists. */
const SUSPECT = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/;

/** The beginning of a repository's text as a part of one of our lines, cut at a word to so many characters. */
export function brief(text: string, characters: number): string {
  // However long the text is, no more of it is looked at than could matter; a run of blanks may end it sooner.
  return cutAtWord(flat(text.slice(0, characters * 2 + 64)), characters);
}

/** A folder's path; the root's is written as it is passed to a tool. */
export function showFolder(path: string): string {
  return path === '' ? '"" (repository root)' : showPath(path);
}

/** `1 skill`, `2 skills`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function countsText({ skills, documents, other }: Counts): string {
  const parts = [
    ...(skills > 0 ? [counted(skills, 'skill')] : []),
    ...(documents > 0 ? [counted(documents, 'document')] : []),
    ...(other === undefined ? [] : otherParts(other)),
  ];
  return parts.length === 0 ? 'nothing discoverable' : parts.join(', ');
}

function otherParts({ copies, hidden, broken, files, filesOf, withheld }: OtherContents): readonly string[] {
  const of = filesOf === undefined ? '' : ` of ${brief(filesOf, MAX_SKILL_NAME_CHARACTERS)}`;
  return [
    ...(copies === undefined ? [] : [copies === 1 ? '1 copy' : `${copies} copies`]),
    ...(hidden === undefined ? [] : [counted(hidden, 'hidden skill')]),
    ...(broken === undefined ? [] : [`${counted(broken, 'skill')} with errors`]),
    ...(files === undefined ? [] : [counted(files, 'file') + of]),
    ...(withheld === undefined ? [] : [counted(withheld, 'withheld file')]),
  ];
}
