import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openBlobCache } from '../src/blob-cache.ts';
import { RegistryConflictError, RegistryError } from '../src/errors.ts';
import { openRegistry } from '../src/registry.ts';
import { openSkillCache } from '../src/skill-cache.ts';
import type { SkillFile } from '../src/skill-files.ts';
import { type Given, MemoryBackend } from './memory-backend.ts';

const SKILL = (name: string, description = `Does ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBody\n`;
const signal = new AbortController().signal;
const call = { signal };

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skillquay-registry-'));
  roots.push(root);
});

function open(files: Given | 'empty' | 'missing' = {}) {
  const backend = new MemoryBackend(files);
  const waits: number[] = [];
  const registry = openRegistry({
    backend,
    caches: {
      blobs: openBlobCache(join(root, 'blobs')),
      skills: openSkillCache(join(root, 'skills')),
    },
    limits: { maxFileBytes: 1_000 },
    home: root,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
  return { backend, registry, waits };
}

describe('the list', () => {
  it('has every folder with a SKILL.md by slug, and fetches nothing twice', async () => {
    const { backend, registry } = open({
      'b/SKILL.md': SKILL('b'),
      'a/SKILL.md': SKILL('A skill', 'Says | hello'),
      'a/deeper/SKILL.md': SKILL('deeper'),
      'README.md': 'no skill',
      'docs/x.md': 'no skill',
      '.hidden/SKILL.md': SKILL('hidden'),
      'node_modules/SKILL.md': SKILL('modules'),
    });
    const { skills, head, missing } = await registry.list(call);
    expect(skills.map(({ slug, name, description }) => [slug, name, description])).toEqual([
      ['a', 'A skill', 'Says | hello'],
      ['b', 'b', 'Does b'],
    ]);
    expect(head?.commit).toBe(backend.commitId);
    expect(missing).toBe(false);
    expect(backend.calls.blobs).toHaveLength(1);
    await registry.list(call);
    expect(backend.calls.blobs).toHaveLength(1);
  });

  it('keeps what cannot be read, with the line, and takes what can be recovered', async () => {
    const { registry } = open({
      'bad/SKILL.md': '---\nname: bad\n---\n',
      'bytes/SKILL.md': Uint8Array.of(0x2d, 0xff, 0xfe),
      'link/SKILL.md': { mode: '120000', bytes: Buffer.from('x.md') },
      'recovered/SKILL.md': '---\nname: recovered\ndescription: Use when: asked\n---\n',
    });
    const { skills } = await registry.list(call);
    expect(skills.map(({ description }) => description)).toEqual([
      expect.stringMatching(/^\(unreadable front matter: .*no `description`\)$/),
      expect.stringMatching(/^\(unreadable front matter: line 1: The file is not UTF-8/),
      '(unreadable front matter: SKILL.md is a link)',
      'Use when: asked',
    ]);
    expect(skills.map(({ name }) => name)).toEqual(['bad', 'bytes', 'link', 'recovered']);
  });

  it('fetches no SKILL.md that is larger than is read, and keeps it', async () => {
    const { backend, registry } = open({ 'large/SKILL.md': new Uint8Array(5 * 1024 ** 2) });
    expect((await registry.list(call)).skills).toMatchObject([
      {
        name: 'large',
        description:
          '(unreadable front matter: The file has 5,242,880 bytes, more than the 1,048,576 that are read)',
        readable: false,
      },
    ]);
    expect(backend.calls.blobs).toEqual([]);
  });

  it('keeps a skill whose SKILL.md does not come, and has the others', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const { backend, registry } = open(
      Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, SKILL(name)])),
    );
    backend.broken.add(SKILL('c'));
    const { skills } = await registry.list(call);
    expect(skills.map(({ description }) => description)).toEqual([
      'Does a',
      'Does b',
      '(unreadable front matter: SKILL.md could not be fetched)',
      'Does d',
      'Does e',
    ]);
    backend.beforeBlobs = () => {
      throw new RegistryError('unreachable', 'offline');
    };
    await expect(registry.list(call)).rejects.toThrow('offline');
  });

  it('asks for no more bytes at once than fit into memory', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `s${i}`);
    const large = (name: string) => Buffer.concat([Buffer.from(SKILL(name)), Buffer.alloc(1_000_000, 'x')]);
    const { backend, registry } = open(
      Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, large(name)])),
    );
    expect((await registry.list(call)).skills).toHaveLength(20);
    expect(backend.calls.blobs.map((oids) => oids.length)).toEqual([16, 4]);
  });

  it('keeps a folder whose name is no text, which nothing else takes for another', async () => {
    const { backend, registry } = open({ '\ufffd/SKILL.md': SKILL('a') });
    const { skills } = await registry.list(call);
    expect(skills).toMatchObject([
      { readable: false, description: '(unreadable front matter: the name of its folder is not UTF-8)' },
    ]);
    expect(await registry.get('\ufffd', call)).toEqual({ kind: 'not_found' });
    const before = backend.commitId;
    expect(await registry.remove('\ufffd', call)).toEqual({ kind: 'not_found' });
    expect(backend.commitId).toBe(before);
  });

  it.each(['empty', 'missing'] as const)('of a repository that is %s has nothing', async (state) => {
    expect(await open(state).registry.list(call)).toEqual({
      skills: [],
      head: null,
      missing: state === 'missing',
    });
  });
});

