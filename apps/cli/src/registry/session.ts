// Opens the registry that is configured.
import { openBackend } from '@skillquay/registry/backends';
import { type RegistryConfig, readConfig } from '@skillquay/registry/config';
import { openConfigured } from '@skillquay/registry/configured';
import { RegistryError } from '@skillquay/registry/errors';
import type { Registry } from '@skillquay/registry/registry';
import type { Io } from './io.ts';

export interface Session {
  readonly config: RegistryConfig;
  readonly registry: Registry;
}

/** Throws RegistryError. Nothing is asked of the host yet. */
export async function openSession(io: Io): Promise<Session> {
  const config = await readConfig(io.env);
  const { backend } = await openBackend(config, { env: io.env, signal: io.call.signal });
  return { config, registry: openConfigured(config, backend) };
}

/** Of a registry whose repository nobody finds, which must not look like one that has no skills. */
export function notThere(registry: string): RegistryError {
  return new RegistryError(
    'not_found',
    `${registry} does not exist, or your credential may not see it. Create it with \`skillquay registry init\`, or correct SKILLS_REGISTRY.`,
  );
}
