import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advance,
  codePointLength,
  cutAt,
  cutAtWord,
  jsonByteLength,
  measurePiece,
  oneLine,
  sliceCodePoints,
  utf8Length,
  visibleLine,
} from './text.ts';

/** Any units at all, halves of pairs included. */
const anyText = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0x7f }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd7f0, max: 0xe010 }),
    ),
  )
  .map((units) => String.fromCharCode(...units));

test('a character is a code point', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), fc.nat(20), (text, from, length) => {
      const points = Array.from(text);
      expect(codePointLength(text)).toBe(points.length);
      expect(sliceCodePoints(text, from)).toBe(points.slice(from).join(''));
      expect(sliceCodePoints(text, from, from + length)).toBe(points.slice(from, from + length).join(''));
      expect(text.slice(0, advance(text, 0, from))).toBe(points.slice(0, from).join(''));
    }),
  );
});

test('lengths are those of what is sent', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      expect(jsonByteLength(text)).toBe(new TextEncoder().encode(JSON.stringify(text)).length - 2);
    }),
  );
});

test('a piece is the longest that keeps within its bounds', () => {
  const bound = fc.option(fc.nat(60), { nil: Number.POSITIVE_INFINITY });
  fc.assert(
    fc.property(anyText, bound, bound, bound, (text, characters, bytes, jsonBytes) => {
      const piece = measurePiece(text, 0, { characters, bytes, jsonBytes });
      const head = text.slice(0, piece.end);
      expect(piece.characters).toBe(codePointLength(head));
      expect(piece.bytes).toBe(utf8Length(head));
      expect(piece.jsonBytes).toBe(jsonByteLength(head));
      expect(piece.characters <= characters && piece.bytes <= bytes && piece.jsonBytes <= jsonBytes).toBe(
        true,
      );
      if (piece.end === text.length) return;
      const longer = text.slice(0, advance(text, piece.end, 1));
      expect(
        codePointLength(longer) > characters ||
          utf8Length(longer) > bytes ||
          jsonByteLength(longer) > jsonBytes,
      ).toBe(true);
    }),
  );
});

describe('a cut', () => {
  test.each([
    ['short enough', 12, 'short enough'],
    ['ends at a word here', 12, 'ends at a…'],
    ['ends at a word here', 10, 'ends at a…'],
    ['ends at a word here', 15, 'ends at a word…'],
    ['longwordwithoutanyspace', 5, 'long…'],
    ['漢字漢字漢字', 4, '漢字漢…'],
    ['😀😀😀😀', 3, '😀😀…'],
    ['a b', 0, ''],
    ['abc', 1, '…'],
  ])('of %j to %i characters', (text, characters, expected) => {
    expect(cutAtWord(text, characters)).toBe(expected);
  });

  test('never ends inside what is seen as one sign', () => {
    const signs = ['a', '漢', '👋🏽', '👩‍👩‍👧‍👦', '🇩🇪', '🇫🇷', '❤️', '1️⃣', 'e\u0301\u0323', '각', 'นี้', 'क्‍'];
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 30 }), fc.nat(60), (parts, characters) => {
        const text = parts.join('');
        const ends = [...segmenter.segment(text)].map(({ index }) => index);
        const cut = cutAtWord(text, characters);
        if (cut !== '' && cut !== text) expect(ends).toContain(cut.length - 1);
      }),
      { numRuns: 500 },
    );
  });

  test('ends somewhere, even in marks without end', () => {
    const marks = `e${'\u0301'.repeat(500)}`;
    expect(codePointLength(cutAtWord(marks, 300))).toBe(300);
    expect(codePointLength(cutAtWord('🇩'.repeat(500), 300))).toBeGreaterThan(290);
  });

  test('never has more characters than asked', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, characters) => {
        expect(codePointLength(cutAtWord(text, characters))).toBeLessThanOrEqual(characters);
      }),
    );
  });
});

test('a text is put on one line', () => {
  expect(oneLine(' a\r\nNext: b\u0000\u2028\tc\u0085 ')).toBe('a Next: b c');
});

test('cutAt ends a text that is too long with a mark, and takes no character apart', () => {
  expect(['abc', 'abcd', 'ab cd', '🙂🙂🙂🙂', ''].map((text) => cutAt(text, 3))).toEqual([
    'abc',
    'ab…',
    'ab…',
    '🙂🙂…',
    '',
  ]);
});

test('visibleLine leaves what a reader sees, and the joiners that scripts and emoji need', () => {
  expect(visibleLine(' a\n\u202eb\u2028c\0\u200bd ')).toBe('a b c d');
  expect(visibleLine('👩‍💻 می‌خواهم')).toBe('👩‍💻 می‌خواهم');
});
