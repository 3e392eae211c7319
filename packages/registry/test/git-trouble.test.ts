import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gitServer } from '../../../test-support/git-http.ts';
import type { Backend, EmptyRegistry, Listing } from '../src/backend.ts';
import { RegistryError } from '../src/errors.ts';
import { openGitBackend } from '../src/git-backend.ts';
import { GitRemote } from '../src/lib/git-remote.ts';
import { MACHINE } from '../src/lib/own-name.ts';
import { failure, listed } from './backend-suite.ts';
import { type GitSuiteHost, type GitSuiteRepository, gitHost } from './git-host.ts';

const call = { signal: new AbortController().signal };
const FILES = { 'a/SKILL.md': 'a', 'a/b.txt': 'b' };
/** As it is written in a URL, and as it is. */
const [WRITTEN, PASSWORD] = ['c4nary%40pass-word', 'c4nary@pass-word'];

/** One of each shape that hosts give out, and what nobody can read a name in. */
const TOKENS = [
  `ghp_s3cr3tT0ken${'x'.repeat(25)}`,
  `github_pat_s3cr3tT0ken${'x'.repeat(71)}`,
  `glpat-s3cr3tT0ken${'x'.repeat(9)}`,
  `ATBBs3cr3tT0ken${'x'.repeat(21)}`,
  `s3cr3tT0ken${'0a1b'.repeat(8)}`,
];
/** Names of people that begin as tokens do, or are as long. */
const NAMES = [
  'glenn-smith',
  'global-admin',
  'pat_lee',
  'bb_team',
  'sk-lee',
  'contoso-engineering-team',
  'ann.example-2026%40example.com',
];

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
  Object.assign(http.server ?? {}, {
    mode: 'up',
    writable: true,
    mute: false,
    redirect: undefined,
    old: false,
    credentials: undefined,
  });
});

function openAt(url: string, branch: string | null = null): Backend {
  return openGitBackend({ kind: 'git', url, branch, dir: '' }, { cacheRoot });
}

function adding(on: Listing | EmptyRegistry, text = 'new') {
  const files = [{ path: 'SKILL.md', mode: '100644', bytes: Buffer.from(text) } as const];
  return { on, slug: 'skill', files, message: 'publish: skill' };
}

