import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import { userRemote } from '@skillquay/git/user-remote';
import { expect, test } from 'vitest';
import { webTransport } from './lib/transport.ts';
import { type SourceOptions, sourceFrom } from './sources.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'skillquay-sources-')));
mkdirSync(join(cwd, 'octo/recipes.git'), { recursive: true });
mkdirSync(join(cwd, 'octo/a b@c:d'), { recursive: true });
writeFileSync(join(cwd, 'file'), '');

async function read(argument: string, options: Partial<SourceOptions> = {}): Promise<string> {
  const result = await sourceFrom(argument, { cwd, ...options });
  if (!result.ok) return result.message;
  const { source } = result;
  return `${source.kind} ${formatAddress(source.address)}`;
}

test.each([
  ['octo/recipes.git', 'path /local/octo/recipes'],
  ['./octo/recipes.git/', 'path /local/octo/recipes'],
  ['octo/a b@c:d', 'path /local/octo/a-b-c-d'],
  ['/gh/Octo/Recipes', 'address /gh/octo/recipes'],
  ['/gh/octo/recipes@v3/baking', 'address /gh/octo/recipes@v3/baking'],
  ['https://github.com/octo/recipes', 'git /gh/octo/recipes'],
  ['git@github.com:octo/recipes.git', 'git /gh/octo/recipes'],
  ['github.com:octo/recipes.git', 'git /gh/octo/recipes'],
  ['https://git.example.com/team/recipes.git', 'git /local/team/recipes'],
  ['ssh://git@git.example.com:2222/team/recipes', 'git /local/team/recipes'],
  ['file:///srv/team/recipes.git', 'git /local/team/recipes'],
])('%s is %s', async (argument, expected) => {
  expect(await read(argument)).toBe(expected);
});

test('the current folder is a path', async () => {
  expect(await read('.', { cwd: join(cwd, 'octo/recipes.git') })).toBe('path /local/octo/recipes');
});

test('--as names it, --ref chooses what is served', async () => {
  expect(await read('octo/recipes.git', { as: 'me/mine' })).toBe('path /local/me/mine');
  expect(await read('https://github.com/octo/recipes', { as: 'me/mine' })).toBe('git /local/me/mine');
  expect(await read('/gh/octo/recipes/baking', { ref: 'wip/100%' })).toBe(
    'address /gh/octo/recipes@wip/100%25:baking',
  );
  expect(await read('https://github.com/octo/recipes', { ref: 'v3' })).toBe('git /gh/octo/recipes@v3');
  const path = await sourceFrom('octo/recipes.git', { cwd, ref: 'v3' });
  expect(path).toMatchObject({ source: { kind: 'path', ref: 'v3', path: join(cwd, 'octo/recipes.git') } });
});

test('a source is named where it is written, so that several can be', async () => {
  expect(await read('me/mine=octo/recipes.git')).toBe('path /local/me/mine');
  expect(await read('me/mine=https://github.com/octo/recipes')).toBe('git /local/me/mine');
  mkdirSync(join(cwd, 'me/mine=octo'), { recursive: true });
  expect(await read('me/mine=octo')).toBe('path /local/me/mine-octo');
});

test.each([
  ['nowhere', {}, 'no folder nowhere.'],
  ['me/mine=nowhere', {}, 'no folder nowhere.'],
  ['me/mine=octo/recipes.git', { as: 'me/other' }, 'has a name already'],
  ['me/mine=/gh/octo/recipes', {}, 'an address has its name already'],
  ['github.com/octo/recipes', {}, 'write https://github.com/octo/recipes.'],
  ['octo/unknown', {}, '/gh/octo/unknown'],
  ['file', {}, 'is a file'],
  ['/gh/octo', {}, 'account'],
  ['/gh/octo/recipes', { as: 'me/mine' }, '--as'],
  ['octo/recipes.git', { as: 'mine' }, 'repository'],
  ['/gh/octo/recipes', { ref: 'a..b' }, '".."'],
  ['ext::sh -c id', {}, 'no folder'],
  ['-oProxyCommand=id@host:x', {}, 'no folder'],
])('%s %o is refused in words', async (argument, options, words) => {
  expect(await read(argument, options)).toContain(words);
});

