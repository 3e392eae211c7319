// `skillquay registry publish`: checks a folder as an agent would get it, and publishes it in one commit.
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { RegistryError } from '@skillquay/registry/errors';
import type { Published } from '@skillquay/registry/registry';
import { outcomeText } from '@skillquay/registry/text';
import type { Io } from './io.ts';
import { isPlannedAs, type KnownSkill, underKnownSlugs } from './known-slugs.ts';
import { isSkill, localSkill } from './local-skills.ts';
import { markLines, planData, refusal, replaceQuestion } from './plan-text.ts';
import { type Problem, problemsOf, refusalFor } from './problems.ts';
import type { Outcome } from './run.ts';
import { openSession, type Session } from './session.ts';
import { rememberPublished, staleError, standingOf } from './stale-copies.ts';
import { behindLines } from './stays-behind.ts';

export interface PublishCommandOptions {
  readonly name?: string;
  readonly force: boolean;
}

export async function publish(folder: string, options: PublishCommandOptions, io: Io): Promise<Outcome> {
  const { name, force } = options;
  const path = resolve(io.cwd, folder);
  const found = await localSkill(path, name);
  const session = await openSession(io);
  const { registry } = session;
  const [known] = await underKnownSlugs([found], session, io);
  const asked = name === undefined && known !== undefined ? known : found;
  if (!(await isSkill(path))) throw await noSkill(path);
  const problems = await problemsOf(path, io);
  const refused = force ? null : refusalFor(problems);
  for (const { severity, text } of problems)
    if (force || severity === 'warning') io.note(`${severity}: ${text}`);
  if (refused !== null) throw refused;
  for (const line of behindLines(found.staysBehind)) io.note(`note: ${line}`);
  const call = { ...io.call, force };
  const [plan] = await registry.plan([asked], call);
  if (plan === undefined) throw new Error('no plan of one skill');
  if (plan.kind === 'refused') throw plan.error;
  // Under another name it is another skill, if that is what the registry takes it for.
  const isCopy = known?.copy !== undefined && isPlannedAs(known.copy, plan);
  const skill: KnownSkill = isCopy ? { ...asked, copy: known.copy } : found;
  const { current, stale, lookedAt } = await standingOf([skill], session, io);
  const { commit: seen } = plan;
  if (current.size > 0 && seen !== null)
    return outcome(session, { kind: 'unchanged', slug: plan.slug, commit: seen, url: plan.url }, problems);
  if (!force && plan.kind !== 'unchanged') for (const copy of stale.values()) throw staleError(copy);
  // A new skill takes the place of nothing.
  if (plan.kind === 'changed') {
    io.say(markLines(plan).map((line) => `  ${line}`));
    const failure = await refusal(replaceQuestion(plan, registry.name), io);
    if (failure !== null)
      return { data: { registry: registry.name, plan: planData(plan) }, text: '', failure };
  }
  const published = await registry.publish(skill.name, skill.source, { ...call, insteadOf: plan });
  await rememberPublished(skill.copy, { slug: published.slug, on: lookedAt }, session, io);
  return outcome(session, published, problems);
}

function outcome({ registry }: Session, published: Published, problems: readonly Problem[]): Outcome {
  const { kind, slug, commit, url } = published;
  return {
    data: {
      registry: registry.name,
      kind,
      slug,
      commit,
      url,
      problems: problems.map(({ severity, text }) => `${severity}: ${text}`),
    },
    text: outcomeText(registry.name, published),
  };
}

async function noSkill(path: string): Promise<RegistryError> {
  const other = (await readdir(path)).find((name) => name.toLowerCase() === SKILL_FILE.toLowerCase());
  const what =
    other === undefined || other === SKILL_FILE ? 'Name the folder of a skill.' : `Rename ${other} to it.`;
  return new RegistryError('invalid', `${path} has no file SKILL.md. ${what}`);
}
