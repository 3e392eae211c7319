// What a registry keeps to on every backend, when many processes are at it and when they are killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCaches, openRegistry, type Registry } from '../src/registry.ts';
import {
  below,
  failure,
  type Stored,
  type SuiteHost,
  type SuiteRepository,
  storedFiles,
  without,
} from './backend-suite.ts';
import { bundle } from './bundle.ts';
import { JOB, type Job, type Outcome, versionOf } from './registry-worker.ts';

/** Milliseconds for many processes on a busy machine. */
const PROCESSES_MS = 180_000;
/** Longest time that processes run before they are killed, in milliseconds. */
const KILLED_WITHIN_MS = 400;

const call = { signal: new AbortController().signal };

/** `kills`: how often processes are killed, where SKILLQUAY_KILLS does not say. */
export function registrySuite(title: string, start: () => Promise<SuiteHost>, kills = 10): void {
  const killed = Number(process.env.SKILLQUAY_KILLS ?? kills);
  describe(title, () => {
    let host: SuiteHost;
    let root: string;
    let script: string;
    beforeAll(async () => {
      host = await start();
      root = mkdtempSync(join(tmpdir(), 'skillquay-registry-suite-'));
      script = await bundle(host.worker, root);
    });
    afterAll(async () => {
      await host.close();
      rmSync(root, { recursive: true, force: true });
    });

    function registryOf(
      repository: SuiteRepository,
      cacheRoot = mkdtempSync(join(root, 'cache-')),
    ): Registry {
      return openRegistry({
        backend: repository.open(),
        caches: openCaches(cacheRoot),
        limits: { maxFileBytes: 2 * 1024 ** 2 },
      });
    }

    function begin(
      repository: SuiteRepository,
      job: Omit<Job, 'target' | 'cacheRoot'>,
      cacheRoot?: string,
    ): ChildProcess {
      const whole: Job = {
        target: repository.target,
        cacheRoot: cacheRoot ?? mkdtempSync(join(root, 'cache-')),
        ...job,
      };
      return spawn(process.execPath, [script], {
        env: { ...process.env, [JOB]: JSON.stringify(whole) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    }

    it('publishes a folder of this machine, gives it back as it was, and publishes nothing twice', async () => {
      const repository = await host.repository({ 'other/SKILL.md': 'x' });
      const registry = registryOf(repository);
      const folder = mkdtempSync(join(root, 'local-'));
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'SKILL.md'), '---\r\nname: kept\r\ndescription: Kept\r\n---\r\n');
      writeFileSync(
        join(folder, 'bin/run'),
        Uint8Array.from({ length: 256 }, (_, i) => i),
      );
      chmodSync(join(folder, 'bin/run'), 0o755);
      writeFileSync(join(folder, 'an empty one'), '');
      symlinkSync('bin/run', join(folder, 'link'));
      const published = await registry.publish('Kept', { localFolder: folder }, call);
      expect(published).toMatchObject({ kind: 'published', slug: 'kept' });
      const got = await registryOf(repository).get('kept', call);
      expect(got.kind === 'found' && filesIn(got.path)).toEqual(filesIn(folder));
      expect(await registry.publish('kept', { localFolder: folder }, call)).toEqual({
        ...published,
        kind: 'unchanged',
      });
      expect(await repository.history()).toHaveLength(2);
      expect((await registry.list(call)).skills.map(({ slug, name }) => [slug, name])).toEqual([
        ['kept', 'kept'],
        ['other', 'other'],
      ]);
      expect(await registry.remove('kept', call)).toMatchObject({ kind: 'removed' });
      expect([...(await repository.read()).keys()]).toEqual(['other/SKILL.md']);
    });

    it('never reads what a link leads to', async () => {
      const secret = join(root, 'secret');
      writeFileSync(secret, 'the secret text');
      const repository = await host.repository({
        'trap/SKILL.md': '---\nname: trap\ndescription: Leads out\n---\n',
        'trap/out': { mode: '120000', bytes: Buffer.from(secret) },
      });
      const cacheRoot = mkdtempSync(join(root, 'cache-'));
      const registry = registryOf(repository, cacheRoot);
      for (const lead of ['file', 'folder', 'SKILL.md']) {
        const folder = mkdtempSync(join(root, 'local-'));
        if (lead !== 'SKILL.md')
          writeFileSync(join(folder, 'SKILL.md'), '---\nname: x\ndescription: x\n---\n');
        symlinkSync(lead === 'folder' ? root : secret, join(folder, lead));
        expect(await failure(registry.publish('leads', { localFolder: folder }, call))).toMatchObject({
          code: 'invalid',
        });
      }
      expect(await repository.history()).toHaveLength(1);
      const got = await registry.get('trap', call);
      expect(got).toMatchObject({ kind: 'found', notes: [expect.stringContaining('out')] });
      expect(got.kind === 'found' && readdirSync(got.path)).toEqual(['SKILL.md']);
      expect(filesIn(cacheRoot).filter(([, bytes]) => bytes.includes('the secret text'))).toEqual([]);
    });

    it(
      'takes skills that eight processes publish at once, or says that it does not',
      async () => {
        const repository = await host.repository({ 'other/SKILL.md': 'x' });
        const slugs = Array.from({ length: 8 }, (_, i) => `skill-${i}`);
        const outcomes = await Promise.all(
          slugs.map((slug, first) => outcomeOf(begin(repository, { act: 'publish', slug, first, count: 1 }))),
        );
        const stored = await repository.read();
        for (const [i, slug] of slugs.entries()) {
          const landed = outcomes[i]?.kind === 'published';
          expect(outcomes[i]).toMatchObject({ kind: landed ? 'published' : 'conflict' });
          expect(below(slug, stored)).toEqual(landed ? storedFiles(versionOf(slug, i)) : new Map());
        }
        const landed = outcomes.filter(({ kind }) => kind === 'published').length;
        expect(landed).toBeGreaterThan(0);
        expect(await repository.history()).toHaveLength(1 + landed);
        await expectLine(repository);
      },
      PROCESSES_MS,
    );

    it(
      'holds one version whole when four processes publish the same skill at once',
      async () => {
        const repository = await host.repository({ 'other/SKILL.md': 'x' });
        const outcomes = await Promise.all(
          [0, 1, 2, 3].map((first) =>
            outcomeOf(begin(repository, { act: 'publish', slug: 'kept', first, count: 1 })),
          ),
        );
        for (const outcome of outcomes) expect(outcome.kind).toMatch(/^(?:published|conflict)$/);
        const landed = [0, 1, 2, 3].filter((i) => outcomes[i]?.kind === 'published');
        const kept = below('kept', await repository.read());
        expect(landed.map((i) => storedFiles(versionOf('kept', i)))).toContainEqual(kept);
        expect(await repository.history()).toHaveLength(1 + landed.length);
        await expectLine(repository);
      },
      PROCESSES_MS,
    );

    it(
      'is whole whenever processes that publish and get are killed, and works on',
      async () => {
        const repository = await host.repository({
          'other/SKILL.md': 'x',
          ...prefixed('kept', versionOf('kept', 0)),
        });
        const versions = [0, 1, 2, 3, 4].map((i) => storedFiles(versionOf('kept', i)));
        const others = without('kept', await repository.read());
        const cacheRoot = mkdtempSync(join(root, 'cache-'));
        for (let kill = 0; kill < killed; kill += 1) {
          const children = (['publish', 'get'] as const).map((act) =>
            begin(repository, { act, slug: 'kept', first: kill, count: 0 }, cacheRoot),
          );
          await Promise.all(children.map(({ stdout }) => stdout && once(stdout, 'data')));
          await delay(Math.random() * KILLED_WITHIN_MS);
          for (const child of children) child.kill('SIGKILL');
          await Promise.all(children.map((child) => once(child, 'exit')));
          const stored = await repository.read();
          expect(versions).toContainEqual(below('kept', stored));
          expect(without('kept', stored)).toEqual(others);
          const got = await registryOf(repository, cacheRoot).get('kept', call);
          expect(versions).toContainEqual(got.kind === 'found' ? storedIn(got.path) : got);
        }
        const last = { ...versionOf('kept', 0), 'last.md': 'still works' };
        const published = await registryOf(repository, cacheRoot).publish('kept', { files: last }, call);
        expect(published).toMatchObject({ kind: 'published' });
        expect(below('kept', await repository.read())).toEqual(storedFiles(last));
        await expectLine(repository);
      },
      PROCESSES_MS + killed * 10_000,
    );
  });
}

/** Each commit but the first has one parent. */
async function expectLine(repository: SuiteRepository): Promise<void> {
  const parents = (await repository.history()).map((commit) => commit.parents.length);
  expect(parents).toEqual(parents.map((_, i) => (i === parents.length - 1 ? 0 : 1)));
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const lines: string[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => lines.push(line));
  await once(child, 'close');
  return lines[0] === undefined ? { kind: 'failed', message: 'said nothing' } : JSON.parse(lines[0]);
}

function prefixed(slug: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${slug}/${path}`, text]));
}

/** Path, bytes and whether it is run, of each file; links are followed. */
function filesIn(folder: string): [string, Buffer, boolean][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((path) => {
      const found = statSync(join(folder, path), { throwIfNoEntry: false });
      return found?.isFile() ? [[path, readFileSync(join(folder, path)), (found.mode & 0o100) !== 0]] : [];
    });
}

function storedIn(folder: string): Stored {
  return storedFiles(
    Object.fromEntries(
      filesIn(folder).map(([path, bytes, runs]) => [
        path,
        { mode: runs ? ('100755' as const) : ('100644' as const), bytes },
      ]),
    ),
  );
}
