// `skillquay registry update`: brings installed copies to what the registry has, and shows what changes first.
import { resolveSlug } from '@skillquay/registry/slug';
import { shownSlug } from '@skillquay/registry/text';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { type Copy, openCopies } from './copies.ts';
import { newNameOf } from './copy-name.ts';
import { type CopyState, copyStates, type StatedCopy } from './copy-states.ts';
import { type Failure, failureOf, isExpected, together } from './failure.ts';
import { type Brought, bring, noSuchSkill } from './get.ts';
import { installAll } from './install.ts';
import type { Installed, Target } from './install-step.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { openSession, type Session } from './session.ts';

export interface UpdateOptions {
  readonly force: boolean;
}

/** A copy that is to be updated, or why it cannot be. */
type Row =
  | { readonly target: Target; readonly brought: Brought; readonly failure?: undefined }
  | { readonly target?: undefined; readonly blocked: Installed; readonly failure: Failure };

const WHEN_ANY: ReadonlySet<CopyState> = new Set(['behind', 'diverged', 'unreadable']);
const WHEN_NAMED: ReadonlySet<CopyState> = new Set([...WHEN_ANY, 'changed', 'missing']);

export async function update(asked: readonly string[], options: UpdateOptions, io: Io): Promise<Outcome> {
  const session = await openSession(io);
  const { stated, notes: said } = await copyStates(session, io);
  const named = chosen(stated, asked);
  const withdrawn = asked.length > 0 && named.find(({ state }) => state === 'withdrawn');
  if (withdrawn) throw noSuchSkill(session.registry.name, withdrawn.copy.slug);
  const wanted = asked.length === 0 ? WHEN_ANY : WHEN_NAMED;
  const skills = new Map<string, Brought | Failure>();
  const rows: Row[] = [];
  for (const { copy, state } of named) {
    if (!wanted.has(state)) continue;
    const brought = skills.get(copy.slug) ?? (await tried(session, copy.slug, io));
    skills.set(copy.slug, brought);
    const { path, project, agents } = copy;
    if ('skill' in brought) rows.push({ target: { skill: brought.skill, path, project, agents }, brought });
    else rows.push({ blocked: blocked(copy, brought), failure: brought });
  }
  const targets = rows.flatMap(({ target }) => target ?? []);
  const install = { copies: openCopies(io.env), force: options.force, showAll: true };
  const { installed, failure } = await installAll(targets, install, io);
  const written = installed.values();
  const copies = [];
  for (const row of rows) {
    const copy = row.target === undefined ? row.blocked : written.next().value;
    if (copy === undefined) throw new Error('a copy of which nothing is said');
    const name = row.target !== undefined && copy.state === 'updated' ? await newNameOf(row.target) : null;
    const notes = row.target === undefined ? [] : row.brought.notes;
    copies.push({ ...copy, notes, ...(name === null ? {} : { newName: name }) });
    if (name !== null)
      io.note(
        `note: ${shownSlug(copy.slug)} calls itself "${name}" now, and its copy is still ${copy.path}. Agents look for a skill in the folder of its name: get it again, and remove this one.`,
      );
  }
  return {
    data: { registry: session.registry.name, copies, notes: said },
    text:
      copies.length === 0
        ? 'Nothing to update.'
        : copies.map(({ state, path }) => `${state}: ${path}`).join('\n'),
    failure: together([...rows.flatMap(({ failure }) => failure ?? []), ...(failure ? [failure] : [])]),
  };
}

/** What cannot be brought is wrong with the copies of one skill. */
async function tried(session: Session, slug: string, io: Io): Promise<Brought | Failure> {
  try {
    return await bring(session, slug, io);
  } catch (error) {
    if (io.call.signal.aborted || !isExpected(error)) throw error;
    return failureOf(error, io.call.signal);
  }
}

function blocked({ path, agents, slug }: Copy, { code, message }: Failure): Installed {
  return { path, agents, slug, state: 'blocked', error: { code, message } };
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
