import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GitSpace, HOLD_MS, MAX_FETCHES } from './git-space.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'skillquay-space-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const signal = new AbortController().signal;

/** A repository of so many bytes that was used so many minutes ago. */
function store(name: string, bytes: number, minutes: number): void {
  const packs = join(dir, name, 'content/git/objects/pack');
  mkdirSync(packs, { recursive: true });
  writeFileSync(join(packs, 'a.pack'), 'x'.repeat(bytes - 10));
  writeFileSync(join(dir, name, 'own-commits'), 'x'.repeat(10));
  utimesSync(join(dir, name), minutesAgo(minutes), minutesAgo(minutes));
}

function usedBy(name: string, user: string, minutes: number): void {
  const users = join(dir, name, 'users');
  mkdirSync(users, { recursive: true });
  writeFileSync(join(users, user), '');
  utimesSync(join(users, user), minutesAgo(minutes), minutesAgo(minutes));
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => child.once('close', resolve));
  return child.pid ?? 0;
}

test('those used longest ago go as a whole, until the others keep to the bound', async () => {
  store('gh+a', 400, 30);
  store('gh+b', 400, 10);
  store('gh+c', 400, 20);
  expect(await new GitSpace({ dir, maxBytes: 900 }).trim()).toBe(800);
  expect(readdirSync(dir)).toEqual(['gh+b', 'gh+c']);
  expect(await new GitSpace({ dir, maxBytes: 400 }).trim()).toBe(400);
  expect(readdirSync(dir)).toEqual(['gh+b']);
});

test('what is asked for goes last', async () => {
  store('gh+a', 400, 30);
  store('gh+b', 400, 10);
  const space = new GitSpace({ dir, maxBytes: 400 });
  await space.touch('gh+a');
  await space.touch('gh+never-fetched');
  await space.trim();
  expect(readdirSync(dir)).toEqual(['gh+a']);
});

test('none goes that a living process uses', async () => {
  const dead = await deadPid();
  store('gh+mine', 400, 90);
  store('gh+another', 400, 80);
  store('gh+dead', 400, 70);
  store('gh+elsewhere', 400, 60);
  store('gh+elsewhere-once', 400, 50);
  store('gh+mine-once', 400, 40);
  usedBy('gh+another', `${hostname()}-${process.ppid}`, 5);
  usedBy('gh+dead', `${hostname()}-${dead}`, 5);
  usedBy('gh+elsewhere', 'other-host-1', 5);
  usedBy('gh+elsewhere-once', 'other-host-1', HOLD_MS / 60_000 + 1);
  usedBy('gh+mine-once', `${hostname()}-${process.pid}`, HOLD_MS / 60_000 + 1);
  const space = new GitSpace({ dir, maxBytes: 0 });
  await space.hold('gh+mine');
  expect(await space.trim()).toBe(1_200);
  expect(readdirSync(dir)).toEqual(['gh+another', 'gh+elsewhere', 'gh+mine']);
});

test('a repository that is being given up while someone comes to use it is there for them', async () => {
  const space = new GitSpace({ dir, maxBytes: 0 });
  for (let i = 0; i < 30; i += 1) {
    store('gh+a', 100, 30);
    await Promise.all([space.trim(), space.hold('gh+a')]);
    expect(existsSync(join(dir, 'gh+a/users', `${hostname()}-${process.pid}`))).toBe(true);
    rmSync(join(dir, 'gh+a'), { recursive: true });
  }
});

test('what a process that was killed was giving up goes, what a living one gives up is left to it', async () => {
  store(`evict-${hostname()}-${await deadPid()}-abc`, 400, 1);
  store(`evict-${hostname()}-${process.ppid}-abc`, 400, 1);
  store('evict-other-host-1-abc', 400, 1);
  store('gh+a', 400, 30);
  expect(await new GitSpace({ dir, maxBytes: 400 }).trim()).toBe(400);
  expect(readdirSync(dir)).toEqual(
    [`evict-${hostname()}-${process.ppid}-abc`, 'evict-other-host-1-abc', 'gh+a'].sort(),
  );
});

test('a fetch makes room for what it brought', async () => {
  store('gh+old', 400, 30);
  const space = new GitSpace({ dir, maxBytes: 500 });
  await space.fetch('gh+new', signal, async () => store('gh+new', 300, 0));
  expect(readdirSync(dir)).toEqual(['gh+new']);
});

test('nothing is fetched while what is in use takes all the room', async () => {
  store('gh+a', 400, 30);
  const space = new GitSpace({ dir, maxBytes: 300 });
  await space.hold('gh+a');
  let ran = false;
  const fetching = space.fetch('gh+b', signal, async () => {
    ran = true;
  });
  await expect(fetching).rejects.toMatchObject({ code: 'mount.unavailable', retryAfter: expect.any(Number) });
  expect(ran).toBe(false);
  usedBy('gh+a', `${hostname()}-${process.pid}`, HOLD_MS / 60_000 + 1);
  await space.fetch('gh+b', signal, async () => {
    ran = true;
  });
  expect(ran).toBe(true);
});

test('only so many fetches run at once, and one that is given up takes no turn', async () => {
  const space = new GitSpace({ dir, maxBytes: Number.POSITIVE_INFINITY });
  let running = 0;
  let most = 0;
  let go = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await gate;
    running -= 1;
  };
  const abort = new AbortController();
  const all = Array.from({ length: MAX_FETCHES }, (_, i) => space.fetch(`gh+${i}`, signal, work));
  const given = space.fetch('gh+given-up', abort.signal, work);
  all.push(...Array.from({ length: MAX_FETCHES }, (_, i) => space.fetch(`gh+more-${i}`, signal, work)));
  abort.abort();
  await expect(given).rejects.toThrow();
  await vi.waitFor(() => expect(running).toBeGreaterThanOrEqual(MAX_FETCHES), { timeout: 4_000 });
  // What a fetch does before its work: one that had no turn to wait for would have come as far by now.
  for (let i = 0; i < MAX_FETCHES; i += 1) await space.hold('gh+others');
  go();
  await Promise.all(all);
  expect(most).toBe(MAX_FETCHES);
  expect(running).toBe(0);
  await space.fetch('gh+last', signal, work);
});

test('a fetch that fails gives its turn on', async () => {
  const space = new GitSpace({ dir, maxBytes: 1, maxFetches: 1 });
  for (let i = 0; i < 3; i += 1)
    await expect(space.fetch('gh+a', signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
