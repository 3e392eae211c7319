// What a client sees while a commit is being indexed, when that fails, and after a restart.

import { BuildError } from '@skillquay/snapshot/build';
import type { Builder } from '@skillquay/snapshot/snapshots';
import { afterEach, describe, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { builder, nextOf, type Served, serve } from './support/served.ts';

const ADDRESS = '/gh/acme/library';
const library = repository({
  'skills/a/SKILL.md': '---\nname: a\ndescription: The first letter\n---\nA.\n',
  'docs/guide.md': '# Guide\n\nA guide.\n',
});
const repositories = { 'gh/acme/library': library };

/** Builds only when told, and counts. */
function heldBuilder() {
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const state = { builds: 0, open };
  const build: Builder = async (job) => {
    state.builds += 1;
    job.onProgress({ read: 3, known: 9 });
    await gate;
    return builder(job);
  };
  return { state, build };
}

/** Serves with such a builder, and waits until it is at work. */
async function serveHeld() {
  const { state, build } = heldBuilder();
  const one = await serve(repositories, { build, env: { INDEX_WAIT_MS: '20' } });
  await one.request(ADDRESS, 'server/discover');
  await expect.poll(() => state.builds).toBe(1);
  return { state, one };
}

let served: Served | undefined;
afterEach(() => served?.stop());

describe('while a commit is being indexed', () => {
  it('connecting does not wait, and says so', async () => {
    const { state, build } = heldBuilder();
    served = await serve(repositories, { build, env: { INDEX_WAIT_MS: '60000' } });
    const { result } = await served.request(ADDRESS, 'server/discover');
    expect(result?.instructions).toContain('Status: indexing');
    const { result: pinned } = await served.request(`${ADDRESS}@${library.head}`, 'server/discover');
    expect(pinned?.ttlMs).toBe(5_000);
    expect((await served.request(ADDRESS, 'tools/list')).status).toBe(200);
    expect(state.builds).toBe(1);
    const page = await fetch(served.origin + ADDRESS, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('3 of 9 files read');
    state.open();
  });

  it('a tool gives up after its wait with a result that says when to call again', async () => {
    const { state, one } = await serveHeld();
    served = one;
    for (const [tool, args] of [
      ['browse_repo', {}],
      ['search_repo', { query: 'letter' }],
      ['load_skill', { path: 'skills/a/SKILL.md' }],
      ['read_repo_file', { path: 'docs/guide.md' }],
    ] as const) {
      const { text, isError } = await served.call(ADDRESS, tool, args);
      expect(isError).toBe(false);
      expect(text).toMatch(/^Status: indexing, 3 of 9 files read; call again in 5 s$/m);
      expect(nextOf(text)).toEqual({ tool, args });
    }
    state.open();
    await expect
      .poll(async () => (await served?.call(ADDRESS, 'read_repo_file', { path: 'docs/guide.md' }))?.text)
      .toContain('A guide.');
  });

  it('a list of skills or resources is empty and soon stale, and a read says when to ask again', async () => {
    const { state, one } = await serveHeld();
    served = one;
    const pinned = `${ADDRESS}@${library.head}`;
    for (const [method, key] of [
      ['skills/list', 'skills'],
      ['resources/list', 'resources'],
    ] as const) {
      const { result } = await served.request(pinned, method);
      expect(result).toMatchObject({ [key]: [], ttlMs: 5_000, cacheScope: 'public' });
      expect(result).not.toHaveProperty('nextCursor');
    }
    const uri = 'skill://gh/acme/library/skills/a/SKILL.md';
    for (const method of ['skills/get', 'resources/read', 'resources/directory/read']) {
      const { error } = await served.request(pinned, method, { uri });
      expect(error).toEqual({
        code: -32603,
        message: 'indexing, 3 of 9 files read; call again in 5 s',
      });
    }
    state.open();
    await expect
      .poll(async () => (await served?.request(pinned, 'skills/list'))?.result?.skills)
      .toHaveLength(1);
    const { result } = await served.request(pinned, 'skills/list');
    expect(result).toMatchObject({ ttlMs: 86_400_000, cacheScope: 'public' });
  });

  it('the methods of the extension wait as long as the tools', async () => {
    const { state, build } = heldBuilder();
    served = await serve(repositories, { build, env: { INDEX_WAIT_MS: '60000' } });
    const listing = served.request(ADDRESS, 'skills/list');
    await expect.poll(() => state.builds).toBe(1);
    state.open();
    expect((await listing).result?.skills).toHaveLength(1);
  });

  it('reading a file does not wait', async () => {
    const { state, build } = heldBuilder();
    served = await serve(repositories, { build, env: { INDEX_WAIT_MS: '60000' } });
    const { text } = await served.call(ADDRESS, 'read_repo_file', { path: 'docs/guide.md' });
    expect(text).toContain('Status: indexing');
    state.open();
  });

  it('the prompt says it in its message', async () => {
    const { state, build } = heldBuilder();
    served = await serve(repositories, { build, env: { INDEX_WAIT_MS: '0' } });
    const { result } = await served.request(ADDRESS, 'prompts/get', {
      name: 'use_skill',
      arguments: { path: 'skills/a/SKILL.md' },
    });
    expect(JSON.stringify(result)).toContain('Status: indexing');
    state.open();
  });

  it('everyone waits for one build', async () => {
    const { state, build } = heldBuilder();
    served = await serve(repositories, { build });
    const all = Array.from({ length: 50 }, () => served?.call(ADDRESS, 'browse_repo'));
    await expect.poll(() => state.builds).toBe(1);
    state.open();
    const texts = new Set((await Promise.all(all)).map((called) => called?.text));
    expect([...texts]).toEqual([expect.stringContaining('skills')]);
    expect(state.builds).toBe(1);
  });
});

describe('a commit that cannot be indexed', () => {
  it('is an error result with code, reason and when the next attempt is', async () => {
    served = await serve(repositories, {
      build: async () => {
        throw new BuildError('indexer.tree_truncated', 'The commit has 1,001 manifests.');
      },
    });
    const { text, isError } = await served.call(ADDRESS, 'browse_repo');
    expect(isError).toBe(true);
    expect(text).toContain('1,001 manifests');
    expect(text).toMatch(/next attempt is in \d+ s/i);
    expect(text).toContain('Code: indexer.');
    const { result } = await served.request(ADDRESS, 'server/discover');
    expect(result?.instructions).toContain('Status: failed');
    expect(result?.ttlMs).toBe(5_000);
    for (const method of ['skills/list', 'resources/list']) {
      const { error } = await served.request(ADDRESS, method);
      expect(error).toMatchObject({ code: -32603, message: expect.stringContaining('1,001 manifests') });
    }
  });

  it('says nothing of what went wrong inside', async () => {
    served = await serve(repositories, { build: () => Promise.reject(new Error('ENOSPC /var/lib/x')) });
    const { text } = await served.call(ADDRESS, 'browse_repo');
    expect(text).toMatch(
      /Error: this commit could not be indexed. An unexpected error ended the build. The next/,
    );
    expect(text).not.toContain('/var/lib');
  });
});

describe('when the process is stopped', () => {
  it('who waits for an index is answered, and its build is ended', async () => {
    let ended = false;
    let begun = false;
    served = await serve(repositories, {
      env: { INDEX_WAIT_MS: '60000' },
      build: ({ signal }) =>
        new Promise((_, reject) => {
          begun = true;
          signal.addEventListener('abort', () => {
            ended = true;
            reject(new Error('cancelled'));
          });
        }),
    });
    const waiting = served.call(ADDRESS, 'browse_repo');
    await expect.poll(() => begun).toBe(true);
    await served.stop();
    expect((await waiting).text).toContain('Status: indexing');
    expect(ended).toBe(true);
    served = undefined;
  });

  it('a build that does not end is not waited for', async () => {
    served = await serve(repositories, {
      env: { SHUTDOWN_GRACE_SECONDS: '0', INDEX_WAIT_MS: '0' },
      build: () => new Promise(() => {}),
    });
    await served.call(ADDRESS, 'browse_repo');
    await served.stop();
    served = undefined;
  });
});

describe('after a restart', () => {
  it('a stored index is there at once, also for who does not wait', async () => {
    served = await serve(repositories);
    await served.call(ADDRESS, 'browse_repo');
    const again = await serve(repositories, {
      store: served.store,
      build: () => Promise.reject(new Error('nothing is to be built')),
    });
    const { text } = await again.call(ADDRESS, 'read_repo_file', { path: 'docs/guide.md' });
    expect(text).toContain('A guide.');
    const { result } = await again.request(ADDRESS, 'server/discover');
    expect(result?.instructions).toContain('1 skill, 1 document');
    await again.stop();
  });
});
