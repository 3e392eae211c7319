// The example library from a commit to its answers: builder, bytes and reader together, on the repository that users see first.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { openObjects } from '@skillquay/git/objects';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { buildIndex } from '../src/build.ts';
import { openIndex } from '../src/index-file.ts';
import { openSnapshot, type Snapshot } from '../src/reader.ts';
import { allListed, sweep } from './sweep.ts';
import { answered, refused } from './tables.ts';

const LIBRARY = join(import.meta.dirname, '../../../examples/library');
const SCALE = 'baking/skills/scale-recipe/SKILL.md';
const PATHS = { maxPaths: 100, maxPathBytes: 3_000 };

const files = Object.fromEntries(
  readdirSync(LIBRARY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(LIBRARY.length + 1).replaceAll(sep, '/'), readFileSync(file)]),
);
const repo = repository(files);
const git = { gitDir: repo.dir, env: {} };
const objects = openObjects(git);
let snapshot: Snapshot;

beforeAll(async () => {
  const built = await buildIndex({
    identity: { repository: 'local/examples/library', commit: repo.head, rules: '1-test' },
    git,
    tree: repo.head,
    limits: DEFAULT_LIMITS,
    serving: 'licensed',
    workers: 0,
    workerUrl: null,
  });
  const links = { raw: () => null, page: () => null };
  snapshot = openSnapshot(openIndex(Buffer.concat(built.chunks)), objects, links);
});

afterAll(async () => {
  await objects.close();
  repo.remove();
});

function at(path: string) {
  const mount = snapshot.mount(path);
  if (mount === null) throw new Error(`There is no mount at "${path}".`);
  return mount;
}

