// The raw wire: what each kind of HTTP request to an endpoint is answered with, byte for byte where it matters.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { formatAddress, formatRepository, parseAddress } from '@skillquay/core/address';
import { KNOWN_HOSTS } from '@skillquay/core/known-hosts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../src/config.ts';
import type { Endpoint } from '../src/endpoint.ts';
import { createHttpServer, type HttpServer } from '../src/http.ts';
import type { Mounts } from '../src/mounts.ts';
import { createRequestHandler, PROBES } from '../src/request-handler.ts';

const log = pino({ level: 'silent' });
const MODERN = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Ends a tool call that waits; null while none does. */
let release: (() => void) | null = null;

async function untilOneWaits(): Promise<void> {
  await expect.poll(() => release).not.toBeNull();
}

function letItGo(): void {
  release?.();
  release = null;
}

const aborted: string[] = [];

function endpoint(name: string): Endpoint {
  return {
    identity: { name, version: '0.1.0' },
    cache: { ttlMs: 60_000, cacheScope: 'public' },
    info: () => ({
      name,
      version: '0.1.0',
      title: 'Library',
      websiteUrl: `https://x.example${name}`,
      icons: [],
    }),
    instructions: () => 'Use the tools.',
    call: async (_tool, args, { signal }) => {
      if ('wait' in Object(args)) {
        await new Promise<void>((resolve) => {
          release = resolve;
          signal.addEventListener('abort', () => {
            aborted.push(name);
            release = null;
            resolve();
          });
        });
      }
      if ('fail' in Object(args)) throw new Error('open /srv/secret: denied');
      return { text: JSON.stringify(args), isError: false };
    },
    prompt: async (_name, args) =>
      'path' in Object(args) ? { text: 'Go.' } : { invalid: 'A path is required.' },
    resources: async (request) => {
      if ('uri' in request) {
        return { ok: false, kind: 'invalid', message: 'This URI names nothing.', uri: request.uri };
      }
      const json = request.method === 'skills/list' ? '{"skills":[]}' : '{"resources":[]}';
      return { ok: true, json: Buffer.from(json), cache: { ttlMs: 50_000, cacheScope: 'public' } };
    },
  };
}

/** Knows /gh/acme/library, /gh/secretive/library, /local/acme/library and nothing else. */
const mounts: Mounts = {
  parse: (text) => {
    const parsed = parseAddress(text, { hosts: KNOWN_HOSTS });
    return parsed.ok ? parsed : { ok: false, failure: { status: 400, ...parsed.error } };
  },
  known: () => null,
  open: async (address) => {
    if (address.repo === 'busy')
      return {
        ok: false,
        failure: {
          status: 503,
          code: 'mount.unavailable',
          message: 'The host does not answer.',
          retryAfter: 7,
        },
      };
    if (address.owner !== 'acme' && address.owner !== 'secretive')
      return {
        ok: false,
        failure: { status: 404, code: 'mount.repo_not_found', message: 'There is no such repository.' },
      };
    return {
      ok: true,
      mount: {
        address,
        identity: {
          address: formatAddress(address),
          repository: formatRepository(address),
          path: address.path,
          commit: '0'.repeat(40),
          ref: address.ref,
          pinned: false,
          verified: false,
        },
        resolution: {
          repository: 'gh/acme/library',
          commit: '0'.repeat(40),
          tree: '0'.repeat(40),
          ref: null,
          pinned: false,
          isDefaultBranch: true,
          defaultBranch: 'main',
          expiresAt: 0,
          worktree: false,
          scope: address.owner === 'secretive' ? 'private' : 'public',
        },
        links: { raw: () => null, page: () => null },
        cache: () => ({ ttlMs: 0, cacheScope: 'public' }),
        kept: () => null,
        state: async () => ({ status: 'indexing', progress: { read: 3, known: 9 } }),
      },
    };
  },
};

let ready = true;
let server: HttpServer;
let origin = '';
let port = 0;

