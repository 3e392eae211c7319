import { describe, expect, it } from 'vitest';
import { registryIdentity } from './registry-identity.ts';
import { parseRegistry } from './registry-name.ts';

const identity = (text: string, env = {}) => registryIdentity(parseRegistry(text), env);

describe('one registry', () => {
  it.each([
    ['me/skills', 'Me/Skills@main'],
    ['me/skills', '/gh/me/skills@v2'],
    ['me/skills:dir', '/gh/me/skills/dir'],
    ['me/skills', 'https://github.com/me/skills.git'],
    ['me/skills', 'https://token@GitHub.com/Me/skills/#main'],
    ['me/skills', 'git@github.com:me/skills.git'],
    ['file:///r', 'file:///r/#main'],
    ['https://example.com/a/b', 'https://me:secret@EXAMPLE.com/a/b.git'],
    ['ssh://git@example.com/a/b', 'https://example.com/a/b.git'],
  ])('%s is %s', (a, b) => {
    expect(identity(b)).toBe(identity(a));
    expect(identity(b)).not.toMatch(/secret|token/);
  });
});

describe('two registries', () => {
  it.each([
    ['me/skills', 'me/other'],
    ['me/skills', 'me/skills:dir'],
    ['file:///r', 'file:///r.git'],
    ['file:///r', 'file:///R'],
    ['ssh://alice@h/~/x', 'ssh://bob@h/~/x'],
    ['https://example.com/a/b', 'https://example.com:8443/a/b'],
  ])('%s is not %s', (a, b) => expect(identity(b)).not.toBe(identity(a)));

  it('have the name of one on two hosts', () => {
    expect(identity('me/skills', { GH_HOST: 'ghe.example.com' })).toBe('ghe.example.com/me/skills');
    expect(identity('me/skills')).toBe('github.com/me/skills');
  });
});
