// The same endpoint over a pipe: what `skillquay mcp` speaks.
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import pino from 'pino';
import { afterEach, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
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
async function connect() {
  served = await serve({ 'gh/acme/library': library });
  const connected = await served.app.connect('/gh/acme/library', new AbortController().signal);
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
