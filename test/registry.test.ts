// The registry with foreign clients, as released, that start it themselves; and what is published, served.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinContent, readContent } from '@skillquay/core/contract/content';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { clients, inspectStdio, type StartedServer, stdioClients } from '../referees/clients.mjs';
import { loadWhole } from '../referees/walk.mjs';
import { repository, type TestRepository } from '../test-support/repository.ts';
import { serve } from './support/serve.ts';

const BIN = fileURLToPath(new URL('../apps/registry/bin/skill-registry-mcp.js', import.meta.url));
const SKILL =
  '---\nname: Auth skill\ndescription: Validates JWT signatures | KMS\n---\n\nRead `resources/example.md`.\n';
const FILES = { 'SKILL.md': SKILL, 'resources/example.md': 'An example, ünï.\r\n' };

const root = mkdtempSync(join(tmpdir(), 'skillquay-registry-clients-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let home: string;
let remote: TestRepository;
let server: StartedServer;
let name: string;
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  remote = repository();
  name = remote.dir.split('/').slice(-2).join('/');
  server = {
    command: process.execPath,
    args: [BIN],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      SKILLS_REGISTRY: `file://${remote.dir}`,
      GIT_CONFIG_NOSYSTEM: '1',
    },
  };
});

describe.each(Object.keys(stdioClients))('%s', (kind) => {
  it('lists, publishes, fetches, and reads every result as the contract prints it', async () => {
    const client = await stdioClients[kind]!.connect(server);
    try {
      expect(await client.tools()).toEqual(['list_skills', 'get_skill', 'publish_skill']);
      expect(client.instructions).toContain(name);
      expect(await client.call('list_skills', {})).toEqual({
        text: `No skills found in ${name}.`,
        isError: false,
      });
      const published = await client.call('publish_skill', { name: 'Auth Skill', files: FILES });
      const commit = remote.git('rev-parse', 'main').slice(0, 7);
      expect(published).toEqual({ text: `Published \`auth-skill\` to ${name}@${commit}.`, isError: false });
      expect(await client.call('publish_skill', { name: 'auth-skill', files: FILES })).toEqual({
        text: `\`auth-skill\` is unchanged at ${name}@${commit}.`,
        isError: false,
      });
      const { text } = await client.call('list_skills', {});
      expect(text.split('\n')).toEqual([
        `Registry: \`${name}\` (1 skill)`,
        '',
        '| slug | name | description |',
        '| --- | --- | --- |',
        '| `auth-skill` | Auth skill | Validates JWT signatures \\| KMS |',
        '',
        expect.stringMatching(/^Use `get_skill\(slug="<slug>"\)` to download a skill\./),
      ]);
      const got = await client.call('get_skill', { slug: 'Auth Skill' });
      expect(got).toEqual({ text: join(home, '.cache/skills-mcp/skills/auth-skill'), isError: false });
      for (const [path, content] of Object.entries(FILES))
        expect(readFileSync(join(got.text, path), 'utf8')).toBe(content);
      expect(await client.call('get_skill', { slug: 'foo' })).toEqual({
        text: `Skill 'foo' not found in ${name}.`,
        isError: false,
      });
      expect(await client.call('publish_skill', { name: 'x' })).toEqual({
        text: 'Pass exactly one of `files` or `local_folder`.',
        isError: true,
      });
    } finally {
      await client.close();
    }
  }, 120_000);
});

it.each(['legacy', 'modern'] as const)('the Inspector finds no fault in the tools, %s era', async (era) => {
  const { code, stdout, stderr } = await inspectStdio(server, era, ['--method', 'tools/list', '--strict']);
  expect(code, stdout + stderr).toBe(0);
  expect(stderr).not.toMatch(/warning|error/i);
});

it('what is published is what `skillquay serve` serves at the address of the registry', async () => {
  const client = await stdioClients['v2 auto']!.connect(server);
  await client.call('publish_skill', { name: 'auth-skill', files: FILES });
  await client.close();
  const served = await serve([remote.dir]);
  const reader = await clients['v2 auto']!.connect(served.mcp);
  try {
    const { text } = await reader.call('load_skill', { path: 'auth-skill/SKILL.md' });
    expect(text).toContain('Read `resources/example.md`.');
    const files = new Map(Object.entries(FILES).map(([path, content]) => [`auth-skill/${path}`, content]));
    const source = (path: string) => Buffer.from(files.get(path) ?? '');
    const loaded = await loadWhole(reader, 'auth-skill/SKILL.md', { readContent, joinContent }, source);
    expect(loaded).toMatchObject({ differing: [], complete: true });
  } finally {
    await reader.close();
    await served.stop();
  }
}, 60_000);
