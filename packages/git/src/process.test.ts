import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { baseEnvironment, secretSettings } from './lib/environment.ts';
import { checkVersion, runGit, startGit } from './process.ts';

test('a failure has an exit code and what git said, and its message has neither output nor arguments', async () => {
  const repo = repository({ a: 'x' });
  const failing = runGit(['rev-parse', '--verify', '--end-of-options', 'refs/heads/secret'], {
    repo: { gitDir: repo.dir, env: {} },
  });
  await expect(failing).rejects.toMatchObject({
    kind: 'failed',
    exitCode: 128,
    message: 'git failed (rev-parse)',
  });
});

test('a run ends at its time limit, with everything that git started', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'skillquay-slow-'));
  const marker = join(dir, 'survived');
  const ssh = join(dir, 'ssh');
  writeFileSync(ssh, `#!/bin/sh\nsleep 2\ntouch ${marker}\n`);
  chmodSync(ssh, 0o755);
  const running = runGit(['ls-remote', 'ssh://example.invalid/x'], {
    protocols: ['ssh'],
    env: { GIT_SSH: ssh },
    timeoutMs: 100,
  });
  await expect(running).rejects.toMatchObject({ kind: 'timeout' });
  await new Promise((resolve) => setTimeout(resolve, 2_300));
  expect(existsSync(marker)).toBe(false);
});

test('output over the bound ends the run', async () => {
  const running = runGit(['help', '-a'], { maxBytes: 100 });
  await expect(running).rejects.toMatchObject({ kind: 'too_large' });
});

test('a run that is aborted, before or while it runs, is cancelled', async () => {
  await expect(runGit(['version'], { signal: AbortSignal.abort() })).rejects.toMatchObject({
    kind: 'cancelled',
  });
  const abort = new AbortController();
  const git = await startGit(['cat-file', '--batch'], {
    signal: abort.signal,
    repo: { gitDir: repository().dir, env: {} },
  });
  abort.abort();
  await expect(git.done).rejects.toMatchObject({ kind: 'cancelled' });
});

test('a transport that was not allowed is refused', async () => {
  const repo = repository({ a: 'x' });
  await expect(runGit(['ls-remote', `file://${repo.dir}`])).rejects.toMatchObject({ kind: 'failed' });
  const listed = await runGit(['ls-remote', `file://${repo.dir}`], { protocols: ['file'] });
  expect(listed.toString()).toContain(repo.head);
});

test('anonymous git sees no configuration, home, credentials or repository of its caller', () => {
  const caller = {
    PATH: '/bin',
    HOME: '/home/me',
    https_proxy: 'http://proxy',
    GIT_DIR: '/elsewhere',
    GIT_TRACE: '1',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'a.b',
    GIT_CONFIG_VALUE_0: 'c',
    SSH_AUTH_SOCK: '/agent',
    SSH_ASKPASS: '/ask',
    TOKEN: 'secret',
  };
  const env = baseEnvironment('anonymous', caller);
  expect(env).toMatchObject({
    PATH: '/bin',
    https_proxy: 'http://proxy',
    HOME: '/nonexistent',
    GIT_ASKPASS: '',
  });
  for (const name of ['GIT_DIR', 'GIT_TRACE', 'GIT_CONFIG_COUNT', 'SSH_AUTH_SOCK', 'SSH_ASKPASS', 'TOKEN'])
    expect(env).not.toHaveProperty(name);
  const user = baseEnvironment('user', caller);
  expect(user).toMatchObject({ HOME: '/home/me', SSH_AUTH_SOCK: '/agent', GIT_CONFIG_COUNT: '1' });
  expect(user).not.toHaveProperty('GIT_DIR');
  expect(user).not.toHaveProperty('GIT_TRACE');
  expect(secretSettings(user, { 'x.y': 'z' })).toEqual({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_1: 'x.y',
    GIT_CONFIG_VALUE_1: 'z',
  });
});

test('a secret setting reaches git and not its arguments', async () => {
  const read = await runGit(['config', '--get', 'http.extraHeader'], {
    secrets: { 'http.extraHeader': 'A: b' },
  });
  expect(read.toString().trim()).toBe('A: b');
  const git = await startGit(['cat-file', '--batch'], {
    secrets: { 'http.extraHeader': 'A: b' },
    repo: { gitDir: repository().dir, env: {} },
  });
  expect(git.child.spawnargs.join(' ')).not.toContain('A: b');
  git.stdin.end();
  await git.done;
});

test('a git that is missing or too old is named as what must be installed', async () => {
  await expect(runGit(['version'], { env: { PATH: '/nonexistent' } })).rejects.toMatchObject({
    kind: 'missing',
  });
  await expect(runGit(['version'], { cwd: '/nonexistent' })).rejects.toMatchObject({ kind: 'failed' });
  expect(checkVersion('git version 2.39.5\n')).toBe('2.39.5');
  expect(checkVersion('git version 2.50.1 (Apple Git-155)\n')).toBe('2.50.1');
  expect(checkVersion('git version 3.0.0.windows.1\n')).toBe('3.0.0');
  for (const old of ['git version 2.38.9', 'git version 1.9.0', 'nonsense'])
    expect(() => checkVersion(old)).toThrow('install git 2.39 or later');
});
