// `skillquay registry status`: which installed copies are not what the registry has.
import { homeFolder } from '@skillquay/registry/config';
import { counted } from '../count.ts';
import { type CopyState, type CopyStates, copyStates } from './copy-states.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';
import { table } from './table.ts';

/** For `status`, and for the reference. */
export const MEANS: Readonly<Record<CopyState, string>> = {
  current: 'as the registry has it',
  behind: 'the registry has another version: `skillquay registry update`',
  changed: 'changed here: publish it, or get it again',
  diverged: 'changed here and in the registry: `skillquay registry update` shows how, and asks',
  missing: 'the folder has gone: `skillquay registry update <skill>` brings it back',
  withdrawn: 'no longer in the registry',
  unreadable: 'could not be compared',
};

export async function status(io: Io): Promise<Outcome> {
  const session = await openSession(io);
  const states = await copyStates(session, io);
  return {
    data: {
      registry: session.registry.name,
      copies: states.stated.map(({ copy: { path, agents, slug }, state, reason }) => ({
        path,
        agents,
        slug,
        state,
        ...(reason === undefined ? {} : { reason }),
      })),
      others: states.others,
      notes: states.notes,
    },
    text: text(states, io),
  };
}

function text({ stated, others }: CopyStates, { columns, env }: Io): string {
  const differing = stated.filter(({ state }) => state !== 'current');
  const home = `${homeFolder(env)}/`;
  const short = (path: string) => (path.startsWith(home) ? `~/${path.slice(home.length)}` : path);
  const rows = differing.map(({ copy, state }) => [
    copy.slug,
    state,
    columns === null ? copy.path : short(copy.path),
  ]);
  if (columns === null) return table([], rows, null);
  const states = [...new Set(differing.map(({ state }) => state))];
  const elsewhere =
    others === 0 ? [] : [`${counted(others, 'copy')} of other registries or branches, not compared.`];
  const found =
    stated.length === 0
      ? [
          'No copies of this registry are installed. `skillquay registry get <skill> --agent claude` installs one.',
        ]
      : differing.length === 0
        ? [`${counted(stated.length, 'copy')} installed, all as the registry has them.`]
        : [
            table(['SKILL', 'STATE', 'FOLDER'], rows, columns, { cutsLast: false }),
            '',
            ...states.map((state) => `${state}: ${MEANS[state]}`),
            ...differing.flatMap(({ copy, reason }) =>
              reason === undefined ? [] : [`${short(copy.path)}: ${reason}`],
            ),
          ];
  return [...found, ...elsewhere].join('\n');
}
