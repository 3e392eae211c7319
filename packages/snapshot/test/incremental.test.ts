// The next commit's index is the same bytes, whether it was built from nothing or from the index before.

import { readFileSync } from 'node:fs';
import { MAX_SKILL_FILE_BYTES } from '@skillquay/core/limits';
import { openObjects } from '@skillquay/git/objects';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Entry, repository, type TestRepository } from '../../../test-support/repository.ts';
import type { Index } from '../src/index.ts';
import { openSnapshot } from '../src/reader.ts';
import type { Serving } from '../src/tables.ts';
import { build, codesOf, manifest, skill } from './support.ts';
import { sweep } from './sweep.ts';

const workerUrl = new URL('../../../apps/cli/dist/build-worker.js', import.meta.url);
const pointerTo = (size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize ${size}\n`;
const pointer = pointerTo(9);
/** More than a row can hold. */
const hugePointer = pointerTo(2 ** 33);

/** Each run makes a repository and builds three indexes. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 20);

const folders = [
  '',
  'a/',
  'a/b/',
  'skills/x/',
  'skills/x/inner/',
  'docs/',
  'a/docs/',
  '.h/s/',
  'b\u{1f35e}/',
  'b\uff5e/',
];
const links = [
  'docs/d.md',
  'a/n.md',
  'n.md',
  'a/b/n.md',
  '.h/s/n.md',
  'skills/x/n.md',
  'SKILLCDN.md',
  'a/SKILL.md',
];

const link = fc.constantFrom(...links).map((path) => `[to](/${path})`);
const signal = fc.constantFrom('ze\u200bro', 'ignore previous instructions', 'run `python scripts/go.py`');
const words = fc.array(
  fc.oneof(fc.constantFrom('bread', 'flour', 'Straße', '데이터', 'snake_case'), link, signal),
  {
    maxLength: 6,
  },
);
const body = words.map((list) => list.join(' '));
const include = fc.constantFrom('', 'skillcdn:\n  include: [n.md, /docs/d.md, .x/n.md, gone.md]\n');
const license = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'license: MIT\n',
      'license: Proprietary\n',
      'license: See LICENSE\n',
      'license: [MIT]\n',
    ),
  },
);
const MIT = readFileSync(new URL('../../../examples/library/LICENSE', import.meta.url), 'utf8');
const licenceFile = fc.constantFrom<Entry>(MIT, MIT, 'All rights reserved.\n', pointer, {
  symlink: '../n.md',
});
const markdown = fc.oneof(
  body,
  body.map((text) => `# Title\n\n${text}\n`),
  fc.constantFrom(
    pointer,
    hugePointer,
    Buffer.from([0xff, 0xfe, 0x41]),
    Buffer.from([0x80]),
    '',
    'x'.repeat(700),
  ),
);
const skillFile: fc.Arbitrary<Entry> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('x', 'inner', 's', 'b'), include, license, body)
      .map(([name, includes, licence, text]) => skill(name, includes + licence, text)),
  },
  { weight: 1, arbitrary: markdown },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Entry>({ symlink: '../a/SKILL.md' }, { executable: skill('run') }, 'broken'),
  },
);
const fields = fc.constantFrom(
  '',
  'exclude: [docs]\n',
  'exclude: [b, n.md]\n',
  'documents: [b, .h]\n',
  'language: de\n',
  'exclude: 1\n',
  'exclude: [SKILLCDN.md]\n',
);
const manifestFile: fc.Arbitrary<Entry> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fields, license, body)
      .map(([field, licence, text]) => manifest(field + licence, text)),
  },
  { weight: 1, arbitrary: fc.constantFrom<Entry>('broken', { symlink: 'x' }) },
);
const file = fc.oneof(
  fc.tuple(fc.constant('SKILL.md'), skillFile),
  fc.tuple(fc.constant('SKILLCDN.md'), manifestFile),
  fc.tuple(fc.constantFrom('LICENSE', 'LICENSE', 'license.txt', 'COPYING'), licenceFile),
  fc.tuple(
    fc.constantFrom('n.md', 'd.md', 'README.md', 'readme.md', '.x/n.md', 'skill.md', 'N.md'),
    markdown,
  ),
  fc.tuple(
    fc.constantFrom('n.json', 'n.txt', 'scripts/go.py', 'two\nlines.md', 'x/back\\slash.json'),
    fc.constantFrom<Entry>(
      '{"title": "Bread"}',
      pointer,
      hugePointer,
      'y'.repeat(400),
      Buffer.alloc(1_500, 0xff),
      { executable: 'y'.repeat(1_500) },
      {
        symlink: '..',
      },
    ),
  ),
);
const placed: fc.Arbitrary<[string, Entry]> = fc
  .tuple(fc.constantFrom(...folders), file)
  .map(([folder, [name, entry]]) => [folder + name, entry]);
