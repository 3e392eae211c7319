// A repository with every oddity seen in the wild is indexed and served whole, each oddity answered as the format says.
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { checkRepositoryPath } from '@skillquay/core/paths';
import { buildIndex } from '@skillquay/snapshot/build';
import type { Index } from '@skillquay/snapshot/index';
import { openIndex } from '@skillquay/snapshot/index-file';
import { RowClass, WITHHELD_REASONS } from '@skillquay/snapshot/tables';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crookedRepository,
  crowdRepository,
  hiddenOnlyRepository,
  hostileRepository,
  type Oddity,
  oddities,
  rootSkillRepository,
} from '../test-support/hostile.ts';
import type { TestRepository } from '../test-support/repository.ts';
import { type Answer, call, type Served, serve } from './support/serve.ts';

const CLASS_NAMES = new Map<number, string>(Object.entries(RowClass).map(([name, number]) => [number, name]));

async function indexOf(repo: TestRepository): Promise<Index> {
  const { chunks } = await buildIndex({
    identity: { repository: 'local/hostile/repository', commit: repo.head, rules: '1-test' },
    tree: repo.head,
    git: { gitDir: repo.dir, env: {} },
    limits: DEFAULT_LIMITS,
    serving: 'licensed',
    workers: 0,
    workerUrl: null,
  });
  return openIndex(Buffer.concat(chunks));
}

const isText = (path: string | Uint8Array): path is string => typeof path === 'string';
const shown = (path: string | Uint8Array) =>
  JSON.stringify(isText(path) ? path.slice(0, 60) : Buffer.from(path).toString('latin1'));
const titled = (list: readonly Oddity[]) =>
  list.map((oddity) => [`${oddity.what}: ${shown(oddity.path)}`, oddity] as const);

/** What the index says of a path, in the words of an expectation. */
function verdict(index: Index, path: string) {
  const row = index.rowOf(path);
  if (row === -1) return { class: 'none' };
  const withheld = WITHHELD_REASONS[index.withheld[row] ?? 0];
  return { class: CLASS_NAMES.get(index.class[row] ?? 0), ...(withheld ? { withheld } : {}) };
}

function codesAt(index: Index, path: string): readonly string[] {
  return index.diagnosticsOf(path).map((diagnostic) => diagnostic.code);
}

