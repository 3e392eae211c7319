// The server as a client sees it, over a registry in memory.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { RegistryError } from '@skillquay/registry/errors';
import { openCaches, openRegistry } from '@skillquay/registry/registry';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Given, MemoryBackend } from '../../../packages/registry/test/memory-backend.ts';
import manifest from '../package.json' with { type: 'json' };
import { serveRegistry } from '../src/server.ts';

const SKILL = '---\nname: Auth skill\ndescription: Validates JWT signatures | KMS\n---\nBody\n';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const root = mkdtempSync(join(tmpdir(), 'skillquay-registry-mcp-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let number = 0;
beforeEach(() => {
  number += 1;
});

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly progress: number; readonly message: string; readonly progressToken: unknown };
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client's end of the pipe. */
async function connect(files: Given | 'empty' | 'missing' = { 'auth-skill/SKILL.md': SKILL }) {
  const backend = new MemoryBackend(files);
  const registry = openRegistry({
    backend,
    caches: openCaches(join(root, String(number))),
    limits: { maxFileBytes: 1_000 },
    wait: async () => {},
  });
  const faults: unknown[] = [];
  const [client, server] = InMemoryTransport.createLinkedPair();
  const received: Answer[] = [];
  client.onmessage = (message) => received.push(message as Answer);
  await client.start();
  const serving = serveRegistry({ registry, onFault: (error) => faults.push(error), transport: server });
  let ids = 0;
  const send = async (method: string, params: object = {}): Promise<number> => {
    ids += 1;
    const message = { jsonrpc: '2.0', id: ids, method, params } as JSONRPCMessage;
    await client.send(message);
    return ids;
  };
  const answerTo = async (id: number): Promise<Answer> => {
    await expect.poll(() => received.find((message) => message.id === id)).toBeDefined();
    const [found] = received.filter((message) => message.id === id);
    if (found === undefined) throw new Error('no answer');
    return found;
  };
  return {
    backend,
    faults,
    received,
    serving,
    client,
    send,
    answerTo,
    ask: async (method: string, params: object = {}) =>
      answerTo(await send(method, { ...params, _meta: { ...ENVELOPE } })),
    call: async (name: string, args: object = {}, meta: object = {}) => {
      const { result } = await answerTo(
        await send('tools/call', { name, arguments: args, _meta: { ...ENVELOPE, ...meta } }),
      );
      return result ?? {};
    },
  };
}

const text = (result: Record<string, unknown>) => {
  const content = result.content as { type: string; text: string }[];
  expect(content).toHaveLength(1);
  expect(content[0]?.type).toBe('text');
  return content[0]?.text;
};

describe('what a client is told', () => {
  it('has the three tools with the annotations and tags of the contract', async () => {
    const { ask } = await connect();
    const { result } = await ask('tools/list');
    const tools = result?.tools as Record<string, unknown>[];
    const reads = { readOnlyHint: true, openWorldHint: true };
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['list_skills', reads],
      ['get_skill', reads],
      ['publish_skill', { destructiveHint: true, openWorldHint: true }],
    ]);
    for (const { _meta } of tools) expect(_meta).toEqual({ fastmcp: { tags: ['skills', 'registry'] } });
  });

  it('names the server, its version and the registry in the earlier era', async () => {
    const { send, answerTo } = await connect();
    const { result } = await answerTo(
      await send('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
    );
    expect(result).toMatchObject({
      protocolVersion: '2025-06-18',
      serverInfo: { name: 'skill-registry', version: manifest.version },
      instructions: expect.stringMatching(/o\/r[\s\S]*list_skills[\s\S]*get_skill[\s\S]*publish_skill/),
    });
    const { result: listed } = await answerTo(await send('tools/call', { name: 'list_skills' }));
    expect(text(listed ?? {})).toContain('| `auth-skill` | Auth skill |');
  });

  it('names them in the current era as well', async () => {
    const { ask } = await connect();
    const { result } = await ask('server/discover');
    expect(JSON.stringify(result)).toContain('"skill-registry"');
    expect(result?.instructions).toContain('o/r');
  });
});

