// Pages of the extension over made-up listings: sizes that a real repository in a test would take minutes to reach.
import { createHmac } from 'node:crypto';
import { parseAddress } from '@skillquay/core/address';
import type { MountIdentity } from '@skillquay/core/answers';
import type { DirectoryChild, ListedSkill } from '@skillquay/snapshot/reader';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceRequest } from './endpoint.ts';
import {
  answerResources,
  MAX_PAGE_BYTES,
  type ResourceContext,
  type SkillListing,
} from './skills-extension.ts';

const parsed = parseAddress('/gh/acme/library');
if (!parsed.ok) throw new Error(parsed.error.message);
const { address } = parsed;
const IDENTITY: MountIdentity = {
  address: '/gh/acme/library',
  repository: '/gh/acme/library',
  path: '',
  commit: 'a'.repeat(40),
  ref: null,
  pinned: false,
  verified: false,
};

function skill(number: number, files: number): ListedSkill {
  const directory = `skills/s-${number}`;
  const frontmatter = { name: `s-${number}`, description: 'What it is for.' };
  const resources = Array.from({ length: files }, (_, at) => ({
    path: `${directory}/${at === 0 ? 'SKILL.md' : `file-${at}.md`}`,
    digest: `sha256:${'0'.repeat(64)}`,
    size: at,
  }));
  return { path: `${directory}/SKILL.md`, directory, ...frontmatter, frontmatter, resources };
}

interface Listing {
  readonly skills?: readonly ListedSkill[];
  readonly children?: readonly DirectoryChild[];
}

function contextOf(
  { skills = [], children = [] }: Listing,
  over: Partial<ResourceContext> = {},
): ResourceContext {
  const mount: SkillListing = {
    path: '',
    listedCount: skills.length,
    rootName: null,
    listed: (position, limit) => skills.slice(position, position + limit),
    listedAt: (path) => skills.find((each) => each.path === path) ?? null,
    resource: async (path) => ({ error: { code: 'file.unavailable', message: `${path} cannot be read.` } }),
    children: (path) => (path === 'docs' ? children : null),
  };
  return {
    identity: IDENTITY,
    address,
    mount,
    rules: '1-abc',
    policy: 'licensed',
    mac: (message: Uint8Array) => createHmac('sha256', 'key').update(message).digest(),
    ...over,
  };
}

async function ask(context: ResourceContext, request: ResourceRequest) {
  const outcome = await answerResources(context, request);
  return 'refused' in outcome
    ? { ...outcome, bytes: 0, result: {} }
    : { bytes: outcome.json.length, result: JSON.parse(outcome.json.toString()) };
}

/** Walks a list to its end. */
async function walk(
  context: ResourceContext,
  first: Extract<ResourceRequest, { cursor: string | null }>,
  key: 'skills' | 'resources',
) {
  const uris: string[] = [];
  const pages: { entries: number; bytes: number }[] = [];
  for (let cursor: string | null = null; ; ) {
    const { result, bytes } = await ask(context, { ...first, cursor });
    uris.push(...result[key].map((entry: { uri: string }) => entry.uri));
    pages.push({ entries: result[key].length, bytes });
    if (result.nextCursor === undefined) return { uris, pages };
    cursor = result.nextCursor;
  }
}

const SKILLS = { method: 'skills/list', cursor: null } as const;
const RESOURCES = { method: 'resources/list', cursor: null } as const;