describe('getting', () => {
  it('gives a folder with every file as it is in the registry', async () => {
    const { registry, backend } = open({
      'auth-skill/SKILL.md': SKILL('auth-skill'),
      'auth-skill/scripts/run.sh': { mode: '100755', bytes: Buffer.from('#!/bin/sh\r\n') },
      'auth-skill/bin': Uint8Array.of(0, 255, 10, 13),
      'auth-skill/empty': '',
      'other/SKILL.md': SKILL('other'),
    });
    const got = await registry.get('Auth Skill', call);
    expect(got).toMatchObject({
      kind: 'found',
      slug: 'auth-skill',
      path: join(root, 'skills', 'auth-skill'),
      notes: [],
    });
    if (got.kind !== 'found') return;
    expect(readdirSync(got.path, { recursive: true }).sort()).toEqual(
      ['SKILL.md', 'bin', 'empty', 'scripts', join('scripts', 'run.sh')].sort(),
    );
    expect([...readFileSync(join(got.path, 'bin'))]).toEqual([0, 255, 10, 13]);
    expect(statSync(join(got.path, 'scripts/run.sh')).mode & 0o777).toBe(0o700);
    expect(statSync(join(got.path, 'SKILL.md')).mode & 0o777).toBe(0o600);
    await registry.get('auth-skill', call);
    expect(backend.calls.blobs).toHaveLength(1);
  });

  it('asks back when several are alike, and says when there is none', async () => {
    const { registry } = open({
      'hy-phen/SKILL.md': SKILL('a'),
      'hy_phen/SKILL.md': SKILL('b'),
      'docs/x': '',
    });
    await expect(registry.get('HyPhen', call)).rejects.toThrow(/`hy-phen`, `hy_phen`/);
    expect(await registry.get('nothing', call)).toEqual({ kind: 'not_found' });
    expect(await registry.get('docs', call)).toEqual({ kind: 'not_found' });
    expect(await open('missing').registry.get('x', call)).toEqual({ kind: 'not_found' });
  });

  it('serves no cached folder that somebody changed', async () => {
    const { registry } = open({ 'a/SKILL.md': SKILL('a') });
    const got = await registry.get('a', call);
    if (got.kind !== 'found') throw new Error('not found');
    writeFileSync(join(got.path, 'SKILL.md'), SKILL('b'));
    await registry.get('a', call);
    expect(readFileSync(join(got.path, 'SKILL.md'), 'utf8')).toBe(SKILL('a'));
  });
});

