// `skillquay registry sync`: publishes every skill of a folder that is not in the registry as it is here.
import { resolve } from 'node:path';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import { skillsDirectlyBelow } from './local-skills.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';
import { upload } from './upload.ts';

export interface SyncOptions {
  readonly force: boolean;
}

/** Nothing is taken out of the registry. */
export async function sync(folder: string, { force }: SyncOptions, io: Io): Promise<Outcome> {
  const path = resolve(io.cwd, folder);
  const { skills, notes } = await skillsDirectlyBelow(path);
  if (skills.length === 0)
    throw new CommandError(
      ExitCode.badData,
      [
        `No folder directly below ${path} has a SKILL.md.`,
        ...notes,
        'To publish one skill, use `skillquay registry publish`.',
      ].join(' '),
    );
  return upload(await openSession(io), { skills, notes, from: path, force }, io);
}
