// Copies of a registry on GitHub, which says less of its branches and brings each file on its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GithubRepository } from '../../../test-support/github-repository.ts';
import { type GithubServer, githubServer } from '../../../test-support/github-server.ts';
import { type RegistryHome, registryHome, SKILL } from './registry-command.ts';

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

let remote: GithubRepository;
let host: GithubServer;
let at: RegistryHome;
beforeEach(async () => {
  remote = new GithubRepository({ 'a/SKILL.md': SKILL('a'), 'b/SKILL.md': SKILL('b') });
  host = await githubServer({ 'acme/skills': remote }, TOKEN);
  at = registryHome('acme/skills');
});
afterEach(() => host.close());

async function json(args: readonly string[], registry = 'acme/skills') {
  const env = { GH_TOKEN: TOKEN, GITHUB_API_URL: host.url, SKILLS_REGISTRY: registry };
  const { code, text } = await at.start([...args, '--json'], env);
  return { code, data: JSON.parse(text) };
}
const copy = (slug: string, agent = '.claude') =>
  readFileSync(join(at.home, agent, 'skills', slug, 'SKILL.md'), 'utf8');

it('a skill that does not come whole keeps no other from being updated', async () => {
  await json(['get', 'a', 'b', '--agent', 'claude,codex']);
  remote.put({ 'a/more.md': 'more', 'b/SKILL.md': SKILL('b', 'New') });
  const broken = remote.blob(Buffer.from('more'));
  host.script = ({ line }) =>
    line.endsWith(`/git/blobs/${broken}`) ? { body: { content: 'b3RoZXI=', encoding: 'base64' } } : undefined;
  const { code, data } = await json(['update', '--yes']);
  expect([code, data.copies]).toMatchObject([
    65,
    [
      { slug: 'a', state: 'blocked', error: { code: 'bad_data' } },
      { slug: 'b', state: 'updated' },
      { slug: 'a', state: 'blocked', error: { code: 'bad_data' } },
      { slug: 'b', state: 'updated' },
    ],
  ]);
  expect(data.error.message).toBe(data.copies[0].error.message);
  expect(copy('b')).toContain('New');
});

it('a copy of a named branch is no copy of the default one, unless that is its name', async () => {
  remote.put({ 'a/SKILL.md': SKILL('a') }, 'dev');
  await json(['get', 'a', '--agent', 'claude'], 'acme/skills@dev');
  await json(['get', 'b', '--agent', 'claude'], 'acme/skills@main');
  remote.put({ 'a/SKILL.md': SKILL('a', 'New'), 'b/SKILL.md': SKILL('b', 'New') });
  const copies = [{ slug: 'b', state: 'behind' }];
  expect((await json(['status'])).data).toMatchObject({ copies, others: 1 });
  expect((await json(['update', '--yes'])).data.copies).toMatchObject([{ slug: 'b', state: 'updated' }]);
  expect(copy('a')).toBe(SKILL('a'));
});