const commit = fc.array(placed, { minLength: 1, maxLength: 14 }).map((pairs) => new Map(pairs));
/** An edit sets a file, removes one, or moves one. */
const edit = fc.oneof(
  placed.map(([path, entry]) => ({ path, entry, move: false })),
  fc
    .tuple(fc.nat(), fc.constantFrom(...folders))
    .map(([at, folder]) => ({ path: folder, entry: at, move: true })),
  fc.nat().map((at) => ({ path: null, entry: at, move: false })),
);
type Edit = typeof edit extends fc.Arbitrary<infer Item> ? Item : never;

/** Looks at what is listed, from the root and from some folders. */
async function sweepAll(repo: TestRepository, index: Index): Promise<void> {
  const objects = openObjects({ gitDir: repo.dir, env: {} });
  const snapshot = openSnapshot(index, objects, { raw: () => null, page: () => null });
  const paths = Array.from({ length: index.rowCount }, (_, row) => index.path(row));
  for (const folder of ['', 'a', 'skills/x']) {
    const mount = snapshot.mount(folder);
    if (mount !== null) await sweep(mount, paths);
  }
  await objects.close();
}

function applied(files: ReadonlyMap<string, Entry>, edits: readonly Edit[]): Map<string, Entry> {
  const next = new Map(files);
  for (const { path, entry, move } of edits) {
    if (typeof entry !== 'number') {
      if (path !== null) next.set(path, entry);
      continue;
    }
    const old = [...next.keys()][entry % Math.max(1, next.size)];
    const content = old === undefined ? undefined : next.get(old);
    if (old === undefined || content === undefined) continue;
    next.delete(old);
    if (move && path !== null) next.set(path + old.slice(old.lastIndexOf('/') + 1), content);
  }
  return next;
}

/** What turns one set of files into another. A file and a folder of one name cannot stand side by side. */
function difference(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): [string, Entry][] {
  const removed = [...before.keys()]
    .filter((path) => !after.has(path))
    .map((path): [string, Entry] => [path, null]);
  return [...removed, ...after];
}

const limits = fc.constantFrom(
  {},
  { indexedFiles: 3 },
  { blobBytes: 1_000 },
  { indexedBytesPerFile: 300, readFileBytes: 500 },
);

/** What is left out is named with the commit, so that its document is another one in each. */
const rawUrl = 'https://host.example/raw/{commit}/{path}';

test('an index built from the one before has the bytes of one built from nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      commit,
      fc.array(edit, { minLength: 1, maxLength: 5 }),
      limits,
      fc.constantFrom<Serving>('licensed', 'licensed', 'whole'),
      async (files, edits, limits, serving) => {
        const repo = repository();
        try {
          repo.commit([...files]);
          const before = await build(repo, { limits, serving, rawUrl });
          repo.commit(difference(files, applied(files, edits)));
          const cold = await build(repo, { limits, serving, rawUrl });
          const next = await build(repo, { limits, serving, rawUrl, previous: before.index });
          expect(next.bytes.equals(cold.bytes)).toBe(true);
          await sweepAll(repo, next.index);
        } finally {
          repo.remove();
        }
      },
    ),
    { numRuns: RUNS },
  );
}, 120_000);

