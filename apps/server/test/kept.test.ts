// Requests one after the other for the same address: what is kept between them belongs to each of them.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { type Served, serve } from './support/served.ts';

const ADDRESS = '/gh/acme/library';
const skill = (name: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\nlicense: MIT\n---\n\nDo it.\n`;

let repo: TestRepository;
let served: Served;

beforeEach(async () => {
  repo = repository({ 'one/SKILL.md': skill('one'), 'docs/two/SKILL.md': skill('two') });
  served = await serve({ 'gh/acme/library': repo });
  // The first asks the host and reads the index; what comes after need not.
  await served.call(ADDRESS, 'browse_repo');
});
afterEach(() => served.stop());

async function namesAt(address: string): Promise<string[]> {
  const { result } = await served.request(address, 'skills/list');
  const skills = result?.skills as { frontmatter: { name: string } }[];
  return skills.map(({ frontmatter }) => frontmatter.name);
}

/** The page that a server asked for by a name says it has. */
function pageBy(host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    const headers = {
      host: `${host}:${new URL(served.origin).port}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    request(served.origin + ADDRESS, { method: 'POST', headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(/"websiteUrl":"([^"]*)"/.exec(text)?.[1] ?? text);
    })
      .on('error', reject)
      .end(body);
  });
}

test('each name of the server has its own page', async () => {
  const { port } = new URL(served.origin);
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.1', 'localhost'])
    expect(await pageBy(host)).toBe(`http://${host}:${port}${ADDRESS}`);
});

test('each folder has its own skills and its own name', async () => {
  for (const _ of [1, 2]) {
    expect(await namesAt(ADDRESS)).toEqual(['two', 'one']);
    expect(await namesAt(`${ADDRESS}/docs`)).toEqual(['two']);
    for (const address of [ADDRESS, `${ADDRESS}/docs`]) {
      const { result } = await served.request(address, 'skills/list');
      expect(result?._meta).toMatchObject({ 'io.modelcontextprotocol/serverInfo': { name: address } });
    }
  }
});

test('what remains of the life of a ref becomes less from request to request', async () => {
  const ttl = async () => Number((await served.request(ADDRESS, 'skills/list')).result?.ttlMs);
  const first = await ttl();
  await sleep(20);
  const second = await ttl();
  expect(second).toBeLessThanOrEqual(first - 15);
  expect(second).toBeGreaterThan(0);
});

test('a life that is over begins anew with what the host says then, though the commit is the same', async () => {
  let scope: 'public' | 'private' = 'public';
  const short = await serve(
    { 'gh/acme/library': repo },
    { resolved: (resolution) => ({ ...resolution, expiresAt: Date.now() + 300, scope }) },
  );
  try {
    const life = async () => (await short.request(ADDRESS, 'skills/list')).result;
    await short.call(ADDRESS, 'browse_repo');
    expect(await life()).toMatchObject({ cacheScope: 'public' });
    scope = 'private';
    await sleep(310);
    await short.call(ADDRESS, 'browse_repo');
    const next = await life();
    expect(next).toMatchObject({ cacheScope: 'private' });
    expect(next?.ttlMs).toBeGreaterThan(0);
  } finally {
    await short.stop();
  }
});

test('a commit is served as soon as the host knows it', async () => {
  expect(await namesAt(ADDRESS)).toEqual(['two', 'one']);
  repo.commit({ 'three/SKILL.md': skill('three'), 'one/SKILL.md': null });
  await served.call(ADDRESS, 'browse_repo');
  expect(await namesAt(ADDRESS)).toEqual(['two', 'three']);
  expect(await namesAt(ADDRESS)).toEqual(['two', 'three']);
});
