import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAddress } from '@skillquay/core/address';
import { objectSizes } from '@skillquay/git/objects';
import { runGit } from '@skillquay/git/process';
import { listTree } from '@skillquay/git/tree';
import { build as bundle } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type GitServer, gitServer } from '../../../test-support/git-http.ts';
import { repository } from '../../../test-support/repository.ts';
import { webTransport } from '../src/lib/transport.ts';
import { NO_LINKS } from '../src/links.ts';
import { remoteHost } from '../src/remote-host.ts';

/** Content that does not compress, so that it is sent in many pieces. */
const FILES = 60;
const FILE_BYTES = 40_000;
const origin = repository(
  Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`f${i}`, randomBytes(FILE_BYTES)])),
);
const directory = mkdtempSync(join(tmpdir(), 'skillquay-killed-'));
let server: GitServer;

beforeAll(async () => {
  server = await gitServer({ 'acme/library.git': origin.dir });
  await bundle({
    configFile: false,
    logLevel: 'silent',
    root: directory,
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'killed-fetch.ts'),
      outDir: directory,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'killed-fetch.mjs' } },
    },
  });
});
afterAll(async () => {
  await server.close();
  origin.remove();
  rmSync(directory, { recursive: true });
});

/** Kills a process that fetches into a store once so many bytes were sent to it. */
async function killAt(storeDir: string, bytes: number): Promise<void> {
  const url = `${server.url}/acme/library.git`;
  const child = spawn(
    process.execPath,
    [join(directory, 'killed-fetch.mjs'), storeDir, url, '/gh/acme/library'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'close');
  const said = once(child.stdout, 'data');
  let sent = 0;
  const reached = new Promise<void>((resolve) => {
    server.beforePiece = async (piece) => {
      sent += piece;
      if (sent >= bytes) resolve();
      // Slow enough that a kill comes between two pieces.
      await new Promise((go) => setTimeout(go, 2));
    };
  });
  await Promise.race([reached, said]);
  child.kill('SIGKILL');
  await ended;
}

async function bring(storeDir: string) {
  const host = remoteHost({
    name: 'gh/acme/library',
    transport: webTransport(`${server.url}/acme/library.git`),
    links: NO_LINKS,
    scope: 'public',
    storeDir,
    refTtlMs: 60_000,
    now: Date.now,
  });
  const parsed = parseAddress('/gh/acme/library');
  if (!parsed.ok) throw new Error(parsed.error.message);
  const resolution = await host.resolve(parsed.address);
  const repo = await host.bring(resolution);
  await host.close();
  return { repo, resolution };
}

const whole = FILES * FILE_BYTES;

test.each([0, 1 / 4, 1 / 2, 9 / 10, 1])(
  'a process that is killed when %f of a commit had come leaves nothing in the way of the next',
  async (part) => {
    const storeDir = join(directory, `store-${part}`);
    await killAt(storeDir, part * whole);
    const content = () => {
      const [name = ''] = readdirSync(join(storeDir, 'git'));
      return readdirSync(join(storeDir, 'git', name, 'content'));
    };
    if (part > 0 && part < 1) expect(content()).toContainEqual(expect.stringMatching(/^fetch-/));
    server.beforePiece = undefined;
    const { repo, resolution } = await bring(storeDir);
    const tree = await listTree(repo, resolution.tree);
    expect([...(await objectSizes(repo, tree.oids))]).toEqual(new Array(FILES).fill(FILE_BYTES));
    await runGit(['fsck', '--no-dangling', '--connectivity-only', resolution.commit], { repo }).catch(() => {
      throw new Error('git finds the store broken');
    });
    // The git that the killed process had started may have gone on for a while.
    await vi.waitFor(
      async () => {
        await bring(storeDir);
        expect(content()).toEqual(['git']);
      },
      { timeout: 20_000, interval: 100 },
    );
  },
  60_000,
);
