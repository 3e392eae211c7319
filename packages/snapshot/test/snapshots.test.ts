import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { GitError } from '@skillquay/git/process';
import { afterAll, afterEach, expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { BuildError } from '../src/build.ts';
import { localBuilder, threadBuilder } from '../src/build-thread.ts';
import {
  type Builder,
  type BuildFault,
  type Clock,
  openSnapshots,
  type SnapshotRequest,
  type Snapshots,
  type SnapshotsOptions,
} from '../src/snapshots.ts';
import { openStore } from '../src/store.ts';
import { skill } from './support.ts';

const LONG_MS = 60_000;
const workerUrl = new URL('../../../apps/cli/dist/build-worker.js', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'skillquay-snapshots-'));
const repo = repository({ 's/SKILL.md': skill('s'), 's/a.md': '# A\n' });
const git = { gitDir: repo.dir, env: {} };
const opened: Snapshots[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((snapshots) => snapshots.close()));
});
afterAll(() => {
  repo.remove();
  rmSync(directory, { recursive: true });
});

let stores = 0;
async function open(build: Builder, options: Partial<SnapshotsOptions> = {}): Promise<Snapshots> {
  const store =
    options.store ?? (await openStore({ directory: join(directory, String(stores++)), maxBytes: 1e9 }));
  const snapshots = openSnapshots({ store, build, concurrency: 2, memoryBytes: 1e9, ...options });
  opened.push(snapshots);
  return snapshots;
}

const request = (commit = 'c1'): SnapshotRequest => ({
  identity: { repository: 'gh/acme/library', commit, rules: '1-x' },
  ...{ limits: DEFAULT_LIMITS, serving: 'licensed' },
  source: async () => ({ git, tree: repo.head }),
});

const local = localBuilder({ workerUrl: null, workers: 0 });

/** Builds nothing until it is let go. */
function held(build: Builder = local) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const started: string[] = [];
  const builder: Builder = async (job) => {
    started.push(job.identity.commit);
    job.onProgress({ read: 3, known: 7 });
    await gate;
    return build(job);
  };
  return { builder, started, letGo };
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await tick();
}

test('fifty requests for a commit that nobody knows build it once', async () => {
  const { builder, started, letGo } = held();
  const snapshots = await open(builder);
  const answers = Array.from({ length: 50 }, () => snapshots.acquire(request(), LONG_MS));
  letGo();
  for (const answer of await Promise.all(answers)) {
    expect(answer.status === 'ready' && answer.index.skillCount).toBe(1);
  }
  expect(started).toEqual(['c1']);
});

test('a wait that is over answers with progress, and the build goes on', async () => {
  const { builder, letGo } = held();
  const snapshots = await open(builder);
  expect((await snapshots.acquire(request(), 0)).status).toBe('indexing');
  await tick();
  const waiting = snapshots.acquire(request(), LONG_MS);
  letGo();
  expect((await waiting).status).toBe('ready');
  expect((await snapshots.acquire(request(), 0)).status).toBe('ready');
});

test('progress is what the builder told last', async () => {
  const { builder, started, letGo } = held();
  const snapshots = await open(builder);
  await snapshots.acquire(request(), 0);
  await until(() => started.length === 1);
  expect(await snapshots.acquire(request(), 0)).toEqual({
    status: 'indexing',
    progress: { read: 3, known: 7 },
  });
  letGo();
});

test('whoever leaves while waiting is answered at once', async () => {
  const { builder, letGo } = held();
  const snapshots = await open(builder);
  const gone = new AbortController();
  const answer = snapshots.acquire(request(), LONG_MS, gone);
  gone.abort();
  expect((await answer).status).toBe('indexing');
  letGo();
});

test('an index in the store is not built again', async () => {
  const store = await openStore({ directory: join(directory, 'shared'), maxBytes: 1e9 });
  await (await open(local, { store })).acquire(request(), LONG_MS);
  const other = await open(() => Promise.reject(new Error('built again')), { store });
  expect((await other.acquire(request(), LONG_MS)).status).toBe('ready');
});

