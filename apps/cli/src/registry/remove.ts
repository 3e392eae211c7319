// `skillquay registry remove`: takes one skill out of the registry.
import { RegistryError } from '@skillquay/registry/errors';
import { resolveSlug, slugify } from '@skillquay/registry/slug';
import { removedText, severalText, shownSlug } from '@skillquay/registry/text';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { noSuchSkill } from './get.ts';
import { declined, type Io } from './io.ts';
import type { Outcome } from './run.ts';
import { notThere, openSession } from './session.ts';

export async function remove(asked: string, io: Io): Promise<Outcome> {
  const { registry } = await openSession(io);
  const { skills, missing } = await registry.list(io.call);
  if (missing) throw notThere(registry.name);
  const meant = meantBy(
    asked,
    registry.name,
    skills.map(({ slug }) => slug),
  );
  const question = `Remove ${shownSlug(meant)} from ${registry.name}? Its commits stay in the history.`;
  if (!(await agreed(question, asked, meant, io))) throw declined('Nothing was removed.');
  const removed = await registry.remove(meant, io.call);
  if (removed.kind === 'not_found') throw noSuchSkill(registry.name, meant);
  const { slug, commit } = removed;
  return {
    data: { registry: registry.name, kind: 'removed', slug, commit },
    text: removedText(registry.name, slug, commit),
  };
}

function meantBy(asked: string, registry: string, slugs: readonly string[]): string {
  const resolved = resolveSlug(asked, slugs);
  if (resolved.kind === 'several')
    throw new RegistryError('invalid', severalText(registry, asked, resolved.slugs));
  if (resolved.kind === 'none') throw noSuchSkill(registry, asked);
  return resolved.slug;
}

/** A yes in advance is for the skill that was named, not for one that is only like it. */
function agreed(question: string, asked: string, meant: string, io: Io): Promise<boolean> {
  if (meant === asked || meant === slugify(asked)) return io.confirm(question);
  if (io.canAsk) return io.ask(question);
  throw new CommandError(ExitCode.usage, `"${asked}" is not quite ${shownSlug(meant)}. Name it exactly.`);
}
