import { describe, expect, it } from 'vitest';
import { type RowSpec, refused, snapshotOf } from '../../test/tables.ts';
import type { Mount } from '../reader.ts';

const FILES: Record<string, RowSpec> = {
  'README.md': { class: 'overview' },
  'SKILLCDN.md': { class: 'manifest' },
  'baking/README.md': { class: 'overview' },
  'baking/skills/Knead/skill.md': { class: 'invalidSkill' },
  'baking/skills/proof/SKILL.md': { class: 'skill', facts: { name: 'proof-dough' } },
  'baking/skills/scale-recipe/SKILL.md': { class: 'skill', facts: { name: 'scale-recipe' } },
  'baking/skills/scale-recipe/references/units.md': { class: 'supporting' },
  'baking/skills/scale-recipe/scripts/scale.py': { class: 'supporting' },
  'baking/skills/torn/SKILL.md': { class: 'invalidSkill' },
  'copies/scale-recipe/SKILL.md': {
    class: 'skill',
    facts: { name: 'scale-recipe' },
    copyOf: 'baking/skills/scale-recipe/SKILL.md',
  },
  'docs/guide.md': { class: 'document' },
  'docs/notes/linked.md': { class: 'reference' },
  'more/docs/guide.md': { class: 'document' },
  'more/one/SKILL.md': { class: 'skill', facts: { name: 'twice' } },
  'more/two/SKILL.md': { class: 'skill', facts: { name: 'twice' } },
  'shut/in/secret.md': { class: 'withheld', withheld: 'closed_scope' },
  'big/assets/film.md': { class: 'withheld', withheld: 'too_large', size: 9_999_999 },
  'big/SKILL.md': { class: 'skill' },
};
const snapshot = snapshotOf(FILES, {
  closedFolders: ['shut'],
  diagnostics: [
    { path: 'baking/skills/Knead/skill.md', code: 'misnamed_skill_file', message: 'It is misnamed.' },
    { path: 'baking/skills/torn/SKILL.md', code: 'no_front_matter', message: 'There is none.' },
    { path: 'shut/SKILLCDN.md', code: 'closed_scope' },
  ],
});
const SCALE = 'baking/skills/scale-recipe/SKILL.md';
const PATHS = { maxPaths: 9, maxPathBytes: 999 };

function at(path: string): Mount {
  const mount = snapshot.mount(path);
  if (mount === null) throw new Error(`There is no mount at "${path}".`);
  return mount;
}

describe('a file that is not here', () => {
  const read = async (path: string, mount = '') => refused(await at(mount).file(path));

  it('is suggested where exactly one ends like it', async () => {
    const path = 'baking/skills/scale-recipe/references/units.md';
    for (const asked of ['references/units.md', 'units.md', 'scale-recipe/references/units.md'])
      expect(await read(asked)).toMatchObject({
        message: `There is no file "${asked}" to read here. Did you mean "${path}"?`,
        next: { tool: 'read_repo_file', arguments: { path } },
      });
    expect((await read('linked.md')).next?.arguments.path).toBe('docs/notes/linked.md');
    expect((await read('units.md', 'baking/skills')).next?.arguments.path).toBe(path);
  });

  it('is not suggested by a part of a name, or where several could be meant', async () => {
    for (const asked of ['its.md', 'guide.md', 'references/its.md'])
      expect((await read(asked)).message).not.toContain('Did you mean');
    expect((await read('guide.md', 'more')).next?.arguments.path).toBe('more/docs/guide.md');
  });

  it('is never one that is withheld or lies outside, nor a README or a manifest', async () => {
    for (const asked of ['film.md', 'secret.md', 'in/secret.md'])
      expect((await read(asked)).message).not.toContain('Did you mean');
    for (const asked of ['units.md', 'references/units.md', 'guide.md', 'README.md', 'SKILLCDN.md'])
      expect((await read(asked, 'copies')).message).not.toContain('Did you mean');
    expect((await read('README.md', 'baking')).message).not.toContain('Did you mean');
  });

  it('leads to the nearest folder there is', async () => {
    const next = async (path: string, mount = '') => (await read(path, mount)).next;
    const browse = (path?: string) => ({
      tool: 'browse_repo',
      arguments: path === undefined ? {} : { path },
    });
    expect(await next('baking/skills/scale-recipe/none.md')).toEqual(browse('baking/skills/scale-recipe'));
    expect(await next('baking/none/deep/none.md')).toEqual(browse('baking'));
    expect(await next('none.md')).toEqual(browse());
    expect(await next('none/none.md')).toEqual(browse());
    expect(await next('elsewhere/none.md', 'baking')).toEqual(browse());
    expect(await next('baking/none.md', 'baking')).toEqual(browse());
    expect((await read('baking/none/none.md')).message).toContain('Browse "baking" to see');
    expect(await next('docs')).toEqual(browse('docs'));
  });
});

