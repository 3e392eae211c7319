// The texts of the tools' results, to the letter. Source: contract, MCP tools; spec, The personal registry, "Tools".
import { cutAt, visibleLine } from '@skillquay/core/text';

/** Of a cell in the table. */
const MAX_CELL_CHARACTERS = 300;
/** Of what was asked for, where it is said back. */
const MAX_ASKED_CHARACTERS = 200;
/** Skills that are named in one sentence. */
const MAX_SKILLS_NAMED = 10;
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
  return `| ${code(cell(slug))} | ${cell(name)} | ${cell(description)} |`;
}

export function notFoundText(repo: string, asked: string): string {
  return `Skill '${shownAsked(asked)}' not found in ${repo}.`;
}

export function severalText(repo: string, asked: string, slugs: readonly string[]): string {
  const named = slugs.slice(0, MAX_SKILLS_NAMED).map(shownSlug).join(', ');
  const more = slugs.length > MAX_SKILLS_NAMED ? ` and ${slugs.length - MAX_SKILLS_NAMED} more` : '';
  return `'${shownAsked(asked)}' could be each of these skills in ${repo}: ${named}${more}. Name one of them exactly.`;
}

export function publishedText(repo: string, slug: string, commit: string, url: string | null): string {
  const view = url === null ? '' : ` View: ${url}`;
  return `Published ${shownSlug(slug)} to ${repo}@${shortCommit(commit)}.${view}`;
}

export function unchangedText(repo: string, slug: string, commit: string): string {
  return `${shownSlug(slug)} is unchanged at ${repo}@${shortCommit(commit)}.`;
}

/** What publishing came to. */
export function outcomeText(
  repo: string,
  {
    kind,
    slug,
    commit,
    url,
  }: {
    readonly kind: 'published' | 'unchanged';
    readonly slug: string;
    readonly commit: string;
    readonly url: string | null;
  },
): string {
  return kind === 'published' ? publishedText(repo, slug, commit, url) : unchangedText(repo, slug, commit);
}

export function removedText(repo: string, slug: string, commit: string): string {
  return `Removed ${shownSlug(slug)} from ${repo}@${shortCommit(commit)}.`;
}

/** A name out of a registry in a sentence: whoever wrote it cannot end the sentence or turn it round. */
export function shownSlug(slug: string): string {
  return code(cutAt(visibleLine(slug), MAX_CELL_CHARACTERS));
}

/** A commit as results name it. */
export function shortCommit(commit: string): string {
  return commit.slice(0, SHORT_COMMIT);
}

function shownAsked(asked: string): string {
  return cutAt(visibleLine(asked), MAX_ASKED_CHARACTERS);
}

function cell(text: string): string {
  return cutAt(visibleLine(text), MAX_CELL_CHARACTERS).replace(/[\\|]/g, '\\$&');
}

/** A code span, whose fence is longer than any run of backticks in it. Source: CommonMark, 6.1. */
function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  if (runs.length === 0) return `\`${text}\``;
  const fence = '`'.repeat(Math.max(...runs.map((run) => run.length)) + 1);
  return `${fence} ${text} ${fence}`;
}
