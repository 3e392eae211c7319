import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GithubRepository, type Given } from '../../../test-support/github-repository.ts';
import { type GithubServer, githubServer } from '../../../test-support/github-server.ts';
import type { Listing } from './backend.ts';
import { RefMoved, RegistryError } from './errors.ts';
import { blobId } from './git-id.ts';
import { githubHost, openGithubBackend } from './github-backend.ts';
import { openCaches, openRegistry } from './registry.ts';
import { parseRegistry } from './registry-name.ts';
import type { SkillFile } from './skill-files.ts';

const CANARY = 'ghp_canary0123456789';
const SKILL = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\nBody\n`;
const signal = new AbortController().signal;

let folder: string;
let server: GithubServer;
let repo: GithubRepository;
let waits: number[];
let told: string[];
const call = { signal, onWait: (seconds: number, why: string) => void told.push(`${seconds} ${why}`) };

async function serve(files?: Given): Promise<void> {
  repo = new GithubRepository(files);
  server = await githubServer({ 'o/r': repo }, CANARY);
}

interface Opened {
  readonly token?: string;
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

function backend(
  spelling = 'o/r',
  { token = CANARY, wait = async (milliseconds) => void waits.push(milliseconds) }: Opened = {},
) {
  const name = parseRegistry(spelling);
  if (name.kind !== 'github') throw new Error('not on GitHub');
  return openGithubBackend(name, {
    host: githubHost({ GITHUB_API_URL: server.url }),
    token: { token, from: 'GH_TOKEN' },
    cacheRoot: folder,
    timeoutMs: 5_000,
    wait,
  });
}

async function listed(spelling?: string): Promise<Listing> {
  const listing = await backend(spelling).list(call);
  if (!('trees' in listing)) throw new Error('nothing is listed');
  return listing;
}

function registry(spelling?: string, opened?: Opened) {
  return openRegistry({
    backend: backend(spelling, opened),
    caches: openCaches(join(folder, 'cache')),
    limits: { maxFileBytes: 2 * 1024 ** 2 },
    home: folder,
    wait: async () => {},
  });
}

const text = (path: string, content: string, mode: SkillFile['mode'] = '100644'): SkillFile => ({
  path,
  mode,
  bytes: Buffer.from(content),
});

/** What was thrown, as its code and message. */
async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  );
  if (error instanceof RegistryError) return `${error.code}: ${error.message}`;
  throw error;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skillquay-github-'));
  waits = [];
  told = [];
});
afterEach(async () => {
  const sent = server.requests.filter(({ line }) => line.includes(CANARY));
  await server.close();
  expect(sent).toEqual([]);
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name), 'latin1')).not.toContain(CANARY);
  rmSync(folder, { recursive: true, force: true });
});

describe('listing', () => {
  it('of 100 skills costs two requests and their SKILL.md, and one when nothing has changed', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `skill-${i}`);
    await serve(Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, SKILL(name)])));
    expect((await registry().list(call)).skills).toHaveLength(100);
    const lines = server.lines();
    expect(lines.filter((line) => !line.startsWith('GET /git/blobs/'))).toEqual([
      'GET /commits/HEAD?per_page=1',
      expect.stringMatching(/^GET \/git\/trees\/[0-9a-f]{40}\?recursive=1$/),
    ]);
    expect(lines).toHaveLength(102);
    expect((await registry().list(call)).skills).toHaveLength(100);
    expect(server.lines()).toEqual(['GET /commits/HEAD?per_page=1']);
    expect(server.requests.at(-1)?.etag).toMatch(/^W\//);
  });

  it('of a folder has paths relative to it', async () => {
    await serve({ 'a/b/x/SKILL.md': SKILL('x'), 'a/b.md': '', 'a/b/top.md': '', 'other/SKILL.md': '' });
    const { entries, trees } = await listed('o/r:a/b');
    expect(entries.map(({ path }) => path)).toEqual(['top.md', 'x/SKILL.md']);
    expect([...trees.keys()]).toEqual(['x']);
    expect((await listed('o/r:nowhere')).entries).toEqual([]);
    expect(await failure(backend('o/r:a/b.md').list(call))).toMatch(/^bad_data: .*`a\/b\.md` is a file/);
  });

  it('tells an empty repository, a missing one and a missing branch apart', async () => {
    await serve();
    expect(await backend().list(call)).toEqual({ empty: true, branch: 'main' });
    expect(await backend('o/r@trunk').list(call)).toEqual({ empty: true, branch: 'trunk' });
    expect(await backend('o/other').list(call)).toEqual({ missing: true });
    expect(await backend('o/r', { token: 'token-of-a-stranger' }).list(call)).toEqual({ missing: true });
    repo.put({ x: '' }, 'dev');
    expect(await failure(backend('o/r@trunk').list(call))).toMatch(/^not_found: o\/r has no branch "trunk"/);
    expect(await failure(backend().list(call))).toMatch(/^not_found: o\/r has no branch "main", which/);
  });

  it('takes no conflict for an empty repository that does not say so', async () => {
    await serve({ x: '' });
    server.script = ({ line }) =>
      line.includes('/commits/')
        ? { status: 409, body: { message: 'Repository is being moved' } }
        : undefined;
    expect(await failure(backend().list(call))).toMatch(/^bad_data: .* 409: Repository is being moved$/);
  });

  it('takes a tree that is cut apart, level by level', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`d/s${i % 4}/deep/f${i}`, String(i)] as const),
    );
    await serve({ ...files, 'd/s1/SKILL.md': 'x', top: '' });
    const whole = await listed('o/r:d');
    expect(whole.entries).toHaveLength(41);
    server.maxEntries = 12;
    rmSync(folder, { recursive: true, force: true });
    server.lines();
    expect(await listed('o/r:d')).toEqual(whole);
    expect(server.lines().length).toBeGreaterThan(6);
    await listed('o/r:d');
    expect(server.lines()).toEqual(['GET /commits/HEAD?per_page=1']);
    server.maxEntries = 3;
    rmSync(folder, { recursive: true, force: true });
    expect(await failure(listed('o/r:d'))).toMatch(/^bad_data: o\/r has a folder with more entries/);
  });
});

describe('blobs of which one fails', () => {
  const names = Array.from({ length: 20 }, (_, i) => `skill-${i}`);
  const skills = Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, SKILL(name)]));
  const isBlob = (line: string) => line.includes('/git/blobs/');
  const missing = { status: 404, body: { message: 'Not Found' } };

  it('are kept as far as they came', async () => {
    await serve(skills);
    let asked = 0;
    server.script = ({ line }) => (isBlob(line) && ++asked === 15 ? missing : undefined);
    expect(await failure(registry().list(call))).toMatch(/^not_found: /);
    server.script = () => undefined;
    const came = new Set(server.lines().flatMap((line) => /\/git\/blobs\/(.*)/.exec(line)?.[1] ?? [])).size;
    expect((await registry().list(call)).skills).toHaveLength(20);
    const again = server.lines().filter(isBlob).length;
    expect(again).toBeLessThanOrEqual(20 - 7);
    expect(came + again).toBeGreaterThanOrEqual(20);
  });

  it('leave the others no time to wait out their pauses, of which one is told', async () => {
    await serve(skills);
    let asked = 0;
    server.script = async ({ line }) => {
      if (!isBlob(line)) return undefined;
      asked += 1;
      const slow = asked === 8;
      if (slow) await delay(300);
      return slow ? missing : { status: 403, headers: { 'retry-after': '60' } };
    };
    const begin = performance.now();
    const listed = registry('o/r', {
      wait: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    }).list(call);
    expect(await failure(listed)).toMatch(/^not_found: /);
    expect(performance.now() - begin).toBeLessThan(20_000);
    expect(told).toEqual([`60 ${new URL(server.url).host} limits requests`]);
    expect(asked).toBe(8);
  });
});

it('a limit longer than a minute in the middle of get is told with its time, and leaves no half of a skill', async () => {
  await serve({ 'a/SKILL.md': SKILL('a'), 'a/x': 'x', 'a/y': 'y' });
  server.script = ({ line }) =>
    line.includes(`/git/blobs/${blobId(Buffer.from('y'))}`)
      ? { status: 403, headers: { 'retry-after': '600' } }
      : undefined;
  expect(await failure(registry().get('a', call))).toMatch(
    /^rate_limited: .* in 10 minutes\. Try again then\.$/,
  );
  expect(waits).toEqual([]);
  expect(readdirSync(join(folder, 'cache', 'skills')).filter((name) => !name.startsWith('.'))).toEqual([]);
});

describe('publishing', () => {
  const fifty = Array.from({ length: 50 }, (_, i) => text(i === 0 ? 'SKILL.md' : `docs/${i}.md`, `${i}\r\n`));

  it('50 text files costs seven requests, six once the branch is known, and two when nothing changes', async () => {
    await serve({ 'other/SKILL.md': SKILL('other') });
    const skillFiles = [...fifty.slice(1), text('SKILL.md', SKILL('new'))];
    const open = registry();
    await open.publish('new', { skillFiles }, call);
    expect(server.lines()).toEqual([
      'GET /commits/HEAD?per_page=1',
      expect.stringMatching(/^GET \/git\/trees\//),
      'GET ',
      'GET /git/ref/heads/main',
      'POST /git/trees',
      'POST /git/commits',
      'PATCH /git/refs/heads/main',
    ]);
    expect(repo.log().map(({ message }) => message)).toEqual(['publish: new', 'by somebody']);
    expect(Object.keys(repo.files())).toHaveLength(51);
    await open.publish('newer', { skillFiles }, call);
    expect(server.lines()).toEqual([
      'GET /commits/HEAD?per_page=1',
      expect.stringMatching(/^GET \/git\/trees\//),
      'GET ',
      'POST /git/trees',
      'POST /git/commits',
      'PATCH /git/refs/heads/main',
    ]);
    expect((await open.publish('newer', { skillFiles }, call)).kind).toBe('unchanged');
    expect(server.lines()).toHaveLength(2);
    expect(server.requests.filter(({ line }) => line.startsWith('PATCH'))).toHaveLength(2);
  });

  it('replaces the folder and nothing else, sends only what differs, and null for what is stale', async () => {
    await serve({
      'd/new/old.md': 'old',
      'd/new/same': 'same',
      'd/new/moved': 'moved',
      'd/new/x': '',
      'd/newer': '',
    });
    const files = [
      text('SKILL.md', 'main'),
      text('same', 'same'),
      text('there', 'moved'),
      text('x', '', '100755'),
    ];
    const on = await listed('o/r:d');
    const { commit } = await backend('o/r:d').commit(
      { on, slug: 'new', files, message: 'publish: new' },
      call,
    );
    expect(repo.branches.get('main')).toBe(commit);
    expect(repo.files()).toEqual({
      'd/new/SKILL.md': '100644 main',
      'd/new/same': '100644 same',
      'd/new/there': '100644 moved',
      'd/new/x': '100755 ',
      'd/newer': '100644 ',
    });
    const sent = server.requests.find(({ line }) => line.startsWith('POST /repos/o/r/git/trees'))?.body.tree;
    expect(sent).toEqual([
      { path: 'd/new/SKILL.md', mode: '100644', type: 'blob', content: 'main' },
      { path: 'd/new/moved', mode: '100644', type: 'blob', sha: null },
      { path: 'd/new/old.md', mode: '100644', type: 'blob', sha: null },
      {
        path: 'd/new/there',
        mode: '100644',
        type: 'blob',
        sha: on.entries.find(({ path }) => path === 'new/moved')?.oid,
      },
      {
        path: 'd/new/x',
        mode: '100755',
        type: 'blob',
        sha: on.entries.find(({ path }) => path === 'newer')?.oid,
      },
    ]);
  });

  it('replaces and takes away a folder that holds a name which is not UTF-8', async () => {
    const foreign = { 'old/SKILL.md': SKILL('old'), 'old/\ufffd.md': '', 'other/\ufffd': '' };
    await serve(foreign);
    const open = registry();
    await open.publish('old', { files: { 'SKILL.md': SKILL('new') } }, call);
    expect(Object.keys(repo.files()).sort()).toEqual(['old/SKILL.md', 'other/\ufffd']);
    repo.put(foreign);
    expect((await open.remove('old', call)).kind).toBe('removed');
    expect(Object.keys(repo.files())).toEqual(['other/\ufffd']);
  });

  it('begins an empty repository, on the branch that is meant', async () => {
    await serve();
    expect((await registry().publish('new', { files: { 'SKILL.md': SKILL('new') } }, call)).kind).toBe(
      'published',
    );
    expect(Object.keys(repo.files()).sort()).toEqual(['README.md', 'new/SKILL.md']);
    expect(repo.log().map(({ message }) => message)).toEqual(['publish: new', 'begin the registry']);
  });

  it('throws RefMoved when the branch has moved, also when that is all the host says', async () => {
    await serve({ x: '' });
    const on = await listed('o/r@main');
    repo.put({ y: '' });
    const change = { on, slug: 'new', files: [text('SKILL.md', 'x')], message: 'm' };
    await expect(backend('o/r@main').commit(change, call)).rejects.toBeInstanceOf(RefMoved);
    server.script = ({ line }) =>
      line.startsWith('PATCH') ? { status: 409, body: { message: 'Conflict' } } : undefined;
    await expect(backend('o/r@main').commit(change, call)).rejects.toBeInstanceOf(RefMoved);
    expect(Object.keys(repo.files())).toEqual(['x', 'y']);
  });

  it('says at once why the host refuses a change to a branch that has not moved', async () => {
    await serve({ x: '' });
    const on = await listed('o/r@main');
    server.script = ({ line }) =>
      line.startsWith('PATCH')
        ? {
            status: 422,
            body: {
              message: 'Repository rule violations found',
              errors: [{ message: `Secret ${CANARY}\u202e` }],
            },
          }
        : undefined;
    const change = { on, slug: 'new', files: [text('SKILL.md', 'x')], message: 'm' };
    expect(await failure(backend('o/r@main').commit(change, call))).toBe(
      `refused: ${new URL(server.url).host} refuses the change (422): Repository rule violations found Secret [token]`,
    );
    expect(server.requests.filter(({ line }) => line.startsWith('PATCH'))).toHaveLength(1);
  });

  it('makes the folder what it is to be, whatever it was', async () => {
    await serve({ 'other/SKILL.md': 'other' });
    const path = fc.stringMatching(/^[ab](?:\/[ab]){0,2}$/);
    const content = fc.constantFrom('', 'x', '\0', '\ufeffx', 'other');
    const given = fc.dictionary(
      path,
      fc.record({ mode: fc.constantFrom('100644', '100755', '120000'), content }),
    );
    await fc.assert(
      fc.asyncProperty(given, async (files) => {
        const skill = Object.entries(files)
          .filter(([at]) => !Object.keys(files).some((other) => at.startsWith(`${other}/`)))
          .map(([at, file]) => text(at, file.content, file.mode));
        const change = { on: await listed('o/r@main'), slug: 'new', files: skill, message: 'm' };
        await backend('o/r@main').commit(change, call);
        const wanted = skill.map((file) => [`new/${file.path}`, `${file.mode} ${file.bytes}`]);
        expect(repo.files()).toEqual({ 'other/SKILL.md': '100644 other', ...Object.fromEntries(wanted) });
      }),
      { numRuns: 60 },
    );
  });

  it('is done when the answer to it was lost', async () => {
    await serve({ x: '' });
    let lost = 0;
    server.after = ({ line }) => (/^(?:POST|PATCH)/.test(line) && lost++ % 2 === 0 ? 'drop' : undefined);
    const published = await registry('o/r@main').publish(
      'new',
      { files: { 'SKILL.md': SKILL('new') } },
      call,
    );
    expect(published).toMatchObject({ kind: 'published', commit: repo.branches.get('main') });
    expect(repo.log()).toHaveLength(2);
    expect(lost).toBe(6);
  });

  it('with a token that may only read is denied', async () => {
    await serve({ x: '' });
    for (const status of [403, 404]) {
      server.script = ({ line }) =>
        line.startsWith('POST') ? { status, body: { message: 'Resource not accessible' } } : undefined;
      const published = registry().publish('new', { files: { 'SKILL.md': SKILL('new') } }, call);
      expect(await failure(published)).toMatch(
        /^denied: .*the token of GH_TOKEN .*: Resource not accessible$/,
      );
    }
    expect(repo.log()).toHaveLength(1);
  });

  it('sends what is no text as blobs, once, and checks what the host says it has stored', async () => {
    await serve({ x: '' });
    const bytes = (...values: number[]) => Uint8Array.from(values);
    const skillFiles: SkillFile[] = [
      text('SKILL.md', SKILL('new')),
      { path: 'a', mode: '100644', bytes: bytes(0xff, 0xfe) },
      { path: 'b', mode: '100644', bytes: bytes(0xff, 0xfe) },
      { path: 'bom', mode: '100644', bytes: bytes(0xef, 0xbb, 0xbf, 0x61) },
      { path: 'zero', mode: '100644', bytes: bytes(0x61, 0) },
      { path: 'large', mode: '100644', bytes: Buffer.alloc(600_000, 'text ') },
    ];
    await registry().publish('new', { skillFiles }, call);
    expect(server.lines().filter((line) => line === 'POST /git/blobs')).toHaveLength(4);
    server.script = ({ line }) =>
      line.endsWith('/git/blobs') ? { status: 201, body: { sha: 'a'.repeat(40) } } : undefined;
    expect(
      await failure(
        registry().publish(
          'other',
          { skillFiles: [...skillFiles, { path: 'c', mode: '100644', bytes: bytes(0) }] },
          call,
        ),
      ),
    ).toMatch(/^bad_data: .* another id than the file has/);
  });

  it('follows the default branch when the host has another one, and never writes to the one before', async () => {
    await serve({ x: '' });
    const open = registry();
    const publish = (name: string) => open.publish(name, { files: { 'SKILL.md': SKILL(name) } }, call);
    await publish('first');
    repo.branches.set('trunk', repo.branches.get('main') ?? '');
    repo.branches.delete('main');
    repo.defaultBranch = 'trunk';
    expect((await publish('second')).kind).toBe('published');
    expect([...repo.branches.keys()]).toEqual(['trunk']);

    // Between reading and writing.
    const other = registry();
    repo.branches.set('main', repo.put({ y: '' }));
    repo.put({ z: '' });
    let renamed = false;
    server.after = ({ line }) => {
      if (!renamed && line.includes('/commits/HEAD')) repo.defaultBranch = 'main';
      renamed = true;
      return undefined;
    };
    await other.publish('third', { files: { 'SKILL.md': SKILL('third') } }, call);
    expect(Object.keys(repo.files('main'))).toContain('third/SKILL.md');
    expect(Object.keys(repo.files('main'))).not.toContain('z');
    expect(Object.keys(repo.files('trunk'))).not.toContain('third/SKILL.md');
  });

  it('reads and writes another default branch from the moment on that it is one, while the one before stays', async () => {
    await serve({ x: '' });
    const open = registry();
    const publish = (name: string) => open.publish(name, { files: { 'SKILL.md': SKILL(name) } }, call);
    await publish('first');
    const main = repo.branches.get('main') ?? '';
    repo.branches.set('trunk', main);
    repo.defaultBranch = 'trunk';
    await publish('second');
    expect(repo.branches.get('main')).toBe(main);
    expect(Object.keys(repo.files('trunk'))).toContain('second/SKILL.md');
    repo.put({ 'third/SKILL.md': SKILL('third') });
    expect((await open.list(call)).skills.map(({ slug }) => slug)).toEqual(['first', 'second', 'third']);
  });

  it('is done when the answer to its last request cannot be read', async () => {
    await serve({ x: '' });
    const page = { body: '<html>proxy</html>' };
    server.script = ({ line, body }) => {
      if (!line.startsWith('PATCH')) return undefined;
      repo.branches.set('main', String(body.sha));
      return page;
    };
    const files = (name: string) => ({ files: { 'SKILL.md': SKILL(name) } });
    const published = await registry().publish('new', files('new'), call);
    expect(published).toMatchObject({ kind: 'published', commit: repo.branches.get('main') });
    server.script = ({ line }) => (line.startsWith('PATCH') ? page : undefined);
    expect(await failure(registry().publish('newer', files('newer'), call))).toMatch(
      /^bad_data: .* answered with what is no JSON\. Try again\.$/,
    );
    expect(repo.log().map(({ message }) => message)).toEqual(['publish: new', 'by somebody']);
  });

  it.each([2, 3])('has three tries, of which others may be quicker at %i', async (moves) => {
    await serve({ x: '' });
    let asked = 0;
    server.script = ({ line }) => {
      if (line.startsWith('PATCH') && asked++ < moves) repo.put({ [`by-others-${asked}`]: '' });
      return undefined;
    };
    const paused: number[] = [];
    const open = openRegistry({
      backend: backend(),
      caches: openCaches(join(folder, 'cache')),
      limits: { maxFileBytes: 1024 },
      wait: async (milliseconds) => void paused.push(Math.round(milliseconds / 500)),
    });
    const published = open.publish('new', { files: { 'SKILL.md': SKILL('new') } }, call);
    if (moves === 2) expect((await published).kind).toBe('published');
    else expect(await failure(published)).toMatch(/^conflict: /);
    expect(asked).toBe(3);
    expect(paused.length).toBe(2);
    expect(paused[1]).toBeGreaterThanOrEqual(paused[0] ?? 0);
    expect(repo.log()).toHaveLength(1 + moves + (moves === 2 ? 1 : 0));
  });

  it('that others were quicker than says that it was not made, though the registry was begun', async () => {
    await serve();
    server.script = ({ line }) =>
      line.startsWith('PATCH')
        ? { status: 409, body: { message: 'Update is not a fast forward' } }
        : undefined;
    const published = registry().publish('new', { files: { 'SKILL.md': SKILL('new') } }, call);
    expect(await failure(published)).toMatch(/^conflict: .* Your change was not made; try again\.$/);
    expect(repo.log().map(({ message }) => message)).toEqual(['begin the registry']);
  });

  it('to an empty repository on a branch that the host does not let begin names it', async () => {
    await serve();
    server.script = ({ line }) =>
      line.startsWith('PUT') ? { status: 404, body: { message: 'Branch trunk not found' } } : undefined;
    const published = registry('o/r@trunk').publish('new', { files: { 'SKILL.md': SKILL('new') } }, call);
    expect(await failure(published)).toMatch(
      /^refused: .* begin on the branch "trunk"\. Push a first commit/,
    );
    server.script = ({ line }) =>
      line.startsWith('PUT') ? { status: 404, body: { message: 'Not Found' } } : undefined;
    const denied = registry('o/r@trunk').publish('new', { files: { 'SKILL.md': SKILL('new') } }, call);
    expect(await failure(denied)).toMatch(/^denied: /);
  });

  it('to an empty repository that the host does not let begin says why', async () => {
    await serve();
    server.script = ({ line }) =>
      line.startsWith('PUT')
        ? { status: 422, body: { message: 'Repository rule violations found' } }
        : undefined;
    const published = registry().publish('new', { files: { 'SKILL.md': SKILL('new') } }, call);
    expect(await failure(published)).toMatch(/^refused: .*: Repository rule violations found$/);
  });
});

describe('an answer that is not what it is to be', () => {
  const bodies = [
    null,
    [],
    'x',
    7,
    {},
    { sha: 'x' },
    { sha: 1, tree: 'x', object: {}, commit: { tree: [] } },
  ];
  const lists = [
    { tree: [null], truncated: false },
    { tree: [{ path: '../x', mode: '100644', sha: 'a'.repeat(40) }] },
    { tree: [{ path: 'a//b', mode: '100644', sha: 'a'.repeat(40) }] },
    { tree: [{ path: 'a', mode: '777', sha: 'a'.repeat(40) }] },
    { tree: [{ path: 'a', mode: '100644', sha: '../../etc' }] },
  ];

  it.each([
    ['GET /repos/o/r/commits', bodies],
    ['GET /repos/o/r/git/trees', [...bodies, ...lists]],
    [
      'GET /repos/o/r/git/blobs',
      [...bodies, { encoding: 'utf-8', content: '' }, { encoding: 'base64', content: 'eHg=' }],
    ],
    ['GET /repos/o/r/git/ref', bodies],
    ['POST /repos/o/r/git/trees', bodies],
    ['POST /repos/o/r/git/commits', bodies],
  ])('is refused, and nothing is written or kept: %s', async (line, answers) => {
    await serve({ 'a/SKILL.md': SKILL('a') });
    const before = repo.branches.get('main');
    for (const body of answers) {
      server.script = (asked) => (asked.line.startsWith(line) ? { body: JSON.stringify(body) } : undefined);
      const open = registry();
      const run = async () => {
        await open.get('a', call);
        await open.publish('new', { files: { 'SKILL.md': SKILL('new') } }, call);
      };
      expect(await failure(run())).toMatch(/^bad_data: .* answered with /);
      rmSync(join(folder, 'cache'), { recursive: true, force: true });
    }
    expect(repo.branches.get('main')).toBe(before);
    server.script = () => undefined;
    expect((await registry().list(call)).skills).toHaveLength(1);
  });

  it('is not taken out of an answer in the cache that was changed since', async () => {
    await serve({ 'a/SKILL.md': SKILL('a'), 'a/x': 'x', 'b/x': 'other' });
    const before = await listed();
    const [x, other] = ['a/x', 'b/x'].map((path) => before.entries.find((entry) => entry.path === path)?.oid);
    for (const name of readdirSync(join(folder, 'github'))) {
      const path = join(folder, 'github', name);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(String(x), String(other)));
    }
    expect((await listed()).entries).toEqual(before.entries);
  });

  it('is not taken out of an answer in the cache that others have made', async () => {
    await serve({ 'a/SKILL.md': SKILL('a') });
    const before = await listed();
    for (const name of readdirSync(join(folder, 'github'))) {
      const path = join(folder, 'github', name);
      const { url, etag, body } = JSON.parse(readFileSync(path, 'utf8'));
      const forged = { ...body, ...(Array.isArray(body.tree) ? { tree: [] } : {}) };
      const digest = createHash('sha256')
        .update(JSON.stringify([url, etag, forged]))
        .digest('hex');
      writeFileSync(path, JSON.stringify({ url, etag, digest, body: forged }));
    }
    expect((await listed()).entries).toEqual(before.entries);
  });

  it('is not taken out of the cache either', async () => {
    await serve({ 'a/SKILL.md': SKILL('a') });
    const whole = await listed();
    for (const text of ['', '{', 'null', '{"url":"x","etag":null,"body":{}}', 'x'.repeat(100)]) {
      for (const name of readdirSync(join(folder, 'github')))
        writeFileSync(join(folder, 'github', name), text);
      expect(await listed()).toEqual(whole);
    }
  });
});

describe('the credential', () => {
  it('is asked for its account, which an app does not have', async () => {
    await serve();
    expect(await backend().check(call)).toEqual({ account: 'octocat' });
    server.script = () => ({ status: 403, body: { message: 'Resource not accessible by integration' } });
    expect(await backend().check(call)).toEqual({ account: null });
  });

  it.each([
    'Sorry. Your account was suspended.',
    'Resource protected by organization SAML enforcement.',
    'This installation has been suspended',
  ])('is none with which nothing can be asked: %s', async (message) => {
    await serve();
    server.script = () => ({ status: 403, body: { message } });
    expect(await failure(backend().check(call))).toBe(
      `credential: ${new URL(server.url).host} refuses the token of GH_TOKEN: ${message}`,
    );
  });

  it('that is refused is told with where it comes from', async () => {
    await serve();
    expect(await failure(backend('o/r', { token: 'revoked' }).check(call))).toBe(
      `credential: ${new URL(server.url).host} refuses the token of GH_TOKEN: Bad credentials`,
    );
  });

  it('has answers of its own in the cache', async () => {
    await serve({ 'a/SKILL.md': SKILL('a') });
    await listed();
    expect(await backend('o/r', { token: 'token-of-a-stranger' }).list(call)).toEqual({ missing: true });
    const ofStranger = server.requests.filter(({ authorization }) => authorization?.includes('stranger'));
    expect(ofStranger.map(({ etag }) => etag)).toEqual([undefined, undefined]);
  });
});

describe('links', () => {
  it('lead to the pages of the host', async () => {
    await serve();
    const at = `${server.url}/o/r/tree/abc`;
    expect(backend().webUrl('abc', 'a b/ü#')).toBe(`${at}/a%20b/%C3%BC%23`);
    expect(backend('o/r:deep/er').webUrl('abc', 'x')).toBe(`${at}/deep/er/x`);
    expect(backend().webUrl('abc', '')).toBe(at);
  });
});
