// What a mount does not show: nothing outside its folder, nothing excluded, and no page of another request.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { nextOf, type Served, serve } from './support/served.ts';

const skill = (name: string, more = '', body = 'Do it.\n') =>
  `---\nname: ${name}\ndescription: Does ${name} things\n${more}---\n${body}`;
const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `inside/docs/page-${String(i).padStart(2, '0')}.md`,
    `# Page ${i}\n\nA common page.\n`,
  ]),
);
const files = {
  'SKILLCDN.md':
    '---\ndescription: All of it\ndocuments: [docs]\nexclude:\n  - inside/hidden\n---\nRoot rules.\n',
  'outside/skills/other/SKILL.md': skill('other', '', 'OUTSIDE-BODY\n'),
  'outside/skills/other/more.md': '# More\n\nOUTSIDE-MORE\n',
  'outside/README.md': '# Outside\n\nOUTSIDE-README\n',
  'inside/SKILLCDN.md': '---\ndescription: The inside\ndocuments: [docs]\n---\nInside rules.\n',
  'inside/README.md': '# Inside\n\nSee [outside](../outside/README.md) and [hidden](hidden/secret.md).\n',
  'inside/skills/own/SKILL.md': skill(
    'own',
    'skillcdn:\n  include:\n    - /inside/hidden/secret.md\n    - /outside/skills/other/more.md\n',
    'Read [hidden](../../hidden/secret.md) and [more](../../../outside/skills/other/more.md).\n',
  ),
  'inside/hidden/secret.md': '# Secret\n\nHIDDEN-BODY\n',
  'inside/hidden/skill/SKILL.md': skill('hidden-skill', '', 'HIDDEN-BODY\n'),
  ...many,
};
const library = repository(files);
const other = repository(files);
other.commit({ 'inside/docs/page-00.md': '# Page 0\n\nAnother common page.\n' });
const WHOLE = '/gh/acme/library';
const INSIDE = '/gh/acme/library/inside';
let served: Served;

beforeAll(async () => {
  served = await serve({ 'gh/acme/library': library, 'gh/acme/other': other });
  for (const address of [WHOLE, INSIDE, '/gh/acme/other']) await served.call(address, 'browse_repo');
});
afterAll(() => served.stop());

/** Every answer with which a mount could show a path. */
async function everything(
  address: string,
  folder: string,
  file: string,
  manifest: string,
): Promise<string[]> {
  const calls = [
    ['browse_repo', { path: folder }],
    ['search_repo', { query: 'common things', path: folder }],
    ['load_skill', { path: manifest }],
    ['read_repo_file', { path: file }],
    ['read_repo_file', { path: manifest }],
  ] as const;
  const texts: string[] = [];
  for (const [tool, args] of calls) {
    const { text, isError } = await served.call(address, tool, args);
    expect([tool, isError]).toEqual([tool, true]);
    texts.push(text);
  }
  return texts;
}

