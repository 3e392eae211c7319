// The same endpoint over a pipe: what `skillquay mcp` speaks.
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import type { Endpoint } from '../src/endpoint.ts';
import { serveOverStdio } from '../src/stdio.ts';
import { type Served, serve } from './support/served.ts';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const library = repository({ 'skills/a/SKILL.md': '---\nname: a\ndescription: The first letter\n---\nA.\n' });
let served: Served | undefined;
afterEach(() => served?.stop());

/** A client's end of the pipe: sends a message, and gives what came until a given number of messages is there. */
async function connect({ waitMs = 0 } = {}) {
  served = await serve({ 'gh/acme/library': library });
  await served.app.prepare('/gh/acme/library', waitMs, new AbortController());
  const connected = await served.app.connect('/gh/acme/library', new AbortController());
  if (!connected.ok) throw new Error(connected.failure.message);
  const [client, server] = InMemoryTransport.createLinkedPair();
  const received: Record<string, unknown>[] = [];
  client.onmessage = (message) => received.push({ ...message });
  await client.start();
  let ended = false;
  serveOverStdio({ endpoint: connected.endpoint, log: pino({ level: 'silent' }), transport: server }, () => {
    ended = true;
  });
  return {
    async exchange(message: JSONRPCMessage, count = 1): Promise<Record<string, unknown>[]> {
      const from = received.length;
      await client.send(message);
      await expect.poll(() => received.length - from, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
      return received.slice(from);
    },
    close: () => client.close(),
    ended: () => ended,
  };
}

const call = (id: number, meta: object = {}): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'search_repo', arguments: { query: 'letter' }, ...meta },
});

it('serves a client of the earlier era after its handshake', async () => {
  const client = await connect();
  const [hello] = await client.exchange({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  expect(hello?.result).toMatchObject({
    protocolVersion: '2025-06-18',
    serverInfo: { name: '/gh/acme/library' },
  });
  expect(JSON.stringify(hello)).not.toContain('websiteUrl');
  const [answer] = await client.exchange(call(2));
  expect(JSON.stringify(answer)).toContain('skills/a/SKILL.md');
  await client.close();
  await expect.poll(client.ended).toBe(true);
});

it('serves a client of the current era, and follows the branch between calls', async () => {
  const client = await connect();
  await client.exchange(call(1, { _meta: ENVELOPE }));
  library.commit({ 'skills/b/SKILL.md': '---\nname: b\ndescription: The second letter\n---\nB.\n' });
  const [answer] = await client.exchange(call(2, { _meta: ENVELOPE }));
  expect(JSON.stringify(answer)).toContain('skills/b/SKILL.md');
});

it('acknowledges a subscription with nothing honored, ends it at once and forgets it', async () => {
  const client = await connect();
  const listen: JSONRPCMessage = {
    jsonrpc: '2.0',
    id: 'sub',
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true }, _meta: ENVELOPE },
  };
  for (let round = 0; round < 3; round += 1) {
    const [acknowledged, completed] = await client.exchange(listen, 2);
    expect(acknowledged).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {} },
    });
    expect(completed).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
  }
  const [answer] = await client.exchange(call(1, { _meta: ENVELOPE }));
  expect(answer).toMatchObject({ id: 1, result: { resultType: 'complete' } });
});

it('takes a call that its client gave up for no failure of its own', async () => {
  served = await serve({ 'gh/acme/library': library });
  const connected = await served.app.connect('/gh/acme/library', new AbortController());
  if (!connected.ok) throw new Error(connected.failure.message);
  const { endpoint } = connected;
  let asked = 0;
  let given = 0;
  const waiting: Endpoint = {
    identity: endpoint.identity,
    cache: endpoint.cache,
    info: () => endpoint.info(),
    instructions: () => endpoint.instructions(),
    prompt: (name, args, caller) => endpoint.prompt(name, args, caller),
    resources: (request, caller) => endpoint.resources(request, caller),
    call: (_tool, _args, { signal }) => {
      asked += 1;
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          given += 1;
          reject(signal.reason);
        });
      });
    },
  };
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) });
  const [client, server] = InMemoryTransport.createLinkedPair();
  await client.start();
  serveOverStdio({ endpoint: waiting, log, transport: server }, () => {});
  await client.send(call(1, { _meta: ENVELOPE }));
  await expect.poll(() => asked).toBe(1);
  await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await expect.poll(() => given).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  await client.close();
  expect(lines).toEqual([]);
});

it('says of its introduction how long that holds from now on, however old the connection is', async () => {
  const client = await connect({ waitMs: 10_000 });
  const discover = async (id: number) => {
    const params = { _meta: ENVELOPE };
    const [reply] = await client.exchange({ jsonrpc: '2.0', id, method: 'server/discover', params });
    return Number(Object(reply?.result).ttlMs);
  };
  const first = await discover(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await discover(2)).toBeLessThan(first);
  await client.close();
});
