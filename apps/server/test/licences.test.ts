// What a licence keeps at the source is reached by no route: a word in each such file, and every answer there is.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { nextOf, type Served, serve } from './support/served.ts';

const MIT = readFileSync(new URL('../../../examples/library/LICENSE', import.meta.url), 'utf8');
const CLOSED = 'license: Proprietary\n';
const OPEN = 'license: MIT\n';
const front = (fields: string) => `---\ndescription: An area.\n${fields}---\n`;
const skill = (name: string, fields: string, body: string) =>
  `---\nname: ${name}\ndescription: Does ${name} work.\n${fields}---\n${body}\n`;

/** Long enough for a second page. */
const LONG = 'Go on with it. '.repeat(2_000);

/** Files that hold a word beginning with `canary`, and nothing else does. `fields` is the licence of all of them. */
const kept = (fields: string): Record<string, string> => ({
  'area/secret/SKILL.md': skill(
    'secret',
    `${fields}skillcdn:\n  include: [included.md, .hidden.md]\n`,
    `canarybody [own](own.md) [alone](/alone.md)\n${LONG} canarytail`,
  ),
  'area/secret/SKILLCDN.md': `${front(fields)}canaryrules [ruled](ruled.md)`,
  'area/secret/included.md': 'canaryincluded',
  'area/secret/.hidden.md': 'canaryhidden',
  'area/secret/own.md': '# canarytitle\n\ncanarysummary\n',
  'area/secret/ruled.md': 'canaryruled',
  'area/secret/README.md': '# canaryreadme\n\ncanaryabout\n',
  'area/secret/run.sh': 'echo canaryscript',
  'area/secret/data.json': '{ "title": "canaryjson" }',
  'vault/SKILLCDN.md': `${front(`${fields}documents: [docs]\n`)}canaryvault`,
  'vault/README.md': '# canarydoor\n\ncanaryinside\n',
  'vault/docs/page.md': '# canarypage\n\ncanarytext [further](further.md)\n',
  'vault/docs/data.json': '{ "title": "canarydata" }',
  'vault/broken/SKILL.md': 'canarybroken',
  // No skill without a name, and no less its author's.
  'area/nameless/SKILL.md': `---\n${fields}---\ncanarynameless [on](on.md)\n`,
  'area/nameless/on.md': '# canaryon\n\ncanarynext\n',
});
const around: Record<string, string> = {
  LICENSE: MIT,
  'SKILLCDN.md': `${front('documents: [docs]\n')}Root rules.\n`,
  'README.md': '# Library\n\nSee [secret](area/secret/own.md), [page](vault/docs/page.md).\n',
  'docs/guide.md':
    '# Guide\n\n[body](/area/secret/SKILL.md) [rules](/vault/SKILLCDN.md) [in](/vault/README.md) [pdf](/alone/pdf/SKILL.md)\n',
  'area/secret/nested/SKILL.md': skill('nested', OPEN, 'Nested. [up](../own.md)'),
  'area/secret/nested/help.md': 'Nested help.',
  'area/SKILL.md': skill('area', OPEN, 'Around. [in](secret/own.md) [it](secret/SKILL.md)'),
  'vault/s/SKILL.md': skill('vaulted', `${OPEN}skillcdn:\n  include: [/vault/docs/page.md]\n`, 'Vaulted.'),
};
/** Its licence is a file, and so is what the file says. */
const inner = {
  'outer/SKILL.md': skill('outer', OPEN, 'Outer. [inner](inner/help.md)'),
  'outer/inner/SKILL.md': skill('inner', OPEN, 'canaryinner'),
  'outer/inner/LICENSE': 'canarylicence: all rights reserved.\n',
  'outer/inner/help.md': 'canaryhelp',
  'outer/loose/SKILL.md': '---\nname: loose\nlicense:Proprietary\n---\ncanaryloose\n',
  'outer/loose/LICENSE.txt': 'canaryterms: all rights reserved.\n',
  'outer/loose/guide.md': '# canaryguide\n\ncanarysteps\n',
  'outer/loose/deep/data.json': '{ "title": "canarydeep" }',
  'outer/lower/skill.md': skill('lower', OPEN, 'canarylower'),
  'outer/lower/COPYING': 'canarycopying: all rights reserved.\n',
  'alone/pdf/SKILL.md': '---\nname: pdf\nlicense:Proprietary\n---\ncanaryalone\n',
  'alone/pdf/LICENSE.txt': 'All rights reserved.\n',
  'alone/low/skill.md': skill('low', 'license: Proprietary\n', 'canarylow'),
};

const ADDRESS = '/gh/acme/library';
const MOUNTS = ['', '/area/secret', '/outer', '/outer/inner', '/outer/loose', '/vault'];
const files = { ...around, ...kept(CLOSED), ...inner };
const canaries = [...new Set(JSON.stringify(files).match(/canary\w+/g))];
const folders = [...new Set(Object.keys(files).flatMap((path) => parents(path)))];