describe('a mount of one folder', () => {
  it('answers for what lies outside as for what never existed', async () => {
    const outside = await everything(INSIDE, 'outside', 'outside/README.md', 'outside/skills/other/SKILL.md');
    const nothing = await everything(INSIDE, 'nothing', 'nothing/README.md', 'nothing/skills/other/SKILL.md');
    expect(outside.map((text) => text.replaceAll('outside', 'nothing'))).toEqual(nothing);
  });

  it('shows nothing of the outside in any page of what it shows', async () => {
    for (const [tool, args] of [
      ['browse_repo', {}],
      ['browse_repo', { limit: 200 }],
      ['search_repo', { query: 'outside other more', limit: 25 }],
    ] as const) {
      expect((await served.call(INSIDE, tool, args)).text).not.toMatch(/outside\/|OUTSIDE|skills\/other/);
    }
    // The skill's own text names the file; nothing of ours does.
    const { text } = await served.call(INSIDE, 'load_skill', { path: 'inside/skills/own/SKILL.md' });
    expect(text).not.toContain('HIDDEN-BODY');
    expect(text).not.toMatch(/^References:|^- (?:inside\/hidden|outside)\//m);
    const { result } = await served.request(INSIDE, 'server/discover');
    expect(JSON.stringify(result)).not.toContain('other');
  });

  it('gets the rules of its ancestors with a skill, and cannot read their files', async () => {
    const { text } = await served.call(INSIDE, 'load_skill', { path: 'inside/skills/own/SKILL.md' });
    expect(text).toContain('Root rules.');
    expect((await served.call(INSIDE, 'read_repo_file', { path: 'SKILLCDN.md' })).isError).toBe(true);
  });

  it('has no root to browse', async () => {
    expect((await served.call(INSIDE, 'browse_repo', { path: '' })).isError).toBe(true);
  });
});

describe('an excluded folder', () => {
  it.each([WHOLE, INSIDE])('answers on %s like one that never existed', async (address) => {
    const hidden = await everything(
      address,
      'inside/hidden',
      'inside/hidden/secret.md',
      'inside/hidden/skill/SKILL.md',
    );
    const nothing = await everything(
      address,
      'inside/nothng',
      'inside/nothng/secret.md',
      'inside/nothng/skill/SKILL.md',
    );
    expect(hidden.map((text) => text.replaceAll('hidden', 'nothng'))).toEqual(nothing);
  });

  it('is in no search, context or page', async () => {
    for (const [tool, args] of [
      ['search_repo', { query: 'secret hidden skill body', limit: 25 }],
      ['browse_repo', { path: 'inside', limit: 200 }],
      ['load_skill', { path: 'inside/skills/own/SKILL.md' }],
      ['read_repo_file', { path: 'inside/docs/page-01.md' }],
    ] as const) {
      expect((await served.call(WHOLE, tool, args)).text).not.toMatch(/HIDDEN-BODY|hidden\/skill/);
    }
  });

  it('cannot be mounted', async () => {
    const hidden = await served.request(`${INSIDE}/hidden`, 'tools/list');
    const nothing = await served.request(`${INSIDE}/nothng`, 'tools/list');
    expect(hidden.status).toBe(404);
    expect(hidden.body.replaceAll('hidden', 'nothng')).toBe(nothing.body);
  });
});

describe('a cursor', () => {
  const browse = { path: 'inside/docs' };
  const search = { query: 'common page', path: 'inside/docs' };
  const cursorOf = async (address: string, tool: string, args: object): Promise<string> => {
    const next = nextOf((await served.call(address, tool, args)).text);
    expect(next?.tool).toBe(tool);
    return String(next?.args.cursor);
  };

  it('goes on where its page ended, with any limit', async () => {
    const cursor = await cursorOf(WHOLE, 'browse_repo', browse);
    const page = await served.call(WHOLE, 'browse_repo', { ...browse, cursor, limit: 3 });
    expect(page.text).toContain('Entries: 21–23 of 60');
  });

  it('fits no other mount, commit, tool, folder or query', async () => {
    const ofBrowse = await cursorOf(WHOLE, 'browse_repo', browse);
    const ofSearch = await cursorOf(WHOLE, 'search_repo', search);
    for (const [address, tool, args] of [
      [INSIDE, 'browse_repo', { ...browse, cursor: ofBrowse }],
      ['/gh/acme/other', 'browse_repo', { ...browse, cursor: ofBrowse }],
      [WHOLE, 'browse_repo', { path: 'inside', cursor: ofBrowse }],
      [WHOLE, 'search_repo', { ...search, cursor: ofBrowse }],
      [WHOLE, 'load_skill', { path: 'inside/skills/own/SKILL.md', cursor: ofBrowse }],
      [WHOLE, 'search_repo', { ...search, query: 'page common', cursor: ofSearch }],
      [WHOLE, 'search_repo', { query: search.query, cursor: ofSearch }],
      [INSIDE, 'search_repo', { ...search, cursor: ofSearch }],
      [WHOLE, 'browse_repo', { ...browse, cursor: ofSearch }],
      [WHOLE, 'browse_repo', { ...browse, cursor: `${ofBrowse.slice(0, -2)}AA` }],
    ] as const) {
      const { text, isError } = await served.call(address, tool, args);
      expect([address, tool, args, isError]).toEqual([address, tool, args, true]);
      expect(text).toContain('start again from the first page');
    }
  });

  it('says nothing of the repository', async () => {
    const cursor = await cursorOf(WHOLE, 'browse_repo', browse);
    expect(cursor.length).toBeLessThanOrEqual(512);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/inside|docs|acme/);
  });

  it('outlives the process that made it', async () => {
    const first = await serve({ 'gh/acme/library': library }, { store: served.store });
    const cursor = await cursorOf(WHOLE, 'browse_repo', browse);
    expect((await first.call(WHOLE, 'browse_repo', { ...browse, cursor })).isError).toBe(false);
    await first.stop();
    const foreign = await serve({ 'gh/acme/library': library });
    expect((await foreign.call(WHOLE, 'browse_repo', { ...browse, cursor })).isError).toBe(true);
    await foreign.stop();
  });
});
