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
  const oid = (name: string) => Buffer.from(repo.git('rev-parse', `main:crowd/${name}`), 'hex');
  const entry = (name: string, id: Buffer) => Buffer.concat([Buffer.from(`100644 ${name}\0`), id]);
  const file = oid('file.txt');
  const names = Array.from({ length: count }, (_, i) => `file-${String(i).padStart(6, '0')}.txt`);
  const tree = join(repo.dir, 'crowd.tree');
  writeFileSync(
    tree,
    Buffer.concat([entry('SKILL.md', oid('SKILL.md')), ...names.map((name) => entry(name, file))]),
  );
  const id = repo.git('hash-object', '-w', '-t', 'tree', tree);
  rmSync(tree);
  repo.commit([['crowd', { tree: id }]]);
  return repo;
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
