import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openAnswerCache } from './github-answer-cache.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-answers-'));
afterAll(() => rmSync(root, { recursive: true }));
const folder = join(root, 'answers');
beforeEach(() => rmSync(folder, { recursive: true, force: true }));
const files = () => readdirSync(folder).map((name) => join(folder, name));

it('holds what it was given, for the token it was given to', async () => {
  const answer = { etag: 'W/"x"', body: { a: [1] } };
  await openAnswerCache(folder, 'token').write('url', answer);
  expect(await openAnswerCache(folder, 'token').read('url')).toEqual(answer);
  expect(await openAnswerCache(folder, 'token').read('other')).toBe(null);
  expect(await openAnswerCache(folder, 'another').read('url')).toBe(null);
});

it('never grows far beyond its bound, and loses what was written longest ago', async () => {
  const cache = openAnswerCache(folder, 'token', 100_000);
  for (let i = 0; i < 20; i += 1) {
    await cache.write(String(i), { etag: null, body: 'x'.repeat(20_000) });
    for (const path of files()) if (statSync(path).mtimeMs > 60_000) utimesSync(path, i + 1, i + 1);
    const bytes = files().reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeLessThanOrEqual(100_000);
  }
  expect(await cache.read('19')).not.toBe(null);
  expect(await cache.read('0')).toBe(null);
});
