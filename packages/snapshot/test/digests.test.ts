// A byte changed in a rule, a shared page or a nested skill changes exactly the digests it should, and no other.
import { isAnswerError } from '@skillquay/core/answers';
import { openObjects } from '@skillquay/git/objects';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Entry, repository, type TestRepository } from '../../../test-support/repository.ts';
import { type Mount, openSnapshot } from '../src/reader.ts';
import { build, manifest, skill, type TestBuild } from './support.ts';
import { allListed, sweep } from './sweep.ts';

/** Each run makes a repository and builds an index for each of some changes, twice. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 8);

const include = fc
  .subarray(['n.md', 'data.json', '/docs/d.md', '/a/docs/p.md'])
  .map((list) => (list.length === 0 ? '' : `skillcdn:\n  include: [${list.join(', ')}]\n`));
const skillNamed = (name: string) =>
  fc.tuple(include, fc.constantFrom('Do it.', 'Read [notes](n.md).')).map((parts) => skill(name, ...parts));
const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);

/** Each file is there or not. */
const library: fc.Arbitrary<Map<string, Entry>> = fc
  .record<Record<string, Entry>>(
    {
      'SKILL.md': skillNamed('whole'),
      'SKILLCDN.md': fc.constant(manifest('', 'Rules for all.')),
      'a/SKILLCDN.md': fc.constant(manifest('', 'Rules for a.')),
      'a/x/SKILLCDN.md': fc.constant(manifest('', 'Rules for x.')),
      'a/x/SKILL.md': skillNamed('x'),
      'a/x/n.md': fc.constant('Notes.\n'),
      'a/x/data.json': fc.constant('{"a": 1}'),
      'a/x/b.bin': fc.constant(binary),
      'a/x/run.sh': fc.constant({ executable: `echo\n${'# more\n'.repeat(300)}` }),
      'a/x/in/SKILL.md': skillNamed('in'),
      'a/x/in/n.md': fc.constant('Inner.\n'),
      'a/x/other/SKILL.md': skillNamed('another'),
      'b/y/SKILL.md': skillNamed('y'),
      'b/y/big.bin': fc.constant(Buffer.alloc(5_000, 7)),
      'b/y/link': fc.constant({ symlink: 'n.md' }),
      'c/y/SKILL.md': skillNamed('y'),
      'docs/d.md': fc.constant('Shared.\n'),
      'a/docs/p.md': fc.constant('Page of a.\n'),
      'README.md': fc.constant('# Library\n'),
      'other.txt': fc.constant('Other.\n'),
    },
    { requiredKeys: ['a/x/SKILL.md'] },
  )
  .map((files) => new Map(Object.entries(files).filter(([, entry]) => entry !== undefined)));

async function mounted<T>(
  repo: TestRepository,
  { index }: TestBuild,
  use: (mount: Mount) => Promise<T>,
): Promise<T> {
  const objects = openObjects({ gitDir: repo.dir, env: {} });
  try {
    const mount = openSnapshot(index, objects, { raw: () => null, page: () => null }).mount('');
    if (mount === null) throw new Error('There is always a root.');
    return await use(mount);
  } finally {
    await objects.close();
  }
}

/** `directory path digest` of every file of every entry. */
function digestsOf(mount: Mount): Set<string> {
  return new Set(
    allListed(mount).flatMap(({ path, resources }) =>
      resources.map((file) => JSON.stringify([path, file.path, file.digest])),
    ),
  );
}

/** Files whose digest is another than it was, over all entries. */
function changedFiles(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const pathsOf = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...one].filter((digest) => !other.has(digest)).map((digest): string => JSON.parse(digest)[1]);
  return [...new Set([...pathsOf(before, after), ...pathsOf(after, before)])].sort();
}

/** What a change of a file must change: the file where an entry has it, and each document that it is a part of. */
async function expectedChanges(mount: Mount, changed: string): Promise<string[]> {
  const expected = new Set<string>();
  for (const { path, resources } of allListed(mount)) {
    const context = await mount.context(path);
    if (isAnswerError(context)) throw new Error(context.error.message);
    if (context.parts.some((part) => part.path === changed)) expected.add(path);
    const isInEntry = resources.some((file) => file.path === changed);
    // A listed SKILL.md is in entries as the document, of which it is a part itself.
    if (isInEntry) expected.add(changed);
  }
  return [...expected].sort();
}

function grown(entry: Entry): Entry {
  if (typeof entry === 'string') return `${entry}.`;
  if (entry instanceof Uint8Array) return Buffer.concat([entry, Buffer.of(1)]);
  return entry !== null && 'executable' in entry ? { executable: `${entry.executable}#\n` } : entry;
}

test('a byte changes exactly the digests it should, whether built from nothing or from the index before', async () => {
  await fc.assert(
    fc.asyncProperty(library, fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), async (files, picks) => {
      const repo = repository(Object.fromEntries(files));
      try {
        const base = repo.head;
        const before = await build(repo);
        await mounted(repo, before, async (mount) => {
          await sweep(mount, [...files.keys()]);
          const digests = digestsOf(mount);
          for (const pick of picks) {
            const path = [...files.keys()][pick % files.size] ?? '';
            // Copies would come to be, or cease to be.
            if (path === 'c/y/SKILL.md' || path === 'b/y/SKILL.md') continue;
            const entry = grown(files.get(path) ?? '');
            repo.commit({ [path]: entry }, { branch: 'next', from: base });
            const cold = await build(repo);
            const next = await build(repo, { previous: before.index });
            expect(next.bytes.equals(cold.bytes), path).toBe(true);
            const expected = entry === files.get(path) ? [] : await expectedChanges(mount, path);
            await mounted(repo, next, async (after) => {
              await sweep(after, []);
              expect([path, changedFiles(digests, digestsOf(after))]).toEqual([path, expected]);
            });
          }
        });
      } finally {
        repo.remove();
      }
    }),
    { numRuns: RUNS },
  );
}, 300_000);

test('a commit elsewhere changes the document that names it, and no other', async () => {
  const rawUrl = 'https://host.example/raw/{commit}/{path}';
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`;
  const repo = repository({
    'x/SKILL.md': skill('x'),
    'x/in/SKILL.md': skill('in'),
    'x/in/a.bin': pointer,
    'y/SKILL.md': skill('y'),
    'y/link': { symlink: 'x' },
  });
  const before = await build(repo, { rawUrl });
  repo.commit({ 'z.txt': 'z' });
  const next = await build(repo, { rawUrl, previous: before.index });
  expect(next.bytes.equals((await build(repo, { rawUrl })).bytes)).toBe(true);
  await mounted(repo, before, async (mount) => {
    await sweep(mount, []);
    const digests = digestsOf(mount);
    await mounted(repo, next, async (after) => {
      await sweep(after, []);
      expect(changedFiles(digests, digestsOf(after))).toEqual(['x/SKILL.md', 'x/in/SKILL.md']);
    });
  });
  repo.remove();
});
