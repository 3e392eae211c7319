// `skillquay registry publish`: checks a folder as an agent would get it, and publishes it in one commit.
import { resolve } from 'node:path';
import { RegistryError } from '@skillquay/registry/errors';
import { outcomeText } from '@skillquay/registry/text';
import type { Io } from './io.ts';
import { underKnownSlugs } from './known-slugs.ts';
import { isSkill, localSkill } from './local-skills.ts';
import { markLines, planData, refusal } from './plan-text.ts';
import { problemsOf, refusalFor } from './problems.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';

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
  const [skill = found] = name === undefined ? await underKnownSlugs([found], session, io) : [];
  if (!(await isSkill(path)))
    throw new RegistryError('invalid', `${path} has no file SKILL.md. Name the folder of a skill.`);
  const problems = await problemsOf(path, io);
  const refused = force ? null : refusalFor(problems);
  for (const { severity, text } of problems)
    if (force || severity === 'warning') io.note(`${severity}: ${text}`);
  if (refused !== null) throw refused;
  const call = { ...io.call, force };
  const [plan] = await registry.plan([skill], call);
  if (plan?.kind === 'refused') throw plan.error;
  // A new skill takes the place of nothing.
  if (plan?.kind === 'changed') {
    io.say(markLines(plan).map((line) => `  ${line}`));
    const failure = await refusal(`Replace \`${plan.slug}\` in ${registry.name}?`, io);
    if (failure !== null)
      return { data: { registry: registry.name, plan: planData(plan) }, text: '', failure };
  }
  const published = await registry.publish(skill.name, skill.source, call);
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
