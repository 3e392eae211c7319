import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GithubRepository } from '../../../test-support/github-repository.ts';
import { type GithubServer, githubServer } from '../../../test-support/github-server.ts';
import { openBackend } from './backends.ts';
import { parseRegistry } from './registry-name.ts';

const CANARY = 'ghp_canary0123456789';
const signal = new AbortController().signal;
let cacheRoot: string;
let server: GithubServer;
beforeEach(async () => {
  cacheRoot = mkdtempSync(join(tmpdir(), 'skillquay-backends-'));
  server = await githubServer({}, CANARY);
});
afterEach(async () => {
  rmSync(cacheRoot, { recursive: true, force: true });
  await server.close();
});

const open = (name: string, env: Record<string, string> = { GH_TOKEN: CANARY }) =>
  openBackend(
    { name: parseRegistry(name), cacheRoot },
    { signal, env: { GITHUB_API_URL: server.url, PATH: cacheRoot, ...env } },
  );

it('a git URL needs no credential of ours, and its repository is not ours to make', async () => {
  expect(await open('file:///srv/me/skills.git', {})).toMatchObject({
    backend: { name: 'me/skills' },
    host: null,
    credential: null,
    create: null,
  });
});

it('on GitHub it is said where the token is from, and nothing is asked yet', async () => {
  const { credential, host } = await open('me/skills');
  expect([credential, host]).toEqual(['GH_TOKEN', new URL(server.url).host]);
  expect(server.requests).toEqual([]);
});

describe('a repository is made', () => {
  const make = async (name: string, account: string | null, isPublic = false) => {
    const { create } = await open(name);
    await create?.({ account, isPublic }, { signal });
    return server.requests.map(({ line, body }) => [line, body.name, body.private]);
  };
  beforeEach(() => {
    server.script = ({ line }) => (line.startsWith('POST ') ? { status: 201, body: {} } : undefined);
  });

  it('for the owner of the token, private', async () => {
    expect(await make('Octo/skills', 'octo')).toEqual([['POST /user/repos', 'skills', true]]);
  });

  it('for an organization, and public when it is to be', async () => {
    expect(await make('acme/skills', 'octo', true)).toEqual([['POST /orgs/acme/repos', 'skills', false]]);
  });

  it('once, though the answer to that was lost', async () => {
    const repositories: Record<string, GithubRepository> = {};
    await server.close();
    server = await githubServer(repositories, CANARY);
    let asked = 0;
    server.script = ({ line }) => {
      if (!line.startsWith('POST ')) return undefined;
      repositories['octo/skills'] ??= new GithubRepository();
      asked += 1;
      return asked === 1 ? 'drop' : { status: 422, body: { message: 'name already exists on this account' } };
    };
    await make('octo/skills', 'octo');
    repositories['octo/skills']?.put({ x: '' });
    await expect(make('octo/skills', 'octo')).rejects.toMatchObject({ code: 'denied' });
    expect(asked).toBe(3);
  });

  it.each([
    [403, 'Resource not accessible by personal access token', /not accessible[^.]*\. Create it on the host/],
    [404, 'Not Found', /no organization `acme` that octo may create repositories in/],
    [422, 'name already exists on this account', /already exists/],
  ])('or it is said why not: %i', async (status, message, said) => {
    server.script = ({ line }) => ({ status: line.startsWith('POST ') ? status : 404, body: { message } });
    await expect(make('acme/skills', 'octo')).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringMatching(said),
    });
  });
});
