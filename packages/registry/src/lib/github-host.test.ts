import { describe, expect, it } from 'vitest';
import { githubHost } from './github-host.ts';

describe('the host', () => {
  it.each([
    [{}, 'github.com', 'https://api.github.com', 'https://github.com'],
    [{ GH_HOST: 'github.com' }, 'github.com', 'https://api.github.com', 'https://github.com'],
    [
      { GH_HOST: ' GitHub.Example.com ' },
      'github.example.com',
      'https://github.example.com/api/v3',
      'https://github.example.com',
    ],
    [{ GH_HOST: 'acme.ghe.com' }, 'acme.ghe.com', 'https://api.acme.ghe.com', 'https://acme.ghe.com'],
    [
      { GITHUB_API_URL: 'https://api.github.com/' },
      'github.com',
      'https://api.github.com',
      'https://github.com',
    ],
    [
      { GITHUB_API_URL: 'https://api.acme.ghe.com' },
      'acme.ghe.com',
      'https://api.acme.ghe.com',
      'https://acme.ghe.com',
    ],
    [
      { GITHUB_API_URL: 'https://git.example.com/api/v3/' },
      'git.example.com',
      'https://git.example.com/api/v3',
      'https://git.example.com',
    ],
    [
      { GITHUB_API_URL: 'https://in.example.com/api', GH_HOST: 'git.example.com' },
      'git.example.com',
      'https://in.example.com/api',
      'https://git.example.com',
    ],
    [
      { GITHUB_API_URL: 'https://api.acme.ghe.com', GH_HOST: 'acme.ghe.com' },
      'acme.ghe.com',
      'https://api.acme.ghe.com',
      'https://acme.ghe.com',
    ],
    [
      { GITHUB_API_URL: 'http://127.0.0.1:4001' },
      '127.0.0.1:4001',
      'http://127.0.0.1:4001',
      'http://127.0.0.1:4001',
    ],
  ])('of %j', (env, name, api, web) => {
    expect(githubHost(env)).toEqual({ name, api, web });
  });

  it.each([
    { GH_HOST: 'git.example.com', GITHUB_API_URL: 'https://api.github.com' },
    { GH_HOST: 'github.com', GITHUB_API_URL: 'https://ghe.example.com/api/v3' },
    { GH_HOST: 'GitHub.com:443', GITHUB_API_URL: 'https://ghe.example.com/api/v3' },
    { GH_HOST: 'acme.ghe.com', GITHUB_API_URL: 'https://api.other.ghe.com' },
    { GH_HOST: 'acme.ghe.com', GITHUB_API_URL: 'https://ghe.example.com/api/v3' },
    { GH_HOST: 'github.com', GITHUB_API_URL: 'http://127.0.0.1:4001' },
    { GH_HOST: 'a b' },
    { GH_HOST: 'user:secret@x' },
    { GITHUB_API_URL: 'nonsense' },
    { GITHUB_API_URL: 'http://git.example.com/api/v3' },
    { GITHUB_API_URL: 'https://user:secret@git.example.com' },
    { GITHUB_API_URL: 'https://git.example.com/?x=secret' },
  ])('of %j is refused without saying it back', (env) => {
    expect(() => githubHost(env)).toThrow(/^(?:GH_HOST|GITHUB_API_URL) (?!.*secret)/);
  });
});