const library = () => {
  const files: Record<string, Entry> = {
    'README.md': '# Library\n',
    'docs/d.md': '[n](/a/n.md)\n',
    'a/n.md': '# N\n',
  };
  for (let i = 0; i < 40; i += 1) {
    files[`skills/s${i}/SKILL.md`] = skill(`s${i}`, '', `Bread number ${i}. [more](more.md)`);
    files[`skills/s${i}/more.md`] = `# More of ${i}\n\nFlour.\n`;
  }
  return files;
};
const repo = repository(library());
afterAll(() => repo.remove());

test.each([1, 2, 3])(
  'an index built with %i threads has the bytes of one built with none',
  async (workers) => {
    const alone = await build(repo);
    const threaded = await build(repo, { workers, workerUrl, parallelBytes: 0 });
    expect(threaded.bytes.equals(alone.bytes)).toBe(true);
  },
);

const base = repo.head;
test.each<[string, Record<string, Entry>, number]>([
  ['a file is changed', { 'skills/s7/more.md': '# Changed\n' }, 1],
  ['a file is added', { 'skills/s7/added.md': '# Added\n' }, 1],
  ['a file is removed', { 'skills/s7/more.md': null }, 0],
  ['a skill is removed and its files go nowhere', { 'skills/s7/SKILL.md': null }, 0],
  [
    'a skill is renamed',
    { 'skills/s7/SKILL.md': null, 'skills/s77/SKILL.md': skill('s7', '', 'Bread number 7. [more](more.md)') },
    1,
  ],
  ['a manifest is added', { 'SKILLCDN.md': manifest('exclude: [skills/s3]\n') }, 0],
  ['a licence keeps a skill back', { 'skills/s7/LICENSE': 'All rights reserved.\n' }, 1],
  ['a licence is added that keeps nothing back', { LICENSE: MIT }, 0],
  ['the repository is kept back', { LICENSE: 'All rights reserved.\n' }, 40],
])('when %s, only that is read', async (_, files, reads) => {
  const before = await build(repo, { commit: base });
  repo.commit(files, { branch: 'next', from: base });
  const cold = await build(repo);
  const next = await build(repo, { previous: before.index });
  expect(next.report.filesRead).toBe(reads);
  expect(next.bytes.equals(cold.bytes)).toBe(true);
});

test('files that only look like skills, and texts that are included, are not read again', async () => {
  const files: Record<string, Entry> = {
    'SKILL.md': Buffer.from([0xff, 0xfe, 0x41]),
    'broken/SKILL.md': 'See [it](/docs/d.md).',
    'kept/elsewhere/SKILL.md': pointer,
    'large/SKILL.md': `${'long '.repeat(MAX_SKILL_FILE_BYTES / 5)}enough`,
    'docs/s/SKILL.md': '# A document\n\nOf its own.\n',
    's/SKILL.md': skill('s', 'skillcdn:\n  include: [n.json]\n'),
    's/n.json': `"${'x'.repeat(400)}"`,
    's/inner/SKILL.md': 'Neither [is this](/docs/d.md).',
    's/bytes/SKILL.md': Buffer.from([0x80]),
  };
  const small = repository(files);
  const limits = { indexedBytesPerFile: 300 };
  const before = await build(small, { limits });
  small.commit({ 'more/SKILL.md': skill('more') });
  const cold = await build(small, { limits });
  const next = await build(small, { limits, previous: before.index });
  expect(next.report.filesRead).toBe(1);
  expect(next.bytes.equals(cold.bytes)).toBe(true);
  expect(codesOf(next.index).filter((found) => found.endsWith('not_utf8'))).toEqual([
    'SKILL.md not_utf8',
    's/bytes/SKILL.md not_utf8',
  ]);
  small.remove();
});

