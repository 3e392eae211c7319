import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAddress } from '@skillquay/core/address';
import { expect, test } from 'vitest';
import { gitServer } from '../../../test-support/git-http.ts';
import { repository } from '../../../test-support/repository.ts';
import { createHosts } from '../src/hosts.ts';

test('all repositories of a process share one bound', async () => {
  const one = repository({ a: 'x' });
  const two = repository({ b: 'x' });
  const server = await gitServer({ 'acme/one.git': one.dir, 'acme/two.git': two.dir });
  const storeDir = mkdtempSync(join(tmpdir(), 'skillquay-bound-'));
  const hosts = await createHosts({
    sources: [],
    remotes: { gh: server.url, gl: server.url, cb: server.url },
    open: true,
    storeDir,
    refTtlMs: 60_000,
    maxStoreBytes: 1,
  });
  const bring = async (text: string) => {
    const parsed = parseAddress(text);
    const host = hosts.byKey.get('gh');
    if (!parsed.ok || host === undefined) throw new Error(text);
    return host.bring(await host.resolve(parsed.address));
  };
  await bring('/gh/acme/one');
  await expect(bring('/gh/acme/two')).rejects.toMatchObject({ code: 'mount.unavailable' });
  await bring('/gh/acme/one');
  await hosts.close();
  await server.close();
  rmSync(storeDir, { recursive: true });
});
