// The tools over HTTP, from a git repository to the text a model reads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { nextOf, type Served, serve } from './support/served.ts';

const skill = (name: string, description: string, body: string) =>
  `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${body}`;
const LONG = Array.from({ length: 9_000 }, (_, i) => `Line ${i} "quoted" \\ é 数据\n`).join('');

const library = repository({
  'SKILLCDN.md': '---\nname: The Library\ndescription: Skills for tests\n---\nBe kind.\n',
  'README.md': '# Library\n\nWhat it is.\n',
  'marketing/skills/ad-copy/SKILL.md': skill(
    'ad-copy',
    'Writes short advertisements',
    'Write an ad.\nSee [tone](tone.md).\n',
  ),
  'marketing/skills/ad-copy/tone.md': '# Tone\n\nFriendly.\n',
  'engineering/skills/review/SKILL.md': skill('review', 'Reviews code changes', LONG),
  'engineering/skills/review/notes.txt': LONG,
  'docs/guide.md': '# Guide\n\nHow to write skills well.\n',
  'private/secret.md': 'secret\n',
});
const ADDRESS = '/gh/acme/library';
let served: Served;

beforeAll(async () => {
  served = await serve({ 'gh/acme/library': library });
});
afterAll(() => served.stop());

describe('a served repository', () => {
  it('names repository, mount and commit in every answer', async () => {
    const { text } = await served.call(ADDRESS, 'browse_repo');
    expect(text).toMatch(
      new RegExp(
        `^Repository: ${ADDRESS}\nMount: whole repository\nCommit: ${library.head} \\(default branch\\)\nNotice: `,
      ),
    );
  });

  it('is browsed to a skill, searched, loaded and read', async () => {
    expect((await served.call(ADDRESS, 'browse_repo')).text).toContain('marketing');
    expect((await served.call(ADDRESS, 'browse_repo', { path: 'marketing/skills' })).text).toContain(
      'ad-copy/SKILL.md',
    );
    expect((await served.call(ADDRESS, 'search_repo', { query: 'advertisement' })).text).toContain(
      'marketing/skills/ad-copy/SKILL.md',
    );
    const loaded = await served.call(ADDRESS, 'load_skill', { path: 'marketing/skills/ad-copy/SKILL.md' });
    expect(loaded.text).toContain('--- applicable rules: SKILLCDN.md ---\nBe kind.\n');
    expect(loaded.text).toContain('complete: true');
    expect(
      (await served.call(ADDRESS, 'read_repo_file', { path: 'marketing/skills/ad-copy/tone.md' })).text,
    ).toContain('Friendly.');
  });

  it('gives the same text in both eras', async () => {
    for (const [tool, args] of [
      ['browse_repo', {}],
      ['search_repo', { query: 'code' }],
      ['load_skill', { path: 'engineering/skills/review/SKILL.md' }],
      ['read_repo_file', { path: 'engineering/skills/review/notes.txt' }],
      ['browse_repo', { path: 'nowhere' }],
    ] as const) {
      const modern = await served.call(ADDRESS, tool, args);
      expect(await served.callLegacy(ADDRESS, tool, args)).toMatchObject({
        text: modern.text,
        isError: modern.isError,
      });
    }
  });

  it('reads a long file to its end, byte for byte, within the budget of each page', async () => {
    let args: Record<string, unknown> = { path: 'engineering/skills/review/notes.txt' };
    let whole = '';
    for (let page = 0; page < 100; page += 1) {
      const modern = await served.call(ADDRESS, 'read_repo_file', args);
      const legacy = await served.callLegacy(ADDRESS, 'read_repo_file', args);
      expect(modern.bodyBytes).toBeLessThanOrEqual(24_576);
      expect(legacy.bodyBytes).toBeLessThanOrEqual(24_576);
      expect(legacy.text).toBe(modern.text);
      // The content stands between the line that names the fragment and the lines that say whether that was all.
      const from = modern.text.indexOf('\n', modern.text.indexOf('fragment: ')) + 1;
      const end = /\ncomplete: (?:true|false\nNext: [^\n]*)$/.exec(modern.text)?.index;
      whole += modern.text.slice(from, end);
      const next = nextOf(modern.text);
      if (next === null) break;
      args = next.args;
    }
    expect(whole).toBe(LONG);
  });

  it('loads a long skill over its pages and says when it is whole', async () => {
    let args: Record<string, unknown> = { path: 'engineering/skills/review/SKILL.md' };
    let pages = 0;
    for (;;) {
      const { text, bodyBytes } = await served.call(ADDRESS, 'load_skill', args);
      pages += 1;
      expect(bodyBytes).toBeLessThanOrEqual(24_576);
      const next = nextOf(text);
      expect(text.includes('complete: true')).toBe(next === null);
      if (next === null) break;
      args = next.args;
    }
    expect(pages).toBeGreaterThan(10);
  });

  it('leads from a directory, a name or a slip to the skill that was meant', async () => {
    const path = 'marketing/skills/ad-copy/SKILL.md';
    for (const asked of [
      'ad-copy',
      'marketing/skills/ad-copy',
      'skills/ad-copy/',
      `/${path}`,
      './ad-copy/skill.md',
    ]) {
      const { text, isError } = await served.call(ADDRESS, 'load_skill', { path: asked });
      expect([asked, isError]).toEqual([asked, true]);
      expect(text).toMatch(
        /\nCode: path.invalid\nNext: load_skill {"path":"marketing\/skills\/ad-copy\/SKILL.md"}$/,
      );
    }
    expect((await served.call(ADDRESS, 'load_skill', { path: 'no-such' })).text).toMatch(
      /Code: path.invalid$/,
    );
    expect((await served.call(`${ADDRESS}/docs`, 'load_skill', { path: 'ad-copy' })).text).not.toContain(
      'Next:',
    );
  });

  it('waits for the index to lead to a skill, as it does to load one', async () => {
    const fresh = await serve({ 'gh/acme/library': library });
    const { text } = await fresh.call(ADDRESS, 'load_skill', { path: 'ad-copy' });
    await fresh.stop();
    expect(text).toContain('Next: load_skill {"path":"marketing/skills/ad-copy/SKILL.md"}');
  });

  it("leads from a path of a skill's own text to the file", async () => {
    await served.call(ADDRESS, 'browse_repo');
    const { text } = await served.call(ADDRESS, 'read_repo_file', { path: 'tone.md' });
    expect(text).toMatch(
      /Did you mean .*\nCode: file.not_found\nNext: read_repo_file {"path":"marketing\/skills\/ad-copy\/tone.md"}$/,
    );
  });

  it('answers what is wrong with a call as a result a model can act on', async () => {
    for (const [tool, args, words] of [
      ['search_repo', {}, 'query is required'],
      ['search_repo', { query: 'x', limit: 26 }, '1 to 25'],
      ['browse_repo', { folder: 'x' }, 'has no argument'],
      ['browse_repo', { path: '../etc' }, 'browse_repo'],
      ['load_skill', { path: 'ad-copy' }, 'SKILL.md'],
      ['load_skill', { path: 'nowhere/SKILL.md' }, 'nowhere/SKILL.md'],
      ['read_repo_file', { path: 'marketing' }, 'marketing'],
      ['read_repo_file', { path: 'README.md', offset: 1_000_000 }, 'offset is past the end'],
      [
        'load_skill',
        { path: 'marketing/skills/ad-copy/SKILL.md', cursor: 'AAAA' },
        'start again from the first page',
      ],
    ] as const) {
      const { text, isError, status } = await served.call(ADDRESS, tool, args);
      expect([tool, args, status, isError]).toEqual([tool, args, 200, true]);
      expect(text).toContain(words);
    }
  });

  it('introduces itself', async () => {
    const { result } = await served.request(ADDRESS, 'server/discover');
    expect(result?.instructions).toContain('2 skills, 1 document');
    expect(result?.instructions).toContain(library.head);
    expect(String(result?.instructions).length).toBeLessThanOrEqual(2_000);
    expect(result?.ttlMs).toBeGreaterThan(50_000);
    expect(result?._meta).toEqual({
      'io.modelcontextprotocol/serverInfo': {
        name: ADDRESS,
        title: 'The Library',
        version: expect.any(String),
        description: 'Skills for tests',
        websiteUrl: served.origin + ADDRESS,
        icons: [{ src: `${served.origin}/icon${ADDRESS}`, sizes: ['128x128'] }],
      },
    });
  });

  it('may be kept for a day at a pinned commit', async () => {
    const { result } = await served.request(`${ADDRESS}@${library.head}`, 'server/discover');
    expect(result).toMatchObject({ ttlMs: 86_400_000, cacheScope: 'public' });
  });

  it('starts a skill through its prompt', async () => {
    const path = 'engineering/skills/review/SKILL.md';
    const { result, body } = await served.request(ADDRESS, 'prompts/get', {
      name: 'use_skill',
      arguments: { path },
    });
    const page = await served.call(ADDRESS, 'load_skill', { path });
    expect(result?.messages).toEqual([{ role: 'user', content: { type: 'text', text: page.text } }]);
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(24_576);
    for (const args of [{ path: 'nowhere/SKILL.md' }, { path: 'x' }, { path, cursor: 'x' }]) {
      const { error } = await served.request(ADDRESS, 'prompts/get', { name: 'use_skill', arguments: args });
      expect(error?.code).toBe(-32602);
    }
    expect(
      (await served.request(ADDRESS, 'prompts/get', { name: 'other', arguments: { path } })).error?.code,
    ).toBe(-32602);
  });

  it('is a page in a browser', async () => {
    const response = await fetch(served.origin + ADDRESS, { headers: { accept: 'text/html' } });
    const text = await response.text();
    expect(text).toContain('<h1>The Library</h1>');
    expect(text).toContain('<h2>Skills (2)</h2>');
    expect(text).toContain(library.head);
  });

  it('has no mount where it has no folder', async () => {
    const message = await served.request(`${ADDRESS}/nowhere`, 'tools/list');
    expect([message.status, message.error]).toMatchObject([404, { code: 'mount.path_not_found' }]);
    expect((await served.request(`${ADDRESS}@nothing`, 'tools/list')).error).toMatchObject({
      code: 'mount.ref_not_found',
    });
  });

  it('says how to write a ref with a slash when it was read as a folder', async () => {
    const { error } = await served.request(`${ADDRESS}@feature/x`, 'tools/list');
    expect(error?.message).toContain(`${ADDRESS}@feature/x:`);
  });

  it('follows its branch between calls', async () => {
    const moving = repository({ 'docs/a.md': '# One\n\nFirst.\n' });
    const other = await serve({ 'gh/acme/moving': moving });
    await other.call('/gh/acme/moving', 'browse_repo');
    const before = await other.call('/gh/acme/moving', 'read_repo_file', { path: 'docs/a.md' });
    moving.commit({ 'docs/a.md': '# Two\n\nSecond.\n' });
    const after = await other.call('/gh/acme/moving', 'search_repo', { query: 'second' });
    expect(before.text).toContain('First.');
    expect(after.text).toContain(moving.head);
    await other.stop();
  });

  it('is served without a notice where the operator vouches for its default branch', async () => {
    const other = await serve({ 'gh/acme/library': library }, { env: { VERIFIED: 'gh/Acme/Library' } });
    expect((await other.call(ADDRESS, 'browse_repo')).text).not.toContain('Notice:');
    expect((await other.call(`${ADDRESS}@main`, 'browse_repo')).text).toContain('Notice:');
    await other.stop();
  });
});

it('a page that lacks what cannot be read now is whole once it can', async () => {
  const known = { 'gh/acme/library': library };
  const other = await serve(known);
  const load = () => other.call(ADDRESS, 'load_skill', { path: 'marketing/skills/ad-copy/SKILL.md' });
  await other.call(ADDRESS, 'browse_repo');
  known['gh/acme/library'] = { ...library, dir: repository({ 'other.md': 'x' }).dir };
  const lacking = (await load()).text;
  expect(lacking).toContain('complete: false');
  expect(lacking).toContain('object_missing');
  known['gh/acme/library'] = library;
  expect((await load()).text).toContain('complete: true');
  await other.stop();
});
