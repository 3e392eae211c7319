// The built command as a client starts it: how it ends, and that standard output carries the protocol alone.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import manifest from '../package.json' with { type: 'json' };
import { MAX_LINE_BYTES } from '../src/lines.ts';

const BIN = fileURLToPath(new URL('../bin/skill-registry-mcp.js', import.meta.url));
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const root = mkdtempSync(join(tmpdir(), 'skillquay-boot-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
});
const servers = new Set<() => void>();
afterEach(() => {
  for (const close of servers) close();
  servers.clear();
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface StartOptions {
  readonly args?: readonly string[];
  /** What the client says before it closes its end; null: it stays. */
  readonly input?: string | null;
  /** Standard output and standard error; by default they are read. */
  readonly output?: number;
  readonly errors?: number;
}

/** No gh of this machine is seen: PATH holds node and git alone, where it is given. */
function start(env: Record<string, string>, options: StartOptions = {}): Promise<Ended> {
  const { args = [], input = null, output = 'pipe', errors = 'pipe' } = options;
  const child = spawn(process.execPath, [BIN, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    stdio: ['pipe', output, errors],
  });
  let out = '';
  let err = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin?.on('error', () => {});
  if (input !== null) child.stdin?.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

/** A server whose client stays and waits for answers. */
function converse(env: Record<string, string>) {
  const child = spawn(process.execPath, [BIN], {
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
  });
  servers.add(() => child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, out, err })));
  const answer = (id: number) => vi.waitFor(() => expect(out).toMatch(new RegExp(`"id":${id}[,}]`)), 20_000);
  return { child, ended, answer };
}

