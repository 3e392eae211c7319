// `skillquay registry publish`: checks a folder as an agent would get it, and publishes it in one commit.
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { RegistryError } from '@skillquay/registry/errors';
import { slugify } from '@skillquay/registry/slug';
import { outcomeText } from '@skillquay/registry/text';
import type { Io } from './io.ts';
import { type KnownSkill, underKnownSlugs } from './known-slugs.ts';
import { isSkill, localSkill } from './local-skills.ts';
import { markLines, planData, refusal } from './plan-text.ts';
import { problemsOf, refusalFor } from './problems.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';
import { rememberPublished, staleCopies, staleError } from './stale-copies.ts';

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
  // Under another name it is another skill.
  const isOther = name !== undefined && slugify(name) !== known?.name;
  const skill: KnownSkill = isOther || known === undefined ? found : known;
  if (!(await isSkill(path))) throw await noSkill(path);
  const problems = await problemsOf(path, io);
  const refused = force ? null : refusalFor(problems);
  for (const { severity, text } of problems)
    if (force || severity === 'warning') io.note(`${severity}: ${text}`);
  if (refused !== null) throw refused;
  const call = { ...io.call, force };
  const [plan] = await registry.plan([skill], call);
  if (plan?.kind === 'refused') throw plan.error;
  if (!force && plan?.kind !== 'unchanged')
    for (const stale of (await staleCopies([skill], session, io)).values()) throw staleError(stale);
  // A new skill takes the place of nothing.
  if (plan?.kind === 'changed') {
    io.say(markLines(plan).map((line) => `  ${line}`));
    const failure = await refusal(`Replace \`${plan.slug}\` in ${registry.name}?`, io);
    if (failure !== null)
      return { data: { registry: registry.name, plan: planData(plan) }, text: '', failure };
  }
  const published = await registry.publish(skill.name, skill.source, call);
  await rememberPublished(skill, session, io);
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
