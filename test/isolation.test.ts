// What is not published is not there: excluded files and other directories, through every tool over real HTTP.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { repository, type TestRepository } from '../test-support/repository.ts';
import { nextCall } from './support/next-call.ts';
import { call, type Served, serve } from './support/serve.ts';

/** Stands in every excluded file and nowhere else. */
const MARK = 'xylophonequartz';

const skill = (name: string, body: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}\n`;

const PUBLISHED = {
  'README.md':
    '# Library\n\nSee [the plan](secret/plan.md), [a page](docs/hidden.md) and [the guide](docs/guide.md).\n',
  'docs/guide.md':
    '# Guide\n\nMore in [the plan](../secret/plan.md), [a page](hidden.md) and [notes](/notes/linked.md).\n',
  'notes/linked.md': '# Linked\n\nOn to [a secret](../secret/deep/linked.md).\n',
  'skills/one/SKILL.md': skill(
    'one',
    'Read [this](private.md), [that](../../secret/plan.md) and [the page](/docs/hidden.md).',
    'skillcdn:\n  include:\n    - private.md\n    - /docs/hidden.md\n',
  ),
  'skills/one/help.md': '# Help\n',
  'skills/two/SKILL.md': skill('two', 'Do two.'),
  'area/skills/three/SKILL.md': skill('three', 'Do three.'),
  'area/docs/page.md': '# Page\n',
  'area/README.md': '# Area\n\nSee [outside](../docs/guide.md).\n',
};

const EXCLUDED = {
  'secret/README.md': `# Secret ${MARK}\n`,
  'secret/SKILL.md': skill('secret', MARK),
  'secret/SKILLCDN.md': `---\nname: ${MARK}\ndescription: ${MARK}\n---\n${MARK}\n`,
  'secret/plan.md': `# Plan ${MARK}\n`,
  'secret/deep/linked.md': `# Deep ${MARK}\n`,
  'docs/hidden.md': `# Hidden ${MARK}\n`,
  'skills/one/private.md': `# Private ${MARK}\n`,
  'skills/zero/SKILL.md': skill('zero', MARK),
  'area/secret.md': `# ${MARK}\n`,
};

const manifest = (fields: string) => `---\nname: Library\ndescription: A library.\n${fields}---\nRules.\n`;
const EXCLUDES = 'exclude: [secret, docs/hidden.md, skills/one/private.md, skills/zero, area/secret.md]\n';

let repo: TestRepository;
/** The same repository, in which the excluded files never were. */
let twin: TestRepository;
let served: Served;
let mcp: string;
let twinMcp: string;

beforeAll(async () => {
  repo = repository({ ...PUBLISHED, ...EXCLUDED, 'SKILLCDN.md': manifest(EXCLUDES) });
  twin = repository({ ...PUBLISHED, 'SKILLCDN.md': manifest(EXCLUDES) });
  served = await serve([repo.dir, twin.dir]);
  mcp = served.mounts[0]?.mcp ?? '';
  twinMcp = served.mounts[1]?.mcp ?? '';
});
afterAll(() => served?.stop());

const under = (url: string, path: string) => `${url}/${path}`;

/** Pairs of a path that is excluded and one as long that never was. */
const PAIRS = [
  ['secret/plan.md', 'absent/plan.md'],
  ['secret/README.md', 'absent/README.md'],
  ['secret/SKILL.md', 'absent/SKILL.md'],
  ['secret/SKILLCDN.md', 'absent/SKILLCDN.md'],
  ['secret/deep/linked.md', 'absent/deep/linked.md'],
  ['docs/hidden.md', 'docs/absent.md'],
  ['skills/one/private.md', 'skills/one/nothing.md'],
  ['skills/zero/SKILL.md', 'skills/none/SKILL.md'],
] as const;
const FOLDERS = [
  ['secret', 'absent'],
  ['secret/deep', 'absent/deep'],
  ['skills/zero', 'skills/none'],
] as const;

/** The answers to the same question about both paths, the second with its path spelled as the first. */
async function both(
  tool: string,
  asks: (path: string) => Record<string, unknown>,
  pair: readonly [string, string],
) {
  const [excluded, unknown] = await Promise.all([
    call(mcp, tool, asks(pair[0])),
    call(mcp, tool, asks(pair[1])),
  ]);
  return [excluded.raw, unknown.raw.replaceAll(pair[1], pair[0])] as const;
}

describe('an excluded file answers byte for byte as one that never was', () => {
  it.each(PAIRS)('when %s is read', async (...pair) => {
    const [excluded, unknown] = await both('read_repo_file', (path) => ({ path }), pair);
    expect(excluded).toBe(unknown);
    expect(excluded).not.toContain(MARK);
  });

  it.each(PAIRS)('when %s is loaded', async (...pair) => {
    const [excluded, unknown] = await both('load_skill', (path) => ({ path }), pair);
    expect(excluded).toBe(unknown);
  });

  it.each(FOLDERS)('when %s is browsed', async (...pair) => {
    const [excluded, unknown] = await both('browse_repo', (path) => ({ path }), pair);
    expect(excluded).toBe(unknown);
  });

  it.each(FOLDERS)('when %s is searched', async (...pair) => {
    const [excluded, unknown] = await both('search_repo', (path) => ({ query: 'plan', path }), pair);
    expect(excluded).toBe(unknown);
  });

  it.each(FOLDERS)('when %s is mounted', async (excluded, unknown) => {
    const [one, other] = await Promise.all([
      call(under(mcp, excluded), 'browse_repo'),
      call(under(mcp, unknown), 'browse_repo'),
    ]);
    expect(one.status).toBe(other.status);
    expect(one.raw).toBe(other.raw.replaceAll(unknown, excluded));
  });
});

