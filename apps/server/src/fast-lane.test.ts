import type { IncomingHttpHeaders } from 'node:http';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { mcpRequest, throughSdk } from './adapter.ts';
import type { Endpoint } from './endpoint.ts';
import { throughFastLane } from './fast-lane.ts';
import type { Reply } from './http.ts';
import { httpHandler } from './mcp.ts';

const log = pino({ level: 'silent' });
const endpoint: Endpoint = {
  identity: { name: '/gh/acme/library', version: '0.1.0' },
  cache: { ttlMs: 60_000, cacheScope: 'public' },
  info: () => ({
    name: '/gh/acme/library',
    version: '0.1.0',
    title: 'Library',
    websiteUrl: 'https://x.example/',
    icons: [],
  }),
  instructions: () => 'Use the tools.',
  call: async (_tool, args) => ({
    text: `é "${JSON.stringify(args)}" \u2028 \ud800 \u0007`,
    isError: 'bad' in Object(args),
  }),
  prompt: async () => ({ invalid: 'none' }),
  resources: async (request) => {
    const uri = 'uri' in request ? request.uri : '';
    if (uri === 'skill://gone') return { ok: false, kind: 'invalid', message: 'Nothing "here".', uri };
    if (uri === 'skill://later') return { ok: false, kind: 'failed', message: 'Try again.' };
    return {
      ok: true,
      json: Buffer.from(
        JSON.stringify({
          contents: [{ uri, text: 'é "\u2028 \ud800 \u0007', mimeType: 'text/plain' }],
          ...request,
        }),
      ),
      cache: { ttlMs: 12_345, cacheScope: 'public' },
    };
  },
};
const handler = () => httpHandler(endpoint, log);

const P = 'io.modelcontextprotocol/';
const envelope = {
  [`${P}protocolVersion`]: '2026-07-28',
  [`${P}clientInfo`]: { name: 'test', version: '1' },
  [`${P}clientCapabilities`]: {},
};
const modernHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'browse_repo',
};
const legacyHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const call = (over: object = {}, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'browse_repo', arguments: { a: 1 }, ...params },
  ...over,
});
const modern = (over: object = {}, params: object = {}) => call(over, { _meta: envelope, ...params });

function bodyOf(reply: Reply | null): string {
  const { body = '' } = reply ?? {};
  return typeof body === 'string'
    ? body
    : Buffer.isBuffer(body)
      ? body.toString()
      : Buffer.concat(body).toString();
}

type Case = readonly [name: string, headers: IncomingHttpHeaders, body: unknown, lane: 'fast' | 'sdk'];

