import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress } from './address.ts';
import { addressOfSource } from './source-address.ts';

function addressOf(source: string): string {
  const result = addressOfSource(source);
  return result.ok ? formatAddress(result.address) : `${result.error.code}: ${result.error.message}`;
}

describe('the address of', () => {
  test.each([
    ['https://github.com/Octo/Recipes', '/gh/octo/recipes'],
    ['https://github.com/octo/recipes.git', '/gh/octo/recipes'],
    ['https://github.com/octo/recipes/', '/gh/octo/recipes'],
    ['https://www.GitHub.com/octo/recipes', '/gh/octo/recipes'],
    ['https://user:secret@github.com/octo/recipes.git', '/gh/octo/recipes'],
    ['git@github.com:octo/recipes.git', '/gh/octo/recipes'],
    ['github.com:octo/recipes.git', '/gh/octo/recipes'],
    ['ssh://git@github.com/octo/recipes.git', '/gh/octo/recipes'],
    ['ssh://git@ssh.github.com:443/octo/recipes.git', '/gh/octo/recipes'],
    ['git://github.com/octo/recipes', '/gh/octo/recipes'],
    ['https://gitlab.com/group/team/recipes.git', '/gl/group~team/recipes'],
    ['git@codeberg.org:octo/recipes.git', '/cb/octo/recipes'],
    ['https://git.example.com/scm/team/recipes.git', '/local/team/recipes'],
    ['https://git.example.com/recipes.git', '/local/git.example.com/recipes'],
    ['git@git.example.com:team/recipes.git', '/local/team/recipes'],
    ['ssh://git@git.example.com:2222/team/Recipes', '/local/team/Recipes'],
    ['file:///srv/git/recipes.git', '/local/git/recipes'],
    ['/home/octo/recipes', '/local/octo/recipes'],
    ['/home/octo/recipes/', '/local/octo/recipes'],
    ['/home/octo/recipes/.git', '/local/octo/recipes'],
    ['/home/octo/my recipes (old)', '/local/octo/my-recipes--old-'],
    ['/home/张/技能', '/local/%E5%BC%A0/%E6%8A%80%E8%83%BD'],
    ['/recipes', '/local/root/recipes'],
    ['/', '/local/root/root'],
    ['C:\\Users\\octo\\recipes', '/local/octo/recipes'],
    ['/home/octo/a@b:c', '/local/octo/a-b-c'],
  ])('%s is %s', (source, address) => {
    expect(addressOf(source)).toBe(address);
  });

  test.each([
    ['https://github.com/octo/recipes/tree/main/baking', 'write /gh/octo/recipes@main/baking'],
    [
      'https://github.com/octo/recipes/blob/main/baking/SKILL.md',
      'write /gh/octo/recipes@main/baking/SKILL.md',
    ],
    ['https://gitlab.com/a/b/recipes/-/tree/main/baking', 'write /gl/a~b/recipes@main/baking'],
    ['https://codeberg.org/octo/recipes/src/branch/main/baking', 'write /cb/octo/recipes@main/baking'],
    ['https://github.com/octo', '/gh/<owner>/<repo>'],
    ['https://github.com/octo/recipes/issues', '/gh/<owner>/<repo>'],
  ])('%s is refused with the right spelling', (source, says) => {
    expect(addressOf(source)).toContain(says);
  });

  test('any path is an address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 150 }), (text) => {
        expect(addressOf(`/${text}`)).toMatch(/^\/local\/[^/]+\/[^/]+$/);
      }),
    );
  });

  test('any text is answered', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void addressOfSource(text)));
  });
});
