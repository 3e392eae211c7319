// What publishing would change, for people and for programs.
import type { Planned } from '@skillquay/registry/registry';
import { type Failure, failureOf } from './failure.ts';
import { declined, type Io } from './io.ts';

/** Paths that are named for one skill. */
const MAX_NAMED = 10;

/** A line for each file: added, changed, removed. */
export function markLines(plan: Planned): string[] {
  if (plan.kind === 'refused') return [];
  const { added, changed, removed } = plan.differences;
  const marks = [
    ...added.map((path) => `+ ${path}`),
    ...changed.map((path) => `~ ${path}`),
    ...removed.map((path) => `- ${path}`),
  ];
  const rest = marks.length - MAX_NAMED;
  return rest > 0 ? [...marks.slice(0, MAX_NAMED), `and ${rest} more`] : marks;
}

export function planData(plan: Planned) {
  if (plan.kind === 'refused') {
    const { code, message } = plan.error;
    return { kind: plan.kind, error: { code, message } };
  }
  const { kind, slug, differences } = plan;
  return { kind, slug, differences };
}

/** null for a yes. Where nobody can be asked, the plan can be printed beside the failure. */
export async function refusal(question: string, io: Io): Promise<Failure | null> {
  try {
    return (await io.confirm(question))
      ? null
      : failureOf(declined('Nothing was published.'), io.call.signal);
  } catch (error) {
    return failureOf(error, io.call.signal);
  }
}
