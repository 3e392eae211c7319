import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GithubRepository } from '../../../../test-support/github-repository.ts';
import { type GithubServer, githubServer, type Scripted } from '../../../../test-support/github-server.ts';
import { RegistryError } from '../errors.ts';
import { GithubClient, type GithubRequest } from './github-client.ts';
import { githubHost } from './github-host.ts';

const CANARY = 'ghp_canary0123456789';
const GET = { method: 'GET', path: '/user' } as const;
const PATCH = { method: 'PATCH', path: '/repos/o/r/git/refs/heads/main', body: { sha: 'x' } } as const;

const POST = { method: 'POST', path: '/repos/o/r/git/blobs', body: { content: '' } } as const;

let server: GithubServer;
let waits: number[];
let told: string[];
let name: string;

beforeEach(async () => {
  server = await githubServer({ 'o/r': new GithubRepository({ x: '' }) }, CANARY);
  name = new URL(server.url).host;
  waits = [];
  told = [];
});
afterEach(() => server.close());

function client(timeoutMs = 5_000) {
  return new GithubClient({
    host: githubHost({ GITHUB_API_URL: server.url }),
    token: { token: CANARY, from: 'GH_TOKEN' },
    timeoutMs,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
}

function ask(request: GithubRequest = GET, signal = new AbortController().signal, timeoutMs?: number) {
  return client(timeoutMs).ask(request, {
    signal,
    onWait: (seconds, why) => void told.push(`${seconds} ${why}`),
  });
}

/** Answers the first requests so, and the others as the API does. */
function first(...answers: readonly (Scripted | 'drop' | 'hang')[]): void {
  const left = [...answers];
  server.script = () => left.shift();
}

async function failure(promise: Promise<unknown>) {
  const error = await promise.then(
    () => 'nothing was thrown',
    (reason: unknown) => reason,
  );
  if (!(error instanceof RegistryError)) throw error;
  expect(JSON.stringify([error.message, error.stack, String(error.cause)])).not.toContain(CANARY);
  return `${error.code}: ${error.message}`;
}

describe('a request', () => {
  it('carries version, agent and token, and the token nowhere else', async () => {
    expect((await ask()).body).toEqual({ login: 'octocat' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      line: 'GET /user',
      authorization: `Bearer ${CANARY}`,
      headers: {
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
        'user-agent': 'skillquay',
      },
    });
  });

  it.each([
    ['a 502', { status: 502, body: '<html>' }],
    ['a 500', { status: 500 }],
    ['a dropped connection', 'drop'],
  ] as const)('is made again after %s, twice', async (_, answer) => {
    first(answer, answer);
    expect((await ask(POST)).status).toBe(201);
    expect(server.requests).toHaveLength(3);
    expect(waits.map((wait) => wait > 700)).toEqual([false, true]);
    expect(told).toEqual([]);
    first(answer, answer, answer);
    expect(await failure(ask())).toMatch(new RegExp(`^unreachable: ${name} .*Try again later\\.$`));
  });

  it('has a time limit, and says so', async () => {
    first('hang', 'hang', 'hang');
    expect(await failure(ask(GET, undefined, 50))).toBe(
      `unreachable: ${name} did not answer within 1 seconds. Try again later.`,
    );
  });

  it('ends with the call: while it is answered, and while it waits', async () => {
    const controller = new AbortController();
    server.script = () => {
      controller.abort();
      return 'hang';
    };
    await expect(ask(GET, controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
    const other = new AbortController();
    first({ status: 429, headers: { 'retry-after': '30' } });
    const waiting = new GithubClient({
      host: githubHost({ GITHUB_API_URL: server.url }),
      token: { token: CANARY, from: 'GH_TOKEN' },
    });
    const asked = waiting.ask(GET, { signal: other.signal, onWait: () => other.abort() });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toHaveLength(2);
  });

  it('to a host that is not there says what is wrong, once it has tried again', async () => {
    await server.close();
    expect(await failure(ask())).toBe(`unreachable: ${name} takes no connection. Try again later.`);
    expect(waits).toHaveLength(2);
  });
});

describe('a limit', () => {
  const reset = (seconds: number) => ({
    date: new Date(1_800_000_000_000).toUTCString(),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(1_800_000_000 + seconds),
  });

  it.each([
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '7' } }, 7],
    ['403 with Retry-After', { status: 403, headers: { 'retry-after': '60' } }, 60],
    ['403 when none is left, by the clock of the host', { status: 403, headers: reset(42) }, 42],
    [
      '403 of a secondary limit',
      { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
      60,
    ],
    ['429 alone', { status: 429 }, 60],
  ] as const)('is waited for: %s', async (_, answer, seconds) => {
    first(answer);
    expect((await ask()).status).toBe(200);
    expect(waits).toEqual([seconds * 1_000]);
    expect(told).toEqual([`${seconds} ${name} limits requests`]);
  });

  it('that is longer than a minute is an error with the time', async () => {
    first({ status: 403, headers: reset(1_800) });
    expect(await failure(ask())).toMatch(
      /^rate_limited: .* limits requests until 20\d\d-\d\d-\d\d \d\d:\d\d UTC, in 30 minutes\. Try again then\.$/,
    );
    expect([waits, server.requests.length]).toEqual([[], 1]);
  });

  it('is not waited for without end', async () => {
    server.script = () => ({ status: 429, headers: { 'retry-after': '1' } });
    expect(await failure(ask())).toMatch(/^rate_limited: /);
    expect(waits).toEqual([1_000, 1_000, 1_000]);
  });

  it('is one pause for all who ask, each of whom hears of it once, and may leave', async () => {
    let refused = 0;
    server.script = () => (refused++ < 3 ? { status: 429, headers: { 'retry-after': '20' } } : undefined);
    const shared = new GithubClient({
      host: githubHost({ GITHUB_API_URL: server.url }),
      token: { token: CANARY, from: 'GH_TOKEN' },
      wait: (milliseconds, signal) => delay(milliseconds / 20, undefined, { signal }),
    });
    const heard: string[] = [];
    const hearing = (name: string) => (seconds: number) => void heard.push(`${name} ${seconds}`);
    const leaving = new AbortController();
    const { signal } = new AbortController();
    const first = { signal, onWait: hearing('first') };
    const asked = [first, first].map((call) => shared.ask(GET, call));
    const left = shared.ask(GET, { signal: leaving.signal, onWait: hearing('left') });
    await vi.waitFor(() => expect([heard.length, server.requests.length]).toEqual([2, 3]));
    const late = shared.ask(GET, { signal, onWait: hearing('late') });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    expect(server.requests).toHaveLength(3);
    expect((await Promise.all([...asked, late])).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(server.requests).toHaveLength(6);
    expect(heard.slice(0, 2).sort()).toEqual(['first 20', 'left 20']);
    expect(heard.slice(2)).toEqual(['late 20']);
  });

  it('of a host that is down for a while is told as well', async () => {
    first({ status: 503, headers: { 'retry-after': '3' } });
    expect((await ask()).status).toBe(200);
    expect([waits, told]).toEqual([[3_000], [`3 ${name} is not available`]]);
    first({ status: 503, headers: { 'retry-after': '3600' } });
    expect(await failure(ask())).toMatch(/^unreachable: /);
  });
});

describe('a refusal', () => {
  it.each([
    [GET, 401, /^credential: .* refuses the token of GH_TOKEN: Reason$/],
    [GET, 403, /^denied: .* does not let the token of GH_TOKEN do this \(403\): Reason$/],
    [GET, 404, /^not_found: .*: Reason$/],
    [GET, 451, /^bad_data: .* answered with the status 451: Reason$/],
    [PATCH, 404, /^denied: /],
    [PATCH, 422, /^refused: .* refuses the change \(422\): Reason$/],
  ] as const)('%j %i is told at once', async (request, status, message) => {
    first({ status, body: { message: 'Reason' } });
    expect(await failure(ask(request))).toMatch(message);
    expect(server.requests).toHaveLength(1);
  });

  it('has the reason on one line, cut, without the token and without what nobody sees', async () => {
    const message = `A ${CANARY.slice(0, 9)}\u200b${CANARY.slice(9)}\n\u202eB\u0007 ${'x'.repeat(1_000)}`;
    first({ status: 403, body: { message, errors: ['more'] } });
    const text = await failure(ask());
    expect(text).toMatch(/: A \[token\] B x+…$/);
    expect(text.length).toBeLessThan(450);
  });

  it('has a reason that is cut between two characters', async () => {
    first({ status: 403, body: { message: `x${'😀'.repeat(400)}` } });
    expect(await failure(ask())).toMatch(/: x(?:😀){298}…$/u);
  });

  it.each(['<html>', '[]', '{"message":{"a":1}}', '"x"'])('without a reason has none: %s', async (body) => {
    first({ status: 403, body });
    expect(await failure(ask())).toMatch(/\(403\)$/);
  });
});

describe('an answer', () => {
  it.each(['<html>hello</html>', '{"login":', '{"a":1}trailing'])(
    'that is no JSON is refused: %s',
    async (body) => {
      first({ body });
      expect(await failure(ask())).toBe(`bad_data: ${name} answered with what is no JSON. Try again.`);
    },
  );

  it('is read as far as it may go', async () => {
    first({ body: JSON.stringify('x'.repeat(2_000)) });
    expect(await failure(ask({ ...GET, maxBytes: 1_000 }))).toMatch(/^bad_data: .* more than can be read/);
  });

  it('that has not changed is not sent again', async () => {
    const { etag } = await ask();
    expect(etag).toMatch(/^W\//);
    expect((await ask({ ...GET, etag: etag ?? '' })).status).toBe(304);
  });
});

describe('an answer that comes in pieces', () => {
  let slow: Server;
  /** What is sent, and then the host is silent. */
  let sent: string[];
  beforeEach(async () => {
    slow = createServer(async (_, response) => {
      for (const piece of sent) {
        response.write(piece);
        await delay(100);
      }
      if (sent.at(-1) === ']') response.end();
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    slow.close();
    slow.closeAllConnections();
  });
  const read = () => {
    const bound = slow.address();
    const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
    const asking = new GithubClient({
      host: githubHost({ GITHUB_API_URL: url }),
      token: { token: CANARY, from: 'GH_TOKEN' },
      timeoutMs: 1_000,
      wait: async () => {},
    });
    return asking.ask(GET, { signal: new AbortController().signal });
  };

  it('is read for as long as more comes, and no longer', async () => {
    sent = ['[0', ...Array.from({ length: 14 }, () => ',0'), ']'];
    expect((await read()).body).toHaveLength(15);
    sent = ['[0', ',0'];
    expect(await failure(read())).toMatch(/^unreachable: .* did not answer within 1 seconds/);
  });
});

describe('a redirect', () => {
  let other: Server;
  let asked: string[];
  beforeEach(async () => {
    asked = [];
    other = createServer((request, response) => {
      asked.push(`${request.headers.authorization}`);
      response.end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    other.close();
    other.closeAllConnections();
  });

  it('on the same origin is followed, with method and body', async () => {
    const body = { sha: 'x' };
    first({ status: 307, headers: { location: '/repositories/1' } }, { body: { done: true } });
    expect((await ask({ ...PATCH, body })).body).toEqual({ done: true });
    expect(server.requests.map(({ line, body: sent }) => [line, sent])).toEqual([
      [`PATCH ${PATCH.path}`, body],
      ['PATCH /repositories/1', body],
    ]);
  });

  it('to another host, port or scheme is not, and nobody gets the token', async () => {
    const bound = other.address();
    const port = typeof bound === 'object' ? bound?.port : '';
    for (const location of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      'https://example.com/',
      'ftp://x/',
      'http://',
    ]) {
      first({ status: 302, headers: { location } });
      expect(await failure(ask())).toMatch(
        /^unreachable: .* sends on to another host, which is not followed/,
      );
    }
    expect(asked).toEqual([]);
  });

  it('without end ends', async () => {
    server.script = () => ({ status: 301, headers: { location: '/user' } });
    expect(await failure(ask())).toMatch(/^unreachable: .* sends on without end/);
    expect(server.requests).toHaveLength(4);
  });
});
