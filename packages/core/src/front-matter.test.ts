import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fields, readFrontMatter, type Value } from './front-matter.ts';
import { MAX_FRONT_MATTER_CHARACTERS } from './limits.ts';

function plain(value: Value): unknown {
  if (value.kind === 'text') return value.text;
  return value.kind === 'list' ? value.items.map(plain) : pairs(value.entries);
}

function pairs(fields: Fields): unknown[] {
  return [...fields].map(([key, value]) => [key, plain(value)]);
}

/** The fields of a source between two fences. */
function read(source: string, end = '\n'): unknown {
  const front = readFrontMatter(`---${end}${source}${end}---${end}body`, 'SKILL.md');
  return front.kind === 'invalid'
    ? `${front.error.code} ${front.error.line}:${front.error.column}`
    : pairs(front.fields);
}

function recover(source: string) {
  return readFrontMatter(`---\n${source}\n---\nbody`, 'SKILL.md', { recover: true });
}

describe('where front matter lies', () => {
  it.each([
    ['plain', '---\na: b\n---\nbody'],
    ['with CRLF', '---\r\na: b\r\n---\r\nbody'],
    ['after a byte order mark', '\ufeff---\na: b\n---\nbody'],
    ['after a byte order mark, with CRLF', '\ufeff---\r\na: b\r\n---\r\nbody'],
    ['closed by dots', '---\na: b\n...\nbody'],
    ['with blanks behind the fences', '---  \na: b\n---\t\nbody'],
    ['with mixed line ends', '---\r\na: b\n---\r\nbody'],
  ])('is found %s', (_, text) => {
    const front = readFrontMatter(text, 'SKILL.md');
    expect(front.kind === 'read' && pairs(front.fields)).toEqual([['a', 'b']]);
    expect(text.slice(front.bodyOffset)).toBe('body');
  });

  it('may end the file', () => {
    expect(readFrontMatter('---\na: b\n---', 'x')).toMatchObject({ kind: 'read', bodyOffset: 12 });
    expect(readFrontMatter('---\r\na: b\r\n---\r', 'x')).toMatchObject({ kind: 'read', bodyOffset: 15 });
  });

  it('may be empty', () => {
    expect(readFrontMatter('---\n---\nbody', 'x')).toMatchObject({
      kind: 'read',
      fields: new Map(),
      bodyOffset: 8,
    });
  });

  it('closes at the first closing line at the margin and not at an indented one', () => {
    const text = '---\na: |\n  x\n  ---\n  y\n---\n---\n';
    const front = readFrontMatter(text, 'x');
    expect(front.kind === 'read' && pairs(front.fields)).toEqual([['a', 'x\n---\ny\n']]);
    expect(text.slice(front.bodyOffset)).toBe('---\n');
  });

  it.each([
    '',
    '# Title',
    '\n---\na: b\n---\n',
    ' ---\na: b\n---\n',
    '----\na: b\n----\n',
    '--- a: b\n---\n',
    '...\na: b\n---\n',
  ])('is not there: %j', (text) => {
    const front = readFrontMatter(text, 'SKILL.md');
    expect(front).toMatchObject({
      kind: 'invalid',
      bodyOffset: 0,
      error: { code: 'no_front_matter', line: 1 },
    });
  });

  it.each(['---', '---\n', '---\na: b\n', '---\na: b\n----\n', '---\na: b\n --- \n'])(
    'is not closed: %j',
    (text) => {
      expect(readFrontMatter(text, 'x')).toMatchObject({
        kind: 'invalid',
        error: { code: 'unterminated_front_matter' },
      });
    },
  );
});

