// Publishes several skills one after the other, after saying what that changes.
import { RegistryError, SkillChangedError } from '@skillquay/registry/errors';
import type { Planned } from '@skillquay/registry/registry';
import { outcomeText, shownSlug } from '@skillquay/registry/text';
import { counted } from '../count.ts';
import { type Failure, failureOf } from './failure.ts';
import type { Io } from './io.ts';
import { type KnownSkill, underKnownSlugs } from './known-slugs.ts';
import type { FoundSkill } from './local-skills.ts';
import { markLines, planData, refusal } from './plan-text.ts';
import { problemsOf, refusalFor } from './problems.ts';
import type { Outcome } from './run.ts';
import type { Session } from './session.ts';
import { rememberPublished, type StaleCopy, type Standing, staleError, standingOf } from './stale-copies.ts';
import { behindLines } from './stays-behind.ts';

export interface Uploaded {
  readonly place: string;
  readonly name: string;
  /** `left_out`: an older copy, in which nothing was changed; `failed`: not for what the skill is; `not_tried`: because one before it failed. */
  readonly kind: 'published' | 'unchanged' | 'left_out' | 'refused' | 'failed' | 'not_tried';
  readonly slug?: string;
  /** How a copy that was left out stands to the registry, and what to do. */
  readonly state?: string;
  readonly reason?: string;
  readonly commit?: string;
  readonly url?: string | null;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ToUpload {
  readonly skills: readonly FoundSkill[];
  /** Sentences about what is not among them. */
  readonly notes: readonly string[];
  /** Where they are from, for people. */
  readonly from: string;
  /** Publish what `check` calls an error. */
  readonly force: boolean;
}

interface Step {
  readonly skill: KnownSkill;
  readonly plan: Planned | (StaleCopy & { readonly kind: 'left_out' });
}

/** Says, asks, publishes. */
export async function upload(
  session: Session,
  { skills: found, notes, from, force }: ToUpload,
  io: Io,
): Promise<Outcome> {
  const { registry } = session;
  const skills = await underKnownSlugs(found, session, io);
  const call = { ...io.call, force };
  const planned = await registry.plan(skills, call);
  const standing = await standingOf(skills, session, io);
  const steps = await stepsFor(skills, planned, standing, force, io);
  for (const note of notes) io.note(`note: ${note}`);
  io.say([`From ${from} to ${registry.name}:`, ...steps.flatMap(stepLines)]);
  const toDo = steps.filter(isToDo);
  if (toDo.length > 0) {
    const failure = await refusal(`Publish ${counted(toDo.length, 'skill')}?`, io);
    const plan = steps.map((step) => ({
      ...facts(step),
      ...(step.plan.kind === 'left_out' ? leftOutData(step.plan) : planData(step.plan)),
    }));
    if (failure !== null) return { data: { registry: registry.name, from, notes, plan }, text: '', failure };
  }
  const done: Uploaded[] = [];
  let failure: Failure | undefined;
  let isOver = false;
  for (const step of steps) {
    const { skill, plan } = step;
    if (plan.kind === 'unchanged') {
      done.push({ ...facts(step), kind: 'unchanged', slug: plan.slug });
      continue;
    }
    if (plan.kind === 'left_out') {
      done.push({ ...facts(step), ...leftOutData(plan) });
      continue;
    }
    if (isOver) {
      done.push({ ...facts(step), kind: 'not_tried' });
      continue;
    }
    try {
      if (plan.kind === 'refused') throw plan.error;
      const published = await registry.publish(skill.name, skill.source, { ...call, insteadOf: plan });
      await rememberPublished(skill.copy, { slug: published.slug, on: standing.lookedAt }, session, io);
      done.push({ ...facts(step), ...published });
      io.say(outcomeText(registry.name, published));
    } catch (error) {
      const { code, message, exitCode } = failureOf(error, io.call.signal);
      // What is wrong with one skill, or became of it, is nothing to the next; all else is.
      const isRefused =
        plan.kind === 'refused' || (error instanceof RegistryError && error.code === 'invalid');
      done.push({ ...facts(step), kind: isRefused ? 'refused' : 'failed', error: { code, message } });
      failure ??= { code, message: `${skill.place}: ${message}`, exitCode };
      if (!isRefused && !(error instanceof SkillChangedError)) {
        failure = { code, message: `${skill.place}: ${message}`, exitCode };
        isOver = true;
      }
    }
  }
  return { data: { registry: registry.name, from, notes, skills: done }, text: summary(done), failure };
}

function isToDo({ plan }: Step): boolean {
  return plan.kind === 'new' || plan.kind === 'changed';
}

function leftOutData({ kind, state, reason }: StaleCopy & { readonly kind: 'left_out' }) {
  return { kind, state, reason };
}

function facts({ skill: { place, name, leftOut, staysBehind } }: Step) {
  return {
    place,
    name,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(staysBehind.length === 0 ? {} : { staysBehind }),
  };
}

async function stepsFor(
  skills: readonly KnownSkill[],
  planned: readonly Planned[],
  { current, stale }: Standing,
  force: boolean,
  io: Io,
): Promise<readonly Step[]> {
  const places = new Map<string, string>();
  const steps: Step[] = [];
  for (const [at, skill] of skills.entries()) {
    const { copy } = skill;
    const isCurrent = copy !== undefined && current.has(copy.path);
    const plan = isCurrent ? unchanged(copy.slug) : planned[at];
    if (plan === undefined) continue;
    const old = plan.kind === 'unchanged' ? undefined : stale.get(copy?.path ?? '');
    if (old !== undefined) {
      steps.push({
        skill,
        plan: old.isChanged ? { kind: 'refused', error: staleError(old) } : { ...old, kind: 'left_out' },
      });
      continue;
    }
    const error = plan.kind === 'refused' ? plan.error : await why(skill, plan, places, force, io);
    steps.push({ skill, plan: error === null ? plan : { kind: 'refused', error } });
  }
  return steps;
}

function unchanged(slug: string): Planned {
  const differences = { added: [], changed: [], removed: [] };
  return { kind: 'unchanged', slug, tree: null, differences, commit: null, url: null };
}

/** Why this skill is not published, though the registry would take it; null where it is. */
async function why(
  { place, source }: FoundSkill,
  plan: Exclude<Planned, { readonly kind: 'refused' }>,
  places: Map<string, string>,
  force: boolean,
  io: Io,
): Promise<RegistryError | null> {
  const first = places.get(plan.slug);
  // The second of two skills with one slug would take the place of the first.
  if (first !== undefined)
    return new RegistryError(
      'invalid',
      `It would be ${shownSlug(plan.slug)} as well, which ${first} is. Give one of the two another name.`,
    );
  places.set(plan.slug, place);
  if (force || plan.kind === 'unchanged' || typeof source.localFolder !== 'string') return null;
  return refusalFor(await problemsOf(source.localFolder, io));
}

function stepLines({ skill: { place, name, leftOut, staysBehind }, plan }: Step): string[] {
  if (plan.kind === 'refused') return [`  refused    ${place}: ${plan.error.message}`];
  if (plan.kind === 'left_out') return [`  left out   ${place}: ${plan.reason}`];
  const left = leftOut.length === 0 ? [] : [`left out: ${leftOut.join(', ')}`];
  const more = [...markLines(plan), ...left, ...behindLines(staysBehind)].map(
    (line) => `               ${line}`,
  );
  return [`  ${plan.kind.padEnd(9)}  ${plan.slug}  (${name}, ${place})`, ...more];
}

function summary(done: readonly Uploaded[]): string {
  const count = (wanted: Uploaded['kind']) => done.filter(({ kind }) => kind === wanted).length;
  const [left, failed, untried] = [count('left_out'), count('failed'), count('not_tried')];
  return [
    `${count('published')} published, ${count('unchanged')} unchanged, ${count('refused')} refused`,
    ...(left === 0 ? [] : [`, ${left} left out`]),
    ...(failed === 0 ? [] : [`, ${failed} failed`]),
    ...(untried === 0 ? [] : [`, ${untried} not tried`]),
    '.',
  ].join('');
}
