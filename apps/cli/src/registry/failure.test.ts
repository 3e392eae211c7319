import { GitError } from '@skillquay/git/process';
import { HostError } from '@skillquay/hosts/host';
import { RegistryError } from '@skillquay/registry/errors';
import { expect, it } from 'vitest';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { failureOf } from './failure.ts';

const { signal } = new AbortController();
const because = Object.assign(new Error('no'), { code: 'EACCES', path: '/x' });

it.each([
  [new RegistryError('unreachable', 'no'), 'unreachable', 69],
  [new RegistryError('not_found', 'no'), 'not_found', 78],
  [new RegistryError('rate_limited', 'no'), 'rate_limited', 75],
  [new HostError('mount.unavailable', 'no'), 'unreachable', 69],
  [new HostError('mount.rate_limited', 'no'), 'rate_limited', 75],
  [new HostError('mount.repo_not_found', 'no'), 'no_such_source', 65],
  [new HostError('mount.ref_not_found', 'no'), 'no_such_source', 65],
  [new HostError('mount.not_allowed', 'no'), 'denied', 77],
  [new HostError('mount.unsupported', 'no'), 'bad_data', 65],
  [new GitError('missing', 'no'), 'config', 78],
  [new GitError('timeout', 'no'), 'try_again', 75],
  [new GitError('too_large', 'no'), 'bad_data', 65],
  [new GitError('failed', 'no'), 'internal', 70],
  [new CommandError(ExitCode.usage, 'no'), 'usage', 64],
  [new CommandError(ExitCode.badData, 'no', 'no_such_skill'), 'no_such_skill', 65],
  [because, 'denied', 77],
  [new Error('no'), 'internal', 70],
])('%s is %s and %i', (error, code, exitCode) => {
  expect(failureOf(error, signal)).toMatchObject({ code, exitCode });
});

it('whatever a signal breaks off is cancelled', () => {
  expect(failureOf(new Error('no'), AbortSignal.abort())).toMatchObject({ code: 'cancelled', exitCode: 130 });
});