function start(env: Record<string, string> = {}, maxConcurrentRequests = 100, open = false): HttpServer {
  const reading = readConfig({ MAX_BODY_BYTES: '4096', ...env }, () => '');
  if (!reading.ok) throw new Error(reading.problems.join());
  const config: Config = reading.config;
  const handler = createRequestHandler({
    config,
    mounts,
    endpointOf: (mount) => endpoint(mount.identity.address),
    site: { addresses: ['/local/acme/library'], open },
    ready: () => ready,
    now: () => 0,
    log,
  });
  return createHttpServer(handler, {
    maxBodyBytes: config.maxBodyBytes,
    maxConcurrentRequests,
    probes: PROBES,
    log,
  });
}

beforeAll(async () => {
  server = start();
  port = await server.listen(0, '127.0.0.1');
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => server.close(100));

const ADDRESS = '/gh/acme/library';
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
/** A call that is answered when it is let go. */
const WAITS = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'browse_repo', arguments: { wait: 1 } },
});

function post(body: unknown, headers: Record<string, string> = {}, path = ADDRESS): Promise<Response> {
  return fetch(origin + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function modern(
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
  path = ADDRESS,
  envelope: object = {},
): Promise<Response> {
  return post(
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...ENVELOPE, ...envelope } } },
    { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...headers },
    path,
  );
}

function legacy(
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return post({ jsonrpc: '2.0', id: 1, method, params }, headers);
}

/** The message in a body of either era. */
async function message(
  response: Response,
): Promise<{ result?: Record<string, unknown>; error?: { code: number; message: string; data?: unknown } }> {
  const text = await response.text();
  return JSON.parse(text.startsWith('event:') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text);
}

/** A request whose target and headers fetch would not send as they are. */
function raw(
  method: string,
  path: string,
  headers: Record<string, string>,
  to = port,
  body?: string,
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port: to,
      method,
      path,
      headers,
      setHost: !('host' in headers),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    request.end(body);
  });
}

/** Lists in one another, as JSON. */
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('what is nested', () => {
  const info = { name: 'test', version: '1' };
  const inModern = (envelope: object) =>
    modern(
      'tools/call',
      { name: 'browse_repo' },
      { 'mcp-name': 'browse_repo' },
      ADDRESS,
      Object.fromEntries(
        Object.entries(envelope).map(([key, value]) => [`io.modelcontextprotocol/${key}`, value]),
      ),
    );

  it.each([
    ['clientInfo', (deep: unknown) => inModern({ clientInfo: deep })],
    ['a key of clientInfo', (deep: unknown) => inModern({ clientInfo: { ...info, deep } })],
    [
      'clientCapabilities',
      (deep: unknown) => inModern({ clientCapabilities: { experimental: { a: { deep } } } }),
    ],
    ['the id', (deep: unknown) => post({ jsonrpc: '2.0', id: deep, method: 'ping' })],
    [
      'what a legacy client can do',
      (deep: unknown) =>
        legacy('initialize', {
          protocolVersion: '2025-11-25',
          clientInfo: info,
          capabilities: { experimental: { a: { deep } } },
        }),
    ],
  ])('in more than 200 levels is refused: %s', async (_, ask) => {
    const deep: unknown = JSON.parse(nested(1_500));
    const response = await ask(deep);
    expect(response.status).toBe(400);
    expect((await message(response)).error).toEqual({
      code: -32600,
      message: 'Bad Request: nested in more than 200 levels',
    });
  });

  it('in fewer is answered', async () => {
    const deep: unknown = JSON.parse(nested(150));
    expect((await inModern({ clientInfo: { ...info, deep } })).status).toBe(200);
  });
});

