// `skillquay registry status`: which installed copies are not what the registry has.
import { counted } from '../count.ts';
import { type CopyState, copyStates, type StatedCopy } from './copy-states.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';
import { table } from './table.ts';

const MEANS: Readonly<Record<CopyState, string>> = {
  current: 'as the registry has it',
  behind: 'the registry has another version: `skillquay registry update`',
  changed: 'changed here: publish it, or get it again',
  diverged: 'changed here and in the registry',
  missing: 'the folder has gone',
  withdrawn: 'no longer in the registry',
};

export async function status(io: Io): Promise<Outcome> {
  const session = await openSession(io);
  const stated = await copyStates(session, io);
  return {
    data: {
      registry: session.registry.name,
      copies: stated.map(({ copy: { path, agents, slug }, state }) => ({ path, agents, slug, state })),
    },
    text: text(stated, io.columns),
  };
}

function text(stated: readonly StatedCopy[], columns: number | null): string {
  if (stated.length === 0)
    return columns === null
      ? ''
      : 'No copies are installed. `skillquay registry get <skill> --agent claude` installs one.';
  const differing = stated.filter(({ state }) => state !== 'current');
  if (differing.length === 0)
    return columns === null
      ? ''
      : `${counted(stated.length, 'copy')} installed, all as the registry has them.`;
  return table(
    ['SKILL', 'STATE', 'MEANING', 'FOLDER'],
    differing.map(({ copy, state }) => [copy.slug, state, MEANS[state], copy.path]),
    columns,
  );
}
