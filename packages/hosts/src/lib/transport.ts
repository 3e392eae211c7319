// How git reaches a repository of a host key: no configuration, no credentials, one protocol.
import type { Transport } from './pack-store.ts';

export function webTransport(url: string): Transport {
  return { url, options: { config: 'anonymous', protocols: [new URL(url).protocol.slice(0, -1)] } };
}