describe('the values of front matter', () => {
  it('stay the text that was typed', () => {
    expect(read('a: 1.0\nb: yes\nc: 0x1F\nd: ~\ne: 2024-01-01\nf: "1"\ng:\nh: null')).toEqual([
      ['a', '1.0'],
      ['b', 'yes'],
      ['c', '0x1F'],
      ['d', '~'],
      ['e', '2024-01-01'],
      ['f', '1'],
      ['g', ''],
      ['h', 'null'],
    ]);
  });

  it('may be blocks, folded lines, quotes, lists and maps', () => {
    expect(
      read(
        'a: >-\n  x\n  y\nb: |\n  x\n  y\nc: x\n  y\nd: "x\\ty"\ne: [x, "y, z"]\nf:\n  - g: h\n    i: {j: k, l}',
      ),
    ).toEqual([
      ['a', 'x y'],
      ['b', 'x\ny\n'],
      ['c', 'x y'],
      ['d', 'x\ty'],
      ['e', ['x', 'y, z']],
      [
        'f',
        [
          [
            ['g', 'h'],
            [
              'i',
              [
                ['j', 'k'],
                ['l', ''],
              ],
            ],
          ],
        ],
      ],
    ]);
  });

  it('are the same with CRLF', () => {
    expect(read('a: |\r\n  x\r\n  y\r\nb: "x\r\n  y"\r\nc: z', '\r\n')).toEqual([
      ['a', 'x\ny\n'],
      ['b', 'x y'],
      ['c', 'z'],
    ]);
  });

  it('keep keys that name parts of an object apart from it', () => {
    const front = readFrontMatter('---\n__proto__:\n  polluted: yes\nconstructor: x\n---\n', 'x');
    expect(front.kind === 'read' && pairs(front.fields)).toEqual([
      ['__proto__', [['polluted', 'yes']]],
      ['constructor', 'x'],
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('may hold emoji with joiners and selectors, flags, and scripts that need joiners', () => {
    expect(read('a: 👩‍👩‍👧 ❤️ 🇫🇷 ①︎ می‌خواهم क्‍ष')).toEqual([['a', '👩‍👩‍👧 ❤️ 🇫🇷 ①︎ می‌خواهم क्‍ष']]);
  });

  it('remember whether a comment cut them', () => {
    const front = readFrontMatter('---\na: fix #1\nb: "fix" #1\nc: fix#1\nd: #1\n---\n', 'x');
    const cut =
      front.kind === 'read' &&
      [...front.fields].map(([key, value]) => [key, value.kind === 'text' && value.cut]);
    expect(cut).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
      ['d', true],
    ]);
  });
});

describe('front matter that is refused', () => {
  it.each([
    ['an explicit tag', 'a: b\nc: !!str d', 'unsupported_yaml 3:4'],
    ['a tag of its own', 'a: !custom b', 'unsupported_yaml 2:4'],
    ['a binary tag', 'a: !!binary aGk=', 'unsupported_yaml 2:4'],
    ['a bare tag', 'a: ! b', 'unsupported_yaml 2:4'],
    ['an anchor with an alias', 'a: &x b\nc: *x', 'unsupported_yaml 2:4'],
    ['a merge', 'a: &x {b: c}\nd:\n  <<: *x', 'unsupported_yaml 2:4'],
    ['an alias of nothing', 'a: *x', 'invalid_front_matter 2:4'],
    ['an anchor that nothing uses', 'a: &x b', 'invalid_front_matter 2:4'],
    ['a key twice', 'a: b\na: c', 'duplicate_key 3:1'],
    ['a key twice below', 'a:\n  b: c\n  "b": d', 'duplicate_key 4:3'],
    ['a key twice in a flow map', 'a: {b: c, b: d}', 'duplicate_key 2:11'],
    ['a list as key', '[a]: b', 'unsupported_yaml 2:1'],
    ['a map as key', '? {a: b}\n: c', 'unsupported_yaml 2:3'],
    ['no key', ': b', 'unsupported_yaml 2:1'],
    ['a second document', 'a: b\n--- c', 'unsupported_yaml 3:1'],
    ['a list', '- a\n- b', 'invalid_front_matter 2:1'],
    ['a text', 'hello', 'invalid_front_matter 2:1'],
    ['a colon in a value', 'a: use when: asked', 'invalid_front_matter 2:4'],
    ['a colon after CJK', 'a: 使用场景: 处理', 'invalid_front_matter 2:4'],
    ['a tab as indentation', 'a:\n\tb: c', 'invalid_front_matter 3:1'],
    ['an open quotation', 'a: "b', 'invalid_front_matter 3:1'],
    ['a bracket', 'a: [b', 'invalid_front_matter 3:1'],
    ['a reserved character', 'a: @b', 'invalid_front_matter 2:4'],
  ])('uses %s', (_, source, answer) => {
    expect(read(source)).toBe(answer);
  });

  it.each([
    ['NUL', 'a: x\0y', '2:5'],
    ['escape', 'a: x\u001b[31my', '2:5'],
    ['delete', 'a: x\u007f', '2:5'],
    ['C1', 'a: x\u0085y', '2:5'],
    ['a lone carriage return', 'a: x\ry', '2:5'],
    ['right-to-left override', 'a: |\n  b\n  x\u202ey', '4:4'],
    ['isolate', 'a: x\u2066y', '2:5'],
    ['right-to-left mark', 'a: x\u200fy', '2:5'],
    ['tag character', 'a: x\u{e0041}y', '2:5'],
    ['zero-width space', 'a: x\u200by', '2:5'],
    ['word joiner', 'a: x\u2060y', '2:5'],
    ['a byte order mark inside', 'a: x\ufeffy', '2:5'],
    ['a joiner that joins nothing', 'a: ad\u200dmin', '2:6'],
    ['a joiner beside one letter that could be joined', 'a: é\u200dadmin', '2:5'],
    ['a joiner before such a letter', 'a: admin\u200dé', '2:9'],
    ['a joiner behind another', 'a: é\u200d\u200dé', '2:5'],
    ['a joiner behind a joining one', 'a: \u0d28\u0d4d\u200d\u200d', '2:6'],
    ['an annotation', 'a: x\ufff9y', '2:5'],
    ['the end of an annotation', 'a: x\ufffby', '2:5'],
    ['an escaped one', 'a: "x\\u202ey"', '2:4'],
    ['an escaped half of a pair', 'a: "x\\ud800y"', '2:4'],
    ['one in a list of an unknown key', 'a:\n  - x\u202ey', '3:6'],
    ['one in a key', 'a:\n  x\u202ey: b', '3:4'],
  ])('holds a character that cannot be seen: %s', (_, source, at) => {
    expect(read(source)).toBe(`forbidden_character ${at}`);
  });

  it.each([
    ['emoji', '\u{1f469}\u200d\u{1f4bb} and \u{1f3f3}\ufe0f\u200d\u{1f308}'],
    ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
    ['a Persian plural of a Latin word', 'API\u200c\u0647\u0627'],
    ['Hindi', '\u0915\u094d\u200d\u0937'],
    ['Malayalam, at the end of a word', '\u0d05\u0d35\u0d28\u0d4d\u200d x'],
    ['Sinhala', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
  ])('may have joiners where writing needs them: %s', (_, text) => {
    expect(read(`a: ${text}`)).toEqual([['a', text]]);
  });

  it('names the character and the key', () => {
    const front = readFrontMatter('---\nb: x\u202ey\n---\n', 'p');
    expect(front.kind === 'invalid' && front.error.message).toBe(
      'The front matter holds U+202E in `b`, which a reader cannot see.',
    );
  });

  it('may have a comment with anything in it', () => {
    expect(read('# \u202e\na: b # \u200b')).toEqual([['a', 'b']]);
  });

  it('has more than 16,384 characters, counted before it is parsed', () => {
    const source = (length: number, filler: string) => `a: ${filler.repeat(length - 4)}\n`;
    const whole = (text: string) => readFrontMatter(`---\n${text}---\n`, 'x').kind;
    expect(whole(source(MAX_FRONT_MATTER_CHARACTERS, 'b'))).toBe('read');
    expect(whole(source(MAX_FRONT_MATTER_CHARACTERS, '👍'))).toBe('read');
    const error = { kind: 'invalid', error: { code: 'front_matter_too_long' } };
    expect(readFrontMatter(`---\n${source(MAX_FRONT_MATTER_CHARACTERS + 1, 'b')}---\n`, 'x')).toMatchObject(
      error,
    );
    expect(readFrontMatter(`---\n${source(MAX_FRONT_MATTER_CHARACTERS + 1, '👍')}---\n`, 'x')).toMatchObject(
      error,
    );
  });

  it.each([
    ['lists', '- '.repeat(8_000)],
    ['flow lists', '['.repeat(16_000)],
    ['flow maps', '{a: '.repeat(4_000)],
    ['keys', '? '.repeat(8_000)],
    ['indented maps', Array.from({ length: 175 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['20,000 levels', '- '.repeat(20_000)],
  ])('nests too deep: %s', (_, source) => {
    expect(read(source)).toMatch(/^(?:unsupported_yaml|front_matter_too_long)/);
  });

  it('holds an alias bomb', () => {
    const levels = Array.from({ length: 20 }, (_, i) => `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}]`);
    expect(read(['a: &a-1 x', ...levels].join('\n'))).toMatch(/^unsupported_yaml/);
  });
});

describe('recovery', () => {
  it('is not asked of readers that do not want it', () => {
    expect(readFrontMatter('---\na: b: c\n---\n', 'x').kind).toBe('invalid');
  });

  it.each([
    ['a colon', 'a: use when: asked', 'use when: asked'],
    ['a colon after CJK', 'a: 使用场景: 处理', '使用场景: 处理'],
    ['a leading asterisk', 'a: *bold* words', '*bold* words'],
    ['an alias of nothing', 'a: *bold*', '*bold*'],
    ['an anchor of nothing', 'a: &more words', '&more words'],
    ['a lone ampersand', 'a: & more', '& more'],
    ['marks of emphasis around an ampersand', 'a: **Dart & Go**: words', '**Dart & Go**: words'],
    ['a Markdown image', 'a: ![](x.png) words', '![](x.png) words'],
    ['a reserved character', 'a: @someone', '@someone'],
    ['a backtick', 'a: `code` words', '`code` words'],
    ['a percent sign', 'a: %d words', '%d words'],
    ['text behind a quotation', 'a: "b" c', '"b" c'],
    ['an apostrophe in apostrophes', "a: 'it's'", "'it's'"],
    ['an open quotation', 'a: "b', '"b'],
    ['text behind a bracket', 'a: [b] c', '[b] c'],
    ['text behind a folding mark', 'a: > b\n  c', '> b c'],
    ['indented continuations', 'a: b: c\n  d #e\n\n  f\ng: h', 'b: c d #e\nf'],
    ['a block with an error', 'a: |\n  b\n c: d', 'b\nc: d'],
  ])('reads a line with %s as text', (_, source, text) => {
    const front = recover(source);
    expect(front).toMatchObject({
      kind: 'recovered',
      error: { code: 'invalid_front_matter', severity: 'error' },
    });
    const value = front.kind === 'recovered' ? front.fields.get('a') : undefined;
    expect(value?.kind === 'text' && value.text).toBe(text);
    expect(front.kind === 'recovered' && front.uncertain.has('a')).toBe(true);
  });

  it('warns with the line and the column of the error', () => {
    const front = recover('name: x\ndescription: use when: asked');
    expect(front.kind === 'recovered' && front.warning).toMatchObject({
      code: 'recovered_front_matter',
      severity: 'warning',
      line: 3,
      column: 14,
      message: expect.stringContaining('a value that is not in quotes holds `: `'),
    });
  });

  it('lets one bad line spoil no other', () => {
    const front = recover('a: b: c\nd: "x\\ty" # z\ne:\n  - f\n  - g\nh: >-\n  i\n  j\n');
    expect(front.kind === 'recovered' && pairs(front.fields)).toEqual([
      ['a', 'b: c'],
      ['d', 'x\ty'],
      ['e', ['f', 'g']],
      ['h', 'i j'],
    ]);
    expect(front.kind === 'recovered' && [...front.uncertain]).toEqual(['a']);
  });

  it('knows where the values stand', () => {
    const front = recover('a: b: c\nd: e');
    const at = front.kind === 'recovered' && [...front.fields.values()].map((value) => value.at);
    expect(at).toEqual([7, 15]);
  });

  it('does not guess what a line at the margin belongs to', () => {
    const front = recover('a: b\nsome words\nc: d');
    expect(front.kind === 'recovered' && pairs(front.fields)).toEqual([['c', 'd']]);
    expect(front.kind === 'recovered' && [...front.uncertain]).toEqual(['a', 'license']);
    expect(recover('some words\na: b').kind).toBe('invalid');
  });

  it.each([
    ['a tag', 'a: b: c\nd: !!str e'],
    ['a tag before the error', 'a: !x b\nd: e: f'],
    ['an alias where there is an anchor', 'a: b: c\nd: &x e\nf: *x'],
    ['a key twice', 'a: b: c\nd: e\nd: f'],
    ['a key twice below', 'a: b: c\nd:\n  e: f\n  e: g'],
    ['a control character', 'a: b: c\nd: e\0'],
    ['a character that cannot be seen', 'a: b: c\u200b'],
    ['an escaped one', 'a: b: c\nd: "\\u202e"'],
    ['a key that is no text', 'a: b: c\nd: {[e]: f}'],
    ['too many characters', `a: b: c${'d'.repeat(MAX_FRONT_MATTER_CHARACTERS)}`],
    ['deep nesting', `a: b: c\nd: ${'['.repeat(400)}`],
  ])('never happens with %s', (_, source) => {
    expect(recover(source).kind).toBe('invalid');
  });

  it('reads CRLF like line feeds', () => {
    const front = readFrontMatter('---\r\na: b: c\r\n  d\r\n---\r\n', 'x', { recover: true });
    expect(front.kind === 'recovered' && pairs(front.fields)).toEqual([['a', 'b: c d']]);
  });
});

describe('reading any text', () => {
  const piece = fc.constantFrom(
    ...[
      '---',
      '...',
      '\n',
      '\r\n',
      'name: a',
      'description: b',
      ': ',
      '#',
      '"',
      "'",
      '|',
      '>',
      '- ',
      '[',
      ']',
      '{',
      '}',
    ],
    ...[
      '&a',
      '*a',
      '!t',
      '%',
      '@',
      '`',
      '  ',
      '\t',
      '\0',
      '\u202e',
      'é',
      '👍',
      '\ud800',
      '\ufeff',
      '\\',
      '? ',
      ',',
    ],
  );

  it('always gives an answer whose offsets lie in the text', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, fenced) => {
        const text = fenced ? `---\n${pieces.join('')}\n---\n` : pieces.join('');
        const front = readFrontMatter(text, 'x', { recover: true });
        expect(front.bodyOffset).toBeLessThanOrEqual(text.length);
        if (front.kind === 'invalid') return;
        for (const value of front.fields.values()) expect(value.at).toBeLessThanOrEqual(front.bodyOffset);
      }),
      { numRuns: 3_000 },
    );
  });
});