/** A pipe that is written to by a process and read by nobody. */
function closedPipe(): number {
  const fifo = join(mkdtempSync(join(root, 'pipe-')), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(fifo, constants.O_WRONLY);
  closeSync(reader);
  return writer;
}

/** An API that takes connections and never answers. */
async function silentApi(): Promise<string> {
  const server = createServer(() => {});
  servers.add(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An API that answers everything with one status. */
async function api(status: number): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end('{"message":"no"}'));
  servers.add(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('it ends with', () => {
  it('2 and what to do where no registry is configured', async () => {
    const path = join(home, '.config/skills-mcp/registry.toml');
    expect(await start({})).toEqual({
      code: 2,
      out: '',
      err: `skill-registry-mcp: No registry configured. Set SKILLS_REGISTRY=owner/repo or run \`skillquay registry init\`. Looked at ${path}.\n`,
    });
  });

  it('2 and the key that is wrong', async () => {
    mkdirSync(join(home, '.config/skills-mcp'), { recursive: true });
    writeFileSync(join(home, '.config/skills-mcp/registry.toml'), '[registry]\nrepo = 7\n');
    const { code, out, err } = await start({});
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(
      /^skill-registry-mcp: .*registry\.toml: the key `repo` is no text\. Put it in quotes\.\n$/,
    );
  });

  it('2 for an argument that means nothing', async () => {
    const { code, err } = await start({}, { args: ['acme/skills'] });
    expect([code, err]).toEqual([2, expect.stringContaining('SKILLS_REGISTRY')]);
  });

  it('2 for a URL as an argument, whose password is not said back', async () => {
    const { code, out, err } = await start({}, { args: ['https://me:s3cr3t@git.example.com/a/b'] });
    expect([code, out + err]).toEqual([2, expect.not.stringContaining('s3cr3t')]);
  });

  it('2 where nobody reads what it says', async () => {
    const errors = closedPipe();
    expect(await start({}, { errors })).toMatchObject({ code: 2 });
    closeSync(errors);
  });

  it('nothing that moves the cursor of who reads it', async () => {
    const { code, err } = await start({ SKILLS_REGISTRY: 'a\u001b[2Jb\u202e' });
    expect([code, err]).toEqual([2, expect.not.stringMatching(/[\u001b\u202e]/)]);
  });

  it('3 and where it looked when there is neither token nor gh', async () => {
    const bin = mkdtempSync(join(root, 'bin-'));
    const { code, out, err } = await start({
      SKILLS_REGISTRY: 'acme/skills',
      PATH: bin,
      GH_BIN: join(bin, 'gh'),
    });
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(
      /^skill-registry-mcp: No token for github\.com\. GH_TOKEN and GITHUB_TOKEN are not set/,
    );
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('3 when gh is there and signed in nowhere', async () => {
    const bin = mkdtempSync(join(root, 'bin-'));
    writeFileSync(join(bin, 'gh'), '#!/bin/sh\nexit 1\n');
    chmodSync(join(bin, 'gh'), 0o755);
    const path = `${bin}${delimiter}${process.env.PATH}`;
    const { code, err } = await start({ SKILLS_REGISTRY: 'acme/skills', PATH: path });
    expect([code, err]).toEqual([3, expect.stringContaining(`gh (${join(bin, 'gh')})`)]);
  });

  it('4 and whose credential it is when the host refuses it', async () => {
    const { code, out, err } = await start({
      SKILLS_REGISTRY: 'acme/skills',
      GH_TOKEN: 'gone-for-good',
      GITHUB_API_URL: await api(401),
    });
    expect([code, out]).toEqual([4, '']);
    expect(err).toMatch(/^skill-registry-mcp: .*127\.0\.0\.1.*GH_TOKEN/);
    expect(err).not.toContain('gone-for-good');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('4 and the host alone when it refuses the token that is the user of a git URL', async () => {
    for (const user of [
      `ghp_s3cr3tT0ken${'x'.repeat(25)}`,
      's3cr3tT0ken:',
      's3cr3tT0ken',
      's3cr3tT0ken:x-oauth-basic',
    ]) {
      const url = await api(401);
      const { code, out, err } = await start({
        SKILLS_REGISTRY: `${url.replace('://', `://${user}@`)}/acme/skills`,
      });
      expect([code, out]).toEqual([4, '']);
      expect(err).toContain(new URL(url).host);
      expect(err).not.toContain('s3cr3tT0ken');
    }
  });

  it('70 and one line for anything else, with the stack when it is asked for', async () => {
    const env = { SKILLS_REGISTRY: 'acme/skills', GH_TOKEN: 'x', GITHUB_API_URL: await api(418) };
    const { code, err } = await start(env);
    expect(code).toBe(70);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    const { err: more } = await start({ ...env, DEBUG: '1' });
    expect(more).toMatch(/\n {4}at /);
  });

  it.runIf(existsSync('/proc/self'))('70 where no folder can be made for its cache', async () => {
    const { dir } = repository({ 'a/SKILL.md': '---\nname: a\ndescription: A\n---\n' });
    const { code, err } = await start({ SKILLS_REGISTRY: `file://${dir}`, XDG_CACHE_HOME: '/proc/x' });
    expect([code, err]).toEqual([70, expect.stringContaining('XDG_CACHE_HOME')]);
  });

  it('0 when its client closes its end, at once or after a while', async () => {
    const { dir } = repository({ 'a/SKILL.md': '---\nname: a\ndescription: A\n---\n' });
    const env = { SKILLS_REGISTRY: `file://${dir}` };
    expect(await start(env, { input: '' })).toEqual({ code: 0, out: '', err: '' });
    const input = `${JSON.stringify(INITIALIZE)}\n`;
    expect(await start(env, { input })).toMatchObject({ code: 0, err: '' });
  });

  it('0 soon after its client has left while the host does not answer', async () => {
    const env = { SKILLS_REGISTRY: 'acme/skills', GH_TOKEN: 'x', GITHUB_API_URL: await silentApi() };
    const begun = performance.now();
    expect(await start(env, { input: `${JSON.stringify(INITIALIZE)}\n` })).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('70 with a sentence after a message that is too large, and takes a skill of many megabytes', async () => {
    const { dir } = repository({ 'a/SKILL.md': '---\nname: a\ndescription: A\n---\n' });
    const { child, ended, answer } = converse({ SKILLS_REGISTRY: `file://${dir}` });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await answer(1);
    const large = {
      jsonrpc: '2.0',
      id: 2,
      method: 'ping',
      params: { _meta: { x: 'x'.repeat(30 * 1024 ** 2) } },
    };
    child.stdin.write(`${JSON.stringify(large)}\n`);
    await answer(2);
    child.stdin.on('error', () => {});
    const piece = Buffer.alloc(16 * 1024 ** 2, 'x');
    for (let written = 0; written <= MAX_LINE_BYTES; written += piece.length) child.stdin.write(piece);
    const { code, err } = await ended;
    expect([code, err]).toEqual([70, expect.stringContaining('a message of more than')]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('0 after %s, while it serves', async (signal) => {
    const { dir } = repository({ 'a/SKILL.md': '---\nname: a\ndescription: A\n---\n' });
    const { child, ended, answer } = converse({ SKILLS_REGISTRY: `file://${dir}` });
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await answer(1);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, err: '' });
  });

  it('0 and no failure for a repository that is not there: it has no skills', async () => {
    expect(await start({ SKILLS_REGISTRY: `file://${root}/nothing.git` }, { input: '' })).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  });
});

it('2 for a user whose home is empty', async () => {
  const { code, err } = await start({ SKILLS_REGISTRY: 'o/r', HOME: '' });
  expect([code, err]).toEqual([2, expect.stringContaining('has no home folder. Set HOME')]);
});

// Only root can become a user whom the system does not know, as in a container.
it.runIf(process.getuid?.() === 0)('2 for a user without a home', () => {
  const { status, stderr } = spawnSync(process.execPath, [BIN], {
    ...{ uid: 54_321, encoding: 'utf8', input: '', cwd: '/' },
    env: { PATH: process.env.PATH, SKILLS_REGISTRY: 'o/r' },
  });
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^skill-registry-mcp: .*has no home folder\. Set HOME/),
  ]);
});

it('says its version and how it is used, without a registry', async () => {
  expect(await start({}, { args: ['--version'] })).toEqual({
    code: 0,
    out: `${manifest.version}\n`,
    err: '',
  });
  const { code, out } = await start({}, { args: ['--help'] });
  expect(code).toBe(0);
  expect(out).toContain('SKILLS_REGISTRY');
});

it.runIf(existsSync('/dev/full'))('fails where its help cannot be written', async () => {
  const full = openSync('/dev/full', 'w');
  const ended = await start({}, { args: ['--help'], output: full });
  closeSync(full);
  expect(ended).toMatchObject({ code: 70, err: expect.stringContaining('ENOSPC') });
});

it('writes nothing but the protocol to standard output, whatever goes wrong', async () => {
  const { child, ended, answer } = converse({
    DEBUG: '1',
    SKILLS_REGISTRY: 'acme/skills',
    GH_TOKEN: 'x',
    GITHUB_API_URL: await api(404),
  });
  const ask = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await answer(1);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const files = { 'SKILL.md': '---\nname: a\ndescription: A\n---\n' };
  ask(2, 'tools/call', { name: 'list_skills', arguments: {} });
  ask(3, 'tools/call', { name: 'get_skill', arguments: { slug: 'a' } });
  ask(4, 'tools/call', { name: 'publish_skill', arguments: { name: 'a', files } });
  ask(5, 'tools/call', { name: 'nope', arguments: {} });
  child.stdin.write('no JSON\n');
  for (const id of [2, 3, 4, 5]) await answer(id);
  child.stdin.end();
  const { code, out } = await ended;
  const lines = out.trimEnd().split('\n');
  expect([code, lines.length]).toEqual([0, 5]);
  for (const line of lines) expect(JSON.parse(line).jsonrpc).toBe('2.0');
});
