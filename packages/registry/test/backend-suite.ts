// What every backend keeps to, whatever it speaks to. A backend's tests call `backendSuite` with a host of its own.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, CallOptions, EmptyRegistry, Listing, RegistryEntry } from '../src/backend.ts';
import { RefMoved, RegistryError } from '../src/errors.ts';
import { blobId } from '../src/git-id.ts';
import type { SkillFile } from '../src/skill-files.ts';

export interface StoredFile {
  readonly mode: RegistryEntry['mode'];
  readonly bytes: Uint8Array;
}

/** Path to text, or to a whole file; null removes it. */
export type SuiteFiles = Readonly<Record<string, string | StoredFile | null>>;

/** `<mode> <id>` by path, in byte order. */
export type Stored = ReadonlyMap<string, string>;

export interface SuiteRepository {
  /** A backend with caches of its own. */
  open(at?: { readonly branch?: string | null; readonly dir?: string }): Backend;
  /** Somebody else's commit, made without the code under test; on a new branch from nothing. */
  put(files: SuiteFiles, branch?: string): Promise<void>;
  /** All files of a branch (`main`), read without the code under test. */
  read(branch?: string): Promise<Stored>;
  /** What the host's worker is told, to open the repository. */
  readonly target: string;
  /** The commits of a branch (`main`), the newest first. */
  history(
    branch?: string,
  ): Promise<readonly { readonly parents: readonly string[]; readonly message: string }[]>;
}

export interface SuiteHost {
  /** As the first listing names the default branch, `main`. */
  readonly defaultBranch: 'main' | 'HEAD';
  /** A repository with one commit of these files on `main`, its default branch; without a commit when there are none. */
  repository(files?: SuiteFiles): Promise<SuiteRepository>;
  /** A repository that is not there. */
  missing(): Backend;
  /** A file that calls `work` (registry-worker.ts), to be run as a process. */
  readonly worker: string;
  close(): Promise<void>;
}

const call: CallOptions = { signal: new AbortController().signal };