const CASES: readonly Case[] = [
  ['modern', modernHeaders, modern(), 'fast'],
  ['modern, error result', modernHeaders, modern({}, { arguments: { bad: 1 } }), 'fast'],
  ['modern, string id', modernHeaders, modern({ id: 'a"b\u00e9' }), 'fast'],
  ['modern, negative id', modernHeaders, modern({ id: -0 }), 'fast'],
  ['modern, no arguments', modernHeaders, modern({}, { arguments: undefined }), 'fast'],
  [
    'modern, without client info',
    modernHeaders,
    modern({}, { _meta: { ...envelope, [`${P}clientInfo`]: undefined } }),
    'fast',
  ],
  ['modern, progress token', modernHeaders, modern({}, { _meta: { ...envelope, progressToken: 7 } }), 'fast'],
  [
    'modern, charset',
    { ...modernHeaders, 'content-type': 'application/json; charset=utf-8' },
    modern(),
    'fast',
  ],
  ['modern, no accept', { ...modernHeaders, accept: undefined }, modern(), 'fast'],
  [
    'modern, capabilities',
    modernHeaders,
    modern({}, { _meta: { ...envelope, [`${P}clientCapabilities`]: { elicitation: { form: {} } } } }),
    'fast',
  ],
  ['legacy, no version', legacyHeaders, call(), 'fast'],
  ['legacy, error result', legacyHeaders, call({}, { arguments: { bad: 1 } }), 'fast'],
  ['legacy, 2025-11-25', { ...legacyHeaders, 'mcp-protocol-version': '2025-11-25' }, call(), 'fast'],
  ['legacy, 2024-11-05', { ...legacyHeaders, 'mcp-protocol-version': '2024-11-05' }, call(), 'fast'],
  ['legacy, progress token', legacyHeaders, call({}, { _meta: { progressToken: 'x' } }), 'fast'],
  ['modern, no method header', { ...modernHeaders, 'mcp-method': undefined }, modern(), 'sdk'],
  ['modern, wrong method header', { ...modernHeaders, 'mcp-method': 'tools/list' }, modern(), 'sdk'],
  ['modern, no name header', { ...modernHeaders, 'mcp-name': undefined }, modern(), 'sdk'],
  ['modern, wrong name header', { ...modernHeaders, 'mcp-name': 'other' }, modern(), 'sdk'],
  [
    'modern, encoded name header',
    { ...modernHeaders, 'mcp-name': '=?base64?YnJvd3NlX3JlcG8=?=' },
    modern(),
    'sdk',
  ],
  ['modern, badly encoded name header', { ...modernHeaders, 'mcp-name': '=?base64?ZWN?=' }, modern(), 'sdk'],
  ['modern, no version header', { ...modernHeaders, 'mcp-protocol-version': undefined }, modern(), 'sdk'],
  [
    'modern, other version header',
    { ...modernHeaders, 'mcp-protocol-version': '2025-11-25' },
    modern(),
    'sdk',
  ],
  ['modern header, no envelope', modernHeaders, call(), 'sdk'],
  [
    'modern, unknown revision',
    { ...modernHeaders, 'mcp-protocol-version': '2027-01-01' },
    modern({}, { _meta: { ...envelope, [`${P}protocolVersion`]: '2027-01-01' } }),
    'sdk',
  ],
  [
    'modern, capabilities missing',
    modernHeaders,
    modern({}, { _meta: { ...envelope, [`${P}clientCapabilities`]: undefined } }),
    'sdk',
  ],
  [
    'modern, capabilities of a wrong type',
    modernHeaders,
    modern({}, { _meta: { ...envelope, [`${P}clientCapabilities`]: 5 } }),
    'sdk',
  ],
  ['modern, unknown envelope key', modernHeaders, modern({}, { _meta: { ...envelope, other: 1 } }), 'sdk'],
  [
    'modern, bad progress token',
    modernHeaders,
    modern({}, { _meta: { ...envelope, progressToken: 1.5 } }),
    'sdk',
  ],
  [
    'modern, unknown tool',
    { ...modernHeaders, 'mcp-name': 'nothing' },
    modern({}, { name: 'nothing' }),
    'sdk',
  ],
  ['modern, arguments of a wrong type', modernHeaders, modern({}, { arguments: [] }), 'sdk'],
  ['modern, no name', modernHeaders, modern({}, { name: undefined }), 'sdk'],
  ['modern, null id', modernHeaders, modern({ id: null }), 'sdk'],
  ['modern, fractional id', modernHeaders, modern({ id: 1.5 }), 'sdk'],
  ['modern, extra key', modernHeaders, modern({ extra: 1 }), 'sdk'],
  ['modern, extra parameter', modernHeaders, modern({}, { requestState: 'x' }), 'sdk'],
  ['modern, batch', modernHeaders, [modern()], 'sdk'],
  ['modern, text/plain', { ...modernHeaders, 'content-type': 'text/plain' }, modern(), 'sdk'],
  [
    'modern, other method',
    { ...modernHeaders, 'mcp-method': 'tools/list', 'mcp-name': undefined },
    modern({ method: 'tools/list', params: { _meta: envelope } }),
    'sdk',
  ],
  ['legacy, one accept type', { ...legacyHeaders, accept: 'application/json' }, call(), 'sdk'],
  ['legacy, no accept', { ...legacyHeaders, accept: undefined }, call(), 'sdk'],
  ['legacy, unknown version', { ...legacyHeaders, 'mcp-protocol-version': '1999-01-01' }, call(), 'sdk'],
  ['legacy, batch', legacyHeaders, [call(), call({ id: 2 })], 'sdk'],
  ['legacy, unknown tool', legacyHeaders, call({}, { name: 'nothing' }), 'sdk'],
  ['legacy, envelope', legacyHeaders, modern(), 'sdk'],
  ['legacy, notification', legacyHeaders, call({ id: undefined }), 'sdk'],
];

const ask = (method: string, params: object, over: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params,
  ...over,
});
const asked = (method: string, params: object) => ask(method, { ...params, _meta: envelope });
const headersOf = (method: string, name?: string) => ({
  ...modernHeaders,
  'mcp-method': method,
  'mcp-name': name,
});
const READ = 'resources/read';
const FOLDER = 'resources/directory/read';

