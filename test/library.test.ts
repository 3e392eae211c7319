// The example library, served as the folder it is: each feature of the format is there and does what it is for.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readContent } from '@skillquay/core/contract/content';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, type Served, serve } from './support/serve.ts';

const library = fileURLToPath(new URL('../examples/library/', import.meta.url));
const command = fileURLToPath(new URL('../apps/cli/bin/skillquay.js', import.meta.url));
const written = (path: string) => readFileSync(library + path, 'utf8');
const body = (path: string) => written(path).replace(/^---\n[\s\S]*?\n---\n/, '');

let served: Served;
beforeAll(async () => {
  served = await serve([library]);
});
afterAll(() => served?.stop());

const text = async (tool: string, args: Record<string, unknown>) => (await call(served.mcp, tool, args)).text;
const load = (path: string) => text('load_skill', { path });

it('has nothing to complain about', () => {
  // Exit code 1 would throw; --strict makes a warning one.
  const printed = execFileSync(process.execPath, [command, 'check', library, '--strict'], {
    encoding: 'utf8',
  });
  expect(printed).toContain('0 errors, 0 warnings');
});

it('a skill arrives with the rules above it, its body and what it includes, in order', async () => {
  const skill = 'baking/skills/scale-recipe';
  const loaded = await load(`${skill}/SKILL.md`);
  expect(readContent(loaded)?.map(({ title, text }) => [title, text])).toEqual([
    ['applicable rules: SKILLCDN.md', body('SKILLCDN.md')],
    ['applicable rules: baking/SKILLCDN.md', body('baking/SKILLCDN.md')],
    ['instructions', body(`${skill}/SKILL.md`)],
    [
      `included file: ${skill}/references/bakers-percent.md`,
      written(`${skill}/references/bakers-percent.md`),
    ],
    [`included file: ${skill}/references/formulas.json`, written(`${skill}/references/formulas.json`)],
  ]);
  expect(loaded).toMatch(/^complete: true$/m);
  expect(loaded).toMatch(/^Compatibility: Needs Node 20/m);
  expect(loaded).toMatch(/^Allowed tools: Read Bash\(node:\*\)$/m);
  expect(loaded).toMatch(/^Metadata: .*"version":"1.2"/m);
  expect(loaded).toContain(`- ${skill}/scripts/scale.mjs`);
});

it('a shared page comes with a skill that lies elsewhere', async () => {
  const loaded = await load('counter/skills/allergen-answer/SKILL.md');
  expect(readContent(loaded)?.at(-1)).toMatchObject({
    title: 'included file: docs/allergens.md',
    text: written('docs/allergens.md'),
  });
});

it('links lead on, one step and two', async () => {
  expect(await load('baking/skills/scale-recipe/SKILL.md')).toContain('- baking/notes/deck-oven.md');
  expect(await text('read_repo_file', { path: 'baking/notes/deck-oven.md' })).toContain('steam.md');
  expect(await text('read_repo_file', { path: 'baking/notes/steam.md' })).toContain('# Steam');
});

it('a hidden copy and a draft are not found, and the copy can be loaded', async () => {
  const found = await text('search_repo', { query: 'rewrite a notice in plain words', limit: 25 });
  expect(found).toContain('[skill] skills/plain-words/SKILL.md');
  expect(found).not.toContain('.claude');
  expect(await load('.claude/skills/plain-words/SKILL.md')).toMatch(/^Skill: plain-words$/m);
  expect(await text('search_repo', { query: 'stollen' })).toMatch(/^Results: none$/m);
  expect(await call(served.mcp, 'read_repo_file', { path: 'drafts/holiday-stollen/SKILL.md' })).toMatchObject(
    {
      isError: true,
    },
  );
});

it('translations are shown to people and are no words for an agent', async () => {
  expect(await text('search_repo', { query: '환산', limit: 25 })).not.toContain('scale-recipe');
  expect(await text('search_repo', { query: '안내 카드' })).toContain(
    'counter/ko/skills/menu-card-ko/SKILL.md',
  );
});

it('areas introduce themselves, and a nested skill stands beside the one around it', async () => {
  const root = await text('browse_repo', {});
  expect(root).toMatch(/\[folder\] baking\n(?: {2}.*\n)*? {2}name: Baking\n/);
  const nested = await text('browse_repo', { path: 'baking/skills/sourdough-schedule' });
  expect(nested).toContain('baking/skills/sourdough-schedule/starter-care/SKILL.md');
});

it('its script does what the skill says', () => {
  const skill = `${library}baking/skills/scale-recipe`;
  const printed = execFileSync(
    process.execPath,
    ['scripts/scale.mjs', 'references/formulas.json', 'country-loaf', '--flour', '1000'],
    { cwd: skill, encoding: 'utf8' },
  );
  expect(printed).toMatch(/^salt +2 % +20\.0 g$/m);
  expect(printed).toMatch(/^total +196\.0 % +1960 g$/m);
});
