// The text of a `load_skill` result. Source: contract, Loading a skill; spec, Answers.
import type { MountIdentity, SkillAnswer, SkillContext, WithheldEntry } from '../answers.ts';
import {
  lineCost,
  MAX_CONTEXT_BYTES,
  MAX_PATH_LIST_BYTES,
  MAX_PATH_LIST_ITEMS,
  MAX_SKILL_HEADER_BYTES,
  Sheet,
} from '../budget.ts';
import type { Diagnostic } from '../facts.ts';
import { escapeUnseen } from '../lib/characters.ts';
import { contentPart } from '../lib/context-part.ts';
import {
  addDiagnostics,
  addIdentity,
  brief,
  call,
  diagnosticText,
  flat,
  nextCall,
  type RenderedPage,
  type RenderOptions,
} from '../lib/result-text.ts';
import { dirname } from '../paths.ts';
import { showPath } from '../show-path.ts';
import { cutAtWord, measurePiece, utf8Length } from '../text.ts';
import { type ContentPosition, contentLines, cutContent, frameCost } from './content.ts';

export const SKILL_START: ContentPosition = { part: 0, offset: 0 };

const MAX_NAME_CHARACTERS = 200;
const MAX_LEFT_OUT_BYTES = 1_024;

/** Bytes of JSON the header and lists of a first page leave to the context's text at least. */
const CONTEXT_RESERVE_BYTES = 512;

/** UTF-8 bytes each header line may have; together they may have no more than the header. */
const HEADER_BYTES = {
  Description: 2_048,
  License: 256,
  Compatibility: 1_024,
  'Allowed tools': 512,
  Metadata: 1_024,
} as const;

/** One page of a skill. The position is a part of the context and the characters of it that were shown. */
export function renderSkill(
  identity: MountIdentity,
  skill: SkillAnswer,
  context: SkillContext,
  start: ContentPosition,
  options: RenderOptions,
): RenderedPage {
  const sheet = new Sheet(options.budget);
  addIdentity(sheet, identity);
  const first = start.part === 0 && start.offset === 0;
  if (skill.describedOnly !== undefined) {
    addHeader(sheet, skill, skill.warnings, CONTEXT_RESERVE_BYTES);
    sheet.add(
      `Described only: its license (${brief(skill.describedOnly, 100)}) keeps the content at the source; read it there: ${escapeUnseen(skill.sourceUrl)}`,
    );
    return { text: sheet.toString(), next: null };
  }

  const next = (position: ContentPosition): string =>
    nextCall('load_skill', { path: skill.path, cursor: options.seal([position.part, position.offset]) });
  const missing = missingLines(context);
  // Set aside what must follow the content, with the longest cursor there can be.
  const longest = Math.max(0, ...context.parts.map((part) => part.text.length));
  const tail = [...missing, 'complete: false', next({ part: context.parts.length, offset: longest })];
  const tailBytes = tail.reduce((sum, line) => sum + lineCost(line), 0);

  const parts = context.parts.map(contentPart);
  if (first) {
    const reserve = tailBytes + CONTEXT_RESERVE_BYTES + frameCost(parts[0]);
    // What is missing is said behind the content, on every page.
    const warnings = skill.warnings.filter((warning) => !context.missing.some((one) => isSame(one, warning)));
    addHeader(sheet, skill, warnings, reserve);
    addLists(sheet, skill, includedPaths(context), reserve);
    addHint(sheet, skill, reserve);
  } else sheet.add(...nameLines(skill));

  const page = cutContent(parts, start, {
    jsonBytes: sheet.left - tailBytes,
    bytes: MAX_CONTEXT_BYTES,
    characters: Number.POSITIVE_INFINITY,
  });
  sheet.add(...contentLines(page.pieces), ...missing);
  sheet.add(`complete: ${page.next === null && context.missing.length === 0}`);
  if (page.next !== null) sheet.add(next(page.next));
  return { text: sheet.toString(), next: page.next === null ? null : [page.next.part, page.next.offset] };
}

function missingLines(context: SkillContext): readonly string[] {
  if (context.missing.length === 0) return [];
  const sheet = new Sheet({ maxBytes: Number.POSITIVE_INFINITY, overheadBytes: 0 });
  addDiagnostics(sheet, 'Missing, and no other page has it:', context.missing);
  return sheet.toString().split('\n');
}

function isSame(a: Diagnostic, b: Diagnostic): boolean {
  return a.code === b.code && a.path === b.path && a.message === b.message;
}

function nameLines(skill: SkillAnswer): readonly [string, string] {
  return [`Skill: ${brief(skill.name, MAX_NAME_CHARACTERS)}`, `Path: ${showPath(skill.path)}`];
}

