import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from './decode.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);
const utf8 = (text: string) => new TextEncoder().encode(text);
const wide = (text: string, low: 0 | 1) =>
  Uint8Array.from([...text].flatMap((c) => (low ? [0, c.charCodeAt(0)] : [c.charCodeAt(0), 0])));

describe('decoding', () => {
  it('gives back any well-formed text, byte order mark and NUL included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, mark) => {
        const stored = (mark ? '\ufeff' : '') + text;
        expect(decodeUtf8(utf8(stored))).toEqual({ ok: true, text: stored });
      }),
    );
    expect(decodeUtf8(utf8('a\0b'))).toEqual({ ok: true, text: 'a\0b' });
    expect(decodeUtf8(bytes())).toEqual({ ok: true, text: '' });
  });

  it.each([
    ['UTF-16 with its mark', bytes(0xff, 0xfe, 0x2d, 0), 'UTF-16 (little-endian)'],
    ['big-endian UTF-16 with its mark', bytes(0xfe, 0xff, 0, 0x2d), 'UTF-16 (big-endian)'],
    ['UTF-16 without a mark', wide('---\nname: a\n', 0), 'UTF-16 (little-endian)'],
    ['big-endian UTF-16 without a mark', wide('---\nname: a\n', 1), 'UTF-16 (big-endian)'],
    ['UTF-32', bytes(0xff, 0xfe, 0, 0, 0x2d, 0, 0, 0), 'UTF-32'],
    ['Latin-1', bytes(0x63, 0x61, 0x66, 0xe9, 0x0a, 0x61), 'Windows-1252 or Latin-1 text'],
    ['an image', bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a), 'a PNG image'],
    ['other bytes', bytes(0xff, 0, 1, 2, 3, 0xfe), 'binary data'],
    ['half of a surrogate pair', bytes(0x61, 0xed, 0xa0, 0x80), 'Windows-1252 or Latin-1 text'],
    ['an overlong form', bytes(0xc0, 0xaf), 'Windows-1252 or Latin-1 text'],
  ])('says what %s looks like', (_, content, looksLike) => {
    expect(decodeUtf8(content)).toMatchObject({ ok: false, looksLike });
  });

  it('says where the first byte stands that is not UTF-8', () => {
    expect(decodeUtf8(bytes(...utf8('é\nab'), 0xe9, 0x20))).toMatchObject({
      ok: false,
      at: { line: 2, column: 3 },
    });
    expect(decodeUtf8(bytes(...utf8('abc'), 0xf0, 0x9f, 0x98))).toMatchObject({ at: { line: 1, column: 4 } });
  });

  it('agrees with the platform on what is well-formed', () => {
    const byte = fc.constantFrom(
      0x41,
      0x0a,
      0x80,
      0x8f,
      0x90,
      0x9f,
      0xa0,
      0xbf,
      0xc1,
      0xc2,
      0xe0,
      0xe1,
      0xed,
      0xef,
      0xf0,
      0xf4,
      0xf5,
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 12 }), (list) => {
        const decoded = decodeUtf8(Uint8Array.from(list));
        const platform = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(list));
        expect(decoded.ok).toBe(!platform.includes('\ufffd'));
        if (!decoded.ok) {
          const before = platform.slice(0, platform.indexOf('\ufffd'));
          const lines = before.split('\n');
          expect(decoded.at).toEqual({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 });
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