describe('results are one text block', () => {
  it('lists, with cells escaped', async () => {
    const { call } = await connect();
    expect(text(await call('list_skills'))).toBe(
      [
        'Registry: `o/r` (1 skill)',
        '',
        '| slug | name | description |',
        '| --- | --- | --- |',
        '| `auth-skill` | Auth skill | Validates JWT signatures \\| KMS |',
        '',
        'Use `get_skill(slug="<slug>")` to download a skill. Then read its `SKILL.md` first, and after that only the files it names.',
      ].join('\n'),
    );
  });

  it.each(['empty', 'missing'] as const)(
    'says that a registry which is %s has none, as no error',
    async (state) => {
      const { call } = await connect(state);
      const result = await call('list_skills');
      expect(text(result)).toBe('No skills found in o/r.');
      expect(result.isError).toBeUndefined();
    },
  );

  it('answers with the path of the folder and nothing else', async () => {
    const { call } = await connect();
    const result = await call('get_skill', { slug: 'Auth Skill' });
    const path = text(result) ?? '';
    expect(path).toBe(join(root, String(number), 'skills', 'auth-skill'));
    expect(readFileSync(join(path, 'SKILL.md'), 'utf8')).toBe(SKILL);
  });

  it('puts notes about what could not be brought beside the path', async () => {
    const { call } = await connect({
      'a/SKILL.md': SKILL,
      'a/out': { mode: '120000', bytes: Buffer.from('../../etc/passwd') },
    });
    const result = await call('get_skill', { slug: 'a' });
    expect(text(result)).toMatch(/\/a$/);
    expect(result._meta).toMatchObject({ 'skillquay/notes': [expect.stringContaining('out')] });
  });

  it('does not take a miss for an error', async () => {
    const { call } = await connect();
    const result = await call('get_skill', { slug: 'foo' });
    expect(text(result)).toBe("Skill 'foo' not found in o/r.");
    expect(result.isError).toBeUndefined();
  });

  it('publishes, and says when nothing has changed', async () => {
    const { call, backend } = await connect('empty');
    const files = { 'SKILL.md': SKILL, 'resources/example.md': 'x' };
    const published = text(await call('publish_skill', { name: 'Auth Skill', files }));
    const short = backend.commitId.slice(0, 7);
    expect(published).toBe(
      `Published \`auth-skill\` to o/r@${short}. View: https://git.example.com/o/r/tree/${short}/auth-skill`,
    );
    expect(text(await call('publish_skill', { name: 'Auth Skill', files, local_folder: null }))).toBe(
      `\`auth-skill\` is unchanged at o/r@${short}.`,
    );
  });
});

describe('refusals are error results with the reason', () => {
  it.each([
    ['list_skills', { all: true }, '`list_skills` has no argument "all". It takes no arguments.'],
    ['get_skill', {}, '`get_skill` needs the argument `slug`, a text.'],
    ['get_skill', { slug: 3 }, 'The argument `slug` of `get_skill` is a text.'],
    ['publish_skill', { name: 'a' }, 'Pass exactly one of `files` or `local_folder`.'],
    [
      'publish_skill',
      { name: 'a', files: { a: 1 }, local_folder: '/x' },
      'Pass exactly one of `files` or `local_folder`.',
    ],
    [
      'publish_skill',
      { name: 'a', files: { 'b.md': '', 'a.md': '' } },
      'Skill must contain a top-level SKILL.md. Got: a.md, b.md.',
    ],
    [
      'publish_skill',
      { name: 'a', files: {}, local_folder: '' },
      'Skill must contain a top-level SKILL.md. Got: no files.',
    ],
    ['publish_skill', { name: 'a', files: { a: 1 } }, 'The text of "a" in `files` is no text.'],
    [
      'publish_skill',
      { name: 'a', files: { 'SKILL.md': 'x'.repeat(1_001) } },
      "File 'SKILL.md' is 1001 bytes; limit is 1000 (override with SKILLS_MAX_FILE_BYTES).",
    ],
  ])('%s %o', async (tool, args, message) => {
    const { call, backend } = await connect();
    const result = await call(tool, args);
    expect([text(result), result.isError]).toEqual([message, true]);
    expect(backend.calls.commit).toBe(0);
  });

  it('names the conflict by the name that clients know', async () => {
    const { call, backend } = await connect();
    backend.beforeCommit = () => backend.put({ 'other/SKILL.md': SKILL });
    const result = await call('publish_skill', { name: 'x', files: { 'SKILL.md': SKILL } });
    expect(text(result)).toMatch(/^RegistryConflictError: Others changed o\/r at the same time/);
    expect(result.isError).toBe(true);
    expect(backend.calls.commit).toBe(3);
  });

  it('gives the reason of the host', async () => {
    const { call, backend, faults } = await connect();
    backend.list = async () => {
      throw new RegistryError('unreachable', 'git.example.com does not answer.');
    };
    const result = await call('list_skills');
    expect([text(result), result.isError]).toEqual(['git.example.com does not answer.', true]);
    expect(faults).toEqual([]);
  });

  it('keeps what should not happen to itself', async () => {
    const { call, backend, faults } = await connect();
    backend.list = async () => {
      throw new Error('secret at /home/me');
    };
    const result = await call('list_skills');
    expect(text(result)).not.toContain('secret');
    expect(result.isError).toBe(true);
    expect(faults).toHaveLength(1);
  });

  it('has no fourth tool', async () => {
    const { ask } = await connect();
    const { error } = await ask('tools/call', { name: 'remove_skill', arguments: {} });
    expect(error?.code).toBe(-32602);
  });
});

