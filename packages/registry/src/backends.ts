// From a configuration to the backend that it names, with the credential that is found for it.
import type { Backend, CallOptions } from './backend.ts';
import type { Environment, RegistryConfig } from './config.ts';
import { openGitBackend } from './git-backend.ts';
import { openGithubBackend } from './github-backend.ts';
import { GithubClient } from './lib/github-client.ts';
import { createRepository, type NewRepository } from './lib/github-create.ts';
import { githubHost } from './lib/github-host.ts';
import { findGithubToken } from './lib/github-token.ts';

export interface OpenedBackend {
  readonly backend: Backend;
  /** Where the repository lies: `github.com`; null where only git knows. */
  readonly host: string | null;
  /** Where the credential was found; null where git looks for it itself. */
  readonly credential: string | null;
  /**
   * Makes the repository, empty, and private unless it is to be public; null where that is not this program's to do.
   * `account` is whose credential it is. Throws RegistryError.
   */
  readonly create: ((options: NewRepository, call: CallOptions) => Promise<void>) | null;
}

export interface OpenOptions {
  readonly signal: AbortSignal;
  readonly env?: Environment;
}

/** Nothing is asked of the host. Throws RegistryError `config` and `no_credential`. */
export async function openBackend(
  { name, cacheRoot }: Pick<RegistryConfig, 'name' | 'cacheRoot'>,
  { signal, env = process.env }: OpenOptions,
): Promise<OpenedBackend> {
  if (name.kind === 'git')
    return { backend: openGitBackend(name, { cacheRoot }), host: null, credential: null, create: null };
  const host = githubHost(env);
  const token = await findGithubToken(host, { signal, env });
  return {
    backend: openGithubBackend(name, { host, token, cacheRoot }),
    host: host.name,
    credential: token.from,
    create: (options, call) => createRepository(new GithubClient({ host, token }), name, options, call),
  };
}
