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

interface Verdict {
  readonly code: number;
  readonly report: string;
}

/** Runs the suite with these options. Exit code 0: nothing failed but what the options expect to. */
function judge(...options: readonly string[]): Promise<Verdict> {
  const home = mkdtempSync(join(tmpdir(), 'skillquay-conformance-'));
  const args = [
    '--import',
    './conformance/node20.mjs',
    'node_modules/@modelcontextprotocol/conformance/dist/index.js',
    'server',
    '--url',
    served.mcp,
    '-o',
    home,
    ...options,
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
    const baseline = `conformance/${revision}.yml`;
    const { code, report } = await judge('--requirements', revision, '--expected-failures', baseline);
    expect(code, report.slice(-4_000)).toBe(0);
  },
  60_000,
);

// The suite counts a check that does not apply as none: two of the listing are about cache fields, which came later.
it.each([
  ['enumeration', '2026-07-28', 32],
  ['directory', '2026-07-28', 7],
  ['manifest', '2026-07-28', 6],
  ['enumeration', '2025-11-25', 30],
  ['directory', '2025-11-25', 7],
  ['manifest', '2025-11-25', 6],
])(
  'of the skills extension, %s on the wire of %s, all %i checks pass',
  async (part, revision, checks) => {
    const { code, report } = await judge(
      '--scenario',
      `sep-2640-skills-${part}`,
      '--spec-version',
      revision,
      '--force',
    );
    expect(code, report.slice(-4_000)).toBe(0);
    expect(report).toContain(`Passed: ${checks}/${checks}, 0 failed, 0 warnings`);
  },
  60_000,
);
