// Which `Host` and `Origin` a request may name: what keeps a website from reaching this process by rebinding a name.
import { isIP } from 'node:net';
import type { Config } from '../config.ts';
import { isLoopback } from './loopback.ts';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
/** Addresses that are listened on and reached by no one. */
const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/** The host name of a `Host` header, lower-case, without port; null when it is not one. */
export function hostName(header: string | undefined): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec((header ?? '').toLowerCase());
  return match?.[1]?.replace(/\.$/, '') ?? null;
}

/**
 * Judges the `Host` header. What is listened on always fits. On loopback: loopback names and the configured ones.
 * Elsewhere: the configured names; while none is configured also every plain IP address, which no rebinding can forge.
 */
export function allowedHosts(config: Pick<Config, 'host' | 'publicOrigin' | 'allowedHosts'>) {
  const names = new Set(config.allowedHosts.map((name) => name.toLowerCase()));
  if (config.publicOrigin !== null) names.add(new URL(config.publicOrigin).hostname);
  const anyAddress = names.size === 0 && !isLoopback(config.host);
  if (isLoopback(config.host) || anyAddress) for (const name of LOOPBACK_NAMES) names.add(name);
  const own = config.host.toLowerCase();
  if (!EVERY_ADDRESS.has(own)) names.add(isIP(own) === 6 ? `[${own}]` : own);

  return (header: string | undefined): boolean => {
    const name = hostName(header);
    if (name === null) return false;
    return names.has(name) || (anyAddress && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  };
}

/** Whether a request comes from this deployment's own pages, or from no web page at all. */
export function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicOrigin: string | null,
): boolean {
  if (origin === undefined) return true;
  if (origin === publicOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === (host ?? '').toLowerCase();
}