describe('a repository with excluded files answers as if they had never been in it', () => {
  const asks: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
    ['browse_repo', {}],
    ['browse_repo', { path: 'docs' }],
    ['browse_repo', { path: 'skills' }],
    ['browse_repo', { path: 'skills/one' }],
    ['browse_repo', { path: 'area' }],
    ['search_repo', { query: MARK }],
    ['search_repo', { query: 'secret plan private hidden zero' }],
    ['load_skill', { path: 'skills/one/SKILL.md' }],
    ['load_skill', { path: 'skills/two/SKILL.md' }],
    ['read_repo_file', { path: 'SKILLCDN.md' }],
    ['read_repo_file', { path: 'README.md' }],
    ['read_repo_file', { path: 'docs/guide.md' }],
    ['read_repo_file', { path: 'notes/linked.md' }],
  ];
  it.each(asks)('%s %o', async (tool, args) => {
    const [one, other] = await Promise.all([call(mcp, tool, args), call(twinMcp, tool, args)]);
    expect(neutral(one.text, repo, mcp)).toBe(neutral(other.text, twin, twinMcp));
    expect(one.text.replace(/^Query: .*$/m, '')).not.toContain(MARK);
  });

  /** Without what must differ: the commit and the name of the temporary repository. */
  function neutral(text: string, of: TestRepository, url: string): string {
    const address = new URL(url).pathname;
    return text.replaceAll(of.head, 'COMMIT').replaceAll(address, '/local/x/y').replaceAll(of.dir, 'DIR');
  }
});

describe('a sub-path mount', () => {
  const outside = ['docs/guide.md', 'skills/two/SKILL.md', 'SKILLCDN.md', 'README.md', 'secret/plan.md'];
  it.each(outside)('does not read %s', async (path) => {
    const answer = await call(under(mcp, 'area'), 'read_repo_file', { path });
    const absent = await call(under(mcp, 'area'), 'read_repo_file', { path: 'nowhere/file.md' });
    expect(answer.isError).toBe(true);
    expect(answer.text).toBe(absent.text.replaceAll('nowhere/file.md', path));
  });

  it('does not load, browse or search what lies outside', async () => {
    for (const [tool, args] of [
      ['load_skill', { path: 'skills/two/SKILL.md' }],
      ['browse_repo', { path: 'docs' }],
      ['browse_repo', { path: '' }],
      ['search_repo', { query: 'guide', path: 'docs' }],
    ] as const)
      expect(await call(under(mcp, 'area'), tool, args), `${tool} ${JSON.stringify(args)}`).toMatchObject({
        isError: true,
      });
    const found = await call(under(mcp, 'area'), 'search_repo', { query: 'two three guide one' });
    expect(found.text).toContain('area/skills/three/SKILL.md');
    expect(found.text).not.toMatch(/skills\/(?:one|two)|docs\/guide/);
  });

  it('applies the rules above it all the same', async () => {
    const loaded = await call(under(mcp, 'area'), 'load_skill', { path: 'area/skills/three/SKILL.md' });
    expect(loaded.text).toContain('applicable rules: SKILLCDN.md');
  });
});

describe('a cursor', () => {
  const first = (url: string, tool: string, args: Record<string, unknown>) =>
    call(url, tool, args).then((answer) => nextCall(answer.text));

  it('of the whole repository does not work on a part of it, nor of one repository on another', async () => {
    const next = await first(mcp, 'browse_repo', { limit: 1 });
    expect(next?.args.cursor).toEqual(expect.any(String));
    const cursor = next?.args.cursor;
    const forged = String(cursor).split('').reverse().join('');
    const refusal = await call(mcp, 'browse_repo', { cursor: forged });
    expect(refusal.isError).toBe(true);
    for (const [url, args] of [
      [under(mcp, 'area'), {}],
      [twinMcp, {}],
      [mcp, { path: 'skills' }],
      [`${mcp}@${repo.git('rev-list', '--max-parents=0', 'main')}`, { path: 'docs' }],
    ] as const) {
      const answer = await call(url, 'browse_repo', { ...args, cursor });
      expect(answer.isError, `${url} ${JSON.stringify(args)}`).toBe(true);
    }
    expect(await call(mcp, 'search_repo', { query: 'one', cursor })).toMatchObject({ isError: true });
    expect(await call(mcp, 'load_skill', { path: 'skills/one/SKILL.md', cursor })).toMatchObject({
      isError: true,
    });
    expect(await call(mcp, 'browse_repo', { limit: 1, cursor })).toMatchObject({ isError: false });
  });

  it('from before an exclusion brings nothing back', async () => {
    const before = repository({ ...PUBLISHED, ...EXCLUDED, 'SKILLCDN.md': manifest('') });
    const now = await serve([before.dir]);
    try {
      const next = await first(now.mcp, 'browse_repo', { path: 'secret', limit: 1 });
      expect(next?.args.cursor).toEqual(expect.any(String));
      before.commit({ 'SKILLCDN.md': manifest(EXCLUDES) });
      await vi.waitFor(async () => expect((await call(now.mcp, 'browse_repo')).text).toContain(before.head), {
        timeout: 10_000,
        interval: 200,
      });
      const replayed = await call(now.mcp, 'browse_repo', next?.args);
      expect(replayed.isError, replayed.raw).toBe(true);
      expect(replayed.text).not.toContain(MARK);
    } finally {
      await now.stop();
    }
  });
});
