import { type Address, parseAddress } from '@skillquay/core/address';
import { describe, expect, it } from 'vitest';
import { skillUris } from './skill-uris.ts';

function address(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.address;
}

describe('the URIs of a mount', () => {
  const uris = skillUris(address('/gh/acme/library@v2/skills'), null);

  it('name files from the root of the repository, and no ref', () => {
    expect(uris.of('skills/a b/SKILL.md')).toBe('skill://gh/acme/library/skills/a%20b/SKILL.md');
    expect(uris.of('')).toBe('skill://gh/acme/library');
  });

  it.each([
    ['skill://gh/acme/library/a/b.md', 'a/b.md'],
    ['SKILL://gh/acme/library/a/b.md', 'a/b.md'],
    ['skill://gh/Acme/LIBRARY/a/%62.md', 'a/b.md'],
    ['skill://gh/acme/library/ü', 'ü'],
    ['skill://gh/acme/library/%C3%BC', 'ü'],
    ['skill://gh/acme/library', ''],
  ])('%s is %j', (uri, path) => {
    expect(uris.pathOf(uri)).toBe(path);
  });

  it.each([
    'skill://gh/acme/other/a',
    'skill://gh/other/library/a',
    'skill://gl/acme/library/a',
    'skill://GH/acme/library/a',
    'skill://gh:80/acme/library/a',
    'skill://x@gh/acme/library/a',
    'skill://gh/acme/library@v2/a',
    'skill://gh/acme/library%40v2/a',
    'skill://gh/acme/library/../library/a',
    'skill://gh/acme/library/a/../b',
    'skill://gh/acme/library/a/%2e%2e/b',
    'skill://gh/acme/library/a/.%2E/b',
    'skill://gh/acme/library/./a',
    'skill://gh/acme/library/a%2Fb',
    'skill://gh/acme/library/a%2fb',
    'skill://gh/acme/library/a%5Cb',
    'skill://gh/acme/library/a\\b',
    'skill://gh/acme/library/a//b',
    'skill://gh/acme/library//a',
    'skill://gh/acme/library/a/',
    'skill://gh/acme/library/a?x',
    'skill://gh/acme/library/a#x',
    'skill://gh/acme/library/a%00',
    'skill://gh/acme/library/a%ff',
    'skill://gh/acme/library/a\ud800',
    'skill://gh/acme/library/a\n',
    ' skill://gh/acme/library/a',
    'skill:/gh/acme/library/a',
    'skill:gh/acme/library/a',
    'file:///gh/acme/library/a',
    'skill://gh/acme',
    'skill://',
    '',
  ])('%j names nothing', (uri) => {
    expect(uris.pathOf(uri)).toBeNull();
  });

  it('carry the name of the root skill before every path', () => {
    const rooted = skillUris(address('/gh/acme/library'), 'my-skill');
    for (const [path, uri] of [
      ['', 'skill://gh/acme/library/my-skill'],
      ['SKILL.md', 'skill://gh/acme/library/my-skill/SKILL.md'],
      ['docs/a.md', 'skill://gh/acme/library/my-skill/docs/a.md'],
    ] as const) {
      expect(rooted.of(path)).toBe(uri);
      expect(rooted.pathOf(uri)).toBe(path);
    }
    expect(rooted.pathOf('skill://gh/acme/library')).toBeNull();
    expect(rooted.pathOf('skill://gh/acme/library/docs/a.md')).toBeNull();
    expect(rooted.pathOf('skill://gh/acme/library/my-skillful/a.md')).toBeNull();
  });
});
