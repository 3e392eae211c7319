// Opens the registry that is configured.
import { openBackend } from '@skillquay/registry/backends';
import { type RegistryConfig, readConfig } from '@skillquay/registry/config';
import { openCaches, openRegistry, type Registry } from '@skillquay/registry/registry';
import type { Io } from './io.ts';

export interface Session {
  readonly config: RegistryConfig;
  readonly registry: Registry;
}

/** Throws RegistryError. Nothing is asked of the host yet. */
export async function openSession(io: Io): Promise<Session> {
  const config = await readConfig(io.env);
  const { backend } = await openBackend(config, { env: io.env, signal: io.call.signal });
  const { cacheRoot, maxFileBytes } = config;
  return {
    config,
    registry: openRegistry({ backend, caches: openCaches(cacheRoot), limits: { maxFileBytes } }),
  };
}