describe('the example library', () => {
  it('introduces itself and its areas', () => {
    const root = at('').overview(4);
    expect(root).toMatchObject({
      name: 'Hearth Street Bakery',
      language: 'en',
      overview: { path: 'README.md', title: 'Hearth Street Bakery' },
      diagnostics: [],
      partial: null,
    });
    expect(root.folders.map(({ path, name }) => [path, name])).toEqual([
      ['baking', 'Baking'],
      ['counter', 'Counter'],
      ['docs', undefined],
      ['office', 'Office'],
    ]);
  });

  it('counts each discoverable skill once, and every document', () => {
    const { counts } = at('').overview(0);
    const skills = Object.keys(files).filter((path) => path.endsWith('/SKILL.md'));
    // Without the copy under .claude and the excluded draft.
    expect(counts.skills).toBe(skills.length - 2);
    expect(counts.documents).toBe(5);
  });

  it('finds a skill by what it does, and a document by what it says', () => {
    const found = answered(at('').search({ query: 'scale a dough by weight', after: null, limit: 3 }));
    expect(found.hits[0]).toMatchObject({ kind: 'skill', skill: { path: SCALE, name: 'scale-recipe' } });
    const flour = answered(at('').search({ query: 'flour', path: 'baking/handbook', after: null, limit: 3 }));
    expect(flour.hits[0]).toMatchObject({ kind: 'document', path: 'baking/handbook/flour.md' });
  });

  it('loads a skill with the rules above it and the pages it includes', async () => {
    const { parts, missing } = answered(await at('baking/skills').context(SCALE));
    expect(parts.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'rules SKILLCDN.md',
      'rules baking/SKILLCDN.md',
      `instructions ${SCALE}`,
      'included baking/skills/scale-recipe/references/bakers-percent.md',
      'included baking/skills/scale-recipe/references/formulas.json',
    ]);
    expect(missing).toEqual([]);
    expect(files[SCALE]?.toString().endsWith(`---\n${parts[2]?.text}`)).toBe(true);
    expect(answered(at('').skill(SCALE, PATHS)).files).toEqual([
      'baking/skills/scale-recipe/assets/tins.csv',
      'baking/skills/scale-recipe/references/bakers-percent.md',
      'baking/skills/scale-recipe/references/formulas.json',
      'baking/skills/scale-recipe/scripts/scale.mjs',
    ]);
  });

  it('serves each skill as its licence says, and says which that is', () => {
    const standing = Object.keys(files)
      .filter((path) => path.endsWith('/SKILL.md') && !path.startsWith('drafts/'))
      .map((path) => {
        const { licence, describedOnly } = answered(at('').skill(path, PATHS));
        return `${path}: ${describedOnly === undefined ? 'served' : 'described'} ${licence?.label} (${licence?.where})`;
      });
    expect(standing.sort()).toEqual([
      '.claude/skills/plain-words/SKILL.md: served MIT (LICENSE)',
      'baking/skills/scale-recipe/SKILL.md: served MIT (LICENSE)',
      'baking/skills/sourdough-schedule/SKILL.md: served CC-BY-4.0 (license of baking/skills/sourdough-schedule/SKILL.md)',
      'baking/skills/sourdough-schedule/starter-care/SKILL.md: served MIT (LICENSE)',
      'counter/ko/skills/menu-card-ko/SKILL.md: served CC-BY-4.0 (license of counter/SKILLCDN.md)',
      'counter/skills/allergen-answer/SKILL.md: served CC-BY-4.0 (license of counter/SKILLCDN.md)',
      'office/skills/wholesale-quote/SKILL.md: described unrecognised (office/skills/wholesale-quote/LICENSE.txt)',
      'skills/plain-words/SKILL.md: served MIT (LICENSE)',
    ]);
  });

  it('shows a hidden copy as the copy it is', () => {
    const answer = answered(at('').browse({ path: '.claude/skills', position: 0, limit: 9 }));
    expect(answer.entries).toMatchObject([
      { skills: 0, skill: { name: 'plain-words', undiscoverable: 'copy of skills/plain-words/SKILL.md' } },
    ]);
  });

  it('reads every file it shows, byte for byte, and only below the mount', async () => {
    for (const mount of ['', 'baking', 'counter/skills']) {
      for (const [path, content] of Object.entries(files)) {
        const answer = await at(mount).file(path);
        if (!('error' in answer)) {
          expect(path.startsWith(mount), path).toBe(true);
          expect(Buffer.from(answer.text)).toEqual(content);
        } else if (path.startsWith('office/skills/wholesale-quote/') && mount === '')
          expect(answer.error.code).toBe('file.not_served');
        else expect(['file.not_found', 'file.not_text']).toContain(answer.error.code);
      }
    }
  });

  it('lists what it reads and shows, file by file', async () => {
    const digests = await sweep(at(''), Object.keys(files));
    const listed = allListed(at('')).map(({ path }) => path);
    const skills = Object.keys(files).filter((path) => path.endsWith('/SKILL.md'));
    // A copy, a draft, and one whose licence keeps it at the source.
    const isPassedOver = (path: string) => /^(?:\.claude|drafts|office)\//.test(path);
    expect(listed).toEqual(skills.filter((path) => !isPassedOver(path)).sort());
    for (const path of ['baking', 'counter/skills', 'skills'])
      for (const [file, digest] of await sweep(at(path), Object.keys(files)))
        expect(digests.get(file)).toBe(digest);
  });

  it('answers for an excluded file as for one that never was', async () => {
    const excluded = 'drafts/holiday-stollen/SKILL.md';
    const never = 'drafts/holiday-stolpen/SKILL.md';
    expect(Object.keys(files)).toContain(excluded);
    const answers = async (path: string) =>
      JSON.stringify([
        at('').browse({ path, position: 0, limit: 9 }),
        at('').browse({ path: path.slice(0, -'/SKILL.md'.length), position: 0, limit: 9 }),
        at('').search({ query: 'stollen', path, after: null, limit: 9 }),
        at('').skill(path, PATHS),
        await at('').context(path),
        await at('').file(path),
      ]).replaceAll('stollen', 'stolpen');
    expect(await answers(excluded)).toBe(await answers(never));
    expect(snapshot.mount('drafts')).toBeNull();
    expect(refused(await at('').file(excluded)).code).toBe('file.not_found');
    expect(answered(at('').search({ query: 'stollen', after: null, limit: 9 })).hits).toEqual([]);
  });
});
