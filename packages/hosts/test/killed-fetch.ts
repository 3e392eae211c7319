// A process that fetches one commit and says so, for a test that kills it: `<store> <url> <address>`.
import { parseAddress } from '@skillquay/core/address';
import { webTransport } from '../src/lib/transport.ts';
import { NO_LINKS } from '../src/links.ts';
import { remoteHost } from '../src/remote-host.ts';

const [storeDir = '', url = '', text = ''] = process.argv.slice(2);
const parsed = parseAddress(text);
if (!parsed.ok) throw new Error(parsed.error.message);
const host = remoteHost({
  name: 'gh/acme/library',
  transport: webTransport(url),
  links: NO_LINKS,
  scope: 'public',
  storeDir,
  refTtlMs: 60_000,
  now: Date.now,
});
await host.bring(await host.resolve(parsed.address));
process.stdout.write('fetched\n');
await host.close();
