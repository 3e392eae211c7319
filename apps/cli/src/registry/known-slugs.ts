// A copy that was installed from the registry is published as what it is there, whatever its folder or its front matter
// is called: else it would become a second skill.
import type { Planned } from '@skillquay/registry/registry';
import { registryIdentity } from '@skillquay/registry/registry-identity';
import { resolveSlug } from '@skillquay/registry/slug';
import { type Copy, openCopies } from './copies.ts';
import type { Io } from './io.ts';
import type { FoundSkill } from './local-skills.ts';
import type { Session } from './session.ts';

/** A skill, and what is remembered of the folder where it is a copy from the registry. */
export interface KnownSkill extends FoundSkill {
  readonly copy?: Copy;
}

export async function underKnownSlugs(
  skills: readonly FoundSkill[],
  { config }: Session,
  { env }: Io,
): Promise<readonly KnownSkill[]> {
  const identity = registryIdentity(config.name, env);
  const copies = openCopies(env);
  const known: KnownSkill[] = [];
  for (const skill of skills) {
    const { localFolder } = skill.source;
    const copy = typeof localFolder === 'string' ? await copies.at(localFolder) : null;
    known.push(copy?.registry === identity ? { ...skill, name: copy.slug, copy } : skill);
  }
  return known;
}

/** Whether what is planned under some name is the skill that the copy is of, by what the registry takes the name for. */
export function isPlannedAs({ slug }: Copy, plan: Planned): boolean {
  if (plan.kind === 'refused') return false;
  // Of a skill that has gone from the registry nothing but the name says that it is the same one.
  return plan.slug === slug || (plan.kind === 'new' && resolveSlug(plan.slug, [slug]).kind === 'one');
}
