import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSkillUri, parseSkillUri, type SkillUri } from './skill-uri.ts';

const repository = { host: 'gh', owner: 'octo', repo: 'recipes' };

describe('a skill URI', () => {
  test.each([
    ['skill://gh/octo/recipes/baking/SKILL.md', { ...repository, path: 'baking/SKILL.md' }],
    ['skill://gh/octo/recipes', { ...repository, path: '' }],
    ['skill://gh/octo/recipes/a%20b/%23%3F%25%5E', { ...repository, path: 'a b/#?%^' }],
    ["skill://gh/octo/recipes/!$&'()*+,.:;=@[]|~-/x", { ...repository, path: "!$&'()*+,.:;=@[]|~-/x" }],
    ['skill://gl/group~team/recipes/x', { host: 'gl', owner: 'group/team', repo: 'recipes', path: 'x' }],
  ])('%s is written as it is read', (text, uri) => {
    expect(parseSkillUri(text)).toEqual({ ok: true, uri });
    expect(formatSkillUri(uri)).toBe(text);
  });

  test('in another spelling names the same file', () => {
    expect(parseSkillUri('skill://gh/Octo/recipes/%62aking/ü')).toEqual({
      ok: true,
      uri: { ...repository, path: 'baking/ü' },
    });
  });

  test.each([
    'https://gh/octo/recipes/x',
    'skill:gh/octo/recipes',
    'skill:///gh/octo/recipes',
    'skill://gh/octo',
    'skill://gh/octo/recipes/',
    'skill://gh/octo/recipes@v1/x',
    'skill://gh/octo/recipes/../x',
    'skill://gh/octo/recipes/%2e%2e/x',
    'skill://gh/octo/recipes/a%2Fb',
    'skill://gh/octo/recipes/x?y',
    'skill://gh/octo/recipes/x#y',
    'skill://xx/octo/recipes/x',
    '',
  ])('is not %j', (text) => {
    expect(parseSkillUri(text).ok).toBe(false);
  });

  test('names a path of the greatest length, however many escapes that takes', () => {
    const path = `${'漢'.repeat(1_015)}/SKILL.md`;
    expect(parseSkillUri(formatSkillUri({ ...repository, path }))).toEqual({
      ok: true,
      uri: { ...repository, path },
    });
    expect(parseSkillUri(`skill://gh/octo/recipes/${'a'.repeat(20_000)}`).ok).toBe(false);
  });

  test('is left as it is by a URL parser, and leads back to its file', () => {
    const segment = fc
      .string({ unit: fc.constantFrom(...'ab:@%~#?[]{}|^ "\'`<>üé漢😀+&=.'), minLength: 1, maxLength: 6 })
      .filter((name) => name !== '.' && name !== '..');
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const uri: SkillUri = { ...repository, path: segments.join('/') };
        const text = formatSkillUri(uri);
        expect(new URL(text).href).toBe(text);
        expect(parseSkillUri(text)).toEqual({ ok: true, uri });
      }),
    );
  });
});
