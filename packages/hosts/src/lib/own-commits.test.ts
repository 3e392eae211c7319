import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareRepository } from '@skillquay/git/bare';
import { expect, test } from 'vitest';
import { repository } from '../../../../test-support/repository.ts';
import { OwnCommits } from './own-commits.ts';

test('a store of recent commits that another process removed decides nothing', async () => {
  const repo = repository({ a: 'x' });
  const first = repo.head;
  const head = repo.commit({ b: 'x' });
  const dir = mkdtempSync(join(tmpdir(), 'skillquay-own-'));
  const asked: string[] = [];
  const own = new OwnCommits(join(dir, 'own-commits'), {
    recent: async (_, use) => {
      const gone = await bareRepository(join(dir, 'gone'));
      rmSync(gone.gitDir, { recursive: true });
      asked.push('recent');
      return use(gone);
    },
    whole: async () => {
      asked.push('whole');
      return { gitDir: repo.dir, env: {} };
    },
  });
  expect(await own.includes(first, head)).toBe(true);
  expect(asked).toEqual(['recent', 'whole']);
  rmSync(dir, { recursive: true });
});