test('a process that may not build serves what is there and waits for what is not', async () => {
  const store = await openStore({ directory: join(directory, 'serving'), maxBytes: 1e9 });
  const serving = await open(() => Promise.reject(new Error('built')), { store, concurrency: 0 });
  expect((await serving.acquire(request(), 0)).status).toBe('indexing');
  await (await open(local, { store })).acquire(request(), LONG_MS);
  expect((await serving.acquire(request(), LONG_MS)).status).toBe('ready');
});

test('only so many builds run at a time', async () => {
  const { builder, started, letGo } = held();
  const snapshots = await open(builder, { concurrency: 2 });
  const answers = ['c1', 'c2', 'c3'].map((commit) => snapshots.acquire(request(commit), LONG_MS));
  await until(() => started.length === 2);
  await tick();
  expect(started).toHaveLength(2);
  letGo();
  for (const answer of await Promise.all(answers)) expect(answer.status).toBe('ready');
  expect(started).toHaveLength(3);
});

test('a commit that is being brought keeps none from being built', async () => {
  const snapshots = await open(local, { concurrency: 1 });
  let bring = () => {};
  const source: SnapshotRequest['source'] = async () => {
    await new Promise<void>((resolve) => {
      bring = resolve;
    });
    return { git, tree: repo.head };
  };
  const slow = snapshots.acquire({ ...request('c1'), source }, LONG_MS);
  expect((await snapshots.acquire(request('c2'), LONG_MS)).status).toBe('ready');
  bring();
  expect((await slow).status).toBe('ready');
});

test('the next commit starts from the index before', async () => {
  const previous: (string | null)[] = [];
  const snapshots = await open((job) => {
    previous.push(job.previousFile);
    return local(job);
  });
  await snapshots.acquire(request('c1'), LONG_MS);
  await snapshots.acquire(request('c2'), LONG_MS);
  expect(previous).toEqual([null, expect.stringMatching(/\.idx$/)]);
});

/** A clock that stands still until it is set. */
function stoppedClock() {
  let now = 1_000;
  const clock: Clock = { now: () => now, random: () => 0.5, sleep: () => new Promise(() => {}) };
  return {
    clock,
    set(time: number) {
      now = time;
    },
  };
}

test('a failure is answered with its reason until the next attempt is due, each time later', async () => {
  const { clock, set } = stoppedClock();
  let attempts = 0;
  const snapshots = await open(
    async (job) => {
      attempts += 1;
      if (attempts < 4) throw new BuildError('indexer.unreadable', 'Git could not read the commit.');
      await local(job);
    },
    { clock },
  );
  const failed = (nextAttemptAt: number) => ({
    status: 'failed',
    code: 'indexer.unreadable',
    reason: 'Git could not read the commit.',
    nextAttemptAt,
  });
  expect(await snapshots.acquire(request(), LONG_MS)).toEqual(failed(1_000 + 3_750));
  set(4_749);
  expect(await snapshots.acquire(request(), LONG_MS)).toEqual(failed(4_750));
  expect(attempts).toBe(1);
  set(4_750);
  expect(await snapshots.acquire(request(), LONG_MS)).toEqual(failed(4_750 + 7_500));
  set(12_250);
  expect(await snapshots.acquire(request(), LONG_MS)).toEqual(failed(12_250 + 15_000));
  set(27_250);
  expect((await snapshots.acquire(request(), LONG_MS)).status).toBe('ready');
});

test('what an unknown error says is not shown; what a host says is', async () => {
  const secret = await open(() => Promise.reject(new Error('/home/me/secret')));
  expect(await secret.acquire(request(), LONG_MS)).toMatchObject({
    code: 'indexer.failed',
    reason: 'An unexpected error ended the build.',
  });
  const host = await open(local);
  const unavailable = Object.assign(new Error('The host does not answer.'), { code: 'mount.unavailable' });
  const source = () => Promise.reject(unavailable);
  expect(await host.acquire({ ...request(), source }, LONG_MS)).toMatchObject({
    code: 'mount.unavailable',
    reason: 'The host does not answer.',
  });
});

