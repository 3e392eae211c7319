import { describe, expect, it } from 'vitest';
import type { SearchScope, SegmentDocument } from '../src/api.ts';
import { SegmentBuilder } from '../src/build.ts';
import { mergeSegments } from '../src/merge.ts';
import { openSegment } from '../src/segment.ts';
import { build, everything } from './documents.ts';

type Texts = readonly (string | Partial<SegmentDocument>)[];

const EMPTY: SegmentDocument = { name: '', description: '', details: '', body: '' };

function documents(texts: Texts): Map<number, SegmentDocument> {
  return new Map(
    texts.map((text, id) => [id, { ...EMPTY, ...(typeof text === 'string' ? { description: text } : text) }]),
  );
}

/** The numbers of the documents found, best first. */
function find(query: string, texts: Texts, scope: Partial<SearchScope> = {}): number[] {
  const segment = openSegment(build(documents(texts), texts.length));
  const result = segment.search(
    query,
    { ...everything(texts.length), ...scope },
    { after: null, limit: 100 },
  );
  return result.hits.map(({ group }) => group);
}

describe('words', () => {
  it('any word of a query may match, and more of them match better', () => {
    expect(find('deploy a container', ['deploy', 'unrelated', 'deploy the container', 'container'])).toEqual([
      2, 0, 3,
    ]);
  });

  it('a rare word counts more than a common one', () => {
    expect(find('skill kubernetes', ['a skill', 'a skill', 'kubernetes', 'a skill'])[0]).toBe(2);
  });

  it('a word of the name ranks above one of the description, of the details, of the body', () => {
    const fields = ['body', 'details', 'description', 'name'] as const;
    expect(
      find(
        'terraform',
        fields.map((field) => ({ [field]: 'terraform' })),
      ),
    ).toEqual([3, 2, 1, 0]);
  });

  it('equal scores come in the order of their groups', () => {
    expect(find('same', ['same', 'other', 'same', 'same'])).toEqual([0, 2, 3]);
  });

  it('English forms of a word, its case and its accents make no difference', () => {
    const texts = ['Testing', 'tests', 'TESTED', 'café', 'CAFE', 'other'];
    expect(find('test', texts)).toEqual([0, 1, 2]);
    expect(find('Café', texts)).toEqual([3, 4]);
  });

  it('each spelling of an identifier finds every other', () => {
    const spellings = ['getUserById', 'get_user_by_id', 'get-user-by-id', 'GetUserByID', 'get user by id'];
    for (const query of spellings) {
      expect(find(query, [...spellings, 'nothing of it']).sort()).toEqual([0, 1, 2, 3, 4]);
    }
  });

  it('an identifier ranks documents that hold all of it above those that hold its words apart', () => {
    expect(find('user_by_id', ['an id by which a user is known', 'call userById', 'user'])[0]).toBe(1);
  });

  it('C++, C# and C are three languages', () => {
    const texts = ['written in C', 'written in C++', 'written in C#'];
    expect(find('C++', texts)[0]).toBe(1);
    expect(find('c#', texts)[0]).toBe(2);
  });

  it('a query of nothing but punctuation is empty, one that finds nothing is not', () => {
    const segment = openSegment(build(documents(['text']), 1));
    const page = { after: null, limit: 5 };
    expect(segment.search('?!… — ✅ "" \u0301', everything(1), page)).toEqual({
      hits: [],
      more: false,
      empty: true,
    });
    expect(segment.search('absent', everything(1), page)).toEqual({ hits: [], more: false, empty: false });
  });
});

describe('a run of Han, kana, Hangul or Thai', () => {
  const texts = ['数据库迁移的步骤', '数据分析', '图书馆迁移', '数据库 迁移', '無関係'];

  it('finds only the documents that hold all of its pairs, where there are any', () => {
    expect(find('数据库迁移', texts)).toEqual([0]);
  });

  it('finds the documents that hold any pair, where none holds all', () => {
    expect(find('数据库迁移', texts.slice(1)).sort()).toEqual([0, 1, 2]);
  });

  it('asks for documents in scope, not for any', () => {
    expect(find('数据库迁移', texts, { from: 1 }).sort()).toEqual([1, 2, 3]);
    const groupOf = Int32Array.of(-1, 1, 2, 3, 4);
    expect(find('数据库迁移', texts, { groupOf }).sort()).toEqual([1, 2, 3]);
    expect(find('数据库迁移', texts, { groupFrom: 1 }).sort()).toEqual([1, 2, 3]);
  });

  it('leaves the other words and runs of the query alone', () => {
    expect(find('数据库迁移 分析 library', [...texts, 'a library']).sort()).toEqual([0, 1, 5]);
  });

  it.each([
    ['テスト', '自動テストの書き方', 'データベース'],
    ['데이터베이스', '데이터베이스를 설계한다', '데이트'],
    ['ฐานข้อมูล', 'ออกแบบฐานข้อมูลให้ดี', 'ภาษาไทย'],
  ])('%s is found inside a longer run', (query, holding, other) => {
    expect(find(query, [other, holding])[0]).toBe(1);
  });
});

