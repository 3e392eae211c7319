// From the environment to a registry that can be served: configuration, credential, and whether the host takes it.
import { openBackend } from '@skillquay/registry/backends';
import { type Environment, readConfig } from '@skillquay/registry/config';
import { openConfigured } from '@skillquay/registry/configured';
import { RegistryError } from '@skillquay/registry/errors';
import type { Registry } from '@skillquay/registry/registry';

/** Throws RegistryError, and an AbortError when the signal was aborted. */
export async function boot(env: Environment, signal: AbortSignal): Promise<Registry> {
  const config = await readConfig(env);
  const { backend } = await openBackend(config, { env, signal });
  try {
    await backend.check({ signal });
  } catch (error) {
    // A repository that is not there has no skills, which is no reason not to say so.
    if (!(error instanceof RegistryError && error.code === 'not_found')) throw error;
  }
  return openConfigured(config, backend);
}