const RESOURCE_CASES: readonly Case[] = [
  ['skills, modern', headersOf('skills/list'), asked('skills/list', {}), 'fast'],
  ['skills, modern, cursor', headersOf('skills/list'), asked('skills/list', { cursor: 'abc' }), 'fast'],
  ['skills, legacy', legacyHeaders, ask('skills/list', {}), 'fast'],
  ['skills, legacy, no params', legacyHeaders, ask('skills/list', {}, { params: undefined }), 'fast'],
  ['resources, modern', headersOf('resources/list'), asked('resources/list', { cursor: '' }), 'fast'],
  ['resources, legacy', legacyHeaders, ask('resources/list', {}, { params: undefined }), 'fast'],
  ['skill, modern', headersOf('skills/get'), asked('skills/get', { uri: 'skill://é' }), 'fast'],
  ['skill, legacy', legacyHeaders, ask('skills/get', { uri: 'skill://a' }), 'fast'],
  ['read, modern', headersOf(READ, 'skill://a'), asked(READ, { uri: 'skill://a' }), 'fast'],
  ['read, legacy', legacyHeaders, ask(READ, { uri: 'skill://a' }), 'fast'],
  ['read, modern, gone', headersOf(READ, 'skill://gone'), asked(READ, { uri: 'skill://gone' }), 'fast'],
  ['read, legacy, gone', legacyHeaders, ask(READ, { uri: 'skill://gone' }), 'fast'],
  ['read, modern, later', headersOf(READ, 'skill://later'), asked(READ, { uri: 'skill://later' }), 'fast'],
  ['folder, modern', headersOf(FOLDER), asked(FOLDER, { uri: 'skill://a' }), 'fast'],
  ['folder, legacy', legacyHeaders, ask(FOLDER, { uri: 'skill://a', cursor: 'x' }), 'fast'],
  ['read, modern, no name header', headersOf(READ), asked(READ, { uri: 'skill://a' }), 'sdk'],
  ['read, modern, other name', headersOf(READ, 'skill://b'), asked(READ, { uri: 'skill://a' }), 'sdk'],
  ['read, no URI', headersOf(READ, 'x'), asked(READ, {}), 'sdk'],
  ['read, legacy, no URI', legacyHeaders, ask(READ, {}), 'sdk'],
  ['read, extra parameter', legacyHeaders, ask(READ, { uri: 'skill://a', other: 1 }), 'sdk'],
  ['skills, name header', headersOf('skills/list', 'x'), asked('skills/list', {}), 'sdk'],
  ['skills, null cursor', headersOf('skills/list'), asked('skills/list', { cursor: null }), 'sdk'],
  ['skills, numeric cursor', legacyHeaders, ask('skills/list', { cursor: 5 }), 'sdk'],
  ['templates', legacyHeaders, ask('resources/templates/list', {}), 'sdk'],
];