describe('publishing', () => {
  const files = { 'SKILL.md': SKILL('new') };

  it('replaces the whole folder and nothing else, in one commit', async () => {
    const { backend, registry } = open({
      'new/old.md': '',
      'new/SKILL.md': SKILL('new', 'old'),
      'other/SKILL.md': 'x',
    });
    const published = await registry.publish('New', { files }, call);
    expect(published).toEqual({
      kind: 'published',
      slug: 'new',
      commit: backend.commitId,
      url: `https://git.example.com/o/r/tree/${backend.commitId.slice(0, 7)}/new`,
    });
    expect(backend.files()).toEqual({
      'new/SKILL.md': `100644 ${SKILL('new')}`,
      'other/SKILL.md': '100644 x',
    });
    expect(backend.messages).toEqual(['publish: new']);
  });

  it('what is there already commits nothing', async () => {
    const { backend, registry } = open({ 'new/SKILL.md': SKILL('new') });
    const { kind, commit } = await registry.publish('new', { files }, call);
    expect([kind, commit, backend.calls.commit]).toEqual(['unchanged', backend.commitId, 0]);
  });

  it('begins an empty repository', async () => {
    const { backend, registry } = open('empty');
    expect((await registry.publish('new', { files }, call)).kind).toBe('published');
    expect(Object.keys(backend.files())).toEqual(['new/SKILL.md']);
  });

  it('to a repository that is missing says so', async () => {
    await expect(open('missing').registry.publish('new', { files }, call)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('uses the folder that get would find', async () => {
    const { backend, registry } = open({ 'hy_phen/SKILL.md': SKILL('x'), 'hy_phen/old': '' });
    expect((await registry.publish('Hy Phen', { files }, call)).slug).toBe('hy_phen');
    expect(Object.keys(backend.files())).toEqual(['hy_phen/SKILL.md']);
  });

  it('writes over no folder and no file that is no skill', async () => {
    const { backend, registry } = open({ 'Docs/x.md': 'x', readme: 'x' });
    await expect(registry.publish('docs', { files }, call)).rejects.toThrow(/`Docs` is already in o\/r/);
    await expect(registry.publish('Readme', { files }, call)).rejects.toThrow(/`readme` is already in o\/r/);
    expect(backend.calls.commit).toBe(0);
  });

  it('makes the change anew when the branch has moved, and keeps what moved it', async () => {
    const { backend, registry, waits } = open({ 'other/SKILL.md': 'x' });
    backend.beforeCommit = () => {
      if (backend.calls.commit < 3) backend.put({ [`by-others-${backend.calls.commit}/SKILL.md`]: 'x' });
    };
    expect((await registry.publish('new', { files }, call)).kind).toBe('published');
    expect(Object.keys(backend.files())).toEqual([
      'by-others-1/SKILL.md',
      'by-others-2/SKILL.md',
      'new/SKILL.md',
      'other/SKILL.md',
    ]);
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(375);
    expect(waits[0]).toBeLessThanOrEqual(625);
    expect(waits[1]).toBeGreaterThanOrEqual(750);
    expect(waits[1]).toBeLessThanOrEqual(1_250);
  });

  it('gives up after the third attempt without a third wait', async () => {
    const { backend, registry, waits } = open({ 'other/SKILL.md': 'x' });
    backend.beforeCommit = () => backend.put({ other: String(backend.calls.commit) });
    const error = await registry.publish('new', { files }, call).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RegistryConflictError);
    expect(error).toMatchObject({ name: 'RegistryConflictError', code: 'conflict' });
    expect([backend.calls.commit, waits.length]).toEqual([3, 2]);
  });

  it('tries nothing else again', async () => {
    const { backend, registry } = open({ 'other/SKILL.md': 'x' });
    backend.beforeCommit = () => {
      throw new RegistryError('refused', 'protected branch');
    };
    await expect(registry.publish('new', { files }, call)).rejects.toThrow('protected branch');
    expect(backend.calls.commit).toBe(1);
  });

  it('says published when the change is there after an attempt that seemed to fail', async () => {
    const { backend, registry } = open({ 'other/SKILL.md': 'x' });
    backend.beforeCommit = () => backend.put({ 'new/SKILL.md': SKILL('new') });
    expect(await registry.publish('new', { files }, call)).toMatchObject({
      kind: 'published',
      commit: backend.commitId,
    });
    expect(backend.calls.commit).toBe(1);
  });

  it('changes of one process wait for each other', async () => {
    const { backend, registry, waits } = open({ 'other/SKILL.md': 'x' });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const all = await Promise.all(
      names.map((name) => registry.publish(name, { files: { 'SKILL.md': SKILL(name) } }, call)),
    );
    expect(all.map(({ kind }) => kind)).toEqual(names.map(() => 'published'));
    expect(waits).toEqual([]);
    expect(backend.calls.commit).toBe(6);
  });

  it('ends with the call', async () => {
    const controller = new AbortController();
    const { backend, registry } = open({ 'other/SKILL.md': 'x' });
    backend.beforeCommit = () => {
      controller.abort();
      backend.put({ other: 'x' });
    };
    await expect(registry.publish('new', { files }, { signal: controller.signal })).rejects.toThrow(/abort/i);
    expect(backend.calls.commit).toBe(1);
  });
});

describe('removing', () => {
  it('takes the folder away, and only a skill', async () => {
    const { backend, registry } = open({ 'a/SKILL.md': 'x', 'a/b/c': 'x', 'docs/x': 'x' });
    expect(await registry.remove('A', call)).toEqual({
      kind: 'removed',
      slug: 'a',
      commit: backend.commitId,
    });
    expect(Object.keys(backend.files())).toEqual(['docs/x']);
    expect(await registry.remove('docs', call)).toEqual({ kind: 'not_found' });
    expect(backend.messages).toEqual(['remove: a']);
  });

  it('says removed when it is gone after an attempt that seemed to fail, and takes no other for it', async () => {
    const { backend, registry } = open({ 'a-b/SKILL.md': 'x', 'other/SKILL.md': 'x' });
    backend.beforeCommit = () => {
      backend.delete('a-b/SKILL.md');
      backend.put({ 'a_b/SKILL.md': 'another' });
    };
    expect(await registry.remove('a-b', call)).toEqual({
      kind: 'removed',
      slug: 'a-b',
      commit: backend.commitId,
    });
    expect(backend.calls.commit).toBe(1);
    expect(Object.keys(backend.files())).toEqual(['a_b/SKILL.md', 'other/SKILL.md']);
  });
});

describe('what is published comes back', () => {
  it('byte for byte, with its modes and names', async () => {
    const folder = join(root, 'source');
    const files: Readonly<Record<string, Uint8Array>> = {
      'SKILL.md': Buffer.from(SKILL('x').replaceAll('\n', '\r\n')),
      'bin/bytes': Uint8Array.from({ length: 256 }, (_, i) => i),
      'bin/run me.sh': Buffer.from('#!/bin/sh\n'),
      empty: Buffer.of(),
      equal: Buffer.alloc(1_000, 'é'),
      'caf\u00e9.md': Buffer.from('composed'),
      'e\u0301/日本語.md': Buffer.from('taken apart'),
    };
    for (const [path, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    chmodSync(join(folder, 'bin/run me.sh'), 0o755);
    symlinkSync('../SKILL.md', join(folder, 'bin/main'));
    const { registry } = open('empty');
    await registry.publish('x', { localFolder: folder }, call);
    const got = await registry.get('x', call);
    if (got.kind !== 'found') throw new Error('not found');
    for (const [path, bytes] of Object.entries(files))
      expect(new Uint8Array(readFileSync(join(got.path, path))), path).toEqual(new Uint8Array(bytes));
    expect(statSync(join(got.path, 'bin/run me.sh')).mode & 0o100).toBe(0o100);
    expect(statSync(join(got.path, 'bin/bytes')).mode & 0o100).toBe(0);
    expect(readlinkSync(join(got.path, 'bin/main'))).toBe('../SKILL.md');
    expect((await registry.publish('x', { localFolder: got.path }, call)).kind).toBe('unchanged');
  });

  it.each([
    ['auth-skill', 'auth-skill'],
    ['Auth Skill', 'auth-skill'],
    ['日本語 スキル', '日本語-スキル'],
    ['Ünïcode', 'unicode'],
    ['CON', 'con-skill'],
    ['../x', 'x'],
    ['hy phen', 'hy-phen'],
  ])('under the name %s, as %s', async (name, slug) => {
    const { registry } = open({ 'other/SKILL.md': SKILL('other') });
    expect((await registry.publish(name, { files: { 'SKILL.md': SKILL('x') } }, call)).slug).toBe(slug);
    expect((await registry.list(call)).skills.map((skill) => skill.slug).sort()).toEqual(
      ['other', slug].sort(),
    );
    expect(await registry.get(name, call)).toMatchObject({ kind: 'found', slug });
    expect(await registry.get(slug, call)).toMatchObject({ kind: 'found', slug });
  });

  it('to the right one of two that are alike, when it is named exactly', async () => {
    const { backend, registry } = open({ 'hy_phen/SKILL.md': SKILL('x'), 'hy-phen/SKILL.md': SKILL('x') });
    for (const name of ['hy_phen', 'hy-phen'])
      await registry.publish(name, { files: { 'SKILL.md': SKILL(name) } }, call);
    expect(backend.files()).toEqual({
      'hy-phen/SKILL.md': `100644 ${SKILL('hy-phen')}`,
      'hy_phen/SKILL.md': `100644 ${SKILL('hy_phen')}`,
    });
    await expect(registry.publish('HyPhen', { files: { 'SKILL.md': SKILL('x') } }, call)).rejects.toThrow(
      /Name one of them exactly/,
    );
  });
});

describe('a plan', () => {
  const item = (name: string, files: Record<string, string>) => ({ name, source: { files } });

  it('says what publishing would do, by one look, and does nothing', async () => {
    const { backend, registry } = open({
      'same/SKILL.md': SKILL('same'),
      'old/SKILL.md': SKILL('old'),
      'old/gone.md': '',
      'old/moved.md': 'a',
    });
    const planned = await registry.plan(
      [
        item('Same', { 'SKILL.md': SKILL('same') }),
        item('old', { 'SKILL.md': SKILL('old', 'other'), 'moved.md': 'a', 'more.md': '' }),
        item('new', { 'SKILL.md': SKILL('new') }),
        item('bad', { 'README.md': '' }),
      ],
      call,
    );
    expect(planned).toMatchObject([
      { kind: 'unchanged', slug: 'same', differences: { added: [], changed: [], removed: [] } },
      {
        kind: 'changed',
        slug: 'old',
        differences: { added: ['more.md'], changed: ['SKILL.md'], removed: ['gone.md'] },
      },
      { kind: 'new', slug: 'new', differences: { added: ['SKILL.md'], changed: [], removed: [] } },
      { kind: 'refused', error: { code: 'invalid' } },
    ]);
    expect([backend.calls.list, backend.calls.commit]).toEqual([1, 0]);
  });

  it('takes a file that may be run now for a changed one', async () => {
    const { registry } = open({ 'a/SKILL.md': SKILL('a'), 'a/run.sh': 'x' });
    const text = (path: string, content: string, mode: SkillFile['mode'] = '100644') => ({
      ...{ path, mode, bytes: Buffer.from(content) },
    });
    const skillFiles = [text('SKILL.md', SKILL('a')), text('run.sh', 'x', '100755')];
    const [planned] = await registry.plan([{ name: 'a', source: { skillFiles } }], call);
    expect(planned).toMatchObject({ kind: 'changed', differences: { changed: ['run.sh'] } });
  });

  it('of an empty repository is all new, and of none there is none', async () => {
    const [planned] = await open('empty').registry.plan([item('a', { 'SKILL.md': SKILL('a') })], call);
    expect(planned?.kind).toBe('new');
    await expect(open('missing').registry.plan([], call)).rejects.toMatchObject({ code: 'not_found' });
  });
});
