// The skills extension as hosts meet it: the official client verifies every file, and the Inspector every digest.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../referees/clients.mjs';
import { filesBelow, verifySkills } from '../referees/skills.mjs';
import { type Served, serve } from './support/serve.ts';

const library = fileURLToPath(new URL('../examples/library', import.meta.url));
let served: Served;

beforeAll(async () => {
  served = await serve([library]);
});
afterAll(() => served?.stop());

describe.each(['auto', 'legacy'] as const)('the official client, %s', (mode) => {
  it('verifies every file of every listed skill, and refuses no entry', async () => {
    const { skills, files } = await verifySkills(served.mcp, mode);
    expect(skills.length).toBeGreaterThan(5);
    expect(files).toBeGreaterThan(skills.length);
  }, 60_000);

  it('finds exactly the files of an entry below its folder', async () => {
    const { skills } = await verifySkills(served.mcp, mode);
    for (const { uri, resources } of skills) {
      const found = await filesBelow(served.mcp, uri.slice(0, -'/SKILL.md'.length), mode);
      expect(found.sort()).toEqual(resources.map((file) => file.uri).sort());
    }
  }, 60_000);
});

describe('the Inspector', () => {
  it.each(['legacy', 'modern'] as const)(
    'verifies the digest of everything that is listed, %s era',
    async (era) => {
      const { code, stdout, stderr } = await inspect(served.mcp, era, [
        '--method',
        'skills/list',
        '--verify',
        '--require-digests',
      ]);
      expect(code, stdout + stderr).toBe(0);
    },
    60_000,
  );
});
