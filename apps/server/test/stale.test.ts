// A host that does not answer: what was known of it is served, and every answer says since when.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { nextOf, type Served, serve } from './support/served.ts';

const repo = repository({
  'docs/a.md': '# A\n',
  'docs/b.md': '# B\n',
  'skills/one/SKILL.md': '---\nname: one\ndescription: Does one.\n---\nDo it.\n',
});
const ADDRESS = '/gh/acme/library';
const SINCE = '2026-01-01T00:00:00.000Z';
const STATUS = /\nStatus: as known at 2026-01-01T00:00:00Z; the host of the repository does not answer\n/;
let staleSince: string | undefined;
let served: Served;

beforeAll(async () => {
  served = await serve(
    { 'gh/acme/library': repo },
    { resolved: (resolution) => (staleSince === undefined ? resolution : { ...resolution, staleSince }) },
  );
  await served.call(ADDRESS, 'browse_repo');
});
afterAll(() => served.stop());

it('each answer says so while it lasts and not before or after, whatever was rendered before', async () => {
  const asks = [
    ['browse_repo', {}],
    ['search_repo', { query: 'one' }],
    ['load_skill', { path: 'skills/one/SKILL.md' }],
    ['read_repo_file', { path: 'docs/a.md' }],
    ['read_repo_file', { path: 'nothing.md' }],
    ['browse_repo', { limit: 0 }],
  ] as const;
  for (const since of [undefined, SINCE, undefined, SINCE]) {
    staleSince = since;
    for (const [tool, args] of asks) {
      const { text } = await served.call(ADDRESS, tool, args);
      if (since === undefined) expect(text).not.toContain('does not answer');
      else expect(text).toMatch(STATUS);
      expect((await served.callLegacy(ADDRESS, tool, args)).text).toBe(text);
    }
  }
});

it('a later time is another text', async () => {
  staleSince = SINCE;
  await served.call(ADDRESS, 'browse_repo');
  staleSince = '2026-01-01T00:10:00.000Z';
  expect((await served.call(ADDRESS, 'browse_repo')).text).toContain('as known at 2026-01-01T00:10:00Z');
});

it('the instructions say so', async () => {
  staleSince = SINCE;
  const { result } = await served.request(ADDRESS, 'server/discover');
  expect(result?.instructions).toMatch(STATUS);
  staleSince = undefined;
  const after = await served.request(ADDRESS, 'server/discover');
  expect(after.result?.instructions).not.toContain('does not answer');
});

it('a cursor goes on through it', async () => {
  const pageOf = async (args: object) => (await served.call(ADDRESS, 'browse_repo', args)).text;
  staleSince = undefined;
  const next = nextOf(await pageOf({ path: 'docs', limit: 1 }));
  staleSince = SINCE;
  expect(await pageOf(next?.args ?? {})).toContain('docs/b.md');
  const staleNext = nextOf(await pageOf({ path: 'docs', limit: 1 }));
  staleSince = undefined;
  expect(await pageOf(staleNext?.args ?? {})).toContain('docs/b.md');
});
