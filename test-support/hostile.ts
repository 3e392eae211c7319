// Repositories that hold every oddity seen in the wild, and what the format says about each.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { frontMatterOddities } from './hostile/front-matter.ts';
import { includeOddities, linkOddities, pathologicalOddities } from './hostile/markdown.ts';
import { type Oddity, skillText } from './hostile/oddity.ts';
import { nameOddities, placeOddities } from './hostile/places.ts';
import { policyOddities } from './hostile/policy.ts';
import { repository, type TestRepository } from './repository.ts';

export type { Expectation, ExpectedClass, Oddity } from './hostile/oddity.ts';

/** Every oddity of the repository that `hostileRepository` makes, with the expected answer as data. */
export const oddities: readonly Oddity[] = [
  ...frontMatterOddities(),
  ...placeOddities(),
  ...nameOddities(),
  ...policyOddities(),
  ...pathologicalOddities(),
  ...linkOddities(),
  ...includeOddities(),
];

export interface HostileOptions {
  /** Files in the one folder `crowd/`, beside the skill that owns them; 0 = no such folder. */
  readonly crowd?: number;
}

/** One repository with all oddities beside each other: none may spoil another. */
export function hostileRepository(options: HostileOptions = {}): TestRepository {
  const repo = repository(oddities.flatMap((oddity) => [...oddity.files]));
  return options.crowd ? crowded(repo, options.crowd) : repo;
}

/**
 * Adds a commit in which `crowd/` holds this many files, all with the same content. Its tree is written by hand:
 * fast-import looks through a folder once for each file it adds to it.
 */
function crowded(repo: TestRepository, count: number): TestRepository {
  repo.commit({ 'crowd/SKILL.md': skillText('crowd'), 'crowd/file.txt': 'one of many\n' });
  const file = repo.git('rev-parse', 'main:crowd/file.txt');
  const names = Array.from({ length: count }, (_, i) => `file-${String(i).padStart(6, '0')}.txt`);
  const tree = writeTree(repo, [
    ['SKILL.md', repo.git('rev-parse', 'main:crowd/SKILL.md')],
    ...names.map((name) => [name, file] as const),
  ]);
  repo.commit({ crowd: { tree } });
  // A loose object is opened anew each time it is read, and this one is read a hundred thousand times.
  repo.git('repack', '-adq');
  return repo;
}

/** Writes a tree of regular files as it is given, which git would refuse if it were asked. */
function writeTree(
  repo: TestRepository,
  entries: ReadonlyArray<readonly [name: string, oid: string]>,
): string {
  const file = join(repo.dir, 'tree-to-write');
  const bytes = entries.map(([name, oid]) =>
    Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(oid, 'hex')]),
  );
  writeFileSync(file, Buffer.concat(bytes));
  const tree = repo.git('hash-object', '-w', '--literally', '-t', 'tree', file);
  rmSync(file);
  return tree;
}

/** A folder `crooked/` whose entries have names that no git command makes, beside a skill that is fine. */
export function crookedRepository(): TestRepository {
  const repo = repository({ 'good/SKILL.md': skillText('good'), 'good/page.md': '# Page\n' });
  const page = repo.git('rev-parse', 'main:good/page.md');
  const names = [
    '..',
    '.',
    '.git',
    '../../escaped.md',
    'SKILL.md',
    'SKILL.md',
    'a/SKILL.md',
    '/etc/passwd',
    'z.md',
  ];
  repo.commit({
    crooked: {
      tree: writeTree(
        repo,
        names.map((name) => [name, page] as const),
      ),
    },
  });
  return repo;
}

/** Nothing but one folder of this many files. */
export function crowdRepository(count: number): TestRepository {
  return crowded(repository(), count);
}

/** A skill at the root, which must hide neither nested skills nor documents. */
export function rootSkillRepository(): TestRepository {
  return repository({
    'SKILL.md': skillText('everything'),
    'README.md': '# Everything\n',
    'notes.md': '# Notes\n',
    'docs/guide.md': '# Guide\n',
    'skills/inner/SKILL.md': skillText('inner'),
    'skills/inner/more.md': '# More\n',
    '.github/workflows/ci.yml': 'on: push\n',
  });
}

/** Skills under hidden directories only: they are what the repository has, so they are listed. */
export function hiddenOnlyRepository(): TestRepository {
  return repository({
    '.claude/skills/one/SKILL.md': skillText('one'),
    '.claude/skills/one/help.md': '# Help\n',
    '.claude/settings.json': '{"secret": true}\n',
    '.agents/skills/one/SKILL.md': skillText('one'),
    '.agents/skills/one/help.md': '# Help\n',
    '.agents/skills/two/SKILL.md': skillText('two'),
  });
}
