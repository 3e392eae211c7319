// `skillquay registry search`: the skills whose slug, name or description has any of the words.
import type { SkillSummary } from '@skillquay/registry/registry';
import { tokens } from '@skillquay/search/tokens';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import { listData, skillRows } from './list.ts';
import type { Outcome } from './run.ts';
import { notThere, openSession } from './session.ts';

/** What a word in a name counts against one in a description. */
const NAME_WEIGHT = 4;

export async function search(words: readonly string[], io: Io): Promise<Outcome> {
  const query = words.join(' ');
  const wanted = termsOf(query);
  if (wanted.size === 0) throw new CommandError(ExitCode.usage, `"${query}" has no word to search for.`);
  const { registry } = await openSession(io);
  const found = await registry.list(io.call);
  if (found.missing) throw notThere(registry.name);
  const skills = ranked(found.skills, wanted);
  const text =
    skills.length === 0 && io.columns !== null
      ? `No skill in ${registry.name} has "${query}".`
      : skillRows(skills, io.columns);
  return { data: { query, ...listData(registry.name, found, skills) }, text };
}

/** Best first, ties by slug. */
export function ranked(skills: readonly SkillSummary[], wanted: ReadonlySet<string>): SkillSummary[] {
  return skills
    .map((skill) => ({ skill, score: scoreOf(skill, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ skill }) => skill);
}

function scoreOf({ slug, name, description, readable }: SkillSummary, wanted: ReadonlySet<string>): number {
  const names = termsOf(`${slug} ${name}`);
  // What is said in place of a description is no part of the skill.
  const text = termsOf(readable ? description : '');
  let score = 0;
  for (const term of wanted) score += names.has(term) ? NAME_WEIGHT : text.has(term) ? 1 : 0;
  return score;
}

/** The words as the endpoint's search knows them: by their stems, identifiers by their parts as well. */
export function termsOf(text: string): ReadonlySet<string> {
  return new Set(tokens(text).flatMap(({ terms }) => terms));
}