describe('a list of skills', () => {
  it.each([
    [0, 1, 0],
    [1, 1, 1],
    [20, 1, 20],
    [21, 2, 20],
    [1_000, 50, 20],
    [1_001, 48, 21],
    [5_000, 50, 100],
    [5_001, 50, 101],
  ])('of %i takes %i pages of at most %i', async (count, pages, most) => {
    const skills = Array.from({ length: count }, (_, at) => skill(at, 1));
    for (const [request, key] of [
      [SKILLS, 'skills'],
      [RESOURCES, 'resources'],
    ] as const) {
      const walked = await walk(contextOf({ skills }), request, key);
      expect(walked.uris).toEqual(skills.map(({ path }) => `skill://gh/acme/library/${path}`));
      expect(walked.pages).toHaveLength(pages);
      expect(Math.max(...walked.pages.map(({ entries }) => entries))).toBe(most);
    }
  });

  it('has every skill once and no page over 1 MiB, however large its entries are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 512 }), { maxLength: 60 }), async (sizes) => {
        const skills = sizes.map((files, at) => skill(at, files));
        const { uris, pages } = await walk(contextOf({ skills }), SKILLS, 'skills');
        expect(uris).toEqual(skills.map(({ path }) => `skill://gh/acme/library/${path}`));
        for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
      }),
      { numRuns: 20 },
    );
  });

  it('makes no more entries than its page holds, and the one that did not fit', async () => {
    let made = 0;
    const context = contextOf({});
    const listed = function* () {
      for (; made < 1_200; made += 1) yield skill(made, 512);
    };
    const mount = { ...context.mount, listedCount: 60_000, listed };
    const { result } = await ask({ ...context, mount }, SKILLS);
    expect(result.skills.length).toBeGreaterThan(1);
    expect(made).toBe(result.skills.length);
  });

  it('gives an entry that is larger than a page a page of its own', async () => {
    const skills = [skill(0, 1), skill(1, 20_000), skill(2, 1)];
    const { pages } = await walk(contextOf({ skills }), SKILLS, 'skills');
    expect(pages.map(({ entries }) => entries)).toEqual([1, 1, 1]);
  });
});

describe('a cursor', () => {
  const skills = Array.from({ length: 60 }, (_, at) => skill(at, 1));
  const children = Array.from({ length: 20_000 }, (_, at) => ({ path: `docs/${at}`, kind: 'file' as const }));
  const context = contextOf({ skills, children });

  it.each<[string, Partial<ResourceContext>]>([
    ['another commit', { identity: { ...IDENTITY, commit: 'b'.repeat(40) } }],
    ['another mount', { identity: { ...IDENTITY, path: 'skills' } }],
    ['another repository', { identity: { ...IDENTITY, repository: '/gh/acme/other' } }],
    ['other rules', { rules: '1-abd' }],
    ['another policy', { policy: 'whole' }],
    ['another key', { mac: (message) => createHmac('sha256', 'other').update(message).digest() }],
  ])('does not fit %s', async (_what, over) => {
    const { result } = await ask(context, SKILLS);
    const request = { ...SKILLS, cursor: result.nextCursor };
    expect(await ask(context, request)).toMatchObject({ result: { skills: expect.any(Array) } });
    expect(await ask(contextOf({ skills, children }, over), request)).toMatchObject({ refused: 'cursor' });
  });

  it('fits neither another method nor another folder, and nothing else is one', async () => {
    const { result } = await ask(context, SKILLS);
    const cursor: string = result.nextCursor;
    const folder = { method: 'resources/directory/read', uri: 'skill://gh/acme/library/docs' } as const;
    for (const request of [
      { ...RESOURCES, cursor },
      { ...folder, cursor },
      { ...SKILLS, cursor: '' },
      { ...SKILLS, cursor: `${cursor}A` },
      { ...SKILLS, cursor: 'x'.repeat(100_000) },
    ]) {
      expect(await ask(context, request)).toMatchObject({ refused: 'cursor' });
    }
  });

  it('leads through a folder of any size, page by page', async () => {
    const folder = { method: 'resources/directory/read', uri: 'skill://gh/acme/library/docs' } as const;
    const { uris, pages } = await walk(context, { ...folder, cursor: null }, 'resources');
    expect(uris).toEqual(children.map(({ path }) => `skill://gh/acme/library/${path}`));
    expect(pages.length).toBeGreaterThan(1);
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  });
});

it('a file that cannot be read now is no URI that names nothing', async () => {
  const uri = 'skill://gh/acme/library/docs/a.md';
  expect(await ask(contextOf({}), { method: 'resources/read', uri })).toMatchObject({
    refused: 'unreadable',
  });
});
