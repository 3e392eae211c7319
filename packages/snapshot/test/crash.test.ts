import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as bundle } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { openIndex } from '../src/index-file.ts';
import { openStore } from '../src/store.ts';
import { skill } from './support.ts';

const KILLS = 12;
const directory = mkdtempSync(join(tmpdir(), 'skillquay-crash-'));
const repo = repository(
  Object.fromEntries(
    Array.from({ length: 200 }, (_, i) => [`s${i}/SKILL.md`, skill(`s${i}`, '', `Words ${i} `.repeat(200))]),
  ),
);
afterAll(() => {
  repo.remove();
  rmSync(directory, { recursive: true });
});

beforeAll(async () => {
  await bundle({
    configFile: false,
    logLevel: 'silent',
    root: directory,
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'crash-loop.ts'),
      outDir: directory,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: 'crash-loop.mjs' } },
    },
  });
});

const indexes = () => readdirSync(join(directory, 'index'));

test('a builder that is killed at any moment leaves nothing that is half read', async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = spawn(
      process.execPath,
      [join(directory, 'crash-loop.mjs'), directory, repo.dir, repo.head],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    expect(child.exitCode).toBeNull();
    // Spread over the time that one build takes, whatever that is here.
    await new Promise((resolve) => setTimeout(resolve, kill * 20));
    child.kill('SIGKILL');
    await once(child, 'close');
    const store = await openStore({ directory, maxBytes: 1e9 });
    expect(indexes().filter((name) => !name.endsWith('.idx'))).toEqual([]);
    expect(indexes().length).toBeGreaterThan(0);
    for (const name of indexes()) {
      expect(openIndex(readFileSync(join(directory, 'index', name))).skillCount).toBe(200);
    }
    const opened = await store.open({ repository: 'gh/acme/library', commit: 'c0', rules: '1-x' });
    expect(opened?.index.docCount).toBe(200);
  }
}, 120_000);
