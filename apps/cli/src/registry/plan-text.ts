// What publishing would change, for people and for programs.
import { isPassedOver } from '@skillquay/registry/passed-over';
import type { Planned } from '@skillquay/registry/registry';
import { shownSlug } from '@skillquay/registry/text';
import { counted } from '../count.ts';
import { type Failure, failureOf } from './failure.ts';
import { declined, type Io } from './io.ts';

type Changed = Exclude<Planned, { readonly kind: 'refused' }>;

/** Paths that are named for one skill. */
const MAX_NAMED = 10;

/** A line for each file: added, changed, removed. What nobody sees in the folder comes first; the rest may be cut. */
export function markLines(plan: Planned): string[] {
  if (plan.kind === 'refused') return [];
  const { added, changed, removed } = plan.differences;
  const marks = [
    ...lost(removed).map((path) => `- ${path} (not published from a folder)`),
    ...added.map((path) => `+ ${path}`),
    ...changed.map((path) => `~ ${path}`),
    ...removed.filter((path) => !isLost(path)).map((path) => `- ${path}`),
  ];
  const rest = marks.length - MAX_NAMED;
  return rest > 0 ? [...marks.slice(0, MAX_NAMED), `and ${rest} more`] : marks;
}

/** What is asked before a skill is replaced. */
export function replaceQuestion(plan: Changed, registry: string): string {
  const gone = lost(plan.differences.removed).length;
  const more =
    gone === 0
      ? ''
      : `, and remove ${counted(gone, 'file')} of it that ${gone === 1 ? 'is' : 'are'} not published from a folder`;
  return `Replace ${shownSlug(plan.slug)} in ${registry}${more}?`;
}

function lost(removed: readonly string[]): readonly string[] {
  return removed.filter(isLost);
}

/** It may lie in the folder as well: whoever published it did so from elsewhere. */
function isLost(path: string): boolean {
  return path.split('/').some(isPassedOver);
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
