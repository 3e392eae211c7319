// `skillquay registry remove`: takes one skill out of the registry.
import { RegistryError } from '@skillquay/registry/errors';
import { notFoundText, removedText } from '@skillquay/registry/text';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';

export async function remove(asked: string, io: Io): Promise<Outcome> {
  const { registry } = await openSession(io);
  if (!(await io.confirm(`Remove ${asked} from ${registry.name}? Its commits stay in the history.`)))
    throw new CommandError(ExitCode.usage, 'Nothing was removed.');
  const removed = await registry.remove(asked, io.call);
  if (removed.kind === 'not_found') throw new RegistryError('invalid', notFoundText(registry.name, asked));
  const { slug, commit } = removed;
  return {
    data: { registry: registry.name, kind: 'removed', slug, commit },
    text: removedText(registry.name, slug, commit),
  };
}
