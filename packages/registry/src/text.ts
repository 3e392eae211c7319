// The texts of the tools' results, to the letter. Source: contract, MCP tools; spec, The personal registry, "Tools".
import { codePointLength, oneLine, sliceCodePoints } from '@skillquay/core/text';

/** Of a description in the table. */
const MAX_DESCRIPTION_CHARACTERS = 300;
/** Of what was asked for, where it is said back. */
const MAX_ASKED_CHARACTERS = 200;
/** Digits of a commit that are shown. */
const SHORT_COMMIT = 7;

/** One skill in a list. */
export interface SkillRow {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

export function listText(repo: string, skills: readonly SkillRow[]): string {
  if (skills.length === 0) return `No skills found in ${repo}.`;
  return [
    `Registry: \`${repo}\` (${skills.length} ${skills.length === 1 ? 'skill' : 'skills'})`,
    '',
    '| slug | name | description |',
    '| --- | --- | --- |',
    ...skills.map(rowText),
    '',
    'Use `get_skill(slug="<slug>")` to download a skill. Then read its `SKILL.md` first, and after that only the files it names.',
  ].join('\n');
}

function rowText({ slug, name, description }: SkillRow): string {
  return `| ${code(cell(slug))} | ${cell(name)} | ${cell(cut(visible(description)))} |`;
}

export function notFoundText(repo: string, asked: string): string {
  return `Skill '${shownAsked(asked)}' not found in ${repo}.`;
}

export function severalText(repo: string, asked: string, slugs: readonly string[]): string {
  return `'${shownAsked(asked)}' could be each of these skills in ${repo}: ${slugs.map(code).join(', ')}. Name one of them exactly.`;
}

export function publishedText(repo: string, slug: string, commit: string, url: string | null): string {
  const view = url === null ? '' : ` View: ${url}`;
  return `Published \`${slug}\` to ${repo}@${commit.slice(0, SHORT_COMMIT)}.${view}`;
}

export function unchangedText(repo: string, slug: string, commit: string): string {
  return `\`${slug}\` is unchanged at ${repo}@${commit.slice(0, SHORT_COMMIT)}.`;
}

export function removedText(repo: string, slug: string, commit: string): string {
  return `Removed \`${slug}\` from ${repo}@${commit.slice(0, SHORT_COMMIT)}.`;
}

/** On one line, without what nobody sees or what turns a text round. */
function visible(text: string): string {
  return oneLine(text.replace(/[\u2028\u2029]/g, ' ')).replace(
    /[\p{Cc}\p{Cs}\p{Bidi_Control}\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu,
    '',
  );
}

function cut(text: string): string {
  if (codePointLength(text) <= MAX_DESCRIPTION_CHARACTERS) return text;
  return `${sliceCodePoints(text, 0, MAX_DESCRIPTION_CHARACTERS - 1).trimEnd()}…`;
}

function shownAsked(asked: string): string {
  const text = visible(asked);
  return codePointLength(text) <= MAX_ASKED_CHARACTERS
    ? text
    : `${sliceCodePoints(text, 0, MAX_ASKED_CHARACTERS)}…`;
}

function cell(text: string): string {
  return visible(text).replace(/[\\|]/g, '\\$&');
}

/** A code span, whose fence is longer than any run of backticks in it. Source: CommonMark, 6.1. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${text}\``;
  const fence = '`'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
  return `${fence} ${text} ${fence}`;
}
