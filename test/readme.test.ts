// Every command that README shows is run as it is written.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSkillFile } from '@skillquay/core/skill-file';
import { afterEach, describe, expect, it } from 'vitest';
import { call, serve } from './support/serve.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

function commands(markdown: string): string[] {
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
    (block ?? '').split('\n').filter((line) => line !== ''),
  );
}

const running = new Set<ChildProcess>();
afterEach(() => {
  // npm and the command it started are one group.
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  running.clear();
});

function start(command: string): { child: ChildProcess; output: () => string } {
  const child = spawn('sh', ['-c', command], {
    cwd: ROOT,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, SNAPSHOT_STORE: mkdtempSync(join(tmpdir(), 'skillquay-store-')) },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  return { child, output: () => printed };
}

/** Waits for the address that a served library prints, and asks it. */
async function answers(command: string): Promise<void> {
  const { output } = start(command);
  await expect
    .poll(output, { timeout: 25_000 })
    .toMatch(/http:\/\/127\.0\.0\.1:\d+\/local\/examples\/library/);
  await expect.poll(output, { timeout: 25_000 }).toContain('7 skills');
  const url = /http:\/\/127\.0\.0\.1:\d+\/local\/examples\/library/.exec(output())?.[0] ?? '';
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('Hearth Street Bakery');
}

async function ends(command: string): Promise<string> {
  const { child, output } = start(command);
  child.stdin?.end();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  return output();
}

const RUN: Readonly<Record<string, (command: string) => Promise<unknown>>> = {
  // Another run may have the port already.
  'npm start': (command) => answers(`${command} -- examples/library --port 0`),
  'npm start -- --port 0': answers,
  'PORT=8080 PUBLIC_ORIGIN=https://skills.example.com VERIFIED=gh/acme/library npx skillquay serve --open --host 0.0.0.0':
    async (command) => {
      const { output } = start(command.replace('PORT=8080', 'PORT=0'));
      await expect.poll(output, { timeout: 25_000 }).toMatch(/Listening on 0\.0\.0\.0:\d+\./);
      expect(output()).toContain('https://skills.example.com/gh/anthropics/skills');
      const [, port] = /0\.0\.0\.0:(\d+)/.exec(output()) ?? [];
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    },
  'npm test': async () => expect(process.env.VITEST).toBe('true'),
  'npx skillquay serve examples/library --port 0': answers,
  'npx skillquay mcp examples/library': async (command) =>
    // npm may tell of a newer npm.
    expect((await ends(command)).replace(/^npm .*\n/gm, '')).toBe(''),
  'npx skillquay registry --help': async (command) =>
    expect(await ends(command)).toContain('skillquay registry init me/skills'),
  'npx skillquay check examples/library': async (command) =>
    expect(await ends(command)).toContain('0 errors, 0 warnings'),
};

describe('README', () => {
  it.each(commands(README))(
    '%s',
    async (command) => {
      const run = RUN[command];
      if (run === undefined) throw new Error('README shows a command that no test runs.');
      await run(command);
    },
    60_000,
  );

  it('shows a skill that is one, without fault', () => {
    const [, text = ''] = /^```markdown\n([\s\S]*?)^```$/m.exec(README) ?? [];
    const { value, diagnostics } = readSkillFile(text, 'release-notes/SKILL.md');
    expect([value?.name, diagnostics]).toEqual(['release-notes', []]);
  });

  it('shows what an agent gets, line for line', async () => {
    const [, shown = ''] = /^```text\n([\s\S]*?)^```$/m.exec(README) ?? [];
    const served = await serve([join(ROOT, 'examples/library')]);
    const { text } = await call(served.mcp, 'search_repo', { query: 'sourdough starter' });
    await served.stop();
    expect(text.split('\n')).toEqual(expect.arrayContaining(shown.trimEnd().split('\n')));
  });

  it('links to files that exist', () => {
    for (const [, target = ''] of README.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
      expect([target, existsSync(join(ROOT, target))]).toEqual([target, true]);
  });
});
