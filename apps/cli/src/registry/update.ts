// `skillquay registry update`: brings installed copies to what the registry has, and shows what changes first.
import { resolveSlug } from '@skillquay/registry/slug';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { openCopies } from './copies.ts';
import { newNameOf } from './copy-name.ts';
import { type CopyState, copyStates, type StatedCopy } from './copy-states.ts';
import { type Brought, bring, noSuchSkill } from './get.ts';
import { installAll } from './install.ts';
import type { Target } from './install-step.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';

export interface UpdateOptions {
  readonly force: boolean;
}

const WHEN_ANY: ReadonlySet<CopyState> = new Set(['behind', 'diverged', 'unreadable']);
const WHEN_NAMED: ReadonlySet<CopyState> = new Set([...WHEN_ANY, 'changed', 'missing']);

export async function update(asked: readonly string[], options: UpdateOptions, io: Io): Promise<Outcome> {
  const session = await openSession(io);
  const { stated, notes: said } = await copyStates(session, io);
  const named = chosen(stated, asked);
  const withdrawn = asked.length > 0 && named.find(({ state }) => state === 'withdrawn');
  if (withdrawn) throw noSuchSkill(session.registry.name, withdrawn.copy.slug);
  const wanted = asked.length === 0 ? WHEN_ANY : WHEN_NAMED;
  const skills = new Map<string, Brought>();
  const targets: Target[] = [];
  for (const { copy, state } of named) {
    if (!wanted.has(state)) continue;
    const brought = skills.get(copy.slug) ?? (await bring(session, copy.slug, io));
    skills.set(copy.slug, brought);
    targets.push({ skill: brought.skill, path: copy.path, project: copy.project, agents: copy.agents });
  }
  const install = { copies: openCopies(io.env), force: options.force, showAll: true };
  const { installed, failure } = await installAll(targets, install, io);
  const copies = [];
  for (const [at, copy] of installed.entries()) {
    const target = targets[at];
    const name = target !== undefined && copy.state === 'updated' ? await newNameOf(target) : null;
    const notes = skills.get(copy.slug)?.notes ?? [];
    copies.push({ ...copy, notes, ...(name === null ? {} : { newName: name }) });
    if (name !== null)
      io.note(
        `note: \`${copy.slug}\` calls itself "${name}" now, and its copy is still ${copy.path}. Agents look for a skill in the folder of its name: get it again, and remove this one.`,
      );
  }
  return {
    data: { registry: session.registry.name, copies, notes: said },
    text:
      copies.length === 0
        ? 'Nothing to update.'
        : copies.map(({ state, path }) => `${state}: ${path}`).join('\n'),
    failure,
  };
}

/** Throws CommandError `usage` for a skill of which there is no copy. */
function chosen(stated: readonly StatedCopy[], asked: readonly string[]): readonly StatedCopy[] {
  if (asked.length === 0) return stated;
  const slugs = [...new Set(stated.map(({ copy }) => copy.slug))];
  const wanted = asked.map((name) => {
    const resolved = resolveSlug(name, slugs);
    if (resolved.kind === 'one') return resolved.slug;
    throw new CommandError(
      ExitCode.usage,
      resolved.kind === 'none'
        ? `No copy of "${name}" is installed; \`skillquay registry status --json\` lists them.`
        : `"${name}" could be each of these: ${resolved.slugs.join(', ')}. Name one of them exactly.`,
    );
  });
  return stated.filter(({ copy }) => wanted.includes(copy.slug));
}