describe('the modern era', () => {
  it('answers JSON', async () => {
    const response = await modern(
      'tools/call',
      { name: 'browse_repo', arguments: { a: 1 } },
      { 'mcp-name': 'browse_repo' },
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect((await message(response)).result).toMatchObject({
      content: [{ type: 'text', text: '{"a":1}' }],
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: ADDRESS, version: '0.1.0' } },
    });
  });

  it.each([
    ['Mcp-Method missing', { 'mcp-method': '', 'mcp-name': 'browse_repo' }],
    ['Mcp-Method of another', { 'mcp-method': 'tools/list', 'mcp-name': 'browse_repo' }],
    ['Mcp-Name missing', {}],
    ['Mcp-Name of another', { 'mcp-name': 'other' }],
    ['version of another', { 'mcp-protocol-version': '2025-11-25', 'mcp-name': 'browse_repo' }],
  ])('refuses headers that disagree with the body: %s', async (_name, headers) => {
    const response = await modern('tools/call', { name: 'browse_repo' }, headers);
    expect(response.status).toBe(400);
    expect((await message(response)).error?.code).toBe(-32020);
  });

  it('refuses a modern header without an envelope', async () => {
    const response = await post(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' },
    );
    expect(response.status).toBe(400);
    expect((await message(response)).error?.code).toBe(-32602);
  });

  it('names the revisions it has when asked for another', async () => {
    const response = await post(
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/list',
        params: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
      },
      { 'mcp-protocol-version': '2030-01-01', 'mcp-method': 'tools/list' },
    );
    expect(response.status).toBe(400);
    expect((await message(response)).error).toMatchObject({ code: -32022, data: { supported: [MODERN] } });
  });

  it.each(['ping', 'initialize', 'nothing/known', 'logging/setLevel', 'resources/subscribe'])(
    'knows no %s',
    async (method) => {
      const response = await modern(method, {});
      expect(response.status).toBe(404);
      expect((await message(response)).error?.code).toBe(-32601);
    },
  );

  it('says in server/discover who it is, what it has and how long that holds', async () => {
    const { result } = await message(await modern('server/discover'));
    expect(result).toMatchObject({
      supportedVersions: [MODERN],
      capabilities: {
        tools: {},
        prompts: {},
        resources: {},
        extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
      },
      instructions: 'Use the tools.',
      ttlMs: 60_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: ADDRESS, title: 'Library' } },
    });
    expect(JSON.stringify(result)).not.toContain('listChanged');
  });

  it.each([
    ['tools/list', 3_600_000],
    ['prompts/list', 3_600_000],
    ['skills/list', 50_000],
    ['resources/list', 50_000],
    ['resources/templates/list', 3_600_000],
  ])('gives %s real cache fields', async (method, ttlMs) => {
    expect((await message(await modern(method))).result).toMatchObject({ ttlMs, cacheScope: 'public' });
  });

  it('acknowledges a subscription with nothing honored and ends it at once', async () => {
    const response = await modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).split('\n\n').filter((event) => event !== '');
    expect(events).toHaveLength(2);
    expect(events[0]).toContain('"notifications":{}');
    expect(events[1]).toContain('"resultType":"complete"');
  });

  it.each(['resources/read', 'skills/get', 'resources/directory/read'])(
    'refuses a URI of %s that names nothing as invalid params that name it',
    async (method) => {
      const uri = 'skill://x/y';
      const named = method === 'resources/read' ? { 'mcp-name': uri } : undefined;
      const response = await modern(method, { uri }, named);
      expect((await message(response)).error).toMatchObject({ code: -32602, data: { uri } });
    },
  );
});

describe('the legacy era', () => {
  const initialize = (protocolVersion: string) =>
    legacy('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });

  it.each(['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks %s',
    async (version) => {
      const response = await initialize(version);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      expect((await message(response)).result).toMatchObject({
        protocolVersion: version,
        capabilities: { extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } } },
        instructions: 'Use the tools.',
      });
    },
  );

  it.each(['1999-01-01', MODERN])('offers 2025-11-25 to who asks for %s', async (version) => {
    expect((await message(await initialize(version))).result).toMatchObject({
      protocolVersion: '2025-11-25',
    });
  });

  it('serves a request without a handshake', async () => {
    const { result } = await message(await legacy('tools/call', { name: 'browse_repo', arguments: {} }));
    expect(result).toEqual({ content: [{ type: 'text', text: '{}' }] });
  });

  it.each(['tools/list', 'prompts/list', 'skills/list', 'resources/list', 'resources/templates/list'])(
    'gives %s no cache fields',
    async (method) => {
      const text = await (await legacy(method)).text();
      expect(text).not.toMatch(/ttlMs|cacheScope|resultType/);
    },
  );

  it('serves a batch', async () => {
    const response = await post([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]);
    expect((await response.text()).match(/^data:/gm)).toHaveLength(2);
  });

  it('wants both types accepted', async () => {
    expect((await legacy('ping', {}, { accept: 'application/json' })).status).toBe(406);
  });

  it('takes a notification', async () => {
    const response = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });
});

