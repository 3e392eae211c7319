import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Address,
  formatAddress,
  formatOwnerPath,
  formatRepository,
  parseAddress,
  parseOwnerPath,
  repositoryKey,
  slashRefSpelling,
} from './address.ts';
import { KNOWN_HOSTS } from './known-hosts.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';

function parsed(text: string): Address {
  const result = parseAddress(text);
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`);
  return result.address;
}

function failure(text: string): string {
  const result = parseAddress(text);
  return result.ok
    ? `parsed: ${JSON.stringify(result.address)}`
    : `${result.error.code} ${result.error.message}`;
}

describe('an address means', () => {
  const recipes = { host: 'gh', owner: 'octo', repo: 'recipes', ref: null, pinned: false, path: '' };
  test.each<[string, Partial<Address>]>([
    ['/gh/octo/recipes', {}],
    ['/gh/octo/recipes/baking', { path: 'baking' }],
    ['/gh/Octo/Recipes@v3', { ref: 'v3' }],
    ['/gh/octo/recipes@next/baking/bread', { ref: 'next', path: 'baking/bread' }],
    ['/gh/octo/recipes@wip/bread', { ref: 'wip', path: 'bread' }],
    ['/gh/octo/recipes@wip/bread:', { ref: 'wip/bread' }],
    ['/gh/octo/recipes@wip/bread:baking', { ref: 'wip/bread', path: 'baking' }],
    ['/gh/octo/recipes@@pkg/core@2:', { ref: '@pkg/core@2' }],
    ['/gl/group~team/recipes', { host: 'gl', owner: 'group/team' }],
    ['/gh/octo_corp/Recipes', { host: 'gh', owner: 'octo_corp' }],
    ['/gl/Group~Sub~Team/Recipes', { host: 'gl', owner: 'group/sub/team' }],
    ['/cb/Octo.x_y/Recipes', { host: 'cb', owner: 'octo.x_y' }],
    ['/local/Octo/Recipes', { host: 'local', owner: 'Octo', repo: 'Recipes' }],
    ['/local/%E5%BC%A0/%E6%8A%80%E8%83%BD', { host: 'local', owner: '张', repo: '技能' }],
    ['/gh/octo/.github', { repo: '.github' }],
    ['/gh/octo/recipes@v3:baking', { ref: 'v3', path: 'baking' }],
    ['/gh/octo/recipes@v3:', { ref: 'v3' }],
    [`/gh/octo/recipes@${HASH.toUpperCase()}/a`, { ref: HASH, pinned: true, path: 'a' }],
    ['/gh/octo/recipes@0123456', { ref: '0123456' }],
    [`/gh/octo/recipes@${HASH}0`, { ref: `${HASH}0` }],
    ['/gh/octo/recipes@refs/heads/main:', { ref: 'refs/heads/main' }],
    ['/gh/octo/recipes@Main/Baking', { ref: 'Main', path: 'Baking' }],
    ['/gh/octo/recipes/a@b:c', { path: 'a@b:c' }],
    ['/gh/octo/recipes@v1/a%3Ab', { ref: 'v1', path: 'a:b' }],
    ['/gh/octo/recipes@v1:a:b', { ref: 'v1', path: 'a:b' }],
    ['/gh/octo/recipes@v1/a:b', { ref: 'v1/a', path: 'b' }],
    ['/gh/octo/recipes@%40x', { ref: '@x' }],
    ['/gh/octo/recipes/a%20b/100%25/%23%3f', { path: 'a b/100%/#?' }],
    ['/gh/octo/recipes/%252F', { path: '%2F' }],
    ['/gh/octo/recipes/ü', { path: 'ü' }],
    ['/gh/octo/recipes/u\u0308', { path: 'u\u0308' }],
    ['/%67h/%6Fcto/recipes', {}],
  ])('%s', (text, expected) => {
    expect(parsed(text)).toEqual({ ...recipes, ...expected });
  });
});

describe('the canonical form of', () => {
  test.each([
    ['/gh/octo/recipes', '/gh/octo/recipes'],
    ['/gh/Octo/Recipes@v3', '/gh/octo/recipes@v3'],
    ['/gh/octo/recipes@v3:', '/gh/octo/recipes@v3'],
    ['/gh/octo/recipes@next:baking/bread', '/gh/octo/recipes@next/baking/bread'],
    ['/gh/octo/recipes@wip/bread:', '/gh/octo/recipes@wip/bread:'],
    ['/gh/octo/recipes@wip/bread:baking', '/gh/octo/recipes@wip/bread:baking'],
    ['/gh/octo/recipes@@pkg/core@2:', '/gh/octo/recipes@@pkg/core@2:'],
    ['/gh/octo/recipes@v1/a%3Ab', '/gh/octo/recipes@v1:a:b'],
    ['/gh/octo/recipes/a%3Ab%40c', '/gh/octo/recipes/a:b@c'],
    ['/gh/octo/recipes/ü x', '/gh/octo/recipes/%C3%BC%20x'],
    ['/gl/Group~Team/Recipes', '/gl/group~team/recipes'],
    ['/local/Ünder/Recipes@x', '/local/%C3%9Cnder/Recipes@x'],
    [`/gh/octo/recipes@${HASH.toUpperCase()}`, `/gh/octo/recipes@${HASH}`],
  ])('%s is %s', (text, canonical) => {
    expect(formatAddress(parsed(text))).toBe(canonical);
  });
});

describe('an address is refused', () => {
  test.each([
    ['', 'address.syntax', 'write /gh/<owner>/<repo>'],
    ['gh/octo/recipes', 'address.syntax', 'write /gh/<owner>/<repo>'],
    ['/', 'address.unknown_host', '/gh (GitHub), /gl (GitLab), /cb (Codeberg), /local'],
    ['/github/octo/recipes', 'address.unknown_host', '/gh (GitHub)'],
    ['/GH/octo/recipes', 'address.unknown_host', 'lower case'],
    ['/https://github.com/octo/recipes', 'address.unknown_host', '/gh/<owner>/<repo>'],
    ['/gh', 'address.syntax', '/gh/<owner>/<repo>'],
    ['/gh/', 'address.syntax', '/gh/<owner>/<repo>'],
    ['/gh/octo', 'address.account', '/gh/<owner>/<repo>'],
    ['/gh/octo/', 'address.repo', '/gh/octo/<repo>'],
    ['/gh/oc.to/recipes', 'address.owner', 'letters, digits, hyphens and underscores'],
    ['/gh/-octo/recipes', 'address.owner', 'hyphen'],
    [`/gh/${'o'.repeat(40)}/recipes`, 'address.owner', '1 to 39'],
    ['/gh/octo~team/recipes', 'address.owner', '/gh/<owner>/<repo>'],
    ['/gh/octo%40x/recipes', 'address.owner', 'owner'],
    ['/gl/group~/recipes', 'address.owner', '<group>~<subgroup>'],
    ['/gl/group/-recipes', 'address.repo', 'hyphen'],
    ['/gh/octo/rec ipes', 'address.repo', '1 to 100'],
    [`/gh/octo/${'r'.repeat(101)}`, 'address.repo', '1 to 100'],
    ['/gh/octo/..', 'address.repo', 'repository'],
    ['/gh/octo/%2e%2e', 'address.repo', 'repository'],
    ['/gh/octo/recipes.git', 'address.repo', 'write /gh/octo/recipes.'],
    ['/gh/octo/Recipes.GIT@v3', 'address.repo', 'write /gh/octo/recipes.'],
    ['/local/octo/Recipes.git', 'address.repo', 'write /local/octo/Recipes.'],
    ['/gh/octo/.git', 'address.repo', 'repository'],
    ['/gh/octo/recipes@', 'address.ref', 'leave out the "@"'],
    ['/gh/octo/recipes@:baking', 'address.ref', 'leave out the "@"'],
    ['/gh/octo/recipes@a..b', 'address.ref', '".."'],
    ['/gh/octo/recipes@a b', 'address.ref', 'space'],
    ['/gh/octo/recipes@a%07', 'address.ref', 'control'],
    ['/gh/octo/recipes@a%7f', 'address.ref', 'control'],
    ['/gh/octo/recipes@a~1', 'address.ref', '~'],
    ['/gh/octo/recipes@a^', 'address.ref', '^'],
    ['/gh/octo/recipes@a%3Ab', 'address.ref', ':'],
    ['/gh/octo/recipes@a%3F', 'address.ref', '?'],
    ['/gh/octo/recipes@a*', 'address.ref', '*'],
    ['/gh/octo/recipes@a[', 'address.ref', '['],
    ['/gh/octo/recipes@a\\b', 'address.ref', '\\'],
    ['/gh/octo/recipes@a@{1}', 'address.ref', '@{'],
    ['/gh/octo/recipes@@', 'address.ref', '"@"'],
    ['/gh/octo/recipes@a.', 'address.ref', '"."'],
    ['/gh/octo/recipes@.a', 'address.ref', '"."'],
    ['/gh/octo/recipes@x/.a:', 'address.ref', '"."'],
    ['/gh/octo/recipes@a.lock', 'address.ref', '.lock'],
    ['/gh/octo/recipes@a.lock/b:', 'address.ref', '.lock'],
    ['/gh/octo/recipes@a/:', 'address.ref', 'empty part'],
    ['/gh/octo/recipes@a//b:', 'address.ref', 'empty part'],
    ['/gh/octo/recipes@-x', 'address.ref', '"-"'],
    [`/gh/octo/recipes@${'r'.repeat(256)}`, 'address.ref', '255'],
    ['/gh/octo/recipes@feature%2Fx', 'address.escape', '/gh/octo/recipes@feature/x:'],
    ['/gh/octo/recipes/', 'address.path', 'leave it out'],
    ['/gh/octo/recipes@v3/', 'address.path', 'leave it out'],
    ['/gh/octo/recipes/a/', 'address.path', 'no "/" at its end'],
    ['/gh/octo/recipes//a', 'address.path', 'leading "/"'],
    ['/gh/octo/recipes/a//b', 'address.path', 'no empty part'],
    ['/gh/octo/recipes@v3:/a', 'address.path', 'leading "/"'],
    ['/gh/octo/recipes/./a', 'address.path', '".."'],
    ['/gh/octo/recipes/a/..', 'address.path', '".."'],
    ['/gh/octo/recipes/%2e%2E/a', 'address.path', '".."'],
    ['/gh/octo/recipes/a\\b', 'address.path', 'backslash'],
    ['/gh/octo/recipes/a%00', 'address.path', 'control'],
    ['/gh/octo/recipes/a%0Ab', 'address.path', 'control'],
    ['/gh/octo/recipes/%E2%80%AE', 'address.path', 'bidirectional'],
    ['/gh/octo/recipes/%E2%80%8B', 'address.path', 'invisible'],
    [`/gh/octo/recipes/${'p'.repeat(1_025)}`, 'address.path', '1,024'],
    ['/gh/octo/recipes/a%2Fb', 'address.escape', 'a slash is written as it is'],
    ['/gh/octo/recipes/a%5cb', 'address.escape', '%5C'],
    ['/gh/octo%2Frecipes', 'address.owner', 'owner'],
    ['/gh/octo/recipes/%FF', 'address.escape', 'UTF-8'],
    ['/gh/octo/recipes/%C0%AF', 'address.escape', 'UTF-8'],
    ['/gh/octo/recipes/%ED%A0%80', 'address.escape', 'UTF-8'],
    ['/gh/octo/recipes/100%', 'address.escape', '%25'],
    ['/gh/octo/recipes/\ud800', 'address.escape', 'UTF-8'],
    ['/gh/octo/recipes?skill=a', 'address.syntax', '%3F'],
    ['/gh/octo/recipes/a#b', 'address.syntax', '%23'],
    [`/gh/octo/recipes/${'p/'.repeat(1_100)}`, 'address.too_long', '2,048'],
    [`/gh/octo/recipes/${'漢'.repeat(500)}`, 'address.too_long', '2,048'],
  ])('%s: %s', (text, code, says) => {
    expect(failure(text)).toContain(`${code} `);
    expect(failure(text)).toContain(says);
  });
});

describe('for any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      '@',
      ':',
      '~',
      '%',
      '%40',
      '%3A',
      '%2F',
      '.',
      '..',
      'gh',
      '/gh/octo/recipes',
      '/gl/a~b/c',
      '@wip/x:',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.string({ maxLength: 8 }),
  );
  const anyAddress = fc.oneof(
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 8 }).map((pieces) => `/gh/octo/recipes${pieces.join('')}`),
    fc.array(piece, { maxLength: 8 }).map((pieces) => `/local/octo/recipes@${pieces.join('')}`),
  );

  test('parsing gives an address or an error, and a canonical form is a fixed point', () => {
    fc.assert(
      fc.property(anyAddress, (text) => {
        const result = parseAddress(text);
        if (!result.ok) {
          expect(result.error.code).toMatch(/^address\.[a-z_]+$/);
          expect(result.error.message).not.toBe('');
          return;
        }
        const canonical = formatAddress(result.address);
        expect(parsed(canonical)).toEqual(result.address);
        expect(formatAddress(parsed(canonical))).toBe(canonical);
      }),
      { numRuns: 2_000 },
    );
  });

  test('printing an address and parsing it gives that address', () => {
    const segment = fc
      .string({ unit: fc.constantFrom(...'ab:@%~#?[]^ "\'üé漢😀+&='), minLength: 1, maxLength: 6 })
      .filter((name) => name !== '.' && name !== '..');
    const refPart = fc.string({ unit: fc.constantFrom(...'abX@%#ü漢😀+&=-_'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.option(fc.array(refPart, { minLength: 1, maxLength: 3 }), { nil: null }),
        fc.array(segment, { maxLength: 4 }),
        fc.constantFrom('gh', 'cb', 'local'),
        (refParts, path, host) => {
          const ref = refParts === null ? null : refParts.join('/');
          fc.pre(ref === null || (!ref.startsWith('-') && ref !== '@' && !ref.includes('@{')));
          const address = { host, owner: 'octo', repo: 'recipes', ref, pinned: false, path: path.join('/') };
          expect(parsed(formatAddress(address))).toEqual(address);
        },
      ),
    );
  });

  test('a URL parser leaves the canonical form as it is', () => {
    fc.assert(
      fc.property(anyAddress, (text) => {
        const result = parseAddress(text);
        if (!result.ok) return;
        const canonical = formatAddress(result.address);
        expect(new URL(canonical, 'http://localhost').pathname).toBe(canonical);
      }),
    );
  });
});

test('a repository has one key and one address whatever ref and path were asked', () => {
  expect(repositoryKey(parsed('/gh/Acme/Library@v1/a'))).toBe('gh/acme/library');
  expect(repositoryKey(parsed('/gl/A~B/C'))).toBe('gl/a~b/c');
  expect(formatRepository(parsed('/gh/Acme/Library@v1/a'))).toBe('/gh/acme/library');
});

test('the other reading of a ref is offered where there is one', () => {
  expect(slashRefSpelling(parsed('/gh/octo/recipes@wip/bread'))).toBe('/gh/octo/recipes@wip/bread:');
  expect(slashRefSpelling(parsed('/gh/octo/recipes@wip/bread/rye'))).toBe('/gh/octo/recipes@wip/bread:rye');
  expect(slashRefSpelling(parsed('/gh/octo/recipes@wip'))).toBeNull();
  expect(slashRefSpelling(parsed('/gh/octo/recipes/bread'))).toBeNull();
  expect(slashRefSpelling(parsed(`/gh/octo/recipes@${HASH}/bread`))).toBeNull();
});

test('an account has a path of its own', () => {
  const result = parseOwnerPath('/gl/Group~Team');
  expect(result).toEqual({ ok: true, owner: { host: 'gl', owner: 'group/team' } });
  expect(result.ok && formatOwnerPath(result.owner)).toBe('/gl/group~team');
  expect(parseOwnerPath('/gh/octo/recipes')).toMatchObject({ ok: false, error: { code: 'address.syntax' } });
  expect(parseOwnerPath('/xx/octo')).toMatchObject({ ok: false, error: { code: 'address.unknown_host' } });
});

test('only the hosts that are served are known', () => {
  const hosts = KNOWN_HOSTS.filter(({ key }) => key === 'cb');
  expect(parseAddress('/cb/Team/Skills', { hosts })).toMatchObject({ ok: true, address: { owner: 'team' } });
  expect(parseAddress('/gh/team/skills', { hosts })).toMatchObject({
    ok: false,
    error: { code: 'address.unknown_host' },
  });
});
