// An excluded file answers as if it had never been: two repositories, with and without it, asked everything an agent can ask.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Entry, repository, type TestRepository } from '../../../test-support/repository.ts';
import { type Served, serve } from './support/served.ts';

const skill = (name: string, more = '', body = 'Do it.\n') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}`;

/** What the two manifests below exclude, and files there that may or may not be. */
const EXCLUDED = [
  'a-first.md',
  'secret/SKILL.md',
  'secret/SKILLCDN.md',
  'secret/README.md',
  'secret/deep/plan.md',
  'docs/hidden.md',
  'skills/one/private.md',
  'skills/misnamed/SKILL.md',
  'skills/zero/SKILL.md',
  'skills/zero/notes.md',
  'README.markdown',
  'area/hidden/SKILL.md',
  'area/hidden/page.md',
  'closed/below/SKILLCDN.md',
];

const PUBLISHED: Readonly<Record<string, Entry>> = {
  'SKILLCDN.md': `---
name: Library
description: A library.
exclude: [a-first.md, secret, docs/hidden.md, skills/one/private.md, skills/misnamed/SKILL.md, skills/zero, README.markdown, closed/below]
---
Rules. See [the plan](secret/deep/plan.md).
`,
  'README.md':
    '# Library\n\nSee [a plan](secret/deep/plan.md), [hidden](docs/hidden.md), [first](a-first.md).\n',
  'docs/guide.md': '# Guide\n\nA plan: [notes](../skills/zero/notes.md), [area](../area/hidden/page.md).\n',
  'skills/one/SKILL.md': skill(
    'one',
    'skillcdn:\n  include: [private.md, /docs/hidden.md, /docs/guide.md, /skills/zero/notes.md]\n',
    'Read [this](private.md) and [that](/skills/zero/notes.md).\n',
  ),
  'skills/one/help.md': '# Help\n\nWith a plan.\n',
  'skills/misnamed/skill.md': skill('misnamed'),
  'skills/linked': { symlink: 'zero' },
  'zeta/skills/two/SKILL.md': skill('two', '', 'Plan two.\n'),
  'area/SKILLCDN.md': '---\ndescription: An area.\nexclude: [hidden]\n---\nArea rules.\n',
  'area/README.md': '# Area\n\nSee [hidden](hidden/page.md).\n',
  'area/docs/page.md': '# Page\n',
  'closed/SKILLCDN.md': '---\nname: Without a description\n---\n',
  'closed/page.md': '# Page\n',
};

const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  fc.constantFrom<Entry>(
    skill('hidden', 'license: MIT\n'),
    skill('one'),
    '---\nname: broken\n---\n',
    '---\ndescription: Another area.\nexclude: [/bad]\n---\n',
    '---\ndescription: Another area.\ndocuments: [.]\n---\nHidden rules.\n',
    '# Plan\n\nA plan for [one](/skills/one/help.md).\n',
    new Uint8Array([0, 1, 2, 255]),
    { symlink: '../skills/one' },
    { submodule: '1'.repeat(40) },
    `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9999999\n`,
  ),
  fc.string({ maxLength: 40 }),
);
const anyExcludedFiles = fc.dictionary(fc.constantFrom(...EXCLUDED), anyEntry, { minKeys: 1, maxKeys: 8 });

const folders = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => path.split('/').map((_, i, all) => all.slice(0, i).join('/')))),
];
const PATHS = [...Object.keys(PUBLISHED), ...EXCLUDED];
const ASKS: ReadonlyArray<readonly [string, Record<string, unknown>]> = [
  ['browse_repo', { limit: 2 }],
  ...folders(PATHS).map((path) => ['browse_repo', { path, limit: 200 }] as const),
  ...folders(EXCLUDED).map((path) => ['search_repo', { query: 'plan', path }] as const),
  ['search_repo', { query: 'hidden one two plan area misnamed', limit: 25 }],
  ...PATHS.map((path) => ['load_skill', { path }] as const),
  ...PATHS.map((path) => ['read_repo_file', { path }] as const),
];
const ADDRESSES = [
  '/gh/acme/library',
  '/gh/acme/library/area',
  '/gh/acme/library/secret',
  '/gh/acme/library/skills',
];

/** Every answer, without what must differ: the commit, and cursors, which are bound to it. */
async function everything(served: Served, repo: TestRepository): Promise<readonly string[]> {
  const neutral = (text: string): string =>
    text.replaceAll(repo.head, 'COMMIT').replace(/"cursor\\?":\\?"[\w-]+/g, '"cursor":"');
  const texts: string[] = [];
  for (const address of ADDRESSES) {
    const { status, body } = await served.request(address, 'server/discover');
    texts.push(`${address} ${status} ${neutral(body.replace(/"ttlMs":\d+/g, ''))}`);
    if (status !== 200) continue;
    for (const [name, args] of ASKS) {
      const { body } = await served.request(address, 'tools/call', { name, arguments: args });
      texts.push(`${address} ${name} ${JSON.stringify(args)} ${neutral(body)}`);
    }
  }
  return texts;
}

/** Enough entries for the published files, and too few for all of them. */
describe.each([300_000, 8])('within %i tree entries', (limit) => {
  const repositories: Record<string, TestRepository> = {};
  let served: Served;
  let without: readonly string[];

  const ask = async (repo: TestRepository): Promise<readonly string[]> => {
    // Its one commit is known: no git is run to resolve each of many requests.
    repositories['gh/acme/library'] = { ...repo, git: () => repo.head };
    await served.call('/gh/acme/library', 'browse_repo');
    return everything(served, repo);
  };

  beforeAll(async () => {
    served = await serve(repositories, { env: { LIMIT_TREE_ENTRIES: String(limit) } });
    without = await ask(repository(PUBLISHED));
    expect(without.join('\n')).toContain(limit === 8 ? 'Partial: ' : 'Overview: README.md');
  });
  afterAll(() => served.stop());

  it('an excluded file changes no answer and no instructions', async () => {
    await fc.assert(
      fc.asyncProperty(anyExcludedFiles, async (files) => {
        const repo = repository({ ...PUBLISHED, ...files });
        try {
          expect(await ask(repo)).toEqual(without);
        } finally {
          repo.remove();
        }
      }),
      { numRuns: 10 },
    );
  }, 60_000);
});