describe('any era', () => {
  it('wants JSON', async () => {
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    const bad = await post('{"jsonrpc":');
    expect(bad.status).toBe(400);
    expect((await message(bad)).error?.code).toBe(-32700);
    expect((await post('')).status).toBe(400);
    expect((await post('null')).status).toBe(400);
  });

  it('takes a body with a byte order mark', async () => {
    expect((await post(`\ufeff${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}`)).status).toBe(
      200,
    );
  });

  it('has nothing but POST', async () => {
    for (const [method, headers] of [
      ['GET', { accept: 'text/event-stream' }],
      ['GET', { accept: 'application/json, text/event-stream' }],
      ['DELETE', {}],
      ['PUT', {}],
    ] as const) {
      const response = await fetch(origin + ADDRESS, { method, headers });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  it('refuses a body over the limit, declared or not', async () => {
    const body = 'x'.repeat(5_000);
    expect((await post(body)).status).toBe(413);
    const chunked = await raw(
      'POST',
      ADDRESS,
      { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
      port,
      body,
    );
    expect(chunked.status).toBe(413);
    expect(chunked.headers.connection).toBe('close');
  });

  it('lets nothing of a failure out', async () => {
    const response = await modern(
      'tools/call',
      { name: 'browse_repo', arguments: { fail: 1 } },
      { 'mcp-name': 'browse_repo' },
    );
    const { error } = await message(response);
    expect(error).toEqual({ code: -32603, message: 'This server failed to answer. Try again.' });
  });

  it('names the tools when asked for one it has not', async () => {
    const { error } = await message(await modern('tools/call', { name: 'rm' }, { 'mcp-name': 'rm' }));
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('browse_repo') });
  });

  it('refuses a prompt without its argument', async () => {
    const { error } = await message(
      await modern('prompts/get', { name: 'use_skill' }, { 'mcp-name': 'use_skill' }),
    );
    expect(error).toMatchObject({ code: -32602, message: 'A path is required.' });
  });

  it('fails before the protocol where there is no mount', async () => {
    for (const [path, status, code] of [
      ['/gh/acme', 400, 'address.account'],
      ['/gh/nobody/library', 404, 'mount.repo_not_found'],
      ['/gh/acme/library.git', 400, 'address.repo'],
      ['/xx/acme/library', 400, 'address.unknown_host'],
      ['/gh/acme/busy', 503, 'mount.unavailable'],
    ] as const) {
      const response = await modern('tools/list', {}, {}, path);
      expect([path, response.status]).toEqual([path, status]);
      expect(await response.json()).toEqual({ error: { code, message: expect.any(String) } });
      expect(response.headers.get('retry-after')).toBe(status === 503 ? '7' : null);
    }
  });

  it('tells a tool when its client has gone', async () => {
    const controller = new AbortController();
    const gone = fetch(origin + ADDRESS, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'browse_repo', arguments: { wait: 1 } },
      }),
      signal: controller.signal,
    }).catch(() => 'aborted');
    await untilOneWaits();
    controller.abort();
    expect(await gone).toBe('aborted');
    await expect.poll(() => aborted).toContain(ADDRESS);
  });

  it('names each request', async () => {
    const ids = await Promise.all(
      [legacy('ping'), legacy('ping')].map(async (r) => (await r).headers.get('x-request-id')),
    );
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('browsers of other origins', () => {
  const foreign = { origin: 'https://app.example' };

  it('may call, without credentials', async () => {
    const preflight = await raw('OPTIONS', ADDRESS, { ...foreign, 'access-control-request-method': 'POST' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers':
        'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id',
    });
    for (const response of [
      await modern('server/discover', {}, foreign),
      await modern('tools/list', {}, foreign, '/gh/nobody/x'),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toContain('www-authenticate');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('reach nothing local', async () => {
    for (const path of ['/local/acme/library', '/%6cocal/acme/library', '/local/nobody/library']) {
      for (const method of ['OPTIONS', 'POST', 'GET']) {
        const reply = await raw(method, path, { ...foreign, 'content-type': 'application/json' });
        expect([path, method, reply.status]).toEqual([path, method, 403]);
        expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      }
      expect((await raw('GET', path, { origin: 'null' })).status).toBe(403);
    }
  });

  it('reach nothing that only this user may read', async () => {
    const path = '/gh/secretive/library';
    for (const reply of [
      await modern('tools/list', {}, foreign, path),
      await fetch(origin + path, { headers: foreign }),
    ]) {
      expect(reply.status).toBe(403);
      expect(reply.headers.get('access-control-allow-origin')).toBeNull();
    }
    const own = await modern('tools/list', {}, {}, path);
    expect(own.status).toBe(200);
    expect(own.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('do not learn what this process was started with', async () => {
    const reply = await fetch(origin, { headers: foreign });
    expect(await reply.text()).toContain('/local/acme/library');
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is not what a client without an origin is, nor this server itself', async () => {
    for (const headers of [{}, { origin }]) {
      const response = await modern('tools/list', {}, headers, '/local/acme/library');
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});

describe('the Host header', () => {
  it.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '',
    '[::2]',
    'a b',
  ])('is refused on loopback: %s', async (host) => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const reply = await raw(method, ADDRESS, { host });
      expect([403, 400]).toContain(reply.status);
    }
  });

  it.each(['localhost', 'localhost:9', '127.0.0.1:9', '[::1]:9', 'LOCALHOST'])(
    'is fine on loopback: %s',
    async (host) => {
      expect((await raw('GET', ADDRESS, { host })).status).toBe(200);
    },
  );

  it.each([
    ['127.0.0.2', '127.0.0.2:4747'],
    ['10.0.0.5', '10.0.0.5'],
    ['::1', '[::1]:4747'],
    ['fd00::5', '[fd00::5]'],
  ])('may be the address that is listened on: %s', async (address, host) => {
    const other = start({ HOST: address, PUBLIC_ORIGIN: 'https://skills.example.com' });
    const at = await other.listen(0, '127.0.0.1');
    expect((await raw('GET', ADDRESS, { host }, at)).status).toBe(200);
    expect((await raw('GET', ADDRESS, { host: '10.0.0.6' }, at)).status).toBe(403);
    await other.close(0);
  });

  it('is one of the configured names elsewhere', async () => {
    const other = start({
      HOST: '0.0.0.0',
      PUBLIC_ORIGIN: 'https://skills.example.com',
      ALLOWED_HOSTS: 'other.example',
    });
    const at = await other.listen(0, '127.0.0.1');
    const status = async (host: string) => (await raw('GET', ADDRESS, { host }, at)).status;
    expect(await status('skills.example.com')).toBe(200);
    expect(await status('other.example:8443')).toBe(200);
    expect(await status('localhost')).toBe(403);
    expect(await status('10.0.0.7')).toBe(403);
    expect(await status('0.0.0.0')).toBe(403);
    await other.close(0);
  });

  it('may be any address, and no other name, while none is configured', async () => {
    const other = start({ HOST: '0.0.0.0' });
    const at = await other.listen(0, '127.0.0.1');
    const status = async (host: string) => (await raw('GET', ADDRESS, { host }, at)).status;
    expect(await status('10.0.0.7:8080')).toBe(200);
    expect(await status('[fe80::1]')).toBe(200);
    expect(await status('rebound.example')).toBe(403);
    await other.close(0);
  });
});

describe('pages', () => {
  it('stand where a client connects', async () => {
    const response = await fetch(`${origin}/gh/acme/library@v1/docs`, { headers: { accept: 'text/html' } });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    );
    expect(text).toContain(
      `claude mcp add --transport http library-docs &#39;${origin}/gh/acme/library@v1/docs&#39;`,
    );
    expect(text).toContain('3 of 9 files read');
    expect(text).toContain('nobody here has vouched for it');
    expect(text).toContain(`<link rel="canonical" href="${origin}/gh/acme/library">`);
    expect(text).toContain('noindex');
    expect(text).not.toContain('<script');
  });

  it('tell a person what is wrong', async () => {
    for (const [path, status] of [
      ['/gh/nobody/library', 404],
      ['/gh/acme/busy', 503],
      ['/nonsense.txt', 400],
    ] as const) {
      const response = await fetch(origin + path);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        status,
        'text/html; charset=utf-8',
      ]);
    }
  });

  it('exist for an account and for the process', async () => {
    expect(await (await fetch(`${origin}/gh/acme`)).text()).toContain('/gh/acme/&lt;repo&gt;');
    const home = await (await fetch(`${origin}/`)).text();
    expect(home).toContain('href="/local/acme/library"');
    expect(home).not.toContain('&lt;owner&gt;');
    const other = start({}, 100, true);
    const at = await other.listen(0, '127.0.0.1');
    expect(await (await fetch(`http://127.0.0.1:${at}/`)).text()).toContain('/gh/&lt;owner&gt;/&lt;repo&gt;');
    await other.close(0);
  });

  it('name what is served on this machine to a person, and to no other website', async () => {
    for (const path of ['/local/acme', '/local/nobody/library']) {
      const response = await fetch(origin + path);
      expect(await response.text()).toContain('<a href="/local/acme/library">');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      const foreign = await raw('GET', path, { origin: 'https://evil.example' });
      expect([foreign.status, foreign.text.includes('/local/acme/library')]).toEqual([403, false]);
    }
    expect(await (await fetch(`${origin}/local/nobody`)).text()).not.toContain('/local/acme');
    expect(await (await fetch(`${origin}/gh/nobody/library`)).text()).not.toContain('/local/acme');
    const client = await fetch(`${origin}/local/nobody/library`, { headers: { accept: 'application/json' } });
    expect(await client.text()).not.toContain('/local/acme');
  });

  it('stand without a slash at the end: a browser is sent there, a client is told', async () => {
    const sent = async (path: string, accept = 'text/html') => {
      const { status, headers } = await fetch(origin + path, { redirect: 'manual', headers: { accept } });
      return [status, headers.get('location')];
    };
    expect(await sent('/gh/Acme/library/')).toEqual([308, '/gh/acme/library']);
    expect(await sent('/gh/acme/library@v1/docs//')).toEqual([308, '/gh/acme/library@v1/docs']);
    expect(await sent('/local/acme/')).toEqual([308, '/local/acme']);
    expect(await sent('//evil.example/')).toEqual([400, null]);
    expect(await sent('/gh/acme/library/', 'application/json')).toEqual([400, null]);
  });

  it('say to crawlers what is for them', async () => {
    const robots = await fetch(`${origin}/robots.txt`);
    expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await robots.text()).toMatch(/^User-agent: \*\nDisallow: \/local\/\n/);
    expect((await fetch(`${origin}/favicon.ico`)).headers.get('content-type')).toBe('image/png');
  });

  it('answer HEAD with everything but the body', async () => {
    const head = await raw('HEAD', ADDRESS, {});
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1_000);
  });

  it('carry an icon', async () => {
    const icon = await fetch(`${origin}/icon/gh/acme/library`);
    expect(icon.headers.get('content-type')).toBe('image/png');
    const bytes = Buffer.from(await icon.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([128, 128]);
    expect(icon.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the process', () => {
  it('says that it lives, and whether it takes requests, to any name', async () => {
    expect((await raw('GET', '/healthz', { host: '10.0.0.1' })).status).toBe(200);
    expect((await raw('GET', '/readyz', { host: '10.0.0.1' })).status).toBe(200);
    ready = false;
    expect((await raw('GET', '/readyz', {})).status).toBe(503);
    expect((await raw('GET', '/healthz', {})).status).toBe(200);
    ready = true;
  });

  it('turns away a client that asks too often, and answers probes all the same', async () => {
    const other = start({ RATE_LIMIT_PER_MINUTE: '2', TRUSTED_PROXIES: '127.0.0.1' });
    const at = await other.listen(0, '127.0.0.1');
    const ask = (client: string, path = '/') => raw('GET', path, { 'x-forwarded-for': client }, at);
    expect([(await ask('192.0.2.1')).status, (await ask('192.0.2.1')).status]).toEqual([200, 200]);
    const refused = await ask('192.0.2.1');
    expect([refused.status, refused.headers['retry-after'], JSON.parse(refused.text).error.code]).toEqual([
      429,
      '30',
      'request.rate_limited',
    ]);
    const origin = 'access-control-allow-origin';
    expect([refused.headers[origin], (await ask('192.0.2.1', '/local/a/b')).headers[origin]]).toEqual([
      '*',
      undefined,
    ]);
    expect((await ask('192.0.2.2')).status).toBe(200);
    expect((await ask('192.0.2.1', '/readyz')).status).toBe(200);
    await other.close(0);
  });

  it('counts requests where others can reach it, and not on loopback', async () => {
    const statuses = async (env: Record<string, string>) => {
      const other = start({ PUBLIC_ORIGIN: 'http://127.0.0.1', ...env });
      const at = await other.listen(0, '127.0.0.1');
      const seen = new Set<number>();
      for (let i = 0; i < 601; i += 1) seen.add((await raw('GET', '/', {}, at)).status);
      await other.close(0);
      return [...seen];
    };
    expect(await statuses({ HOST: '0.0.0.0' })).toEqual([200, 429]);
    expect(await statuses({ HOST: '::1' })).toEqual([200]);
  });

  it('turns away what is more than it can take, and answers probes all the same', async () => {
    const small = start({}, 1);
    const at = await small.listen(0, '127.0.0.1');
    const waiting = raw('POST', ADDRESS, JSON_HEADERS, at, WAITS);
    await untilOneWaits();
    for (const probe of ['/healthz', '/readyz?verbose'])
      expect((await raw('GET', probe, {}, at)).status).toBe(200);
    const refused = await raw('GET', '/', {}, at);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    letItGo();
    expect((await waiting).status).toBe(200);
    await small.close(0);
  });

  it.each([
    ['ends', (socket: Socket) => socket.end()],
    ['is cut', (socket: Socket) => socket.resetAndDestroy()],
  ])('gives back the places of all that was asked on a connection that %s', async (_, leave) => {
    const small = start({}, 3);
    const at = await small.listen(0, '127.0.0.1');
    const head = `POST ${ADDRESS} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${WAITS.length}\r\n\r\n`;
    aborted.length = 0;
    const sockets = [1, 2, 3].map(() => connect(at, '127.0.0.1').resume());
    // On each one behind the other, before the first is answered: one has a place.
    for (const socket of sockets) socket.write(`${head}${WAITS}`.repeat(3));
    await expect.poll(async () => (await raw('GET', '/', {}, at)).status).toBe(503);
    for (const socket of sockets) leave(socket);
    await expect.poll(() => aborted).toEqual([ADDRESS, ADDRESS, ADDRESS]);
    await expect.poll(async () => (await raw('GET', '/', {}, at)).status).toBe(200);
    await small.close(0);
  });

  it('finishes what is in flight when it is stopped, and takes nothing new', async () => {
    const other = start();
    const at = await other.listen(0, '127.0.0.1');
    const waiting = raw('POST', ADDRESS, JSON_HEADERS, at, WAITS);
    await untilOneWaits();
    const closed = other.close(5_000);
    await expect(raw('GET', '/healthz', {}, at)).rejects.toThrow('ECONNREFUSED');
    letItGo();
    expect((await waiting).headers.connection).toBe('close');
    await closed;
  });

  it('does not wait for connections on which nothing was asked', async () => {
    const other = start();
    const at = await other.listen(0, '127.0.0.1');
    const ends = [
      '',
      'POST /gh/acme/library HTTP/1.1\r\nHost:',
      'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /',
    ].map(async (sent) => {
      const socket = connect(at, '127.0.0.1').resume();
      await once(socket, 'connect');
      socket.write(sent);
      return once(socket, 'close');
    });
    await raw('GET', '/healthz', {}, at);
    await other.close(60_000);
    await Promise.all(ends);
  });

  it('does not wait longer than its grace', async () => {
    const other = start();
    const at = await other.listen(0, '127.0.0.1');
    const cut = raw('POST', ADDRESS, JSON_HEADERS, at, WAITS).catch(() => 'cut');
    await untilOneWaits();
    await other.close(20);
    expect(await cut).toBe('cut');
  });
});