test('a password or a token leaves the URL, a user name does not reach the arguments either', () => {
  expect(userRemote('https://me:p%40ss@git.example.com/a/b.git')).toMatchObject({
    url: 'https://git.example.com/a/b.git',
    options: {
      secrets: { 'credential.https://git.example.com.helper': ['', expect.not.stringContaining('p@ss')] },
      env: { SKILLQUAY_GIT_USER: 'me', SKILLQUAY_GIT_PASSWORD: 'p@ss' },
    },
  });
  const token = `ghp_${'x'.repeat(36)}`;
  expect(userRemote(`https://${token}@github.com/a/b`)).toMatchObject({
    url: 'https://github.com/a/b',
    options: { env: { SKILLQUAY_GIT_USER: token, SKILLQUAY_GIT_PASSWORD: '' } },
  });
  expect(userRemote('https://me@git.example.com/a/b.git')).toMatchObject({
    options: { secrets: { 'credential.https://git.example.com.username': 'me' } },
  });
  expect(userRemote('git@github.com:a/b.git').url).toBe('git@github.com:a/b.git');
  expect(userRemote('git://me:secret@host/a.git').url).toBe('git://me@host/a.git');
  expect(userRemote('https://me:secret@host:999999/a.git').url).toBe('https://me@host:999999/a.git');
  expect(userRemote('ssh://git@host/a.git').options).toMatchObject({ config: 'user' });
  expect(webTransport('https://github.com/a/b.git').options).toEqual({
    config: 'anonymous',
    protocols: ['https'],
  });
});

test.each([
  ['https://me:s3cret@git.example.com/team/recipes.git', 'https://git.example.com/team/recipes.git'],
  ['https://me:a@s3cret@git.example.com/recipes', 'https://git.example.com/recipes'],
  ['me/mine=https://s3cret@github.com/octo/recipes', 'https://github.com/octo/recipes'],
  ['ssh://git@git.example.com/team/recipes', 'ssh://git.example.com/team/recipes'],
  ['git@github.com:octo/recipes.git', 'git@github.com:octo/recipes.git'],
  ['octo/recipes.git', 'octo/recipes.git'],
  ['/gh/octo/recipes@v3', '/gh/octo/recipes@v3'],
])('people are shown %s as %s', async (argument, shown) => {
  const result = await sourceFrom(argument, { cwd });
  expect(result).toMatchObject({ source: { shown } });
  expect(result.ok && formatAddress(result.source.address)).not.toContain('s3cret');
});

test.each([
  ['me/mine=https://me:s3cret@git.example.com/a', { as: 'me/other' }],
  ['x=https://me:s3cret@git.example.com/a', {}],
  ['ext::https://me:s3cret@git.example.com/a', {}],
  ['https://me:s3cret@github.com/octo', {}],
  ['https://me:s3cret@github.com/octo/recipes/tree/main', {}],
  ['https://me:s3cret@github.com/octo/recipes', { ref: 'a..b' }],
  ['https:/me:s3cret@github.com/octo/recipes', {}],
  ['me:s3cret@github.com/octo/recipes', {}],
])('the refusal of %s %o holds no password', async (argument, options) => {
  const refusal = await read(argument, options);
  expect(refusal).toMatch(/^[A-Z]|^me\/mine/);
  expect(refusal).not.toContain('s3cret');
});

test.each([
  ['https://oauth2:half/s3cret@git.example.com/a/b.git', '%2F'],
  ['me/mine=https://oauth2:half/s3cret@git.example.com/a/b.git', '%2F'],
  ['https://s3cret/half@git.example.com/a/b.git', '%2F'],
  ['ssh://me:half/s3cret@git.example.com/a/b.git', '%2F'],
  ['https://s3cret?half@git.example.com/a/b.git', '%3F'],
  ['https://me:s3cret#half@git.example.com/a/b.git', '%23'],
  ['https://me:s3cret@git.example.com:999999/a/b.git', 'port'],
  ['file://me:s3cret@git.example.com/a/b.git', 'no user'],
])('%s is refused with what to write', async (argument, words) => {
  const refusal = await read(argument);
  expect(refusal).toContain(words);
  expect(refusal).not.toContain('s3cret');
});

test('an @ in the path of a URL is one that is escaped', async () => {
  expect(await read('https://git.example.com/%40octo/recipes')).toBe('git /local/-octo/recipes');
  expect(await read('file:///srv/a@b/recipes.git')).toBe('git /local/a-b/recipes');
});
