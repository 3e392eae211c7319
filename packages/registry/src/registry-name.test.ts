import { describe, expect, it } from 'vitest';
import { RegistryError } from './errors.ts';
import { formatRegistry, parseRegistry, shownName, withoutSecrets } from './registry-name.ts';

const github = (owner: string, repo: string, branch: string | null = null, dir = '') => ({
  kind: 'github',
  owner,
  repo,
  branch,
  dir,
});
const git = (url: string, branch: string | null = null, dir = '') => ({ kind: 'git', url, branch, dir });

describe('a registry is named by', () => {
  it.each([
    ['acme/skills', github('acme', 'skills')],
    [' acme/skills ', github('acme', 'skills')],
    ['acme/skills@main', github('acme', 'skills', 'main')],
    ['acme/skills@feature/x:skills', github('acme', 'skills', 'feature/x', 'skills')],
    ['acme/skills:skills/public/', github('acme', 'skills', null, 'skills/public')],
    ['/gh/acme/skills', github('acme', 'skills')],
    ['/gh/acme/skills@main/skills', github('acme', 'skills', 'main', 'skills')],
    ['https://git.example.com/team/skills.git', git('https://git.example.com/team/skills.git')],
    ['https://github.com/acme/skills#main:skills', git('https://github.com/acme/skills', 'main', 'skills')],
    [
      'ssh://git@example.com/team/skills.git#:deep/er',
      git('ssh://git@example.com/team/skills.git', null, 'deep/er'),
    ],
    ['git@example.com:team/skills.git#dev', git('git@example.com:team/skills.git', 'dev')],
    ['file:///srv/skills.git#main', git('file:///srv/skills.git', 'main')],
    ['file:///home/ann@work/skills.git', git('file:///home/ann@work/skills.git')],
    ['https://example.com/ann%40work/skills', git('https://example.com/ann%40work/skills')],
    ['http://localhost:8080/skills.git', git('http://localhost:8080/skills.git')],
  ])('%s', (text, name) => {
    expect(parseRegistry(text)).toEqual(name);
  });
});

describe('a registry is refused, with how to write it,', () => {
  it.each([
    ['', /not named/],
    ['skills', /names no registry/],
    ['a/b/c', /names no registry/],
    ['acme/skills@-x', /branch/],
    ['acme/skills@a..b', /branch/],
    ['acme/skills:../x', /folder/],
    ['acme/skills:a//b', /folder/],
    ['acme/skills:.git', /folder/],
    ['https://example.com/a/b#main:x/.GIT/y', /folder/],
    ['/gl/acme/skills', /git URL/],
    ['/gh/acme', /./],
    ['ftp://example.com/x', /scheme/],
    ['git://example.com/x', /scheme/],
    ['http://git.example.com/x', /https/],
    ['ext::sh -c evil', /names no registry/],
  ])('%s', (text, reason) => {
    expect(() => parseRegistry(text)).toThrow(RegistryError);
    expect(() => parseRegistry(text)).toThrow(reason);
  });
});

it('the name shown is owner/repo, and of a git URL its last two segments', () => {
  const shown = (text: string) => shownName(parseRegistry(text));
  expect(shown('acme/skills@main:x')).toBe('acme/skills');
  expect(shown('https://git.example.com/group/team/skills.git')).toBe('team/skills');
  expect(shown('git@example.com:team/skills.git')).toBe('team/skills');
  expect(shown('file:///srv/git/skills.git/')).toBe('git/skills');
  expect(shown('https://user:secret@example.com/skills')).toBe('skills');
});

it('what may be secret in a URL is not shown', () => {
  expect(withoutSecrets('https://user:secret@example.com/a/b?token=x#main')).toBe(
    'https://example.com/a/b#main',
  );
  expect(withoutSecrets('https://user:half@secret@example.com/a@b')).toBe('https://example.com/a@b');
});

it.each([
  ['https://example.com/a/x.git?private_token=secret', /query/],
  ['https://example.com/a/x.git?private_token=secret#main', /query/],
  ['https://me:s3/secret@example.com/a/b', /%2F/],
  ['ftp://me:s3/secret@example.com/x', /scheme/],
  ['git://me:secret@example.com/x', /scheme/],
  ['file://me:secret@example.com/x', /password/],
  ['http://me:secret@git.example.com/x', /https/],
  ['https://me:pass#secret@example.com/x', /%23/],
  ['https://me:secret@example.com:999999/x', /no URL/],
])('%s is refused in a sentence that does not repeat the secret', (text, reason) => {
  expect(() => parseRegistry(text)).toThrow(reason);
  expect(() => parseRegistry(text)).toThrow(/^(?!.*secret)/s);
});

it('what a sentence quotes is on one line, without what nobody sees', () => {
  for (const text of [
    'file:///x#main:a%0Ab\u202e/../c',
    'file:///x#ma%0Ain',
    '/gl/a%0A/b\n/c',
    'no\nname\u202e',
    'acme/skills@a\u200b..b',
  ])
    expect(() => parseRegistry(text)).toThrow(/^[^\n\u200b\u202e]*$/);
  expect(shownName(parseRegistry('file:///srv/a%0Ab%E2%80%AEc/x'))).toBe('a\\u{a}b\\u{202e}c/x');
});

it.each([
  'user:secret@github.com/acme/skills',
  'user:secret@github.com:acme/skills',
  'https:/user:secret@github.com/acme/skills',
  'https//user:secret@github.com/acme/skills',
  '//user:secret@github.com/acme/skills',
  '/gh/user:secret@acme/skills',
  'github_secret_0123456789abcdef@github.com/acme/skills',
  'ghp_secret0123456789abcdef',
])('what may be secret in %s, which names no registry, is not shown', (text) => {
  expect(() => parseRegistry(text)).toThrow(/^(?!.*secret)/s);
});

it('the scheme of a URL is written in any case', () => {
  expect(parseRegistry('HTTPS://example.com/A/b')).toMatchObject({ url: 'https://example.com/A/b' });
});

it.each([
  'acme/skills',
  'acme/skills@feature/x:skills/public',
  'https://git.example.com/team/skills.git',
  'file:///srv/skills.git#main:a b',
  'file:///srv/skills.git#:x#y',
])('the whole name of %s is read as the same registry', (text) => {
  const name = parseRegistry(text);
  expect(parseRegistry(formatRegistry(name))).toEqual(name);
});

it('no secret of a URL is in the whole name', () => {
  expect(formatRegistry(parseRegistry('https://me:t0ken@git.example.com/a/b#main'))).toBe(
    'https://git.example.com/a/b#main',
  );
});
