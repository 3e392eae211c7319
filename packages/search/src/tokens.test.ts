import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BYTE_CLASS, MAX_TERM_LENGTH, OUTSIDE, tokens } from './tokens.ts';

const terms = (text: string) => tokens(text).flatMap((token) => token.terms);

describe('a text is taken apart', () => {
  it.each([
    ['Deploying the databases', 'deploy the databas'],
    ['getUserById', 'getuserbyid get user by id'],
    ['get_user_by_id', 'getuserbyid get user by id'],
    ['get-user-by-id', 'getuserbyid get user by id'],
    ['mcp__server__tool', 'mcpservertool mcp server tool'],
    ['__init__', 'init'],
    ['XMLHttpRequest', 'xmlhttprequest xml http request'],
    ['Base64Encode', 'base64encode base64 base encod'],
    ['the APIs and URLs', 'the api and url'],
    ['config.getUserById', 'configgetuserbyid config getuserbyid get user by id'],
    ['Node.js', 'nodej node js'],
    ['README.md.', 'readmemd readm md'],
    ['--dry-run', 'dryrun dri run'],
    ['C++, C# and .NET; notepad++', 'c c++ c c# and net notepad notepad++'],
    ['a#b issue#12', 'a a# b issu 12'],
    ['1.2.3 v2.0 3,000', '1.2.3 1 2 3 v2.0 v2 0 3 000'],
    ['sha256 2024-01-15', 'sha256 20240115 2024 01 15'],
    ['PDFs CSVs llms VMs', 'pdf csv llm vm'],
    ['OAuth2 python3 s3', 'oauth2 oauth o auth2 auth python3 python s3'],
    ['python_3 mp3 dead12345', 'python3 python 3 mp3 dead12345'],
    ["user's users’ don't l’été", 'user user dont don t lete l ete'],
    ['e-mail', 'email e mail'],
    ['https://example.com/a_b?c=d', 'http examplecom exampl com ab a b c d'],
    ['`code` **bold** <b>x</b>', 'code bold b x b'],
    ['naïve CAFÉ Ångström Straße Łódź', 'naiv cafe angstrom strass lodz'],
    ['cafe\u0301 co\u00adop\u200ber', 'cafe coop er'],
    ['ＦＵＬＬ－ＷＩＤＴＨ ﬁle ①', 'fullwidth full width file 1'],
    ['Ελλάδας ΕΛΛΆΔΑΣ', 'ελλαδασ ελλαδασ'],
    ['İstanbul ISPARTA ısı', 'istanbul isparta isi'],
    ['ёлка Ёлка', 'елка елка'],
    ['שָׁלוֹם مُحَمَّد', 'שלום محمد'],
    ['हिन्दी', 'हिन्दी'],
    ['— … ✅ 😀 ─── *** \u0301', ''],
    ['', ''],
  ])('%j gives %j', (text, expected) => {
    expect(terms(text).join(' ')).toBe(expected);
  });

  it.each([
    ['数据库迁移', '数据 据库 库迁 迁移'],
    ['数', '数'],
    ['用Redis做缓存。完', '用 redi 做缓 缓存 完'],
    ['データベース', 'デー ータ タベ ベー ース'],
    ['ﾃﾞｰﾀ', 'デー ータ'],
    ['食べる', '食べ べる'],
    ['코드 리뷰', '코드 리뷰'],
    ['ฐานข้อมูล', 'ฐา าน นข ข้ ้อ อม มู ูล'],
    ['𠮷野家', '𠮷野 野家'],
    ['user_数据', 'user 数据'],
  ])('the runs of %j give %j', (text, expected) => {
    expect(terms(text).join(' ')).toBe(expected);
  });

  it('tells the pairs of a run from the parts of an identifier', () => {
    expect(tokens('数据库').map(({ run }) => run)).toEqual([true]);
    expect(tokens('user_id').map(({ run }) => run)).toEqual([false]);
  });
});

it.each(['pdf', 'csv', 'xml', 'llm', 'vm', 'png', 'pr', 'http'])('%s is found by its plural', (word) => {
  const [form] = terms(word);
  for (const plural of [`${word}s`, `${word.toUpperCase()}s`]) expect(terms(plural)).toEqual([form]);
});

it.each(['dns', 'css', 'aws', 'https', 'tls', 'js', 'rss', 'sms'])('%s is found by itself', (word) => {
  expect(terms(word)).toEqual(terms(word.toUpperCase()));
});

it.each([
  ['OAuth2', 'oauth'],
  ['OAuth2', 'oauth2'],
  ['python3', 'python'],
  ['databases2', 'database'],
])('%s is found by %s', (text, query) => {
  expect(terms(text)).toEqual(expect.arrayContaining(terms(query)));
});

it('encoded data is no word', () => {
  expect(terms(`${'a'.repeat(MAX_TERM_LENGTH)} ${'b'.repeat(MAX_TERM_LENGTH + 1)}`)).toEqual([
    'a'.repeat(64),
  ]);
  expect(terms(`${'word_'.repeat(20)}end`)).not.toContain(`${'word'.repeat(20)}end`);
  expect(terms(`${'word_'.repeat(20)}end`)).toContain('word');
});

it('an identifier as long as a file is taken apart in one pass', () => {
  const half = 131_072;
  expect(tokens('1.'.repeat(half))).toEqual([{ terms: ['1'], run: false }]);
  const numbers = Array.from({ length: half }, (_, at) => `x${at}y`);
  expect(tokens(numbers.join('.'))).toEqual([{ terms: numbers, run: false }]);
});

it('every term is found again by itself, whatever the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'grapheme-ascii' }),
  );
  fc.assert(
    fc.property(text, (text) => {
      for (const token of tokens(text)) {
        expect(token.terms.length).toBeGreaterThan(0);
        for (const term of token.terms) {
          expect(term).not.toBe('');
          expect(term.length).toBeLessThanOrEqual(MAX_TERM_LENGTH);
          expect(Buffer.byteLength(term)).toBeLessThanOrEqual(255);
        }
      }
    }),
    { numRuns: 1_000 },
  );
});

it('text on the two sides of an ASCII separator has nothing to do with each other', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  const separator = fc.constantFrom(...[...BYTE_CLASS.keys()].filter((byte) => BYTE_CLASS[byte] === OUTSIDE));
  fc.assert(
    fc.property(text, separator, text, (left, byte, right) => {
      expect(tokens(left + String.fromCharCode(byte) + right)).toEqual([...tokens(left), ...tokens(right)]);
    }),
  );
});
