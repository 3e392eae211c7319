// Publishes several skills one after the other, after saying what that changes.

import { RegistryError } from '@skillquay/registry/errors';
import type { Planned } from '@skillquay/registry/registry';
import { publishedText, unchangedText } from '@skillquay/registry/text';
import { counted } from '../count.ts';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { type Failure, failureOf } from './failure.ts';
import type { Io } from './io.ts';
import type { FoundSkill } from './local-skills.ts';
import type { Outcome } from './run.ts';
import type { Session } from './session.ts';

export interface Uploaded {
  readonly place: string;
  readonly kind: 'published' | 'unchanged' | 'refused';
  readonly slug?: string;
  readonly commit?: string;
  readonly url?: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Paths that are named for one skill. */
const MAX_NAMED = 10;

/** Says, asks, publishes. `from` is where the skills are from, for people. */
export async function upload(
  session: Session,
  skills: readonly FoundSkill[],
  from: string,
  io: Io,
): Promise<Outcome> {
  const { registry } = session;
  const planned = onceEach(skills, await registry.plan(skills, io.call));
  const steps = skills.map((skill, at) => ({ skill, plan: planned[at] }));
  const shown = steps.flatMap(({ skill, plan }) => (plan === undefined ? [] : planLines(skill, plan)));
  io.say([`From ${from} to ${registry.name}:`, ...shown].join('\n'));
  const toDo = steps.filter(({ plan }) => plan?.kind === 'new' || plan?.kind === 'changed');
  if (toDo.length > 0 && !(await io.confirm(`Publish ${counted(toDo.length, 'skill')}?`)))
    throw new CommandError(ExitCode.usage, 'Nothing was published.');
  const done: Uploaded[] = [];
  let failure: Failure | undefined;
  for (const { skill, plan } of steps) {
    const { place } = skill;
    if (plan?.kind === 'unchanged') {
      done.push({ place, kind: 'unchanged', slug: plan.slug });
      continue;
    }
    try {
      if (plan?.kind === 'refused') throw plan.error;
      const { kind, slug, commit, url } = await registry.publish(skill.name, skill.source, io.call);
      done.push({ place, kind, slug, commit, url });
      io.say(
        kind === 'published'
          ? publishedText(registry.name, slug, commit, url)
          : unchangedText(registry.name, slug, commit),
      );
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      const { code, message, exitCode } = failureOf(error, io.call.signal);
      done.push({ place, kind: 'refused', error: { code, message } });
      failure ??= { code, message: `${place}: ${message}`, exitCode };
      // What is wrong with one skill is nothing to the next; all else is.
      if (error.code !== 'invalid') break;
    }
  }
  return { data: { registry: registry.name, from, skills: done }, text: summary(done), failure };
}

/** The second of two skills with one slug would take the place of the first. */
function onceEach(skills: readonly FoundSkill[], planned: readonly Planned[]): readonly Planned[] {
  const places = new Map<string, string>();
  return planned.map((plan, at) => {
    if (plan.kind === 'refused') return plan;
    const first = places.get(plan.slug);
    if (first === undefined) {
      places.set(plan.slug, skills[at]?.place ?? '');
      return plan;
    }
    const message = `It would be \`${plan.slug}\` as well, which ${first} is. Give one of the two another name.`;
    return { kind: 'refused', error: new RegistryError('invalid', message) };
  });
}

function planLines({ place, name }: FoundSkill, plan: Planned): string[] {
  if (plan.kind === 'refused') return [`  refused    ${place}: ${plan.error.message}`];
  const { added, changed, removed } = plan.differences;
  const marks = [
    ...added.map((path) => `+ ${path}`),
    ...changed.map((path) => `~ ${path}`),
    ...removed.map((path) => `- ${path}`),
  ];
  const named = marks.slice(0, MAX_NAMED).map((mark) => `               ${mark}`);
  if (marks.length > MAX_NAMED) named.push(`               and ${marks.length - MAX_NAMED} more`);
  return [`  ${plan.kind.padEnd(9)}  ${plan.slug}  (${name}, ${place})`, ...named];
}

function summary(done: readonly Uploaded[]): string {
  const count = (wanted: Uploaded['kind']) => done.filter(({ kind }) => kind === wanted).length;
  return `${count('published')} published, ${count('unchanged')} unchanged, ${count('refused')} refused.`;
}
