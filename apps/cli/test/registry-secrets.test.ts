// No command of the registry says a secret or keeps one, whatever comes of it.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitServer, gitServer } from '../../../test-support/git-http.ts';
import { repository } from '../../../test-support/repository.ts';
import { addRegistryCommands } from '../src/registry/command.ts';
import { folder } from './command.ts';
import { registryHome, SKILL } from './registry-command.ts';

const SECRET = 'hush-s3cr3t-9';
const at = registryHome('');
const skill = folder({ 'SKILL.md': SKILL('mine') });
let host: GitServer;
let api: string;
const refusing = createServer((_, response) => response.writeHead(401).end('{"message":"Bad credentials"}'));
beforeAll(async () => {
  host = await gitServer({ 'team/skills': repository({ 'a/SKILL.md': SKILL('a') }).dir });
  host.writable = true;
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  api = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
});
afterAll(async () => {
  refusing.close();
  await host.close();
});

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  search: ['a'],
  get: ['a', '--agent', 'claude'],
  publish: [skill, '--yes'],
  remove: ['a', '--yes'],
  add: [skill, '--yes'],
  sync: [folder({ 'mine/SKILL.md': SKILL('mine') }), '--yes'],
  update: ['--yes'],
};
const COMMANDS = addRegistryCommands(new Command()).commands.map((command) => command.name());

it.each(COMMANDS)(
  '%s',
  async (command) => {
    const args = [command, ...(ARGUMENTS[command] ?? [])];
    const url = (path: string, user = `me:${SECRET}`) => `${host.url.replace('://', `://${user}@`)}/${path}`;
    const runs: { readonly credentials?: string; readonly env: Readonly<Record<string, string>> }[] = [
      { credentials: `me:${SECRET}`, env: { SKILLS_REGISTRY: url('team/skills') } },
      { credentials: 'me:other', env: { SKILLS_REGISTRY: url('team/skills') } },
      { credentials: 'me:other', env: { SKILLS_REGISTRY: url('team/skills', SECRET) } },
      { credentials: 'me:other', env: { SKILLS_REGISTRY: url('team/skills', `${SECRET}:x-oauth-basic`) } },
      { env: { SKILLS_REGISTRY: url('team/gone') } },
      { env: { SKILLS_REGISTRY: `ftp://me:${SECRET}@host/x` } },
      { env: { SKILLS_REGISTRY: 'me/skills', GH_TOKEN: SECRET, GITHUB_API_URL: api } },
    ];
    for (const { credentials, env } of runs) {
      host.credentials = credentials;
      for (const json of [[], ['--json']]) {
        const { text } = await at.start([...args, ...json], env);
        expect(text).not.toContain(SECRET);
      }
    }
  },
  120_000,
);

it('nothing of it is kept', () => {
  const files = readdirSync(at.home, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const { parentPath, name } of files)
    expect(readFileSync(join(parentPath, name)).includes(SECRET), join(parentPath, name)).toBe(false);
});