test('each failure is told with what caused it, and without credentials', async () => {
  const faults: BuildFault[] = [];
  const onFailure = (fault: BuildFault) => void faults.push(fault);
  const git = new GitError('failed', 'git failed', 128, 'fatal: https://me:secret@example.com: no tree\n');
  const builds: Builder = ({ identity }) =>
    identity.commit === 'c1'
      ? Promise.reject(new BuildError('indexer.unreadable', 'Git could not read the commit.', { cause: git }))
      : Promise.reject(new Error('/home/me'));
  const snapshots = await open(builds, { onFailure });
  for (const commit of ['c1', 'c2', 'c1']) await snapshots.acquire(request(commit), LONG_MS);
  expect(faults).toMatchObject([
    { code: 'indexer.unreadable', repository: 'gh/acme/library', commit: 'c1' },
    { code: 'indexer.failed', commit: 'c2' },
  ]);
  expect(faults[0]?.cause).toContain('fatal: https://example.com: no tree');
  expect(faults[1]?.cause).toContain('/home/me');
});

test('closing cancels what is being built, begins nothing more and leaves nothing behind', async () => {
  const path = join(directory, 'closing');
  const store = await openStore({ directory: path, maxBytes: 1e9 });
  let running = false;
  const snapshots = await open(
    (job) =>
      new Promise((_, reject) => {
        running = true;
        job.signal.addEventListener('abort', () => reject(job.signal.reason));
      }),
    { store },
  );
  const answer = snapshots.acquire(request(), LONG_MS);
  await until(() => running);
  await snapshots.close();
  expect((await answer).status).toBe('indexing');
  running = false;
  expect((await snapshots.acquire(request(), LONG_MS)).status).toBe('indexing');
  expect(running).toBe(false);
});

test('another process that holds the lease is waited for', async () => {
  let free = false;
  const taken: string[] = [];
  const snapshots = await open(local, {
    leases: {
      async take(key) {
        if (!free) return null;
        taken.push(key);
        return { release: async () => {} };
      },
    },
    clock: {
      now: Date.now,
      random: Math.random,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    },
  });
  expect((await snapshots.acquire(request(), 20)).status).toBe('indexing');
  free = true;
  let answer = await snapshots.acquire(request(), LONG_MS);
  while (answer.status === 'indexing') answer = await snapshots.acquire(request(), LONG_MS);
  expect(answer.status).toBe('ready');
  expect(taken).toHaveLength(1);
});

test('memory keeps the indexes used last', async () => {
  const builds: string[] = [];
  const reads: string[] = [];
  const store = await openStore({ directory: join(directory, 'memory'), maxBytes: 1e9 });
  const counting = {
    ...store,
    open(of: SnapshotRequest['identity']) {
      reads.push(of.commit);
      return store.open(of);
    },
  };
  const snapshots = await open(
    (job) => {
      builds.push(job.identity.commit);
      return local(job);
    },
    { store: counting, memoryBytes: 1 },
  );
  for (const commit of ['c1', 'c1', 'c2', 'c2', 'c1']) await snapshots.acquire(request(commit), LONG_MS);
  expect(builds).toEqual(['c1', 'c2']);
  expect(reads).toEqual(['c1', 'c1', 'c2', 'c2', 'c1']);
});

test('a thread builds what this thread would build, tells how far it is, and can be cancelled', async () => {
  const threads = threadBuilder({ workerUrl, workers: 1 });
  const progress: number[] = [];
  const snapshots = await open((job) =>
    threads({
      ...job,
      onProgress(told) {
        progress.push(told.known);
        job.onProgress(told);
      },
    }),
  );
  const answer = await snapshots.acquire(request(), LONG_MS);
  expect(answer.status === 'ready' && answer.index.docCount).toBe(2);
  expect(progress.at(-1)).toBe(2);
  const source = async () => ({ git, tree: '0'.repeat(40) });
  expect(await snapshots.acquire({ ...request('c2'), source }, LONG_MS)).toMatchObject({
    code: 'indexer.unreadable',
  });
  const cancel = new AbortController();
  const cancelled = threads({
    ...request('c3'),
    git,
    tree: repo.head,
    previousFile: null,
    resultFile: join(directory, 'never'),
    signal: cancel.signal,
    onProgress: () => cancel.abort(),
  });
  await expect(cancelled).rejects.toMatchObject({ code: 'indexer.cancelled' });
});