describe('in the index', () => {
  let index: Index;
  beforeAll(async () => {
    index = await indexOf(hostileRepository());
  });

  it.each(titled(oddities.filter((oddity) => isText(oddity.path))))('%s', (_, { path, expect: expected }) => {
    if (!isText(path)) return;
    const { class: expectedClass, withheld } = expected;
    expect(verdict(index, path)).toEqual({ class: expectedClass, ...(withheld ? { withheld } : {}) });
    if (expected.code) expect(codesAt(index, expected.codeAt ?? path)).toContain(expected.code);
  });

  it('a path that is not UTF-8 is reported and withheld, with its bytes spelled out', () => {
    const spelled = [
      'names/half\\xed\\xa0\\x80',
      'names/latin-\\xe9.md',
      'names/over\\xc0\\xaf.md',
      'paths/caf\\xe9/SKILL.md',
    ];
    expect(oddities.filter((oddity) => !isText(oddity.path))).toHaveLength(spelled.length);
    for (const path of spelled) {
      expect(codesAt(index, path)).toEqual(['unaddressable_path']);
      expect(verdict(index, path)).toEqual({ class: 'withheld', withheld: 'unaddressable_path' });
    }
  });

  it('every path that no address can name is reported, and counted once', () => {
    const reported = Array.from({ length: index.diagnosticCount }, (_, i) => index.diagnostic(i));
    const paths = reported.filter(({ code }) => code === 'unaddressable_path').map(({ path }) => path);
    expect(index.counts.unaddressable).toBe(paths.length);
    for (const path of paths) expect(checkRepositoryPath(path), path).not.toBeNull();
  });

  it('every entry is in exactly one class', () => {
    const { entries, ...classes } = index.counts;
    expect(Object.values(classes).reduce((sum, count) => sum + count, 0)).toBe(entries);
  });

  it('nothing of a hostile key reached a prototype', () => {
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('served over HTTP', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve([hostileRepository({ crowd: 2_000 }).dir]);
  });
  afterAll(() => served?.stop());

  const expectation: Readonly<Record<string, { readonly load: boolean; readonly read: boolean }>> = {
    skill: { load: true, read: true },
    supporting: { load: false, read: true },
    document: { load: false, read: true },
    reference: { load: false, read: true },
    invalidSkill: { load: false, read: true },
    withheld: { load: false, read: false },
    none: { load: false, read: false },
  };
  /** Readable by class, and yet not: more than is read, or no text. */
  const UNREADABLE = new Set(['files/picture.png']);

  it.each(titled(oddities.filter((oddity) => isText(oddity.path))))(
    '%s',
    async (_, { path, expect: expected }) => {
      const answers: Answer[] = [];
      for (const tool of ['load_skill', 'read_repo_file'])
        answers.push(await call(served.mcp, tool, { path }));
      const [loaded, read] = answers;
      const { withheld } = expected;
      const want = expectation[expected.class];
      expect(loaded?.isError, loaded?.text.slice(0, 600)).toBe(!want?.load);
      expect(read?.isError, read?.text.slice(0, 600)).toBe(
        !want?.read || withheld !== undefined || UNREADABLE.has(String(path)),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(Buffer.byteLength(JSON.stringify(JSON.parse(answer.raw).result))).toBeLessThanOrEqual(24_576);
        expect(answer.text).not.toContain('root:x:0:0');
      }
    },
  );

  it('a description cannot forge a line of an answer', async () => {
    const { text } = await call(served.mcp, 'load_skill', { path: 'front/forged-labels/SKILL.md' });
    expect(text.match(/^Commit: /gm)).toHaveLength(1);
    expect(text.match(/^Next: /gm)).toBeNull();
    expect(text.match(/^complete: /gm)).toHaveLength(1);
    const found = await call(served.mcp, 'search_repo', { query: 'forged labels does one thing', limit: 25 });
    expect(found.text.match(/^Commit: /gm)).toHaveLength(1);
  });

  it('a file that no address can name is listed and left out, with the reason', async () => {
    const listing = await call(served.mcp, 'browse_repo', { path: 'names', limit: 200 });
    expect(listing.text).toContain('[withheld] names/latin-\\xe9.md (unaddressable_path)');
    expect(listing.text).toContain('[withheld] names/two\\u{a}lines.md (unaddressable_path)');
    const { text } = await call(served.mcp, 'load_skill', { path: 'names/SKILL.md' });
    expect(text.slice(text.indexOf('Left out'))).toContain('names/back\\slash.md (unaddressable_path)');
  });

  it('every folder can be paged through to its end', async () => {
    const folders = [''];
    const seen = new Set(folders);
    for (const path of folders) {
      for (let args: Record<string, unknown> | null = { path, limit: 200 }; args !== null; ) {
        const answer: Answer = await call(served.mcp, 'browse_repo', args);
        expect(answer.isError, `${JSON.stringify(args)} ${answer.text}`).toBe(false);
        for (const [, below] of answer.text.matchAll(/^\[folder\] (.*)$/gm)) {
          if (below === undefined || seen.has(below) || below.split('/').length > 4) continue;
          seen.add(below);
          folders.push(below);
        }
        const next: string | undefined = /^Next: browse_repo (\{.*\})$/m.exec(answer.text)?.[1];
        args = next === undefined ? null : JSON.parse(next);
      }
    }
    expect(folders.length).toBeGreaterThan(100);
  });

  it('instructions stay within their bound and say that something is wrong', async () => {
    const { text } = await call(served.mcp, 'browse_repo', { path: 'crowd' });
    expect(text).toContain('[skill] crowd/SKILL.md');
  });
});

describe('a folder of 100,000 files', () => {
  it('is indexed whole', async () => {
    const index = await indexOf(crowdRepository(100_000));
    expect(index.counts.supporting).toBe(100_000);
    expect(verdict(index, 'crowd/file-099999.txt')).toEqual({ class: 'supporting' });
  });
});

describe('a skill at the root', () => {
  it('hides neither nested skills nor documents', async () => {
    const index = await indexOf(rootSkillRepository());
    expect(verdict(index, 'SKILL.md')).toEqual({ class: 'skill' });
    expect(verdict(index, 'skills/inner/SKILL.md')).toEqual({ class: 'skill' });
    expect(verdict(index, 'skills/inner/more.md')).toEqual({ class: 'supporting' });
    expect(verdict(index, 'docs/guide.md')).toEqual({ class: 'document' });
    expect(verdict(index, 'notes.md')).toEqual({ class: 'supporting' });
    expect(verdict(index, '.github/workflows/ci.yml')).toEqual({ class: 'none' });
    expect(index.skillDiscoverable(0) && index.skillDiscoverable(1)).toBe(true);
  });
});

describe('skills below hidden directories only', () => {
  it('are what the repository has, and copies are folded', async () => {
    const index = await indexOf(hiddenOnlyRepository());
    const skills = Array.from({ length: index.skillCount }, (_, i) => [
      index.path(index.skillRow[i] ?? 0),
      index.skillDiscoverable(i),
    ]);
    expect(skills).toEqual([
      ['.agents/skills/one/SKILL.md', true],
      ['.agents/skills/two/SKILL.md', true],
      ['.claude/skills/one/SKILL.md', false],
    ]);
    expect(verdict(index, '.claude/settings.json')).toEqual({ class: 'none' });
  });
});

describe('a tree that git itself would not make', () => {
  it('is indexed, and what has no address is withheld', async () => {
    const index = await indexOf(crookedRepository());
    expect(verdict(index, 'good/SKILL.md')).toEqual({ class: 'skill' });
    expect(verdict(index, 'good/page.md')).toEqual({ class: 'supporting' });
    const paths = Array.from({ length: index.rowCount }, (_, row) => index.path(row));
    const unnamed = { class: 'withheld', withheld: 'unaddressable_path' };
    for (const path of paths.filter((one) => checkRepositoryPath(one) !== null))
      expect(verdict(index, path), path).toEqual(unnamed);
    expect(verdict(index, 'crooked/../../escaped.md')).toEqual(unnamed);
    const folders = Array.from({ length: index.folders.count }, (_, folder) => index.folders.path(folder));
    for (const path of folders) expect(checkRepositoryPath(path, { root: true }), path).toBeNull();
  });
});