describe('folding', () => {
  const segment = openSegment(
    build(
      documents([
        { name: 'alpha', body: 'target' },
        { body: 'target target target' },
        { body: 'nothing' },
        { name: 'target' },
        ...Array.from({ length: 7 }, () => ({ body: 'target among many other words of a text' })),
      ]),
      11,
    ),
  );
  const groupOf = Int32Array.from([0, 0, 0, 3, 4, 4, 4, 4, 4, 4, 4]);
  const scope = { from: 0, to: 11, groupOf, groupFrom: 0, groupTo: 11 };

  it('a group stands where its best document would, with its matching documents best first', () => {
    const { hits } = segment.search('target', scope, { after: null, limit: 10 });
    expect(hits.map(({ group, docs, matching, own }) => ({ group, docs, matching, own }))).toEqual([
      { group: 3, docs: [3], matching: 1, own: true },
      { group: 0, docs: [1, 0], matching: 2, own: true },
      { group: 4, docs: [4, 5, 6, 7, 8, 9], matching: 7, own: true },
    ]);
  });

  it('only documents in scope count', () => {
    const { hits } = segment.search('target', { ...scope, from: 1, to: 6 }, { after: null, limit: 10 });
    expect(hits.map(({ group, docs, matching, own }) => ({ group, docs, matching, own }))).toEqual([
      { group: 3, docs: [3], matching: 1, own: true },
      { group: 0, docs: [1], matching: 1, own: false },
      { group: 4, docs: [4, 5], matching: 2, own: true },
    ]);
  });

  it('a page is full of groups and says whether there are more', () => {
    const first = segment.search('target', scope, { after: null, limit: 2 });
    expect([first.hits.map(({ group }) => group), first.more]).toEqual([[3, 0], true]);
    const second = segment.search('target', scope, { after: first.hits[1] ?? null, limit: 2 });
    expect([second.hits.map(({ group }) => group), second.more]).toEqual([[4], false]);
  });
});

describe('limits', () => {
  it('the longest query there may be is answered, and scores stay whole numbers below 2^31', () => {
    const words = Array.from({ length: 250 }, (_, index) => String.fromCodePoint(0x3b1 + index * 2));
    const text = `${words.join(' ')} ${String.fromCodePoint(...Array.from({ length: 1_500 }, (_, i) => 0x4e00 + i))}`;
    const texts = [{ name: text }, ...Array.from({ length: 50 }, () => ({}))];
    const segment = openSegment(build(documents(texts), texts.length));
    const [hit] = segment.search(text, everything(texts.length), { after: null, limit: 1 }).hits;
    expect(hit?.score).toSatisfy((score: number) => Number.isInteger(score) && score > 0 && score < 2 ** 31);
  });

  it('documents have whole numbers, each its own, below the count', () => {
    const builder = new SegmentBuilder();
    builder.add(3, EMPTY);
    expect(() => builder.add(-1, EMPTY)).toThrow(RangeError);
    expect(() => builder.add(0.5, EMPTY)).toThrow(RangeError);
    expect(() => builder.finish(3)).toThrow(RangeError);
    builder.add(3, EMPTY);
    expect(() => builder.finish(4)).toThrow(RangeError);
  });

  it('a merge refuses numbers that do not ascend, run over the count or fall together', () => {
    const bytes = build(documents(['a', 'b']), 2);
    const merge = (...maps: number[][]) =>
      mergeSegments(
        maps.map((map) => ({ bytes, map: Int32Array.from(map) })),
        4,
      );
    expect(() => merge([1, 0])).toThrow(RangeError);
    expect(() => merge([0, 4])).toThrow(RangeError);
    expect(() => merge([0])).toThrow(RangeError);
    expect(() => merge([0, 1], [1, 2])).toThrow(RangeError);
    expect(openSegment(merge([0, 2], [1, 3])).docCount).toBe(4);
  });

  it('a segment without documents is a segment', () => {
    const segment = openSegment(mergeSegments([], 0));
    expect(segment.search('any', everything(0), { after: null, limit: 5 }).hits).toEqual([]);
  });
});