function hook(repository: GitSuiteRepository, name: string, script: string): void {
  mkdirSync(join(repository.repo.dir, 'hooks'), { recursive: true });
  writeFileSync(join(repository.repo.dir, 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function withPassword(url: string, password = WRITTEN): string {
  return url.replace('//', `//ann:${password}@`);
}

function server() {
  if (http.server === undefined) throw new Error('no server');
  return http.server;
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  const error = await failure(promise);
  return error instanceof RegistryError ? `${error.code}: ${error.message}` : String(error);
}

test('a push that the host refuses is an error with its reason, and is not tried again', async () => {
  const repository = await http.repository(FILES);
  hook(
    repository,
    'pre-receive',
    'echo "\x1b[31mno skills\x1b[0m on Fridays" >&2\necho pushed >> pushes\nexit 1',
  );
  const backend = openAt(repository.url);
  const message = await messageOf(backend.commit(adding(await listed(backend)), call));
  expect(message).toContain('refused: ');
  expect(message).toContain('no skills on Fridays (pre-receive hook declined)');
  expect(message).not.toContain('\u001b');
  expect(readFileSync(join(repository.repo.dir, 'pushes'), 'utf8')).toBe('pushed\n');
  expect(await repository.history()).toHaveLength(1);
});

test("a push to a folder runs the hooks of its repository, and none of the user's", async () => {
  const users = join(process.env.HOME ?? '', 'hooks');
  const names = ['pre-receive', 'update', 'reference-transaction', 'post-receive', 'post-update'];
  const ran = join(cacheRoot, 'ran');
  const log = (who: string) => `#!/bin/sh\necho ${who} >>'${ran}'\n`;
  for (const name of names) writeFileSync(join(users, name), log("user's"), { mode: 0o755 });
  try {
    for (const said of ['nothing', 'nothing, oddly', 'setting', 'include', 'setting, oddly']) {
      const repository = await file.repository(FILES);
      const { dir, git } = repository.repo;
      const hooks = said.startsWith('nothing') ? 'hooks' : 'own-hooks';
      mkdirSync(join(dir, hooks), { recursive: true });
      writeFileSync(join(dir, hooks, 'pre-receive'), log(said), { mode: 0o755 });
      if (said.startsWith('setting')) git('config', 'core.hooksPath', hooks);
      if (said === 'include') {
        writeFileSync(join(dir, 'more'), `[core]\n\thooksPath = ${hooks}\n`);
        git('config', 'include.path', 'more');
      }
      // Git takes x for x.git as well.
      const odd = join(cacheRoot, `o'dd [x]="*" ${said}`);
      const isOdd = said.endsWith('oddly');
      if (isOdd) renameSync(dir, `${odd}.git`);
      const backend = openAt(isOdd ? pathToFileURL(odd).href : repository.url);
      await backend.commit(adding(await listed(backend)), call);
    }
    expect(readFileSync(ran, 'utf8')).toBe('nothing\nnothing, oddly\nsetting\ninclude\nsetting, oddly\n');
  } finally {
    for (const name of names) rmSync(join(users, name));
  }
});

test.each(['a user with hooks', 'a user without'])(
  'what the hooks of a repository deploy is no hook: %s',
  async (user) => {
    const { repo, url } = await file.repository(FILES);
    const [deployed, elsewhere, ran] = ['deployed', 'elsewhere', 'ran'].map((name) => join(cacheRoot, name));
    if (deployed === undefined || elsewhere === undefined || ran === undefined) throw new Error();
    mkdirSync(deployed);
    spawnSync('git', ['init', '--quiet', elsewhere]);
    writeFileSync(
      join(repo.dir, 'hooks', 'post-receive'),
      `#!/bin/sh\ngit -c core.attributesFile=/dev/null --work-tree='${deployed}' checkout -qf main\nunset GIT_DIR\ngit -C '${elsewhere}' config core.hooksPath >>'${ran}'\n`,
      { mode: 0o755 },
    );
    const config = process.env.GIT_CONFIG_GLOBAL;
    if (user === 'a user without') process.env.GIT_CONFIG_GLOBAL = '/dev/null';
    try {
      const backend = openAt(url);
      const script = Buffer.from(`#!/bin/sh\necho published >>'${ran}'\n`);
      const files = [{ path: 'post-checkout', mode: '100755', bytes: script } as const];
      const on = await listed(backend);
      await backend.commit({ on, slug: 'hooks', files, message: 'publish: hooks' }, call);
    } finally {
      if (config === undefined) delete process.env.GIT_CONFIG_GLOBAL;
    }
    expect(statSync(join(deployed, 'hooks/post-checkout')).mode & 0o100).toBe(0o100);
    const users = user === 'a user without' ? '' : `${join(process.env.HOME ?? '', 'hooks')}\n`;
    expect(readFileSync(ran, 'utf8')).toBe(users);
  },
);

test('a repository that lacks an object is damaged', async () => {
  const { repo, url } = await file.repository(FILES);
  const oid = repo.git('rev-parse', 'main:a/b.txt');
  rmSync(join(repo.dir, 'objects', oid.slice(0, 2), oid.slice(2)));
  expect(await messageOf(openAt(url).list(call))).toMatch(/^bad_data: .*is damaged.*git fsck/);
});

test('a folder that belongs to another user is read', async () => {
  const { url } = await file.repository(FILES);
  process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER = '1';
  try {
    const backend = openAt(url);
    const listing = await listed(backend);
    expect(listing.entries).toHaveLength(2);
    // Its hooks are that user's.
    expect(await messageOf(backend.commit(adding(listing), call))).toMatch(
      /^denied: .*another user.*safe\.directory/,
    );
  } finally {
    delete process.env.GIT_TEST_ASSUME_DIFFERENT_OWNER;
  }
});

test('an endless reason is cut', async () => {
  const repository = await http.repository(FILES);
  hook(repository, 'pre-receive', 'for i in $(seq 500); do echo "reason $i" >&2; done; exit 1');
  const backend = openAt(repository.url);
  expect((await messageOf(backend.commit(adding(await listed(backend)), call))).length).toBeLessThan(500);
});

test('a host that only lets read says so', async () => {
  const { url } = await http.repository(FILES);
  server().writable = false;
  const backend = openAt(url);
  expect(await messageOf(backend.commit(adding(await listed(backend)), call))).toMatch(
    /^denied: .*right to push/,
  );
});

test.each([
  [401, 'credential'],
  [403, 'denied'],
  [429, 'rate_limited'],
  [500, 'unreachable'],
  [503, 'unreachable'],
  ['down', 'unreachable'],
] as const)('a host that answers %s is %s', async (mode, code) => {
  const { url } = await http.repository(FILES);
  server().mode = mode;
  const backend = openAt(url);
  expect(await failure(backend.list(call))).toMatchObject({ code });
  expect(await failure(backend.check(call))).toMatchObject({ code });
});

test('who may not read is not told of the right to push, and whose credential it was', async () => {
  const { url } = await http.repository(FILES);
  server().mode = 403;
  const { host } = new URL(url);
  const given = await messageOf(openAt(withPassword(url)).list(call));
  expect(given).toMatch(new RegExp(`^credential: .*read.* at ${host} as ann\\.$`));
  for (const message of [given, await messageOf(openAt(url).list(call))])
    expect(message).not.toContain('push');
});

test('a refused credential says which account and host', async () => {
  const { url } = await http.repository(FILES);
  server().credentials = 'ann:other';
  const { host } = new URL(url);
  expect(await messageOf(openAt(withPassword(url)).list(call))).toContain(`It was asked at ${host} as ann.`);
  expect(await messageOf(openAt(url).list(call))).toContain(`It was asked at ${host}.`);
  const token = 'token_0123456789abcdef';
  expect(await messageOf(openAt(url.replace('://', `://${token}@`)).list(call))).not.toContain(token);
});

test.each([
  ...TOKENS.map((token) => [token, `${token}:`]),
  ['s3cr3tT0ken:', 's3cr3tT0ken:'],
  ['s3cr3tT0ken:x-oauth-basic', 's3cr3tT0ken:x-oauth-basic'],
  ['s3cr3tT0ken%2Bof-a-length', 's3cr3tT0ken+of-a-length:'],
])('a token that is the user %s is sent, and never shown', async (user, sent) => {
  const { url } = await http.repository(FILES);
  const backend = openAt(url.replace('://', `://${user}@`));
  server().credentials = sent;
  expect((await listed(backend)).entries).toHaveLength(2);
  server().credentials = 'ann:other';
  for (const what of ['list', 'check'] as const) {
    const message = await messageOf(backend[what](call));
    expect(message).toContain(`It was asked at ${new URL(url).host}.`);
    expect(message).not.toContain('s3cr3tT0ken');
  }
});

test.each(['s3cr3tT0ken', ...NAMES])(
  "the name %s without a password is for the user's own git, and is not shown either",
  async (name) => {
    const { url } = await http.repository(FILES);
    server().credentials = `${decodeURIComponent(name)}:word`;
    const named = openAt(url.replace('://', `://${name}@`));
    const refused = await messageOf(named.list(call));
    expect(refused).not.toContain(decodeURIComponent(name));
    expect(refused.includes('if it is a token, write a colon')).toBe(NAMES.includes(name));
    const helper = "!f() { sed -n 's/^username=//p' >>asked; echo password=word; }; f";
    Object.assign(process.env, {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'credential.helper',
      GIT_CONFIG_VALUE_0: helper.replace('asked', join(cacheRoot, 'asked')),
    });
    try {
      await listed(named);
    } finally {
      for (const name of ['COUNT', 'KEY_0', 'VALUE_0']) delete process.env[`GIT_CONFIG_${name}`];
    }
    expect(readFileSync(join(cacheRoot, 'asked'), 'utf8')).toContain(decodeURIComponent(name));
  },
);

test('a token that is refused may be the name of somebody', async () => {
  const { url } = await http.repository(FILES);
  server().credentials = 'ann:other';
  const asked = (user: string) => messageOf(openAt(url.replace('://', `://${user}@`)).list(call));
  expect(await asked('a1b2c3d4-build-agent')).toMatch(/if it is a name, leave it out.*credential helper/);
  expect(await asked('a1b2c3d4-build-agent:')).not.toContain('leave it out');
});

test.each(['https://half@s3cr3tT0ken@127.0.0.1:1/a/b', 'https://s3cr3tT0ken:p@s3cr3tT0ken@127.0.0.1:1/a/b'])(
  'nothing before the host is taken for it: %s',
  (url) =>
    expect(new GitRemote(url).asked).toBe(/:p/.test(url) ? '127.0.0.1:1 as s3cr3tT0ken' : '127.0.0.1:1'),
);

test('a password goes to no other host that the first one sends on to', async () => {
  const repository = await http.repository(FILES);
  const moved = await gitServer({});
  moved.redirect = (asked) => `${server().url.replace('127.0.0.1', 'localhost')}${asked}`;
  try {
    const path = new URL(repository.url).pathname;
    const first = withPassword(`${moved.url}${path}`);
    const before = server().requests.length;
    // The other host is open to all: it is read without the password.
    const backend = openAt(first);
    const listing = await listed(backend);
    await backend.blobs([listing.entries[0]?.oid ?? ''], call);
    await backend.commit(adding(listing), call);
    server().credentials = `ann:${PASSWORD}`;
    expect(await messageOf(openAt(first).list(call))).toMatch(
      /^credential: .* as ann, which sends on to localhost:/,
    );
    expect(await messageOf(backend.commit(adding(listing), call))).toMatch(/^credential: /);
    const asked = server().requests.slice(before);
    expect(asked.map(({ line }) => line)).toContain(`POST ${path}/git-receive-pack`);
    expect(asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  } finally {
    await moved.close();
  }
});

test('a password goes along when a host sends on to another path of its own', async () => {
  const repository = await http.repository(FILES);
  server().credentials = `ann:${PASSWORD}`;
  server().redirect = (asked) => (/\.git\//.test(asked) ? undefined : asked.replace(/(-\d+)\//, '$1.git/'));
  const backend = openAt(withPassword(repository.url.replace(/\.git$/, '')));
  const listing = await listed(backend);
  const { commit } = await backend.commit(adding(listing), call);
  expect(repository.repo.git('rev-parse', 'main')).toBe(commit);
});

test('a host that fails for a moment is asked again', async () => {
  const { url } = await http.repository(FILES);
  const backend = openAt(url);
  const first = server().requests.length;
  const modes = [503, 'down', 'up'] as const;
  Object.defineProperty(server(), 'mode', {
    configurable: true,
    get: () => modes[server().requests.length - first - 1] ?? 'up',
  });
  try {
    expect((await listed(backend)).entries).toHaveLength(2);
  } finally {
    Object.defineProperty(server(), 'mode', { value: 'up', writable: true, enumerable: true });
  }
});

test('a host that never answers is waited for no longer than the call', async () => {
  const { url } = await http.repository(FILES);
  server().mode = 'silent';
  const signal = AbortSignal.timeout(300);
  expect(await failure(openAt(url).list({ signal }))).toMatchObject({ name: 'TimeoutError' });
});

test('a change is made when the connection breaks after it was', async () => {
  const repository = await http.repository(FILES);
  const backend = openAt(repository.url);
  const listing = await listed(backend);
  server().mute = true;
  const { commit } = await backend.commit(adding(listing), call);
  expect(repository.repo.git('rev-parse', 'main')).toBe(commit);
});

test('a branch that another moves while it is pushed to is told from one that is refused', async () => {
  const repository = await http.repository(FILES);
  const backend = openAt(repository.url);
  const listing = await listed(backend);
  const late = repository.repo.git('commit-tree', '-p', 'main', '-m', 'late', 'main^{tree}');
  // The quarantine of a push lets no hook move a ref.
  hook(repository, 'pre-receive', `unset GIT_QUARANTINE_PATH; git update-ref refs/heads/main ${late}`);
  expect(await failure(backend.commit(adding(listing), call))).toMatchObject({
    message: 'the branch has moved',
  });
});

test('a default branch without a commit is named', async () => {
  const repository = await http.repository(FILES);
  repository.repo.git('symbolic-ref', 'HEAD', 'refs/heads/trunk\u202e');
  expect(await messageOf(openAt(repository.url).list(call))).toMatch(/^not_found: .*"trunk\\u\{?202e/);
  repository.repo.git('update-ref', '--no-deref', 'HEAD', repository.repo.head);
  expect(await messageOf(openAt(repository.url).list(call))).toMatch(/^not_found: .*on no branch/);
  expect((await listed(openAt(repository.url, 'main'))).head.branch).toBe('main');
});

test('a git that cannot start ssh does not say that there is no registry', async () => {
  process.env.GIT_SSH = '/nonexistent/ssh';
  try {
    expect(await messageOf(openAt('ssh://git@127.0.0.1/acme/skills.git').list(call))).toMatch(
      /^unreachable: .*ssh/,
    );
  } finally {
    delete process.env.GIT_SSH;
  }
});

test('a push that is too large for the host is made once', async () => {
  const repository = await http.repository(FILES);
  const backend = openAt(repository.url);
  const listing = await listed(backend);
  const requests = () => server().requests.filter(({ line }) => line.startsWith('POST'));
  const before = requests().length;
  Object.defineProperty(server(), 'mode', {
    configurable: true,
    get: () => (server().requests.at(-1)?.line.endsWith('/git-receive-pack') ? 413 : 'up'),
  });
  try {
    expect(await messageOf(backend.commit(adding(listing), call))).toMatch(/^refused: .*larger/);
    const made = requests().slice(before);
    expect(made.filter(({ line }) => line.endsWith('/git-receive-pack'))).toHaveLength(1);
    expect(made).toHaveLength(2);
  } finally {
    Object.defineProperty(server(), 'mode', { value: 'up', writable: true, enumerable: true });
  }
});

test('a fetch, which may take long, is told', async () => {
  const { url } = await file.repository(FILES);
  const told: string[] = [];
  for (let i = 0; i < 2; i += 1) await openAt(url).list({ ...call, onStep: (what) => void told.push(what) });
  expect(told).toEqual([`Fetching ${openAt(url).name}`]);
});

test('an empty repository is begun on the branch that its host names, never on one of this machine', async () => {
  const repository = await file.repository();
  repository.repo.git('symbolic-ref', 'HEAD', 'refs/heads/trunk');
  const setting = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.version', GIT_CONFIG_VALUE_0: '0' };
  Object.assign(process.env, setting);
  try {
    expect(await openAt(repository.url).list(call)).toEqual({ empty: true, branch: 'trunk' });
  } finally {
    for (const name of Object.keys(setting)) delete process.env[name];
  }
  repository.repo.git('config', 'lsrefs.unborn', 'ignore');
  expect(await messageOf(openAt(repository.url).list(call))).toMatch(
    /^not_found: .*host does not say.*behind the #/,
  );
  expect(await openAt(repository.url, 'trunk').list(call)).toEqual({ empty: true, branch: 'trunk' });
});

test('nothing is fetched when the branch has not moved, and only what is new when it has', async () => {
  const repository = await http.repository({
    ...FILES,
    'large.bin': { mode: '100644', bytes: noise(500_000) },
  });
  const sent: number[] = [];
  server().beforePiece = async (bytes) => void sent.push(bytes);
  const requestsOf = async (backend: Backend) => {
    const [before, bytes] = [server().requests.length, sent.length];
    const listing = await listed(backend);
    await backend.blobs(
      listing.entries.map(({ oid }) => oid),
      call,
    );
    return [server().requests.length - before, sent.slice(bytes).reduce((sum, n) => sum + n, 0)] as const;
  };
  const backend = openAt(repository.url);
  const [cold, coldBytes] = await requestsOf(backend);
  expect([cold, coldBytes > 500_000]).toEqual([5, true]);
  expect((await requestsOf(backend))[0]).toBe(2);
  // Another process of the same user.
  expect((await requestsOf(openAt(repository.url)))[0]).toBe(2);
  await backend.commit(adding(await listed(backend)), call);
  expect((await requestsOf(backend))[0]).toBe(2);
  await repository.put({ 'b/SKILL.md': 'b' });
  const [changed, changedBytes] = await requestsOf(backend);
  expect([changed, changedBytes < 10_000]).toEqual([5, true]);
  server().beforePiece = undefined;
});

test.each(['with a protocol of old', 'that is nothing but files'])('a host %s is read', async (kind) => {
  const repository = await http.repository(FILES);
  await repository.put({ 'b/SKILL.md': 'b' });
  server().old = kind === 'with a protocol of old';
  repository.repo.git('update-server-info');
  const files = createServer((request, response) => {
    try {
      response.end(readFileSync(join(repository.repo.dir, new URL(request.url ?? '', 'http://h').pathname)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const bound = files.address();
  const url = server().old || typeof bound === 'string' ? repository.url : `http://127.0.0.1:${bound?.port}`;
  try {
    const backend = openAt(url, 'main');
    for (const path of ['b/SKILL.md', 'c/SKILL.md']) {
      const listing = await listed(backend);
      expect(listing.entries.map((entry) => entry.path)).toContain(path);
      expect(
        (
          await backend.blobs(
            listing.entries.map(({ oid }) => oid),
            call,
          )
        ).size,
      ).toBeGreaterThan(1);
      await repository.put({ 'c/SKILL.md': 'c' });
      repository.repo.git('update-server-info');
    }
  } finally {
    files.close();
    files.closeAllConnections();
  }
});

test('a repository that names its objects by SHA-256 is a registry too', async () => {
  const dir = join(cacheRoot, 'sha256.git');
  const git = (args: string[], input = '') =>
    spawnSync('git', ['--git-dir', dir, ...args], { input, encoding: 'utf8' }).stdout.trim();
  git(['init', '--quiet', '--bare', '--object-format=sha256', '--initial-branch=main', dir]);
  git(
    ['fast-import', '--quiet'],
    'commit refs/heads/main\ncommitter A <a@b.c> 1 +0000\ndata 0\nM 644 inline a/SKILL.md\ndata 1\na\n',
  );
  const backend = openAt(`file://${dir}`);
  const listing = await listed(backend);
  expect(listing.entries.map(({ path, oid }) => [path, oid.length])).toEqual([['a/SKILL.md', 64]]);
  await backend.commit(adding(listing), call);
  expect(git(['show', 'main:skill/SKILL.md'])).toBe('new');
  const oids = (await listed(backend)).entries.map(({ oid }) => oid);
  expect((await backend.blobs(oids, call)).size).toBe(2);
});

test('an empty repository that names its objects by SHA-256 is begun', async () => {
  for (const branch of [null, 'main']) {
    const dir = mkdtempSync(join(cacheRoot, 'sha256-'));
    spawnSync('git', ['init', '--quiet', '--bare', '--object-format=sha256', '--initial-branch=main', dir]);
    const backend = openAt(`file://${dir}`, branch);
    const empty = await backend.list(call);
    if (!('empty' in empty)) throw new Error('it is not empty');
    const { commit } = await backend.commit(adding(empty), call);
    expect((await listed(backend)).head).toMatchObject({ branch: 'main', commit });
    expect(commit).toHaveLength(64);
  }
});

test('commits are by whom the git configuration names, and by somebody when it names nobody', async () => {
  const repository = await file.repository(FILES);
  const home = process.env.HOME;
  const backend = openAt(repository.url);
  await backend.commit(adding(await listed(backend), 'Ann'), call);
  try {
    process.env.HOME = cacheRoot;
    await backend.commit(adding(await listed(backend), 'nobody'), call);
  } finally {
    process.env.HOME = home;
  }
  expect(repository.repo.git('log', '--format=%an <%ae> %cn <%ce> %G?').split('\n')).toEqual([
    'skill-registry-mcp <skill-registry-mcp@localhost> skill-registry-mcp <skill-registry-mcp@localhost> N',
    'Ann Example <ann@example.com> Ann Example <ann@example.com> N',
    'Test <test@example.com> Test <test@example.com> N',
  ]);
});

test.each([
  ['gone', (objects: string) => rmSync(objects, { recursive: true, force: true })],
  ['emptied', (objects: string) => filesBelow(objects).forEach(emptied)],
  ['of other bytes', (objects: string) => filesBelow(objects).forEach(garbled)],
])('objects that are %s are fetched again', async (_, damage) => {
  const repository = await file.repository(FILES);
  const backend = openAt(repository.url);
  await backend.commit(adding(await listed(backend)), call);
  for (const next of ['list', 'blobs', 'commit']) {
    const listing = await listed(backend);
    for (const shelf of shelves()) damage(join(shelf, 'objects'));
    const fresh = openAt(repository.url);
    if (next === 'list') expect((await listed(fresh)).entries).toEqual(listing.entries);
    if (next === 'blobs')
      expect(
        (
          await backend.blobs(
            listing.entries.map(({ oid }) => oid),
            call,
          )
        ).size,
      ).toBe(3);
    if (next === 'commit') await backend.commit(adding(listing, 'after'), call);
  }
  expect(repository.repo.git('show', 'main:skill/SKILL.md')).toBe('after');
});

test('a cache that somebody removes is made again', async () => {
  const repository = await file.repository(FILES);
  const backend = openAt(repository.url);
  const listing = await listed(backend);
  rmSync(cacheRoot, { recursive: true });
  expect(
    (
      await backend.blobs(
        listing.entries.map(({ oid }) => oid),
        call,
      )
    ).size,
  ).toBe(2);
});

test('what is kept is for its owner alone, and what is old or left over goes', async () => {
  const repository = await file.repository(FILES);
  const backend = openAt(repository.url);
  await listed(backend);
  const [shelf = ''] = shelves();
  expect(statSync(join(cacheRoot, 'git')).mode & 0o777).toBe(0o700);
  expect(statSync(shelf).mode & 0o777).toBe(0o700);
  const calls = join(shelf, '..', 'calls');
  expect(readdirSync(calls)).toEqual([]);
  // Of a process that has ended, and of one of another machine with the same home, whose numbers say nothing here.
  const [ended, elsewhere] = [`${MACHINE}-999999999-x`, `${'0'.repeat(12)}-999999999-x`];
  for (const name of [ended, elsewhere]) mkdirSync(join(calls, name, 'refs'), { recursive: true });
  for (let i = 0; i < 60; i += 1) writeFileSync(join(shelf, `objects/pack/pack-${i}.pack`), '');
  utimesSync(shelf, 0, 0);
  await listed(openAt(repository.url));
  expect(readdirSync(calls)).toEqual([elsewhere]);
  utimesSync(join(calls, elsewhere), 0, 0);
  expect(shelves()).toHaveLength(2);
  const [, newest = ''] = shelves();
  for (const path of ['commits-999999999-x', 'commits-999999999-y']) writeFileSync(join(newest, path), '');
  utimesSync(join(newest, 'commits-999999999-x'), 0, 0);
  utimesSync(shelf, 0, 0);
  await listed(openAt(repository.url));
  expect(shelves()).toEqual([newest]);
  expect(readdirSync(calls)).toEqual([]);
  expect(readdirSync(newest).filter((name) => name.startsWith('commits-'))).toEqual(['commits-999999999-y']);
});

test('what is kept of all registries is bounded, and goes with what nobody has used for longest', async () => {
  const repositories = [
    await file.repository(FILES),
    await file.repository(FILES),
    await file.repository(FILES),
  ];
  const kept: string[] = [];
  for (const { url } of repositories.slice(0, 2)) {
    await listed(openAt(url));
    kept.push(...shelves().filter((shelf) => !kept.includes(shelf)));
  }
  const [first = '', second = ''] = kept;
  for (const shelf of kept) sparse(join(shelf, 'objects/pack/pack-x.pack'), 3 * 1024 ** 3);
  await listed(openAt(repositories[2]?.url ?? ''));
  expect(shelves()).toHaveLength(3);
  utimesSync(second, 1_000, 1_000);
  utimesSync(first, 2_000, 2_000);
  // Of one that was killed while it removed a shelf.
  mkdirSync(`${first}0.going/objects`, { recursive: true });
  await listed(openAt(repositories[2]?.url ?? ''));
  expect(shelves()).toHaveLength(2);
  expect(shelves()).toContain(first);
  rmSync(join(first, 'objects/pack/pack-x.pack'));
  for (const { url } of repositories) expect((await listed(openAt(url))).entries).toHaveLength(2);
});

test('a shelf that has grown large is fetched anew, and one that came large is not', async () => {
  const { url } = await file.repository(FILES);
  await listed(openAt(url));
  const [shelf = ''] = shelves();
  const add = (name: string, mebibytes: number) =>
    sparse(join(shelf, `objects/pack/pack-${name}.pack`), mebibytes * 1024 ** 2);
  add('x', 600);
  add('y', 400);
  await listed(openAt(url));
  expect(shelves()).toHaveLength(1);
  add('z', 400);
  await listed(openAt(url));
  expect(shelves()).toHaveLength(2);
});

test('a publish that landed is told as done when the cache is gone', async () => {
  const repository = await http.repository(FILES);
  const backend = openAt(repository.url);
  const listing = await listed(backend);
  hook(repository, 'post-receive', `rm -rf '${cacheRoot}'`);
  const { commit } = await backend.commit(adding(listing), call);
  expect(repository.repo.git('rev-parse', 'main')).toBe(commit);
  expect((await listed(backend)).head.commit).toBe(commit);
});

test('many calls at once do not disturb each other', async () => {
  const repository = await file.repository(FILES);
  const backends = [openAt(repository.url), openAt(repository.url)];
  const listings = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((i) => listed(backends[i % 2] ?? openAt(repository.url))),
  );
  for (const listing of listings) expect(listing).toEqual(listings[0]);
});

test.runIf(process.platform === 'linux')('a password is in no argument, message or file', async () => {
  const repository = await http.repository(FILES);
  hook(
    repository,
    'pre-receive',
    `test -e open || { echo "no: ${PASSWORD} ${WRITTEN} ${basic(PASSWORD)}" >&2; exit 1; }`,
  );
  server().credentials = `ann:${PASSWORD}`;
  const seen = new Set<string>();
  const watch = setInterval(() => {
    for (const line of commandLines()) seen.add(line);
    for (const text of configs()) seen.add(text);
  }, 2);
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
  server().beforePack = pause;
  server().beforePiece = pause;
  const messages: string[] = [];
  try {
    const backend = openAt(withPassword(repository.url));
    messages.push(backend.name);
    const listing = await listed(backend);
    await backend.blobs(
      listing.entries.map(({ oid }) => oid),
      call,
    );
    messages.push(await messageOf(backend.commit(adding(listing), call)));
    writeFileSync(join(repository.repo.dir, 'open'), '');
    await backend.commit(adding(listing), call);
    const empty = await http.repository();
    expect(await openAt(withPassword(empty.url)).list(call)).toMatchObject({ empty: true });
    messages.push(await messageOf(openAt(withPassword(repository.url), 'nowhere').list(call)));
    server().credentials = 'ann:other';
    messages.push(await messageOf(openAt(withPassword(repository.url)).list(call)));
    server().mode = 'down';
    messages.push(await messageOf(openAt(withPassword(repository.url)).list(call)));
  } finally {
    clearInterval(watch);
    server().beforePack = undefined;
    server().beforePiece = undefined;
  }
  expect(messages.map((message) => message.split(':')[0]).slice(1)).toEqual([
    'refused',
    'not_found',
    'credential',
    'unreachable',
  ]);
  const lines = [...seen].join('\n');
  expect(lines).toContain('push');
  expect(lines).toContain('git-remote-http');
  expect(lines).toContain('repositoryformatversion');
  const kept = filesBelow(cacheRoot).map((path) => readFileSync(path, 'latin1'));
  expect(kept).not.toEqual([]);
  for (const secret of [PASSWORD, WRITTEN, basic(PASSWORD)]) {
    expect(lines).not.toContain(secret);
    expect(messages.join('\n')).not.toContain(secret);
    expect(kept.filter((text) => text.includes(secret))).toEqual([]);
  }
});

function basic(password: string): string {
  return Buffer.from(`ann:${password}`).toString('base64');
}

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
      } catch {
        return [];
      }
    });
}

/** Of the repositories in which calls are being made. */
function configs(): string[] {
  try {
    const paths = filesBelow(cacheRoot).filter((path) => path.endsWith('/config'));
    return paths.map((path) => readFileSync(path, 'utf8'));
  } catch {
    return [];
  }
}

function shelves(): string[] {
  const git = join(cacheRoot, 'git');
  return readdirSync(git).flatMap((key) =>
    readdirSync(join(git, key))
      .filter((name) => name.startsWith('sha'))
      .map((name) => join(git, key, name)),
  );
}

/** Takes no room. */
function sparse(path: string, bytes: number): void {
  writeFileSync(path, '');
  truncateSync(path, bytes);
}

function emptied(path: string): void {
  chmodSync(path, 0o600);
  truncateSync(path);
}

function garbled(path: string): void {
  chmodSync(path, 0o600);
  writeFileSync(path, noise(200));
}

/** Bytes that do not get smaller. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  });
}
