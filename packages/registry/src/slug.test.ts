import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveSlug, slugify } from './slug.ts';

describe('the slug of', () => {
  it.each([
    ['auth-skill', 'auth-skill'],
    ['Auth Skill', 'auth-skill'],
    ['  CSV -- export!! ', 'csv-export'],
    ['日本語 スキル', '日本語-スキル'],
    ['がぎぐ', 'がぎぐ'],
    ['हिन्दी कौशल', 'हिन्दी-कौशल'],
    ['Ünïcode', 'unicode'],
    ['Ünïcode'.normalize('NFD'), 'unicode'],
    ['Ελλάς ά', 'ελλας-α'],
    ['İstanbul', 'istanbul'],
    ['CON', 'con-skill'],
    ['com1', 'com1-skill'],
    ['console', 'console'],
    ['../x', 'x'],
    ['hy_phen', 'hy-phen'],
    ['ﬁle №1', 'file-no1'],
    ['日\ufe0f本\u{e0100}', '日本'],
    ['か\u034fな\u180b', 'かな'],
    ['\u3164a\u115f', 'a'],
    ['1\ufe0f\u20e3 x', '1-x'],
    ['שָׁלוֹם', 'שלום'],
    ['مَرْحَبًا', 'مرحبا'],
    ['\u0301', ''],
    ['a \u0301b', 'a-b'],
    ['!!!', ''],
    ['', ''],
  ])('%s is %s', (name, slug) => {
    expect(slugify(name)).toBe(slug);
  });

  it('a slug is itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
        const slug = slugify(name);
        expect(slugify(slug)).toBe(slug);
      }),
      { numRuns: 2000 },
    );
  });

  it('any name has only letters, digits, marks and single hyphens', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
        const slug = slugify(name);
        expect(slug).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*)?$/u);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the folder that is meant', () => {
  const folders = ['auth-skill', 'hy-phen', 'hy_phen', 'CSV_Export', '日本語-スキル', 'x'];
  it.each([
    ['auth-skill', 'auth-skill'],
    ['Auth Skill', 'auth-skill'],
    ['hy_phen', 'hy_phen'],
    ['hy-phen', 'hy-phen'],
    ['csv export', 'CSV_Export'],
    ['日本語 スキル', '日本語-スキル'],
    ['../x', 'x'],
  ])('by %s is %s', (asked, slug) => {
    expect(resolveSlug(asked, folders)).toEqual({ kind: 'one', slug });
  });

  it('is none when nothing is like it', () => {
    expect(resolveSlug('nothing', folders)).toEqual({ kind: 'none' });
    expect(resolveSlug('', folders)).toEqual({ kind: 'none' });
    expect(resolveSlug('!!', folders)).toEqual({ kind: 'none' });
  });

  it('is asked back when several are', () => {
    expect(resolveSlug('HyPhen', ['hy-phen', 'hy_phen'])).toEqual({
      kind: 'several',
      slugs: ['hy-phen', 'hy_phen'],
    });
    // In byte order, which is not that of UTF-16.
    expect(resolveSlug('A', ['\u{1d400}', '\uff21'])).toMatchObject({ slugs: ['\uff21', '\u{1d400}'] });
  });

  it('is not one that only begins like a long name', () => {
    const long = 'x'.repeat(200);
    expect(resolveSlug(`${long} b`, [`${long}-other`])).toEqual({ kind: 'none' });
    expect(resolveSlug(`${long} b`, [`${long}_b`])).toEqual({ kind: 'one', slug: `${long}_b` });
  });

  it('is found by a name in which somebody put what nobody sees', () => {
    expect(resolveSlug('日\ufe0f本', ['日本'])).toEqual({ kind: 'one', slug: '日本' });
    expect(resolveSlug('日本', ['日\ufe0f本'])).toEqual({ kind: 'one', slug: '日\ufe0f本' });
  });
});
