// Two GitHubs for the backend suite: our own and somebody else's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emulateGithub } from '../../../referees/github.mjs';
import { GithubRepository, type Given } from '../../../test-support/github-repository.ts';
import { githubServer } from '../../../test-support/github-server.ts';
import { githubHost, openGithubBackend } from '../src/github-backend.ts';
import { byPath, type SuiteFiles, type SuiteHost, type SuiteRepository } from './backend-suite.ts';

const TOKEN = 'token-of-octocat';
const OWNER = 'octocat';

const worker = join(import.meta.dirname, 'github-worker.ts');

/** What the worker is told. */
export interface GithubTarget {
  readonly url: string;
  readonly token: string;
  readonly owner: string;
  readonly repo: string;
}

function targetOf(url: string, repo: string): string {
  const target: GithubTarget = { url, token: TOKEN, owner: OWNER, repo };
  return JSON.stringify(target);
}

/** Each backend has a cache of its own. */
function opener(url: string, root: string) {
  let opened = 0;
  return (repo: string, { branch = null, dir = '' }: { branch?: string | null; dir?: string } = {}) => {
    opened += 1;
    return openGithubBackend(
      { kind: 'github', owner: OWNER, repo, branch, dir },
      {
        host: githubHost({ GITHUB_API_URL: url }),
        token: { token: TOKEN, from: 'GH_TOKEN' },
        cacheRoot: join(root, `cache-${opened}`),
      },
    );
  };
}

export async function ourGithub(): Promise<SuiteHost> {
  const root = mkdtempSync(join(tmpdir(), 'skillquay-github-'));
  const repositories: Record<string, GithubRepository> = {};
  const server = await githubServer(repositories, TOKEN);
  const open = opener(server.url, root);
  return {
    defaultBranch: 'HEAD',
    worker,
    missing: () => open('missing'),
    async repository(files = {}): Promise<SuiteRepository> {
      const repo = new GithubRepository();
      if (Object.keys(files).length > 0) repo.put(given(files));
      const name = `skills-${Object.keys(repositories).length}`;
      repositories[`${OWNER}/${name}`] = repo;
      return {
        target: targetOf(server.url, name),
        open: (at) => open(name, at),
        async put(change, branch) {
          repo.put(given(change), branch);
        },
        async read(branch = 'main') {
          const tree = repo.treeOf(repo.branches.get(branch) ?? '');
          return byPath([...repo.flat(tree)].map(([path, { mode, oid }]) => [path, `${mode} ${oid}`]));
        },
        async history(branch) {
          return repo.log(branch);
        },
      };
    },
    async close() {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

export async function emulatedGithub(): Promise<SuiteHost> {
  const root = mkdtempSync(join(tmpdir(), 'skillquay-github-'));
  const emulator = await emulateGithub({ [TOKEN]: OWNER, 'token-of-a-stranger': 'stranger' });
  const open = opener(emulator.url, root);
  let made = 0;

  async function ask(method: string, path: string, body?: unknown) {
    const response = await fetch(emulator.url + path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** A commit by the parts of the API that the backend does not put together in this way. */
  async function put(at: string, files: SuiteFiles, branch: string): Promise<void> {
    const heads = await ask('GET', `${at}/git/matching-refs/heads/${branch}`);
    const head: string | undefined = heads[0]?.object.sha;
    const base = head === undefined ? undefined : (await ask('GET', `${at}/git/commits/${head}`)).tree.sha;
    const tree = [];
    for (const [path, file] of Object.entries(files)) {
      const { mode, bytes } =
        file === null || typeof file === 'string' ? { mode: '100644', bytes: Buffer.from(file ?? '') } : file;
      const blob = { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
      const sha = file === null ? null : (await ask('POST', `${at}/git/blobs`, blob)).sha;
      tree.push({ path, mode, type: 'blob', sha });
    }
    const { sha } = await ask('POST', `${at}/git/trees`, {
      ...(base === undefined ? {} : { base_tree: base }),
      tree,
    });
    const parents = head === undefined ? [] : [head];
    const commit = await ask('POST', `${at}/git/commits`, { message: 'by somebody', tree: sha, parents });
    if (head === undefined)
      await ask('POST', `${at}/git/refs`, { ref: `refs/heads/${branch}`, sha: commit.sha });
    else await ask('PATCH', `${at}/git/refs/heads/${branch}`, { sha: commit.sha });
  }

  return {
    defaultBranch: 'HEAD',
    worker,
    missing: () => open('missing'),
    async repository(files = {}): Promise<SuiteRepository> {
      made += 1;
      const name = `skills-${made}`;
      await ask('POST', '/user/repos', { name, private: true, auto_init: false });
      const at = `/repos/${OWNER}/${name}`;
      if (Object.keys(files).length > 0) await put(at, files, 'main');
      return {
        target: targetOf(emulator.url, name),
        open: (where) => open(name, where),
        put: (change, branch = 'main') => put(at, change, branch),
        async read(branch = 'main') {
          const { tree } = await ask('GET', `${at}/git/trees/${branch}?recursive=1`);
          const found: (readonly [string, string])[] = [];
          for (const { path, mode, type, sha } of tree)
            if (type === 'blob') found.push([path, `${mode} ${sha}`]);
          return byPath(found);
        },
        async history(branch = 'main') {
          const commits = [];
          let next: string | undefined = (await ask('GET', `${at}/git/ref/heads/${branch}`)).object.sha;
          while (next !== undefined) {
            const { message, parents } = await ask('GET', `${at}/git/commits/${next}`);
            commits.push({ message, parents: parents.map(({ sha }: { sha: string }) => sha) });
            next = parents[0]?.sha;
          }
          return commits;
        },
      };
    },
    async close() {
      await emulator.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function given(files: SuiteFiles): Given {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, file]));
}