export function backendSuite(title: string, start: () => Promise<SuiteHost>): void {
  describe(title, () => {
    let host: SuiteHost;
    beforeAll(async () => {
      host = await start();
    });
    afterAll(() => host.close());

    it('lists the folders and files of the default branch, and gives their bytes', async () => {
      const repository = await host.repository({
        'b/SKILL.md': 'b',
        'a/SKILL.md': 'a',
        'a/bin/run': { mode: '100755', bytes: Buffer.from('#!/bin/sh\n') },
        'a/link': { mode: '120000', bytes: Buffer.from('SKILL.md') },
        'README.md': 'no skill',
      });
      await repository.put({ 'other/SKILL.md': 'another branch' }, 'other');
      const backend = repository.open();
      const listing = await listed(backend);
      expect(listing.head.branch).toBe(host.defaultBranch);
      expect([...listing.trees.keys()].sort()).toEqual(['a', 'b']);
      expect(listing.entries.map(({ path, mode }) => [path, mode])).toEqual([
        ['README.md', '100644'],
        ['a/SKILL.md', '100644'],
        ['a/bin/run', '100755'],
        ['a/link', '120000'],
        ['b/SKILL.md', '100644'],
      ]);
      expect(listing.entries.map(({ size }) => size)).toEqual([8, 1, 10, 8, 1]);
      expect(await contents(backend, listing)).toEqual(await repository.read());
      expect(await backend.blobs([], call)).toEqual(new Map());
    });

    it('reads a folder of a branch, relative to it', async () => {
      const repository = await host.repository({ 'a/SKILL.md': 'main' });
      await repository.put(
        {
          'kit/skills/a/SKILL.md': 'x',
          'kit/skills/x.md': 'y',
          'kit/other/SKILL.md': 'z',
          'kit/skills2/SKILL.md': 'w',
        },
        'work/new',
      );
      const listing = await listed(repository.open({ branch: 'work/new', dir: 'kit/skills' }));
      expect(listing.head.branch).toBe('work/new');
      expect(listing.entries.map(({ path }) => path)).toEqual(['a/SKILL.md', 'x.md']);
      expect([...listing.trees.keys()]).toEqual(['a']);
    });

    it('has nothing in a folder that is not there yet, which the first skill makes', async () => {
      const repository = await host.repository({ 'README.md': 'x' });
      const backend = repository.open({ dir: 'deep/er' });
      const listing = await listed(backend);
      expect([listing.entries, listing.trees.size]).toEqual([[], 0]);
      await backend.commit(adding(listing, { 'SKILL.md': 's' }), call);
      expect([...(await repository.read()).keys()]).toEqual(['README.md', 'deep/er/skill/SKILL.md']);
    });

    it('refuses a folder that is a file', async () => {
      const repository = await host.repository({ 'a/file': 'x' });
      for (const dir of ['a/file', 'a/file/below'])
        expect(await failure(repository.open({ dir }).list(call))).toMatchObject({ code: 'bad_data' });
    });

    it('stores bytes, modes and names as they are', async () => {
      const repository = await host.repository({ 'README.md': 'x' });
      const backend = repository.open();
      const files: Record<string, string | StoredFile> = {
        'SKILL.md': 'text\r\nwith both\nends\r',
        binary: { mode: '100644', bytes: Uint8Array.from({ length: 256 }, (_, i) => i) },
        'bin/run': { mode: '100755', bytes: Buffer.from('#!/bin/sh\n') },
        empty: '',
        'folder with spaces/a name': 'spaces',
        'quotes\'"$(id)\\': 'quotes',
        'caf\u00e9.md': 'NFC',
        'cafe\u0301.txt': 'NFD',
        'link/up': { mode: '120000', bytes: Buffer.from('../SKILL.md') },
        '.gitattributes': '* text eol=crlf\n',
        '.gitignore': '*\n',
        'large.bin': { mode: '100644', bytes: Buffer.alloc(2 * 1024 ** 2, 'git\r\n\0') },
        'a/b/c/d/e/f/g/h/i/j/deep': 'deep',
      };
      await backend.commit(adding(await listed(backend), files), call);
      const stored = await repository.read();
      expect(below('skill', stored)).toEqual(storedFiles(files));
      const fresh = repository.open();
      expect(await contents(fresh, await listed(fresh))).toEqual(stored);
    });

    it('replaces a folder whole and touches no other', async () => {
      const repository = await host.repository({
        'skill/SKILL.md': 'old',
        'skill/stale/file': 'old',
        'skill/turns': 'a file becomes a folder',
        'skill/folder/file': 'a folder becomes a file',
        'skill2/SKILL.md': 'other',
        'skill.md': 'other',
        'README.md': { mode: '100755', bytes: Buffer.from('other') },
      });
      const backend = repository.open();
      const before = await repository.read();
      const files = { 'SKILL.md': 'new', 'turns/file': 'n', folder: 'n' };
      await backend.commit(adding(await listed(backend), files), call);
      const after = await repository.read();
      expect(below('skill', after)).toEqual(storedFiles(files));
      expect(without('skill', after)).toEqual(without('skill', before));
      const [last, first] = await repository.history();
      expect(last).toMatchObject({ message: 'publish: skill' });
      expect(last?.parents).toHaveLength(1);
      expect(first?.parents).toEqual([]);
    });

    it('gives the commit that was made, at which the next listing is', async () => {
      const backend = (await host.repository({ 'a/SKILL.md': 'x' })).open();
      const before = await listed(backend);
      const { commit } = await backend.commit(adding(before, { 'SKILL.md': 'new' }), call);
      const after = await listed(backend);
      expect(after.head.commit).toBe(commit);
      expect(after.head.tree).not.toBe(before.head.tree);
      expect(after.trees.get('a')).toBe(before.trees.get('a'));
    });

    it('names a folder that is the same by the same tree, whatever commit it is in', async () => {
      const repository = await host.repository({ 'a/SKILL.md': 'x' });
      const backend = repository.open();
      const first = await listed(backend);
      expect(await listed(backend)).toEqual(first);
      await repository.put({ 'a/SKILL.md': 'y' });
      const second = await listed(backend);
      await repository.put({ 'a/SKILL.md': 'x' });
      const third = await listed(backend);
      expect(second.trees.get('a')).not.toBe(first.trees.get('a'));
      expect(third.trees).toEqual(first.trees);
      expect(third.head.tree).toBe(first.head.tree);
      expect(third.head.commit).not.toBe(first.head.commit);
    });

    it('takes a folder away, and the last one too', async () => {
      const repository = await host.repository({
        'skill/SKILL.md': 'x',
        'skill/deep/er': 'x',
        'b/SKILL.md': 'x',
      });
      const backend = repository.open();
      await backend.commit(removing(await listed(backend), 'skill'), call);
      expect([...(await repository.read()).keys()]).toEqual(['b/SKILL.md']);
      await backend.commit(removing(await listed(backend), 'b'), call);
      expect((await listed(backend)).entries).toEqual([]);
      await backend.commit(adding(await listed(backend), { 'SKILL.md': 'again' }), call);
      expect([...(await repository.read()).keys()]).toEqual(['skill/SKILL.md']);
    });

    it('throws RefMoved when the branch has moved, and changes nothing', async () => {
      const repository = await host.repository({ 'a/SKILL.md': 'x' });
      const [slow, quick] = [repository.open(), repository.open()];
      const stale = await listed(slow);
      await quick.commit(adding(await listed(quick), { 'SKILL.md': 'quick' }), call);
      const before = await repository.read();
      expect(await failure(slow.commit(adding(stale, { 'SKILL.md': 'slow' }), call))).toBeInstanceOf(
        RefMoved,
      );
      expect(await repository.read()).toEqual(before);
      await slow.commit(adding(await listed(slow), { 'SKILL.md': 'slow' }), call);
      expect(below('skill', await repository.read())).toEqual(storedFiles({ 'SKILL.md': 'slow' }));
      expect(await repository.history()).toHaveLength(3);
    });

    it('writes to the branch it reads, and to no other', async () => {
      const repository = await host.repository({ 'a/SKILL.md': 'x' });
      await repository.put({ 'a/SKILL.md': 'y' }, 'dev');
      const backend = repository.open({ branch: 'dev' });
      await backend.commit(adding(await listed(backend), { 'SKILL.md': 'new' }), call);
      expect([...(await repository.read()).keys()]).toEqual(['a/SKILL.md']);
      expect([...(await repository.read('dev')).keys()]).toEqual(['a/SKILL.md', 'skill/SKILL.md']);
    });

    it('makes the first commit of an empty repository on its default branch, once', async () => {
      const repository = await host.repository();
      const [backend, late] = [repository.open({ dir: 'skills' }), repository.open()];
      const empty = await backend.list(call);
      expect(empty).toEqual({ empty: true, branch: 'main' });
      if (!('empty' in empty)) return;
      expect(await late.list(call)).toEqual(empty);
      const { commit } = await backend.commit(adding(empty, { 'SKILL.md': 'first' }), call);
      expect([...(await repository.read()).keys()]).toContain('skills/skill/SKILL.md');
      expect((await listed(backend)).head.commit).toBe(commit);
      expect(await failure(late.commit(adding(empty, { 'SKILL.md': 'late' }), call))).toBeInstanceOf(
        RefMoved,
      );
    });

    it('finds no repository that is not there', async () => {
      expect(await host.missing().list(call)).toEqual({ missing: true });
    });

    it('names a branch that is not there', async () => {
      const backend = (await host.repository({ 'a/SKILL.md': 'x' })).open({ branch: 'nowhere' });
      const error = await failure(backend.list(call));
      expect(error).toBeInstanceOf(RegistryError);
      expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('"nowhere"') });
    });

    it('ends with the call, and works on after it', async () => {
      const repository = await host.repository({ 'a/SKILL.md': 'x' });
      const backend = repository.open();
      const aborted = { signal: AbortSignal.abort() };
      const listing = await listed(backend);
      const oids = listing.entries.map(({ oid }) => oid);
      const calls = [
        () => backend.list(aborted),
        () => backend.blobs(oids, aborted),
        () => backend.commit(adding(listing, { 'SKILL.md': 'x' }), aborted),
        () => backend.check(aborted),
      ];
      for (const made of calls) expect(await failure(made())).toMatchObject({ name: 'AbortError' });
      const controller = new AbortController();
      const running = repository.open().list({ signal: controller.signal });
      controller.abort();
      expect(await failure(running)).toMatchObject({ name: 'AbortError' });
      expect(await listed(backend)).toEqual(listing);
      expect(await repository.history()).toHaveLength(1);
    });
  });
}

