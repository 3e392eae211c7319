import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Backend, Listing } from '../src/backend.ts';
import { RegistryError } from '../src/errors.ts';
import { openGitBackend } from '../src/git-backend.ts';
import { failure, listed } from './backend-suite.ts';
import { becomeUser, type GitSuiteHost, type GitSuiteRepository, gitHost } from './git-host.ts';

const call = { signal: new AbortController().signal };
const FILES = { 'a/SKILL.md': 'a', 'a/b.txt': 'b' };
/** As it is written in a URL, and as it is. */
const [WRITTEN, PASSWORD] = ['c4nary%40pass-word', 'c4nary@pass-word'];

let http: GitSuiteHost;
let file: GitSuiteHost;
beforeAll(async () => {
  http = await gitHost('http');
  file = await gitHost('file');
});
afterAll(async () => {
  await http.close();
  await file.close();
});
let cacheRoot: string;
beforeEach(() => {
  cacheRoot = mkdtempSync(join(file.root, 'cache-'));
  Object.assign(http.server ?? {}, { mode: 'up', writable: true, mute: false, old: false, credentials: undefined });
});

function openAt(url: string, branch: string | null = null): Backend {
  return openGitBackend({ kind: 'git', url, branch, dir: '' }, { cacheRoot });
}

function adding(on: Listing, text = 'new') {
  const files = [{ path: 'SKILL.md', mode: '100644', bytes: Buffer.from(text) } as const];
  return { on, slug: 'skill', files, message: 'publish: skill' };
}

function hook(repository: GitSuiteRepository, name: string, script: string): void {
  writeFileSync(join(repository.repo.dir, 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}
