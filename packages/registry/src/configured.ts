// The registry that a configuration names.
import type { Backend } from './backend.ts';
import type { RegistryConfig } from './config.ts';
import { openCaches, openRegistry, type Registry } from './registry.ts';

/** Nothing is asked of the host yet. */
export function openConfigured(
  { cacheRoot, maxFileBytes }: Pick<RegistryConfig, 'cacheRoot' | 'maxFileBytes'>,
  backend: Backend,
): Registry {
  return openRegistry({ backend, caches: openCaches(cacheRoot), limits: { maxFileBytes } });
}
