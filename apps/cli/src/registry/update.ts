// `skillquay registry update`: brings installed copies to what the registry has, and shows what changes first.
import { CommandError, ExitCode } from '../exit-codes.ts';
import { openCopies } from './copies.ts';
import { copyStates, type StatedCopy } from './copy-states.ts';
import { bring, keptFailure } from './get.ts';
import { type Installed, install } from './install.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';

export interface UpdateOptions {
  readonly force: boolean;
}

export async function update(asked: readonly string[], options: UpdateOptions, io: Io): Promise<Outcome> {
  const session = await openSession(io);
  const stated = await copyStates(session, io);
  const copies = openCopies(io.env);
  const done: Installed[] = [];
  for (const { copy, state } of chosen(stated, asked)) {
    if (state !== 'behind' && state !== 'diverged' && !(state === 'changed' && asked.length > 0)) continue;
    const { skill } = await bring(session, copy.slug, io);
    io.say(`${copy.path}:`);
    const careful = state === 'behind';
    done.push(await install(skill, copy.path, copy.agents, { copies, force: options.force, careful }, io));
  }
  return {
    data: { registry: session.registry.name, copies: done },
    text:
      done.length === 0
        ? 'Nothing to update.'
        : done.map(({ state, path }) => `${state}: ${path}`).join('\n'),
    failure: keptFailure(done),
  };
}

/** Throws CommandError `usage` for a skill of which there is no copy. */
function chosen(stated: readonly StatedCopy[], asked: readonly string[]): readonly StatedCopy[] {
  const absent = asked.find((slug) => !stated.some(({ copy }) => copy.slug === slug));
  if (absent !== undefined)
    throw new CommandError(
      ExitCode.usage,
      `No copy of "${absent}" is installed; \`skillquay registry status\` lists them.`,
    );
  return asked.length === 0 ? stated : stated.filter(({ copy }) => asked.includes(copy.slug));
}