/** Skill … Metadata, Warnings: at most as many bytes as a header may have, and a line that says what was cut. */
function addHeader(
  sheet: Sheet,
  skill: SkillAnswer,
  diagnostics: readonly Diagnostic[],
  reserve: number,
): void {
  const [name, path] = nameLines(skill);
  sheet.add(name, path);
  const notice = (fields: readonly string[]): string =>
    `Cut: ${fields.join(', ')}; ${skill.describedOnly === undefined ? 'read_repo_file shows the file as it is' : 'the file at its source has the whole'}.`;
  const warnings = diagnostics.map((warning) => `- ${diagnosticText(warning)}`);
  // Set aside what must follow: the notice, and the lines around the warnings.
  const last = [
    notice(Object.keys(HEADER_BYTES)),
    ...(warnings.length > 0 ? ['Warnings:', moreLine(warnings.length)] : []),
  ];
  // A path may be longer than any header ought to be; the description still gets its share.
  let left = Math.max(
    HEADER_BYTES.Description,
    MAX_SKILL_HEADER_BYTES - utf8Length(`${[name, path, ...last].join('\n')}\n`),
  );
  const room = (): number => sheet.left - reserve - last.reduce((sum, line) => sum + lineCost(line), 0);
  const cut: string[] = [];

  const fields: Readonly<Record<keyof typeof HEADER_BYTES, string | undefined>> = {
    Description: skill.description,
    License: skill.licence === undefined ? undefined : `${skill.licence.label} (${skill.licence.where})`,
    Compatibility: skill.compatibility,
    'Allowed tools': skill.allowedTools,
    Metadata: skill.metadata === undefined ? undefined : JSON.stringify(skill.metadata),
  };
  for (const [label, most] of headerFields) {
    const value = fields[label];
    if (value === undefined) continue;
    const frame = `${label}: `;
    const bytes = Math.min(most, left) - utf8Length(frame) - 1;
    const shown = cutToBytes(flat(value), bytes, room() - lineCost(frame));
    if (shown.cut) cut.push(label);
    if (shown.text === '') continue;
    sheet.add(frame + shown.text);
    left -= utf8Length(frame + shown.text) + 1;
  }

  const fitting = fittingLines(warnings, left, room());
  if (warnings.length > 0) sheet.add('Warnings:', ...fitting);
  if (fitting.length < warnings.length) sheet.add(moreLine(warnings.length - fitting.length));
  if (cut.length > 0) sheet.add(notice(cut));
}

const headerFields: readonly (readonly [keyof typeof HEADER_BYTES, number])[] = [
  ['Description', HEADER_BYTES.Description],
  ['License', HEADER_BYTES.License],
  ['Compatibility', HEADER_BYTES.Compatibility],
  ['Allowed tools', HEADER_BYTES['Allowed tools']],
  ['Metadata', HEADER_BYTES.Metadata],
];

function moreLine(count: number): string {
  return `- ${count} more`;
}

interface Cut {
  readonly text: string;
  readonly cut: boolean;
}

function cutToBytes(text: string, bytes: number, jsonBytes: number): Cut {
  const whole = measurePiece(text, 0, { bytes, jsonBytes });
  if (whole.end === text.length) return { text, cut: false };
  // `…` takes three bytes.
  const { characters } = measurePiece(text, 0, { bytes: bytes - 3, jsonBytes: jsonBytes - 3 });
  return { text: characters === 0 ? '' : cutAtWord(text, characters + 1), cut: true };
}

function includedPaths({ parts }: SkillContext): ReadonlySet<string> {
  return new Set(parts.filter(({ kind }) => kind === 'included').map(({ path }) => path));
}

/** A text names files from its own folder; the tools want paths from the repository root. */
function addHint(sheet: Sheet, skill: SkillAnswer, reserve: number): void {
  if (skill.fileCount + skill.references.length === 0) return;
  const folder = dirname(skill.path);
  const start = folder === '' ? 'the repository root' : `${showPath(folder)}/`;
  const script = skill.fileCount === 0 ? '' : ' To run a script, write it to disk first.';
  sheet.offer(
    `Hint: paths in the instructions start at ${start}; read_repo_file takes the full paths listed above.${script}`,
    reserve,
  );
}

/** Files, References and Left out, each within its own bytes and all of them within the result's. */
function addLists(sheet: Sheet, skill: SkillAnswer, included: ReadonlySet<string>, reserve: number): void {
  const listed = (path: string): string => showPath(path) + (included.has(path) ? ' (included below)' : '');
  const folder = dirname(skill.path);
  addPaths(
    sheet,
    `Files: ${skill.fileCount}`,
    skill.files.map(listed),
    skill.fileCount,
    reserve,
    (rest) => `- ${rest} more: ${call('browse_repo', { path: folder })}`,
  );
  const references = skill.references.length + (skill.moreReferences ?? 0);
  addPaths(
    sheet,
    `References: ${references}`,
    skill.references.map(listed),
    references,
    reserve,
    (rest) => `- ${rest} more, linked in the text; read_repo_file takes their paths`,
  );
  const leftOut = skill.leftOut.length + (skill.moreLeftOut ?? 0);
  if (leftOut === 0) return;
  const lines = fittingLines(skill.leftOut.map(leftOutLine), MAX_LEFT_OUT_BYTES, sheet.left - reserve - 64);
  sheet.add('Left out:', ...lines, ...(leftOut > lines.length ? [moreLine(leftOut - lines.length)] : []));
}

function leftOutLine(entry: WithheldEntry): string {
  return `- ${showPath(entry.path)} (${entry.reason}${entry.size === undefined ? '' : `, ${entry.size} bytes`})`;
}

function addPaths(
  sheet: Sheet,
  label: string,
  paths: readonly string[],
  count: number,
  reserve: number,
  more: (rest: number) => string,
): void {
  if (count === 0) return;
  const frame = lineCost(label) + lineCost(more(count));
  if (frame > sheet.left - reserve) {
    sheet.add(label);
    return;
  }
  const lines = paths.slice(0, MAX_PATH_LIST_ITEMS).map((path) => `- ${path}`);
  const fitting = fittingLines(lines, MAX_PATH_LIST_BYTES, sheet.left - reserve - frame);
  sheet.add(label, ...fitting);
  if (fitting.length < count) sheet.add(more(count - fitting.length));
}

/** The lines from the first on that keep within bytes of UTF-8 and bytes of JSON, line ends counted. */
function fittingLines(lines: readonly string[], bytes: number, jsonBytes: number): readonly string[] {
  let [left, leftJson] = [bytes, jsonBytes];
  for (const [i, line] of lines.entries()) {
    left -= utf8Length(line) + 1;
    leftJson -= lineCost(line);
    if (left < 0 || leftJson < 0) return lines.slice(0, i);
  }
  return lines;
}
