// A copy that was installed from the registry is published as what it is there, whatever its folder or its front matter
// is called: else it would become a second skill.
import { registryIdentity } from '@skillquay/registry/registry-identity';
import { openCopies } from './copies.ts';
import type { Io } from './io.ts';
import type { FoundSkill } from './local-skills.ts';
import type { Session } from './session.ts';

export async function underKnownSlugs(
  skills: readonly FoundSkill[],
  { config }: Session,
  { env }: Io,
): Promise<readonly FoundSkill[]> {
  const identity = registryIdentity(config.name, env);
  const copies = openCopies(env);
  const known: FoundSkill[] = [];
  for (const skill of skills) {
    const { localFolder } = skill.source;
    const copy = typeof localFolder === 'string' ? await copies.at(localFolder) : null;
    known.push(copy?.registry === identity ? { ...skill, name: copy.slug } : skill);
  }
  return known;
}