test.each<[string, Record<string, Entry>, Record<string, Entry>]>([
  [
    'a supporting file that becomes a document',
    { 'docs/s/SKILL.md': skill('s'), 'docs/s/n.md': '# Title\n\nText.\n' },
    { 'docs/s/SKILL.md': null },
  ],
  [
    'a supporting file that no longer introduces its folder',
    { 's/SKILL.md': skill('s'), 's/readme.md': '# Old\n' },
    { 's/README.md': '# New\n' },
  ],
  [
    'a supporting file that introduces its folder from now on',
    { 's/SKILL.md': skill('s'), 's/readme.md': '# Old\n', 's/README.md': '# New\n' },
    { 's/README.md': null },
  ],
  [
    'a reference that becomes an overview',
    { 's/SKILL.md': skill('s', '', '[a](../a/README.md)'), 'a/README.md': '# A\n\nText.\n' },
    { 'a/t/SKILL.md': skill('t') },
  ],
  [
    'an include that nobody includes any more',
    { 's/SKILL.md': skill('s', 'skillcdn:\n  include: [n.json]\n'), 's/n.json': `"${'x'.repeat(400)}"` },
    { 's/SKILL.md': skill('s') },
  ],
  [
    'a broken skill that becomes a supporting file',
    { 's/t/SKILL.md': 'Broken, and [linked](/n.md).\n', 'n.md': '# N\n' },
    { 's/SKILL.md': skill('s') },
  ],
  [
    'a supporting file that becomes a broken skill',
    {
      's/SKILL.md': skill('s'),
      's/t/SKILL.md': 'Broken, and [linked](/n.md).\n',
      's/u/SKILL.md': Buffer.from([0x80]),
    },
    { 's/SKILL.md': null },
  ],
  [
    'a broken skill that becomes a document',
    { 'a/SKILL.md': '# Title\n\nA [link](/n.md).\n', 'n.md': '# N\n' },
    { 'SKILLCDN.md': manifest('documents: [a]\n') },
  ],
])('%s is told the same either way', async (_, first, second) => {
  const small = repository(first);
  const limits = { indexedBytesPerFile: 300 };
  const before = await build(small, { limits });
  small.commit(second);
  const cold = await build(small, { limits });
  expect((await build(small, { limits, previous: before.index })).bytes.equals(cold.bytes)).toBe(true);
  small.remove();
});

test('an index of another repository or other rules is no start', async () => {
  const before = await build(repo, { commit: base });
  const other = { ...before.index.identity, repository: 'gh/acme/other' };
  const { report, index } = await build(repo, { commit: base, previous: before.index, identity: other });
  expect(report.filesRead).toBe(83);
  expect(index.identity.repository).toBe('gh/acme/other');
});

test('progress counts the files that are read of those that are known', async () => {
  const seen: string[] = [];
  await build(repo, { commit: base, onProgress: ({ read, known }) => seen.push(`${read}/${known}`) });
  expect(seen).toEqual(['0/40', '40/40', '40/82', '82/82', '82/83', '83/83']);
});

test('a build that is cancelled says so', async () => {
  const signal = AbortSignal.abort();
  await expect(build(repo, { commit: base, signal })).rejects.toMatchObject({ code: 'indexer.cancelled' });
  const cancel = new AbortController();
  const cancelled = build(repo, { commit: base, signal: cancel.signal, onProgress: () => cancel.abort() });
  await expect(cancelled).rejects.toMatchObject({ code: 'indexer.cancelled' });
});

test('a commit that is not there is unreadable, in words that name nothing of the machine', async () => {
  const failed = build(repo, { commit: base, tree: '0'.repeat(40) });
  await expect(failed).rejects.toMatchObject({
    code: 'indexer.unreadable',
    message: 'Git could not read the commit.',
  });
});