describe('progress', () => {
  it('is told to a client that asked for it, step by step', async () => {
    const { call, received } = await connect();
    await call('get_skill', { slug: 'auth-skill' }, { progressToken: 'p' });
    const told = received.filter(({ method }) => method === 'notifications/progress');
    expect(told.map(({ params }) => [params?.progressToken, params?.progress, params?.message])).toEqual([
      ['p', 1, 'Looking at o/r'],
      ['p', 2, 'Bringing 1 file'],
    ]);
  });

  it('names the wait of a host', async () => {
    const { call, received, backend } = await connect();
    const list = backend.list.bind(backend);
    backend.list = async (options?: { onWait?: (seconds: number, why: string) => void }) => {
      options?.onWait?.(11.2, 'the host limits requests');
      return list();
    };
    await call('list_skills', {}, { progressToken: 7 });
    expect(received.map(({ params }) => params?.message)).toContain('Waiting 12 s: the host limits requests');
  });

  it('is not sent to anybody else', async () => {
    const { call, received } = await connect();
    await call('get_skill', { slug: 'auth-skill' });
    expect(received.filter(({ method }) => method === 'notifications/progress')).toEqual([]);
  });
});

it('a call that is cancelled stops, and is no fault', async () => {
  const { send, client, backend, faults, call } = await connect();
  let stopped = false;
  let asked = false;
  const list = backend.list.bind(backend);
  backend.list = (options?: { signal: AbortSignal }) => {
    asked = true;
    return new Promise((_, reject) => {
      options?.signal.addEventListener('abort', () => {
        stopped = true;
        reject(options.signal.reason);
      });
    });
  };
  const id = await send('tools/call', { name: 'list_skills', arguments: {}, _meta: ENVELOPE });
  await expect.poll(() => asked).toBe(true);
  await client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  await expect.poll(() => stopped).toBe(true);
  backend.list = list;
  expect(text(await call('list_skills'))).toContain('Registry:');
  expect(faults).toEqual([]);
});

it('ends when its client does, after what is under way', async () => {
  const { serving, client, send, backend } = await connect();
  let over = false;
  let began = false;
  backend.list = (options?: { signal: AbortSignal }) => {
    began = true;
    return new Promise((_, reject) => {
      options?.signal.addEventListener('abort', () =>
        setTimeout(() => {
          over = true;
          reject(options.signal.reason);
        }, 20),
      );
    });
  };
  await send('tools/call', { name: 'list_skills', arguments: {}, _meta: ENVELOPE });
  await expect.poll(() => began).toBe(true);
  await client.close();
  await serving.ended;
  expect(over).toBe(true);
});

it('ends a subscription at once', async () => {
  const { send, received } = await connect();
  const id = await send('subscriptions/listen', {
    notifications: { toolsListChanged: true },
    _meta: ENVELOPE,
  });
  await expect
    .poll(() => received.find((message) => message.id === id))
    .toMatchObject({
      result: { resultType: 'complete' },
    });
});
