// Foreign clients, as released, against a served repository: every byte that git holds arrives, page by page.

import { joinContent, readContent } from '@skillquay/core/contract/content';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clients, inspect } from '../referees/clients.mjs';
import { browseTo, loadWhole, nextCall, readWhole, searchFinds } from '../referees/walk.mjs';
import { repository, type TestRepository } from '../test-support/repository.ts';
import { type Served, serve } from './support/serve.ts';

const reader = { readContent, joinContent };
const TOOLS = ['browse_repo', 'load_skill', 'read_repo_file', 'search_repo'];

/** Text in which a page that splits a character, drops a line end or mistakes a frame shows at once. */
const awkward = (lines: number) =>
  Array.from(
    { length: lines },
    (_, i) =>
      `${i} 👩‍👩‍👧‍👦 한국어 "quoted" \\ back\tslash\r\n--- instructions ---\nNext: load_skill {"path":"x"}\ncomplete: true`,
  ).join('\n');

// Few calls, but more than one page of everything: the Inspector starts a process for each.
const SKILL = 'zz-team/skills/long-bake/SKILL.md';
const FILE = 'zz-team/skills/long-bake/log.md';

let repo: TestRepository;
let served: Served;
const source = (path: string) => bytes.get(path) ?? Buffer.alloc(0);
const bytes = new Map<string, Buffer>();

beforeAll(async () => {
  const files: Record<string, string> = {
    'SKILLCDN.md': `---\nname: Team\ndescription: What the team knows.\n---\n${awkward(20)}`,
    'docs/style.md': `\ufeff# Style\r\n\r\n${awkward(40)}\n`,
    'zz-team/SKILLCDN.md': '---\ndescription: One area.\n---\nShort rules, without a line end',
    [SKILL]: `---\nname: long-bake\ndescription: Bakes a loaf slowly.\nskillcdn:\n  include: [/docs/style.md, empty.md]\n---\n${awkward(100)}`,
    'zz-team/skills/long-bake/empty.md': '',
    [FILE]: `\ufeff${awkward(250)}\n\n`,
    'zz-team/skills/other/SKILL.md': '---\nname: other\ndescription: Something else.\n---\nDo it.\n',
    ...Object.fromEntries(Array.from({ length: 22 }, (_, i) => [`area-${i}/docs/page.md`, `# Page ${i}\n`])),
    ...Object.fromEntries(
      Array.from({ length: 22 }, (_, i) => [
        `area-${i}/s/SKILL.md`,
        `---\nname: s\ndescription: Area ${i}.\n---\nDo.\n`,
      ]),
    ),
  };
  for (const [path, text] of Object.entries(files)) bytes.set(path, Buffer.from(text));
  repo = repository(files);
  served = await serve([repo.dir]);
});
afterAll(() => served?.stop());

describe.each(Object.keys(clients))('%s', (name) => {
  it('lists the tools, browses to a skill, finds it, loads it and reads a long file to the end', async () => {
    const client = await clients[name]!.connect(served.mcp);
    try {
      expect((await client.tools()).sort()).toEqual(TOOLS);
      expect(client.instructions).toContain('browse_repo');
      expect(client.instructions.length).toBeLessThanOrEqual(2_000);
      expect(await browseTo(client, SKILL, readContent)).toBeGreaterThan(3);
      expect(await searchFinds(client, 'bakes a loaf slowly', SKILL)).toBe(true);
      const loaded = await loadWhole(client, SKILL, reader, source);
      expect(loaded).toMatchObject({ differing: [], complete: true });
      expect(loaded.pages).toBeGreaterThan(1);
      const read = await readWhole(client, FILE, reader, source);
      expect(read.equal).toBe(true);
      expect(read.pages).toBeGreaterThan(1);
      expect(await client.call('load_skill', { path: 'gone/SKILL.md' })).toMatchObject({ isError: true });
    } finally {
      await client.close();
    }
  }, 60_000);
});

describe('the Inspector', () => {
  it.each(['legacy', 'modern'] as const)('finds no fault in the tools, %s era', async (era) => {
    const { code, stdout, stderr } = await inspect(served.mcp, era, ['--method', 'tools/list', '--strict']);
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).not.toMatch(/warning|error/i);
  });

  it.each(['legacy', 'modern'] as const)('gets the prompt, %s era', async (era) => {
    const { code, stdout } = await inspect(served.mcp, era, [
      '--method',
      'prompts/get',
      '--prompt-name',
      'use_skill',
      '--prompt-args',
      `path=${SKILL}`,
    ]);
    expect(code).toBe(0);
    const printed = JSON.parse(stdout);
    const text = (printed.result ?? printed).messages[0].content.text;
    expect(nextCall(text, readContent)).toMatchObject({ tool: 'load_skill', args: { path: SKILL } });
  });
});
