// Every command that the guide to the registry shows is run as it is written, in its order, against a GitHub of ours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { gitServer } from '../test-support/git-http.ts';
import { GithubRepository } from '../test-support/github-repository.ts';
import { githubServer } from '../test-support/github-server.ts';
import { repository } from '../test-support/repository.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/guide/registry.md'), 'utf8');
const TOKEN = 'canary-of-the-guide';
/** Commands that ask a person, who is not here. */
const ASKS = /registry (?:init|update|add|sync)/;

const home = mkdtempSync(join(tmpdir(), 'skillquay-guide-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const commands = [...GUIDE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block]) =>
  (block ?? '').split('\n').filter((line) => line !== ''),
);

/** Another run may have the port already. */
const onAnyPort = (command: string) => command.replace(/--port \d+/, '--port 0');

function start(command: string, env: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', ASKS.test(command) ? `${command} --yes` : onAnyPort(command)], {
    cwd: ROOT,
    detached: true,
    env,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  return { child, output: () => printed };
}

it('takes its reader from nothing to a published skill', async () => {
  const repositories: Record<string, GithubRepository> = {};
  const github = await githubServer(repositories, TOKEN);
  github.tokens.set(TOKEN, 'me');
  github.script = ({ line, body }) => {
    if (line !== 'POST /user/repos') return undefined;
    expect(body).toMatchObject({ name: 'skills', private: true });
    repositories['me/skills'] = new GithubRepository();
    return { status: 201, body: {} };
  };
  const elsewhere = await gitServer({
    'anthropics/skills.git': repository({
      'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files\n---\nRead.\n',
      'skills/docx/SKILL.md': '---\nname: docx\ndescription: Reads DOCX files\n---\nRead.\n',
    }).dir,
  });
  const env = {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    HOME: home,
    GH_TOKEN: TOKEN,
    GITHUB_API_URL: github.url,
    GH_URL: elsewhere.url,
    GIT_CONFIG_NOSYSTEM: '1',
    npm_config_update_notifier: 'false',
  };
  const printed = new Map<string, string>();
  try {
    for (const command of commands) {
      const { child, output } = start(command, env);
      if (command.includes('skillquay serve')) {
        await expect.poll(output, { timeout: 25_000 }).toMatch(/skills: 1 skill at/);
        const host = command.startsWith('ALLOWED_HOSTS')
          ? 'skills.example.com'
          : command.includes('--host')
            ? 'localhost'
            : '127.0.0.1';
        const [, port, path] = new RegExp(`http://${host}:(\\d+)(/local/\\S+)`).exec(output()) ?? [];
        const byAddress = await fetch(`http://127.0.0.1:${port}${path}`);
        expect([command, byAddress.status]).toEqual([command, host === 'skills.example.com' ? 403 : 200]);
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        continue;
      }
      const [code] = await once(child, 'close');
      expect([command, code, code === 0 ? '' : output()]).toEqual([command, 0, '']);
      expect(output()).not.toContain(TOKEN);
      printed.set(command, output());
      if (command.startsWith('mkdir')) {
        const [, text = ''] = /^```markdown\n([\s\S]*?)^```$/m.exec(GUIDE) ?? [];
        writeFileSync(join(home, 'release-notes/SKILL.md'), text);
      }
    }
  } finally {
    await github.close();
    await elsewhere.close();
  }
  expect(printed.get('npx skillquay registry init me/skills')).toContain(
    'The token is that of GH_TOKEN here.',
  );
  expect(printed.get('npx skillquay registry publish ~/release-notes')).toMatch(
    /^Published `release-notes` to me\/skills@[0-9a-f]{7}\. View: http/m,
  );
  expect(printed.get('npx skillquay registry list')).toMatch(/^release-notes\t/m);
  for (const agent of ['.claude', '.cursor'])
    expect(existsSync(join(home, agent, 'skills/release-notes/SKILL.md'))).toBe(true);
  expect(printed.get('npx skillquay registry add anthropics/skills --skill pdf')).toContain(
    'Published `pdf`',
  );
  expect(printed.get('npx skillquay registry doctor')).not.toContain('wrong');
  expect(commands.length).toBeGreaterThan(10);
}, 120_000);

it('links to pages that exist', () => {
  for (const [, target = ''] of GUIDE.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
    expect([target, existsSync(join(ROOT, 'docs/guide', target))]).toEqual([target, true]);
});