function parents(path: string): string[] {
  const at = path.lastIndexOf('/');
  return at === -1 ? [''] : [path.slice(0, at), ...parents(path.slice(0, at))];
}

/** The bodies of everything one can ask of an address, pages and continuations followed. */
async function everything(served: Served, address: string): Promise<string[]> {
  const bodies: string[] = [];
  const walk = async (tool: string, args: object) => {
    for (let next: ReturnType<typeof nextOf> = { tool, args: { ...args } }; next !== null; ) {
      const { text } = await served.call(address, next.tool, next.args);
      bodies.push(text.replace(/^Query: .*$/m, ''));
      next = /^(?:complete|Entries|Results): /m.test(text) ? nextOf(text) : null;
    }
  };
  const ask = async (method: string, params: object = {}) => {
    bodies.push((await served.request(address, method, params)).body);
  };
  for (const path of folders) await walk('browse_repo', { path, limit: 3 });
  for (const query of [...canaries, 'does work area secret', 'md'])
    await walk('search_repo', { query, limit: 2 });
  for (const path of Object.keys(files)) {
    await walk('read_repo_file', { path });
    const uri = `skill://gh/acme/library/${path}`;
    await ask('resources/read', { uri });
    if (!path.endsWith('SKILL.md')) continue;
    await walk('load_skill', { path });
    await ask('prompts/get', { name: 'use_skill', arguments: { path } });
    await ask('skills/get', { uri });
  }
  for (const path of folders)
    await ask('resources/directory/read', { uri: `skill://gh/acme/library/${path}` });
  for (const method of ['server/discover', 'tools/list', 'prompts/list', 'skills/list', 'resources/list'])
    await ask(method);
  const page = await fetch(served.origin + address, { headers: { accept: 'text/html' } });
  bodies.push(await page.text());
  return bodies;
}

const found = (bodies: readonly string[]) =>
  canaries.filter((word) => bodies.some((body) => body.includes(word)));

let library: TestRepository;
let served: Served;
beforeAll(async () => {
  library = repository(files);
  served = await serve({ 'gh/acme/library': library });
  await served.call(ADDRESS, 'browse_repo');
});
afterAll(() => served.stop());

describe('what a licence keeps at the source', () => {
  it.each(MOUNTS)(
    'is in no answer of the mount %s',
    async (path) => {
      const bodies = await everything(served, ADDRESS + path);
      expect(bodies.length).toBeGreaterThan(100);
      expect(found(bodies)).toEqual([]);
    },
    60_000,
  );

  it('is in those of a repository the operator vouches for, so the questions above are the right ones', async () => {
    const vouched = await serve({ 'gh/acme/library': library }, { env: { VERIFIED: 'gh/acme/library' } });
    await vouched.call(ADDRESS, 'browse_repo');
    expect(found(await everything(vouched, ADDRESS))).toEqual(canaries);
    await vouched.stop();
  }, 60_000);

  it('is named in browsing with the licence that keeps it', async () => {
    const { text } = await served.call(ADDRESS, 'browse_repo', { path: 'area/secret' });
    expect(text).toContain('[withheld] area/secret/own.md (restrictive_license: Proprietary');
    expect(text).toContain('[skill] area/secret/SKILL.md');
    expect(text).toContain('described only (license: Proprietary)');
  });

  it('is refused with the licence and the way to its host', async () => {
    const { text, isError } = await served.call(ADDRESS, 'read_repo_file', { path: 'vault/docs/page.md' });
    expect(isError).toBe(true);
    expect(text).toContain('Proprietary (said by license of vault/SKILLCDN.md)');
    expect(text).toContain('Code: file.not_served');
    expect(text).toContain(`Source: https://page.example/gh/acme/library/${library.head}/vault/docs/page.md`);
  });

  it('leaves a skill incomplete that needs it, and says why', async () => {
    const { text } = await served.call(ADDRESS, 'load_skill', { path: 'vault/s/SKILL.md' });
    expect(text).toContain('Root rules.');
    expect(text).toContain('complete: false');
    expect(text).toMatch(/kept_at_source .*`vault\/SKILLCDN.md`.*Proprietary/);
    expect(text).toMatch(/kept_at_source .*`vault\/docs\/page.md`.*Proprietary/);
    expect(nextOf(text)).toBeNull();
  });
});