describe('the fast lane', () => {
  it.each([...CASES, ...RESOURCE_CASES])('equals the SDK: %s', async (_name, headers, body, lane) => {
    const controller = new AbortController();
    const request = mcpRequest('POST', headers, Buffer.from(JSON.stringify(body)), controller);
    const sdk = await throughSdk(handler(), request);
    const fast = await throughFastLane(request, endpoint);
    expect(fast === null ? 'sdk' : 'fast').toBe(lane);
    if (fast === null) return;
    expect({ ...fast, body: bodyOf(fast) }).toEqual({ ...sdk, body: bodyOf(sdk) });
    // Again, from the bytes that were kept.
    expect(bodyOf(await throughFastLane(request, endpoint))).toEqual(bodyOf(fast));
  });

  it('leaves to the SDK what an endpoint fails at, and nothing of the failure leaves', async () => {
    const fail = () => Promise.reject(new Error('/secret/path'));
    const failing: Endpoint = { ...endpoint, call: fail, resources: fail };
    const request = mcpRequest(
      'POST',
      modernHeaders,
      Buffer.from(JSON.stringify(modern())),
      new AbortController(),
    );
    expect(await throughFastLane(request, failing)).toBeNull();
    const reply = await throughSdk(httpHandler(failing, log), request);
    expect(reply.status).toBe(200);
    expect(bodyOf(reply)).toContain('"code":-32603');
    expect(bodyOf(reply)).not.toContain('secret');
  });

  const ICONS = [{ src: 'https://x.example/icon.png' }];
  it.each([
    ['a key that every record has in its place', 'Info', JSON.parse('{"name":"test","__proto__":{}}'), 'sdk'],
    ['a name that is a number', 'Info', { name: 5, version: '1', icons: ICONS }, 'sdk'],
    ['no version', 'Info', { name: 'test', icons: ICONS }, 'sdk'],
    ['null', 'Info', null, 'sdk'],
    ['a list', 'Info', [], 'sdk'],
    ['one icon more', 'Info', { name: 'test', version: '1', icons: [...ICONS, 5] }, 'sdk'],
    ['a record of icons', 'Info', { name: 'test', version: '1', icons: { 0: ICONS[0] } }, 'sdk'],
    ['nothing', 'Info', undefined, 'fast'],
    ['the keys in another order', 'Info', { icons: ICONS, version: '1', name: 'test' }, 'fast'],
    ['null', 'Capabilities', null, 'sdk'],
    ['a list', 'Capabilities', [], 'sdk'],
    ['something else', 'Capabilities', { roots: {} }, 'fast'],
  ])('judges what differs from the request before by %s in client%s', async (_, key, value, lane) => {
    const sent = (meta: object) =>
      mcpRequest(
        'POST',
        modernHeaders,
        Buffer.from(JSON.stringify(modern({}, { _meta: { ...envelope, ...meta } }))),
        new AbortController(),
      );
    const before = { [`${P}clientInfo`]: { name: 'test', version: '1', icons: ICONS } };
    for (const again of [1, 2]) {
      // What has no client info at all is a request of its own.
      await throughFastLane(sent({ [`${P}clientInfo`]: undefined }), endpoint);
      expect(await throughFastLane(sent(before), endpoint), String(again)).not.toBeNull();
      expect(await throughFastLane(sent(before), endpoint), String(again)).not.toBeNull();
      const request = sent({ ...before, [`${P}client${key}`]: value });
      const fast = await throughFastLane(request, endpoint);
      expect(fast === null ? 'sdk' : 'fast', String(again)).toBe(lane);
      expect((await throughSdk(handler(), request)).status === 200 ? 'fast' : 'sdk').toBe(lane);
    }
  });

  it('names the server of each endpoint', async () => {
    const other: Endpoint = { ...endpoint, identity: { name: '/gh/acme/other', version: '0.1.0' } };
    const body = Buffer.from(JSON.stringify(asked('skills/list', {})));
    const request = mcpRequest('POST', headersOf('skills/list'), body, new AbortController());
    for (const asking of [endpoint, other, endpoint])
      expect(bodyOf(await throughFastLane(request, asking))).toContain(`"name":"${asking.identity.name}"`);
  });

  it.each([
    ['list', 'Info', '[', ']'],
    ['record', 'Info', '{"a":', '}'],
    ['list', 'Capabilities', '[', ']'],
    ['record', 'Capabilities', '{"a":', '}'],
  ])('leaves to the SDK a %s in client%s that is too deep to be written', async (_, key, open, close) => {
    const deep = `${open.repeat(50_000)}1${close.repeat(50_000)}`;
    const text = JSON.stringify(modern({}, { _meta: { ...envelope, [`${P}client${key}`]: 'deep' } }));
    const body = Buffer.from(text.replace('"deep"', deep));
    const request = mcpRequest('POST', modernHeaders, body, new AbortController());
    expect(await throughFastLane(request, endpoint)).toBeNull();
  });

  it('does not ask the SDK for who has gone already, which would not hear of it', async () => {
    const gone = new AbortController();
    gone.abort();
    const body = Buffer.from(JSON.stringify(modern()));
    await expect(throughSdk(handler(), mcpRequest('POST', modernHeaders, body, gone))).rejects.toThrow();
  });

  it('leaves to the SDK what has no place in the protocol, whose answers are invalid parameters', async () => {
    for (const [method, params] of [
      [READ, {}],
      ['skills/get', { uri: 5 }],
      ['skills/list', { cursor: 5 }],
      ['resources/list', { cursor: null }],
      [FOLDER, {}],
    ] as const) {
      const body = Buffer.from(JSON.stringify(ask(method, params)));
      const request = mcpRequest('POST', legacyHeaders, body, new AbortController());
      expect([method, bodyOf(await throughSdk(handler(), request))]).toEqual([
        method,
        expect.stringContaining('"code":-32602'),
      ]);
    }
  });
});
