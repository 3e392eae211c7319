// A registry on GitHub against the way that asks for one thing at a time: requests, and the time they take where each
// answer comes after a delay. Usage: registry [delay in ms]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { githubHost, openGithubBackend } from '@skillquay/registry/github-backend';
import { openCaches, openRegistry } from '@skillquay/registry/registry';
import { GithubRepository } from '../../test-support/github-repository.ts';
import { type GithubServer, githubServer, type Scripted } from '../../test-support/github-server.ts';

const SKILLS = 100;
const FILES = 50;
const TOKEN = 'token-of-octocat';
const FOLDER = /\/contents\/(.*)$/;

const signal = new AbortController().signal;
const delayMs = Number(process.argv.slice(2).find((argument) => /^[0-9]+$/.test(argument)) ?? 20);
const skill = (name: string) =>
  `---\nname: ${name}\ndescription: Does ${name}\n---\n${'Body.\n'.repeat(100)}`;
const files = Object.fromEntries(
  Array.from({ length: FILES }, (_, i) => [
    i === 0 ? 'SKILL.md' : `docs/${i}.md`,
    i === 0 ? skill('new') : `${i}\n`,
  ]),
);

/** What is measured: a name, the most requests that are allowed, and the work of ours and of the rival. */
interface Row {
  readonly work: string;
  readonly bar: number;
  readonly ours: () => Promise<unknown>;
  readonly rival: () => Promise<unknown>;
}

const root = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
const repo = new GithubRepository(
  Object.fromEntries(Array.from({ length: SKILLS }, (_, i) => [`skill-${i}/SKILL.md`, skill(`skill-${i}`)])),
);
const server: GithubServer = await githubServer({ 'o/r': repo }, TOKEN);
server.script = async ({ line }) => {
  await delay(delayMs);
  return contents(line);
};

/** The part of the API that only the rival uses. */
function contents(line: string): Scripted | undefined {
  const [, at] = FOLDER.exec(line) ?? [];
  const head = repo.branches.get('main');
  if (!line.startsWith('GET') || at === undefined || head === undefined) return undefined;
  const rows = [...repo.rows(repo.treeOf(head), at !== '')];
  const file = rows.find(({ path }) => path === at);
  if (at === '')
    return { body: rows.map(({ path, type }) => ({ name: path, type: type === 'tree' ? 'dir' : 'file' })) };
  return file === undefined
    ? { status: 404 }
    : { body: { encoding: 'base64', content: repo.blobs.get(file.oid)?.toString('base64') } };
}

/** Caches and memory of their own, as a process begins with. */
function open(cache: string, branch: string | null = null) {
  const backend = openGithubBackend(
    { kind: 'github', owner: 'o', repo: 'r', branch, dir: '' },
    {
      host: githubHost({ GITHUB_API_URL: server.url }),
      token: { token: TOKEN, from: 'GH_TOKEN' },
      cacheRoot: join(root, cache),
    },
  );
  return openRegistry({
    backend,
    caches: openCaches(join(root, cache)),
    limits: { maxFileBytes: 2 * 1024 ** 2 },
  });
}

/** As much of an answer as the rival reads. */
interface Answer {
  readonly sha: string;
  readonly object: { readonly sha: string };
  readonly commit: { readonly tree: { readonly sha: string } };
}

async function ask<T = Answer>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${server.url}/repos/o/r${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}` },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return JSON.parse(await response.text());
}

/** The folders, then the SKILL.md of each. */
async function listByFolder(): Promise<void> {
  for (const { name, type } of await ask<{ name: string; type: string }[]>('GET', '/contents/'))
    if (type === 'dir') await ask('GET', `/contents/${name}/SKILL.md`);
}

/** A blob for each file, whatever is there already. */
async function publishByFile(slug: string): Promise<void> {
  const parent = (await ask('GET', '/git/ref/heads/main')).object.sha;
  const base = (await ask('GET', '/commits/heads/main')).commit.tree.sha;
  await ask('GET', `/git/trees/${base}?recursive=1`);
  const tree = [];
  for (const [path, content] of Object.entries(files)) {
    const { sha } = await ask('POST', '/git/blobs', {
      content: Buffer.from(content).toString('base64'),
      encoding: 'base64',
    });
    tree.push({ path: `${slug}/${path}`, mode: '100644', type: 'blob', sha });
  }
  const made = await ask('POST', '/git/trees', { base_tree: base, tree });
  const commit = await ask('POST', '/git/commits', {
    message: `publish: ${slug}`,
    tree: made.sha,
    parents: [parent],
  });
  await ask('PATCH', '/git/refs/heads/main', { sha: commit.sha });
}

const published = open('published');
const ROWS: readonly Row[] = [
  {
    work: `list ${SKILLS} skills, cold`,
    bar: 2 + SKILLS,
    ours: () => open('list').list({ signal }),
    rival: listByFolder,
  },
  {
    work: `list ${SKILLS} skills, unchanged`,
    bar: 1,
    ours: () => open('list').list({ signal }),
    rival: listByFolder,
  },
  {
    work: `publish ${FILES} text files, first`,
    bar: 7,
    ours: () => published.publish('first', { files }, { signal }),
    rival: () => publishByFile('rival-first'),
  },
  {
    work: `publish ${FILES} text files, then`,
    bar: 6,
    ours: () => published.publish('then', { files: { ...files, 'docs/1.md': 'changed\n' } }, { signal }),
    rival: () => publishByFile('rival-then'),
  },
  {
    work: `publish what is there`,
    bar: 4,
    ours: () => published.publish('then', { files: { ...files, 'docs/1.md': 'changed\n' } }, { signal }),
    rival: () => publishByFile('rival-then'),
  },
];

async function measured(
  work: () => Promise<unknown>,
): Promise<{ readonly requests: number; readonly ms: number }> {
  const before = server.requests.length;
  const began = performance.now();
  await work();
  return { requests: server.requests.length - before, ms: performance.now() - began };
}

let missed = 0;
try {
  for (const { work, bar, ours, rival } of ROWS) {
    const [us, them] = [await measured(ours), await measured(rival)];
    if (us.requests > bar) missed += 1;
    console.log(
      `${work.padEnd(30)} ${us.requests} requests (bar ${bar}), ${us.ms.toFixed(0)} ms; one at a time ${them.requests}, ${them.ms.toFixed(0)} ms; ${(them.ms / us.ms).toFixed(1)} times the time`,
    );
  }
} finally {
  await server.close();
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