describe('a skill that is described only', () => {
  it('loads as its header and the way to its host, and nothing else', async () => {
    const { text, isError } = await served.call(ADDRESS, 'load_skill', { path: 'area/secret/SKILL.md' });
    expect(isError).toBe(false);
    expect(text.split('\n').slice(4)).toEqual([
      'Skill: secret',
      'Path: area/secret/SKILL.md',
      'Description: Does secret work.',
      'License: Proprietary (license of area/secret/SKILL.md)',
      `Described only: its license (Proprietary) keeps the content at the source; read it there: https://page.example/gh/acme/library/${library.head}/area/secret/SKILL.md`,
    ]);
  });

  it('is found by its name and marked, and its prompt says the same', async () => {
    const search = await served.call(ADDRESS, 'search_repo', { query: 'secret' });
    expect(search.text).toContain('described only (license: Proprietary)');
    const { result } = await served.request(ADDRESS, 'prompts/get', {
      name: 'use_skill',
      arguments: { path: 'outer/inner/SKILL.md' },
    });
    expect(JSON.stringify(result)).toContain('Described only: its license (unrecognised)');
  });

  it('is marked in the instructions and on the page', async () => {
    const mount = `${ADDRESS}/outer`;
    const { result } = await served.request(mount, 'server/discover');
    expect(JSON.stringify(result)).toContain(
      'outer/inner/SKILL.md: inner (described only) – Does inner work.',
    );
    const page = await fetch(served.origin + mount, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('Described only (license: unrecognised)');
  });

  it('is counted with the others', async () => {
    const { text } = await served.call(ADDRESS, 'browse_repo');
    expect(text).toMatch(/contains: 6 skills/);
  });
});

describe('after the licence has changed', () => {
  it('a cursor from before brings nothing back, and nothing else does', async () => {
    const changing = repository({ ...around, ...kept(OPEN) });
    const other = await serve({ 'gh/acme/library': changing });
    const before = await Promise.all([
      other.call(ADDRESS, 'load_skill', { path: 'area/secret/SKILL.md' }),
      other.call(ADDRESS, 'search_repo', { query: 'go on with it', limit: 1 }),
      other.call(ADDRESS, 'browse_repo', { path: 'area/secret', limit: 1 }),
    ]);
    expect(before[0].text).toContain('canarybody');
    const continuations = before.map(({ text }) => nextOf(text));
    changing.commit({ ...kept(CLOSED), ...inner });
    for (const next of continuations) {
      if (next === null) continue;
      const { text, isError } = await other.call(ADDRESS, next.tool, next.args);
      expect([next.tool, isError]).toEqual([next.tool, true]);
      expect(text).toContain('start again from the first page');
    }
    expect(continuations[0]).not.toBeNull();
    expect(continuations[2]).not.toBeNull();
    expect(found(await everything(other, ADDRESS))).toEqual([]);
    changing.commit(kept(OPEN));
    expect((await other.call(ADDRESS, 'load_skill', { path: 'area/secret/SKILL.md' })).text).toContain(
      'canarybody',
    );
    await other.stop();
  }, 60_000);
});

describe('a repository the operator vouches for', () => {
  const VERIFIED = { env: { VERIFIED: 'gh/acme/library' } };
  const load = { path: 'area/secret/SKILL.md' };

  it.each([
    ['whole first', ['', '@pinned']],
    ['described first', ['@pinned', '']],
  ])(
    'is served whole on its default branch alone, from one store: %s',
    async (_, order) => {
      const vouched = await serve({ 'gh/acme/library': library }, VERIFIED);
      const addresses = order.map((ref) => ADDRESS + ref.replace('pinned', library.head));
      for (const address of [...addresses, ...addresses]) {
        const { text } = await vouched.call(address, 'load_skill', load);
        expect([address, text.includes('canarybody')]).toEqual([address, address === ADDRESS]);
        expect([address, text.includes('Described only:')]).toEqual([address, address !== ADDRESS]);
        const uri = `skill://gh/acme/library/${load.path}`;
        const { body } = await vouched.request(address, 'resources/read', { uri });
        expect([address, body.includes('canarybody')]).toEqual([address, address === ADDRESS]);
      }
      await vouched.stop();
    },
    60_000,
  );

  it('takes no cursor from where it is described, and gives none to there', async () => {
    const vouched = await serve({ 'gh/acme/library': library }, VERIFIED);
    const pinned = `${ADDRESS}@${library.head}`;
    const browse = { path: 'area/secret', limit: 1 };
    const cursors = await Promise.all(
      [ADDRESS, pinned].map(async (address) =>
        nextOf((await vouched.call(address, 'browse_repo', browse)).text),
      ),
    );
    for (const [address, next, isError] of [
      [ADDRESS, cursors[0], false],
      [ADDRESS, cursors[1], true],
      [pinned, cursors[0], true],
      [pinned, cursors[1], false],
    ] as const)
      expect((await vouched.call(address, 'browse_repo', next?.args)).isError).toBe(isError);
    const page = nextOf((await vouched.call(ADDRESS, 'load_skill', load)).text);
    expect((await vouched.call(pinned, 'load_skill', page?.args)).text).not.toContain('canary');
    await vouched.stop();
  });

  it('says which licence it is under all the same', async () => {
    const vouched = await serve({ 'gh/acme/library': library }, VERIFIED);
    const { text } = await vouched.call(ADDRESS, 'load_skill', load);
    expect(text).toContain('License: Proprietary (license of area/secret/SKILL.md)');
    await vouched.stop();
  });
});