export async function listed(backend: Backend): Promise<Listing> {
  const listing = await backend.list(call);
  if ('trees' in listing) return listing;
  throw new Error(`nothing is listed: ${JSON.stringify(listing)}`);
}

function adding(on: Listing | EmptyRegistry, files: Readonly<Record<string, string | StoredFile>>) {
  const skill = Object.entries(files).map(([path, file]): SkillFile => {
    const { mode, bytes } = storedFile(file);
    if (mode === '160000') throw new Error('no skill has a submodule');
    return { path, mode, bytes };
  });
  return { on, slug: 'skill', files: skill, message: 'publish: skill' };
}

function removing(on: Listing, slug: string) {
  return { on, slug, files: null, message: `remove: ${slug}` };
}

/** What a listing says, when the backend gives the bytes for it. */
async function contents(backend: Backend, { entries }: Listing): Promise<Stored> {
  const oids = [...new Set(entries.map(({ oid }) => oid))];
  const blobs = await backend.blobs(oids, call);
  expect([...blobs.keys()].sort()).toEqual(oids.sort());
  for (const [oid, bytes] of blobs) expect(blobId(bytes)).toBe(oid);
  return byPath(entries.map(({ path, mode, oid }) => [path, `${mode} ${oid}`]));
}

function storedFile(file: string | StoredFile): StoredFile {
  return typeof file === 'string' ? { mode: '100644', bytes: Buffer.from(file) } : file;
}

/** What `read` gives for these files. */
export function storedFiles(files: Readonly<Record<string, string | StoredFile>>): Stored {
  return byPath(
    Object.entries(files).map(([path, file]) => {
      const { mode, bytes } = storedFile(file);
      return [path, `${mode} ${blobId(bytes)}`];
    }),
  );
}

export function byPath(files: Iterable<readonly [string, string]>): Stored {
  return new Map([...files].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}

export function below(slug: string, files: Stored): Stored {
  const begin = `${slug}/`;
  const inside = [...files].filter(([path]) => path.startsWith(begin));
  return byPath(inside.map(([path, file]) => [path.slice(begin.length), file]));
}

export function without(slug: string, files: Stored): Stored {
  return byPath([...files].filter(([path]) => !path.startsWith(`${slug}/`)));
}

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'did not fail',
    (error: unknown) => error,
  );
}
