import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlainLines } from './plain-lines.ts';
import { readAnyYaml } from './yaml-tree.ts';

// Lines that are nearly of the simplest kind, so that most sources are read and the rest fails by a hair.
const piece = fc.constantFrom(
  ...[
    'a',
    'Zebra',
    '0',
    '-',
    ' ',
    '  ',
    ': ',
    ':',
    '#',
    ' #',
    '"',
    "'",
    '\\',
    '\t',
    '[',
    ']',
    '{',
    '}',
    ',',
    '&a',
    '*a',
  ],
  ...[
    '!',
    '|',
    '>',
    '%',
    '@',
    '`',
    '?',
    '=',
    '<<',
    'ü',
    '中',
    '\u3000',
    '\u00a0',
    '\u2028',
    '\u0085',
    '\ufeff',
    '\r',
    '~',
  ],
  ...['true', '1e3', '---', '...', '👍', '(', '/', '.', 'key: ', '\n', '\n  ', '- '],
);
const key = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z_][a-z0-9-]{0,3}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('name', 'description', 'true', 'null', '__proto__', 'no:', '-', '<<', 'K'),
  },
);
const loose = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const quoted = fc.oneof(
  loose.map((text) => `"${text}"`),
  loose.map((text) => `'${text}'`),
);
const word = fc.constantFrom(
  'Use',
  'when',
  'a:b',
  'x',
  '#1',
  'ü',
  '中',
  '(so)',
  '-',
  '"q"',
  '[x]',
  '*b*',
  '  ',
  'a ',
);
const words = fc.array(word, { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
const value = fc.oneof(
  { weight: 6, arbitrary: words.map((text) => `a${text}`) },
  { weight: 1, arbitrary: words },
  { weight: 2, arbitrary: quoted },
  { weight: 1, arbitrary: loose },
);
const colon = fc.constantFrom(': ', ': ', ': ', ': ', ':  ', ':', ' : ');
const pair = fc.tuple(key, colon, value).map((parts) => parts.join(''));
const indent = fc.constantFrom('  ', '  ', '    ', ' ');
const nested = fc
  .tuple(key, indent, fc.array(pair, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '', ' ', ' x'))
  .map(([name, blanks, pairs, rest]) => `${name}:${rest}\n${pairs.map((one) => blanks + one).join('\n')}`);
const line = fc.oneof(
  { weight: 6, arbitrary: pair },
  { weight: 3, arbitrary: nested },
  { weight: 1, arbitrary: key.map((name) => `${name}:`) },
);
const source = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 4 }), fc.constantFrom(...'nnnnnnrsb'), fc.boolean())
  .map(([lines, kind, last]) => {
    const end = { n: '\n', r: '\r\n', s: ' \n', b: '\n\n' }[kind] ?? '\n';
    return lines.join(end) + (last ? end : '');
  });

describe('the short cut for plain lines', () => {
  it('answers what the YAML parser answers, or nothing', () => {
    let answered = 0;
    fc.assert(
      fc.property(source, fc.integer({ min: 0, max: 9 }), (text, base) => {
        const plain = readPlainLines(text, base);
        if (plain === null) return;
        answered += 1;
        expect(readAnyYaml(text, base)).toEqual({ ok: true, root: plain });
      }),
      { numRuns: 20_000 },
    );
    expect(answered).toBeGreaterThan(1_000);
  });

  it.each([
    'name: pdf\ndescription: Reads a file (all of it).\n',
    'name: "pdf"\ndescription: \'Reads\'\nmetadata:\n  author: me\n  version: 1.0\nlicense: MIT',
    'name: a\nallowed-tools: Bash(git:*), Read\n',
    'description: 処理する\n',
    'a: x   \nb:\n',
  ])('reads %j without the parser', (text) => {
    expect(readAnyYaml(text, 4)).toEqual({ ok: true, root: readPlainLines(text, 4) });
  });

  it.each([
    'a: b: c',
    'a: b #c',
    'a: b\n  c',
    'a: [b]',
    'a: 1\na: 2',
    'a:\n  b: 1\n   c: 2',
    '',
    '# a',
    'a: "b" c',
    'a: "b\\n"',
    'a:\n- b',
    'a: b\r\n',
  ])('hands %j on', (text) => {
    expect(readPlainLines(text, 0)).toBeNull();
  });
});
