// Git repositories for the backend suites: over file:// and over smart HTTP, with a password or without.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type GitServer, gitServer } from '../../../test-support/git-http.ts';
import { type Entry, repository, type TestRepository } from '../../../test-support/repository.ts';
import { openGitBackend } from '../src/git-backend.ts';
import {
  byPath,
  type Stored,
  type SuiteFiles,
  type SuiteHost,
  type SuiteRepository,
} from './backend-suite.ts';

export interface GitSuiteRepository extends SuiteRepository {
  readonly repo: TestRepository;
  readonly url: string;
}

export interface GitSuiteHost extends SuiteHost {
  /** Holds caches and the home of the user. */
  readonly root: string;
  readonly server: GitServer | undefined;
  repository(files?: SuiteFiles): Promise<GitSuiteRepository>;
}

/** A user whose git is set to change, sign, ignore and refuse whatever it can. */
const HOSTILE = (home: string) => `
[user]
	name = Ann Example
	email = ann@example.com
	signingKey = nobody
[commit]
	gpgSign = true
[gpg]
	program = false
[push]
	gpgSign = true
	followTags = true
	default = nothing
	recurseSubmodules = check
[fetch]
	prune = true
	pruneTags = true
	unpackLimit = 1000
[core]
	autocrlf = true
	eol = crlf
	ignoreCase = true
	excludesFile = ${home}/everything
	attributesFile = ${home}/attributes
	hooksPath = ${home}/hooks
[filter "changed"]
	clean = tr a-z A-Z
	required = true
[init]
	templateDir = ${home}/template
	defaultBranch = wrong
`;

/** Makes this process, and those it starts, such a user; the folder is theirs to use. */
export function becomeUser(config: (home: string) => string = HOSTILE): string {
  const root = mkdtempSync(join(tmpdir(), 'skillquay-git-backend-'));
  const home = join(root, 'home');
  mkdirSync(join(home, 'hooks'), { recursive: true });
  mkdirSync(join(home, 'template/hooks'), { recursive: true });
  writeFileSync(join(home, '.gitconfig'), config(home));
  writeFileSync(join(home, 'everything'), '*\n');
  writeFileSync(join(home, 'attributes'), '* text eol=crlf filter=changed export-ignore\n');
  for (const hook of ['pre-push', 'pre-commit', 'commit-msg', 'post-index-change'])
    writeFileSync(join(home, 'hooks', hook), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  for (const name of Object.keys(process.env)) if (/^(GIT_|XDG_|EMAIL$)/.test(name)) delete process.env[name];
  Object.assign(process.env, { HOME: home, GIT_CONFIG_NOSYSTEM: '1' });
  return root;
}

/** `credentials`: the `user:password` that the host asks for. */
export async function gitHost(over: 'file' | 'http', credentials?: string): Promise<GitSuiteHost> {
  const root = becomeUser();
  const repositories: Record<string, string> = {};
  const made: TestRepository[] = [];
  const server = over === 'http' ? await gitServer(repositories) : undefined;
  if (server !== undefined)
    Object.assign(server, { writable: true, credentials: credentials && decodeURIComponent(credentials) });
  let caches = 0;
  const urlOf = (path: string, dir: string) => {
    if (server === undefined) return pathToFileURL(dir).href;
    const before = credentials === undefined ? '//' : `//${credentials}@`;
    return `${server.url.replace('//', before)}/${path}`;
  };
  const openAt = (
    url: string,
    { branch = null, dir = '' }: { branch?: string | null; dir?: string } = {},
  ) => {
    caches += 1;
    return openGitBackend({ kind: 'git', url, branch, dir }, { cacheRoot: join(root, `cache-${caches}`) });
  };
  return {
    root,
    server,
    defaultBranch: 'main',
    worker: join(import.meta.dirname, 'git-worker.ts'),
    missing: () => openAt(urlOf('acme/missing.git', join(root, 'missing.git'))),
    async repository(files = {}) {
      const repo = repository(entriesOf(files));
      made.push(repo);
      const path = `acme/library-${made.length}.git`;
      repositories[path] = repo.dir;
      const url = urlOf(path, repo.dir);
      return {
        repo,
        url,
        target: url,
        open: (at) => openAt(url, at),
        async put(change, branch = 'main') {
          repo.commit(entriesOf(change), { branch });
        },
        read: async (branch = 'main') => readBranch(repo, branch),
        async history(branch = 'main') {
          const log = repo.git('log', '--format=%P%x00%s', `refs/heads/${branch}`);
          return log.split('\n').map((line) => {
            const [parents = '', message = ''] = line.split('\0');
            return { parents: parents.split(' ').filter((parent) => parent !== ''), message };
          });
        },
      };
    },
    async close() {
      await server?.close();
      for (const repo of made) repo.remove();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function entriesOf(files: SuiteFiles): Record<string, Entry> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]): [string, Entry] => {
      if (file === null || typeof file === 'string') return [path, file];
      const text = Buffer.from(file.bytes).toString();
      if (file.mode === '120000') return [path, { symlink: text }];
      if (file.mode === '160000') return [path, { submodule: text }];
      return [path, file.mode === '100755' ? { executable: text } : file.bytes];
    }),
  );
}

function readBranch(repo: TestRepository, branch: string): Stored {
  const lines = repo.git('ls-tree', '-r', '-z', `refs/heads/${branch}`).split('\0');
  return byPath(
    lines.flatMap((line) => {
      const [, mode, oid, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
      return path === undefined ? [] : [[path, `${mode} ${oid}`] as const];
    }),
  );
}
