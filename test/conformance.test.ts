// The protocol's own conformance suite, for both revisions, against a served repository.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Served, serve } from './support/serve.ts';

const referees = fileURLToPath(new URL('../referees', import.meta.url));
const library = fileURLToPath(new URL('../examples/library', import.meta.url));
let served: Served;

beforeAll(async () => {
  served = await serve([library]);
});
afterAll(() => served?.stop());

/** Exit code 0: every scenario passes but those of the baseline, and every one of the baseline fails. */
function judge(revision: string): Promise<{ code: number; report: string }> {
  const home = mkdtempSync(join(tmpdir(), 'skillquay-conformance-'));
  const args = [
    '--import',
    './conformance/node20.mjs',
    'node_modules/@modelcontextprotocol/conformance/dist/index.js',
    'server',
    '--url',
    served.mcp,
    '--requirements',
    revision,
    '--expected-failures',
    `conformance/${revision}.yml`,
    '-o',
    home,
  ];
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: home };
    execFile(
      process.execPath,
      args,
      { cwd: referees, env, maxBuffer: 64 * 1024 ** 2 },
      (error, stdout, stderr) => {
        rmSync(home, { recursive: true, force: true });
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), report: `${stdout}${stderr}` });
      },
    );
  });
}

it.each(['2026-07-28', '2025-11-25'])(
  'what the revision %s requires is met, but for the tools of a test server',
  async (revision) => {
    const { code, report } = await judge(revision);
    expect(code, report.slice(-4_000)).toBe(0);
  },
  60_000,
);
