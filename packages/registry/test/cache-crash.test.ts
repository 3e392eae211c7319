import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSkillCache } from '../src/skill-cache.ts';
import { bundle } from './bundle.ts';
import { version } from './versions.ts';

const KILLS = Number(process.env.SKILLQUAY_KILLS ?? 8);
const root = mkdtempSync(join(tmpdir(), 'skillquay-cache-crash-'));
const folder = join(root, 'skills');
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await bundle(join(import.meta.dirname, 'cache-loop.ts'), root);
});

function loop(first: number, count = 0): ChildProcess {
  mkdirSync(folder, { recursive: true });
  return spawn(process.execPath, [join(root, 'cache-loop.mjs'), folder, String(first), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
}

/** Text by path of what lies in a folder, read without the code under test. */
function textsIn(path: string): Record<string, string> {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(path, name)).isFile(),
  );
  return Object.fromEntries(
    files.map((name) => [relative('.', name).split(sep).join('/'), readFileSync(join(path, name), 'utf8')]),
  );
}

/** What the meta claims, if there is one, is what lies beside it. */
function expectNoFalseClaim(): void {
  const meta = join(folder, 'kept.meta.json');
  if (!existsSync(meta)) return;
  const { tree_sha }: { tree_sha: string } = JSON.parse(readFileSync(meta, 'utf8'));
  const claimed = [0, 1, 2].map(version).find(({ tree }) => tree.tree === tree_sha);
  expect(textsIn(join(folder, 'kept'))).toEqual(claimed?.files);
}

async function get(number: number): Promise<Record<string, string>> {
  const { tree, blobs } = version(number);
  const fetch = async (oids: readonly string[]) =>
    new Map(oids.map((oid) => [oid, blobs.get(oid) ?? Buffer.of()]));
  const { path } = await openSkillCache(folder).get(tree, fetch, { signal: AbortSignal.timeout(20_000) });
  return textsIn(path);
}

test(
  'a process that is killed at any moment leaves no folder that would be served and is not what it should be',
  async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const children = [loop(kill), loop(kill + 1)];
      await Promise.all(children.map((child) => child.stdout && once(child.stdout, 'data')));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(children.map(ended));
      expectNoFalseClaim();
      expect(await get(kill)).toEqual(version(kill).files);
      expect(await get(kill + 1)).toEqual(version(kill + 1).files);
    }
    // The next start takes away what the killed ones left.
    await get(0);
    await get(0);
    const left = readdirSync(folder).filter((name) => name !== '.locks' && name !== '.fetches');
    expect(left.sort()).toEqual(['kept', 'kept.meta.json']);
    expect(readdirSync(join(folder, '.locks')).length).toBeLessThanOrEqual(3);
  },
  120_000 + KILLS * 5_000,
);

test('several processes that want one skill at once fetch it once', async () => {
  const children = [0, 1, 2].map(() => loop(0, 1));
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
  const sizes = readFileSync(join(folder, '.fetches'), 'utf8').trim().split('\n');
  expect(sizes).toEqual([String(version(0).tree.entries.length)]);
  expect(textsIn(join(folder, 'kept'))).toEqual(version(0).files);
});

test('several processes that want other versions each get theirs whole, one after the other', async () => {
  const children = [0, 1, 2].map((first) => loop(first, 6));
  expect(await Promise.all(children.map(ended))).toEqual([0, 0, 0]);
  expectNoFalseClaim();
}, 60_000);