describe('a folder that is not here', () => {
  const browse = (path: string, mount = '') => refused(at(mount).browse({ path, position: 0, limit: 9 }));

  it('is suggested where exactly one ends like it', () => {
    expect(browse('scale-recipe/scripts')).toMatchObject({
      message: expect.stringContaining('Did you mean "baking/skills/scale-recipe/scripts"?'),
      next: { tool: 'browse_repo', arguments: { path: 'baking/skills/scale-recipe/scripts' } },
    });
    expect(browse('scale-recipe').message).not.toContain('Did you mean');
    expect(browse('scale-recipe', 'baking').next?.arguments.path).toBe('baking/skills/scale-recipe');
    expect(browse('in').message).not.toContain('Did you mean');
    expect(browse('baking/none').next?.arguments.path).toBe('baking');
  });

  it('is searched again where it was meant', () => {
    const found = refused(at('').search({ query: 'scale', path: 'scripts', after: null, limit: 5 }));
    expect(found.next).toEqual({
      tool: 'search_repo',
      arguments: { query: 'scale', path: 'baking/skills/scale-recipe/scripts' },
    });
  });

  it('that is a file is read', () => {
    expect(browse('docs/guide.md').next).toEqual({
      tool: 'read_repo_file',
      arguments: { path: 'docs/guide.md' },
    });
    expect(browse(SCALE).next).toEqual({ tool: 'load_skill', arguments: { path: SCALE } });
  });
});

describe('a skill that is not named by its path', () => {
  const load = (path: string, mount = '') => refused(at(mount).skill(path, PATHS));

  it.each([
    ['baking/skills/scale-recipe'],
    ['skills/scale-recipe'],
    ['scale-recipe'],
    ['scale-recipe/SKILL.md'],
    ['baking/skills/scale-recipe/skill.md'],
  ])('is found by %s', (asked) => {
    expect(load(asked).next).toEqual({ tool: 'load_skill', arguments: { path: SCALE } });
    expect(at('').skillHint(asked)?.next?.arguments.path).toBe(SCALE);
  });

  it('is found by its name where one has it', () => {
    expect(load('proof-dough').next?.arguments.path).toBe('baking/skills/proof/SKILL.md');
    expect(load('twice').message).not.toContain('Did you mean');
    expect(load('scale-recipe', 'copies').next?.arguments.path).toBe('copies/scale-recipe/SKILL.md');
    expect(load('scale-recipe', 'more').next).toEqual({ tool: 'browse_repo', arguments: {} });
    expect(at('more').skillHint('scale-recipe')).toBeNull();
    expect(at('').skillHint('')).toBeNull();
  });

  it('tells what is wrong with it by name', () => {
    for (const asked of [
      'baking/skills/Knead',
      'baking/skills/Knead/SKILL.md',
      'baking/skills/Knead/skill.md',
    ])
      expect(load(asked).message, asked).toContain('misnamed_skill_file: It is misnamed.');
    for (const asked of ['baking/skills/torn', 'baking/skills/torn/SKILL.md'])
      expect(load(asked).message, asked).toContain('no_front_matter: There is none.');
    expect(at('').skillHint('baking/skills/Knead/skill.md')?.message).toContain('misnamed_skill_file');
    expect(load('baking/skills/torn/SKILL.md').next).toEqual({
      tool: 'read_repo_file',
      arguments: { path: 'baking/skills/torn/SKILL.md' },
    });
  });
});
