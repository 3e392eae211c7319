// The skills extension over real repositories: what is listed is what reads return, and nothing else has a URI.
import { createHash } from 'node:crypto';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { repository } from '../../../test-support/repository.ts';
import { serveOverStdio } from '../src/stdio.ts';
import { type Message, type Served, serve } from './support/served.ts';

const skill = (name: string, rest = 'Do it.\n') =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n---\n${rest}`;
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);

const FILES = {
  'SKILLCDN.md':
    '---\nname: Library\ndescription: What the house knows.\nexclude: [secret, docs/internal.md]\n---\nRules of the house.\n',
  'skills/bake/SKILL.md': skill('bake', 'See [the oven](/docs/oven.md).\n'),
  'skills/bake/references/heat.md': '\ufeff# Heat\r\n',
  'skills/bake/assets/loaf.png': PICTURE,
  'skills/bake/data/latin.txt': Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  'skills/bake/knead/SKILL.md': skill('knead'),
  'skills/bake/knead/a b#c.md': 'Odd name.\n',
  'skills/renamed/SKILL.md': skill('other-name'),
  'team/skills/plan/SKILL.md': skill('plan'),
  'docs/oven.md': '# Oven\n',
  'docs/internal.md': '# Internal\n',
  'secret/SKILL.md': skill('secret'),
  'skills/bought/SKILL.md': '---\nname: bought\ndescription: Sold.\nlicense: Proprietary\n---\nSecret.\n',
  'skills/bought/data.md': '# Data\n',
};
const PREFIX = 'skill://gh/acme/library';
const WHOLE = '/gh/acme/library';
const library = repository(FILES);
const rooted = repository({
  'SKILL.md': skill('whole'),
  'references/a.md': '# A\n',
  'nested/part/SKILL.md': skill('part'),
});
const plain = repository({ 'README.md': '# Nothing\n', 'docs/a.md': '# A\n' });

let served: Served;
beforeAll(async () => {
  served = await serve({ 'gh/acme/library': library, 'gh/acme/whole': rooted, 'gh/acme/plain': plain });
});
afterAll(() => served?.stop());

const ENTRY = z.object({
  uri: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })),
});
const RESOURCE = z.object({
  uri: z.string(),
  name: z.string(),
  description: z.string().optional(),
  mimeType: z.string(),
});
const CONTENTS = z.object({
  uri: z.string(),
  mimeType: z.string(),
  text: z.string().optional(),
  blob: z.string().optional(),
});
const RESULT = z.object({
  skills: z.array(ENTRY).default([]),
  skill: ENTRY.optional(),
  resources: z.array(RESOURCE).default([]),
  contents: z.array(CONTENTS).default([]),
});

const ERAS = ['modern', 'legacy'] as const;
type Era = (typeof ERAS)[number];

function ask(era: Era, address: string, method: string, params: object = {}): Promise<Message> {
  return era === 'modern'
    ? served.request(address, method, params)
    : served.requestLegacy(address, method, params);
}

async function resultOf(era: Era, address: string, method: string, params: object = {}) {
  const { result, body } = await ask(era, address, method, params);
  if (result === undefined) throw new Error(body);
  return RESULT.parse(result);
}

async function entries(address: string, era: Era = 'modern') {
  return (await resultOf(era, address, 'skills/list')).skills;
}

async function read(address: string, uri: string, era: Era = 'modern') {
  const [contents] = (await resultOf(era, address, 'resources/read', { uri })).contents;
  if (contents === undefined) throw new Error('no contents');
  const { text, blob } = contents;
  const bytes = text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text);
  return { ...contents, bytes };
}

const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe.each(ERAS)('in the %s era', (era) => {
  it('lists the skills of a mount in path order, whole', async () => {
    const list = await entries(WHOLE, era);
    expect(list.map(({ uri }) => uri)).toEqual([
      `${PREFIX}/skills/bake/SKILL.md`,
      `${PREFIX}/skills/bake/knead/SKILL.md`,
      `${PREFIX}/team/skills/plan/SKILL.md`,
    ]);
    expect(list[0]?.frontmatter).toEqual({ name: 'bake', description: 'What bake is for.' });
    expect(list[0]?.resources.map(({ uri }) => uri)).toEqual(
      [
        'SKILL.md',
        'assets/loaf.png',
        'data/latin.txt',
        'knead/SKILL.md',
        'knead/a%20b%23c.md',
        'references/heat.md',
      ].map((path) => `${PREFIX}/skills/bake/${path}`),
    );
  });

  it('reads of every listed file exactly the bytes that its entry digests', async () => {
    for (const { resources } of await entries(WHOLE, era)) {
      for (const { uri, digest, size } of resources) {
        const file = await read(WHOLE, uri, era);
        expect([file.uri, file.bytes.length, sha256(file.bytes)]).toEqual([uri, size, digest]);
      }
    }
  });

  it('gives one skill as it is listed', async () => {
    for (const entry of await entries(WHOLE, era)) {
      expect((await resultOf(era, WHOLE, 'skills/get', { uri: entry.uri })).skill).toEqual(entry);
    }
  });

  it('lists the SKILL.md of each as a resource, and no templates', async () => {
    const { resources } = await resultOf(era, WHOLE, 'resources/list');
    expect(resources[0]).toEqual({
      uri: `${PREFIX}/skills/bake/SKILL.md`,
      name: 'bake',
      description: 'What bake is for.',
      mimeType: 'text/markdown',
    });
    expect(resources).toHaveLength(3);
    const { result } = await ask(era, WHOLE, 'resources/templates/list');
    expect(result?.resourceTemplates).toEqual([]);
  });

  it('leads from the root through folders to exactly the files that can be read', async () => {
    const found: string[] = [];
    const look = async (uri: string): Promise<void> => {
      const { resources } = await resultOf(era, WHOLE, 'resources/directory/read', { uri });
      for (const child of resources) {
        expect(child.uri.endsWith(`/${encodeURIComponent(child.name)}`)).toBe(true);
        if (child.mimeType === 'inode/directory') await look(child.uri);
        else found.push(child.uri);
      }
    };
    await look(PREFIX);
    for (const uri of found) expect((await read(WHOLE, uri, era)).uri).toBe(uri);
    const paths = found.map((uri) => decodeURIComponent(uri.slice(PREFIX.length + 1))).sort();
    const hidden = /^(docs\/internal\.md|secret\/.*|skills\/bought\/.*)$/;
    expect(paths).toEqual(
      Object.keys(FILES)
        .filter((path) => !hidden.test(path))
        .sort(),
    );
  });

  it('says nothing of how long an answer holds in the earlier era, and all of it in the current one', async () => {
    const uri = `${PREFIX}/skills/bake/SKILL.md`;
    for (const [method, params] of [
      ['skills/list', {}],
      ['skills/get', { uri }],
      ['resources/list', {}],
      ['resources/read', { uri }],
      ['resources/directory/read', { uri: PREFIX }],
    ] as const) {
      for (const [address, least, most] of [
        [WHOLE, 1, 60_000],
        [`${WHOLE}@${library.head}`, 86_400_000, 86_400_000],
      ] as const) {
        const { result = {} } = await ask(era, address, method, params);
        if (era === 'legacy') {
          expect(Object.keys(result)).not.toContain('ttlMs');
          expect(Object.keys(result)).not.toContain('cacheScope');
        } else {
          expect(result.cacheScope).toBe('public');
          expect(result.ttlMs).toBeGreaterThanOrEqual(least);
          expect(result.ttlMs).toBeLessThanOrEqual(most);
        }
      }
    }
  });
});

describe('a read', () => {
  it('of a listed SKILL.md is the assembled document, of another the stored bytes', async () => {
    const { text, mimeType } = await read(WHOLE, `${PREFIX}/skills/bake/SKILL.md`);
    expect(mimeType).toBe('text/markdown');
    expect(text).toContain('--- applicable rules: SKILLCDN.md ---\nRules of the house.\n');
    const unlisted = await read(WHOLE, `${PREFIX}/skills/renamed/SKILL.md`);
    expect(unlisted.text).toBe(FILES['skills/renamed/SKILL.md']);
  });

  it('is text only where nothing is lost by it', async () => {
    expect(await read(WHOLE, `${PREFIX}/skills/bake/references/heat.md`)).toMatchObject({
      mimeType: 'text/markdown',
      text: '\ufeff# Heat\r\n',
    });
    expect(await read(WHOLE, `${PREFIX}/skills/bake/assets/loaf.png`)).toMatchObject({
      mimeType: 'image/png',
      blob: PICTURE.toString('base64'),
    });
    expect(await read(WHOLE, `${PREFIX}/skills/bake/data/latin.txt`)).toMatchObject({
      mimeType: 'text/plain',
      blob: 'Y2Fm6Q==',
    });
  });

  it('takes another spelling of the same characters, and answers with the canonical one', async () => {
    const { uri } = await read(WHOLE, 'skill://gh/Acme/library/skills/%62ake/knead/a b%23c.md');
    expect(uri).toBe(`${PREFIX}/skills/bake/knead/a%20b%23c.md`);
  });
});

describe('a URI that names nothing here', () => {
  const ELSEWHERE = [
    'skill://gh/acme/plain/docs/a.md',
    'skill://gh/acme/unknown/docs/a.md',
    'skill://gl/acme/library/docs/oven.md',
    'skill://GH/acme/library/docs/oven.md',
    'skill://gh/acme/library@main/docs/oven.md',
    'https://gh/acme/library/docs/oven.md',
    'skill://mcp-conformance-nonexistent-skill-9f3a2b/SKILL.md',
  ];
  const CLIMBING = [
    '/skills/../docs/oven.md',
    '/skills/%2e%2e/docs/oven.md',
    '/skills/.%2E/docs/oven.md',
    '/docs%2Foven.md',
    '/docs%5Coven.md',
    '/docs\\oven.md',
    '//docs/oven.md',
    '/docs/oven.md?a',
    '/docs/oven.md#a',
    '/../library/docs/oven.md',
    '/../plain/docs/a.md',
  ].map((path) => PREFIX + path);
  const ABSENT = [
    '/gone/SKILL.md',
    '/secret/SKILL.md',
    '/secret',
    '/docs/internal.md',
    '/.git/config',
    '/skills/bought',
    '/skills/bought/SKILL.md',
    '/skills/bought/data.md',
  ].map((path) => PREFIX + path);
  const NO_SKILL = ['/skills/renamed/SKILL.md', '/docs/oven.md', '/skills/bake'].map((path) => PREFIX + path);
  const NO_FILE = [PREFIX, `${PREFIX}/skills/bake`];
  const NO_FOLDER = [`${PREFIX}/docs/oven.md`, `${PREFIX}/docs/`, `${PREFIX}/skills/bake/SKILL.md`];

  it.each(ERAS)('gets one and the same answer, %s era', async (era) => {
    const all = [...ELSEWHERE, ...CLIMBING, ...ABSENT];
    const seen = new Set<string>();
    for (const [method, uris] of [
      ['skills/get', [...all, ...NO_SKILL]],
      ['resources/read', [...all, ...NO_FILE]],
      ['resources/directory/read', [...all, ...NO_FOLDER]],
    ] as const) {
      for (const uri of uris) {
        const { body, error, status } = await ask(era, WHOLE, method, { uri });
        expect([method, uri, error?.code, status]).toEqual([method, uri, -32602, 200]);
        seen.add(body.replace(JSON.stringify(uri), '<URI>'));
      }
    }
    expect([...seen]).toEqual([expect.stringContaining('"data":{"uri":<URI>}')]);
  });

  it('is one outside the mount, too, whatever it names elsewhere', async () => {
    const mount = `${WHOLE}/team`;
    expect((await entries(mount)).map(({ uri }) => uri)).toEqual([`${PREFIX}/team/skills/plan/SKILL.md`]);
    const seen = new Set<string>();
    for (const path of ['/docs/oven.md', '/skills/bake/SKILL.md', '/SKILLCDN.md', '/docs', '/gone', '']) {
      const uri = PREFIX + path;
      for (const method of ['skills/get', 'resources/read', 'resources/directory/read']) {
        const { body, error } = await served.request(mount, method, { uri });
        expect([method, uri, error?.code]).toEqual([method, uri, -32602]);
        seen.add(body.replace(JSON.stringify(uri), '<URI>'));
      }
    }
    expect(seen.size).toBe(1);
    const { text } = await read(mount, `${PREFIX}/team/skills/plan/SKILL.md`);
    expect(text).toContain('Rules of the house.');
  });
});

describe('a skill at the root', () => {
  const address = '/gh/acme/whole';
  const prefix = 'skill://gh/acme/whole';

  it('gives its name to the URI of every file of the repository', async () => {
    const list = await entries(address);
    expect(list.map(({ uri }) => uri)).toEqual([
      `${prefix}/whole/SKILL.md`,
      `${prefix}/whole/nested/part/SKILL.md`,
    ]);
    for (const { uri, digest } of list[0]?.resources ?? []) {
      expect(sha256((await read(address, uri)).bytes)).toBe(digest);
    }
    expect((await served.request(address, 'resources/read', { uri: `${prefix}/SKILL.md` })).error?.code).toBe(
      -32602,
    );
    const { resources } = await resultOf('modern', address, 'resources/directory/read', {
      uri: `${prefix}/whole`,
    });
    expect(resources.map(({ name }) => name)).toEqual(['nested', 'references', 'SKILL.md']);
  });

  it('does so on every mount of it', async () => {
    const list = await entries(`${address}/nested`);
    expect(list.map(({ uri }) => uri)).toEqual([`${prefix}/whole/nested/part/SKILL.md`]);
    expect((await read(`${address}/nested`, `${prefix}/whole/nested/part/SKILL.md`)).text).toContain(
      'Do it.',
    );
  });
});

it('a repository without skills lists none', async () => {
  expect(await entries('/gh/acme/plain')).toEqual([]);
  const { resources } = await resultOf('modern', '/gh/acme/plain', 'resources/list');
  expect(resources).toEqual([]);
});

it('the instructions name the prefix of the URIs', async () => {
  for (const [address, prefix] of [
    [WHOLE, PREFIX],
    [`${WHOLE}/team`, PREFIX],
    ['/gh/acme/whole', 'skill://gh/acme/whole/whole'],
  ] as const) {
    const { result } = await served.request(address, 'server/discover');
    expect(result?.instructions).toContain(`${prefix}/<path>`);
  }
});

it('a cursor of a commit that was left behind says to start again', async () => {
  const many = repository(
    Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`skills/s-${at}/SKILL.md`, skill(`s-${at}`)])),
  );
  const own = await serve({ 'gh/acme/many': many });
  try {
    for (const method of ['skills/list', 'resources/list']) {
      const { result } = await own.request('/gh/acme/many', method);
      const cursor = result?.nextCursor;
      expect((await own.request('/gh/acme/many', method, { cursor })).result).toBeDefined();
      many.commit({ [`skills/new-${method.length}/SKILL.md`]: skill(`new-${method.length}`) });
      const { error } = await own.request('/gh/acme/many', method, { cursor });
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('start again') });
    }
  } finally {
    await own.stop();
  }
});

it('uncommitted work is nobody else’s and may be kept by no one', async () => {
  const own = await serve(
    { 'gh/acme/library': library },
    { resolved: (resolution) => ({ ...resolution, worktree: true, scope: 'private' }) },
  );
  try {
    const response = await fetch(own.origin + WHOLE, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'skills/list',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'skills/list',
        params: {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
    const { result } = JSON.parse(await response.text());
    expect(result).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  } finally {
    await own.stop();
  }
});

it('over stdio the same skills are served, and follow the branch', async () => {
  const moving = repository({ 'skills/a/SKILL.md': skill('a') });
  const own = await serve({ 'gh/acme/moving': moving });
  try {
    const connected = await own.app.connect('/gh/acme/moving', new AbortController());
    if (!connected.ok) throw new Error(connected.failure.message);
    const [client, server] = InMemoryTransport.createLinkedPair();
    const received: JSONRPCMessage[] = [];
    client.onmessage = (message) => received.push(message);
    await client.start();
    const options = { endpoint: connected.endpoint, log: pino({ level: 'silent' }), transport: server };
    serveOverStdio(options, () => {});
    const exchange = async (id: number, method: string, params: object = {}) => {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      await client.send({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
      await expect.poll(() => received.length, { timeout: 10_000 }).toBe(id);
      return JSON.stringify(received[id - 1]);
    };
    expect(await exchange(1, 'skills/list')).toContain('skill://gh/acme/moving/skills/a/SKILL.md');
    moving.commit({ 'skills/b/SKILL.md': skill('b') });
    expect(await exchange(2, 'skills/list')).toContain('skill://gh/acme/moving/skills/b/SKILL.md');
    const uri = 'skill://gh/acme/moving/skills/b/SKILL.md';
    expect(await exchange(3, 'resources/read', { uri })).toContain('Do it.');
    expect(await exchange(4, 'resources/read', { uri: 'skill://x' })).toContain('-32602');
    await client.close();
  } finally {
    await own.stop();
  }
});
