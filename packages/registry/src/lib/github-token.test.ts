import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RegistryError } from '../errors.ts';
import { githubHost } from './github-host.ts';
import { findGithubToken } from './github-token.ts';

const CANARY = 'gho_canary0123456789';
const host = githubHost({ GH_HOST: 'git.example.com' });
const signal = new AbortController().signal;

let home: string;
let env: Record<string, string>;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'skillquay-token-'));
  env = { HOME: home, PATH: join(home, 'on-path') };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A gh that writes down what it was asked, and has two accounts of which one is active. */
function gh(folder: string, token = CANARY, code = 0): string {
  const path = join(home, folder, 'gh');
  mkdirSync(join(home, folder), { recursive: true });
  const script = `#!/bin/sh
printf '%s\\n' "$*" >> '${home}/asked'
case "$*" in
  "auth token --hostname git.example.com") echo '${token}'; echo 'X-${token}' >&2; exit ${code} ;;
  "config get user --host git.example.com") echo octocat ;;
  *) exit 9 ;;
esac
`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

async function failure(timeoutMs?: number): Promise<string> {
  const error = await findGithubToken(host, { signal, env, ...(timeoutMs && { timeoutMs }) }).then(
    () => 'nothing was thrown',
    (reason: unknown) => reason,
  );
  if (!(error instanceof RegistryError)) throw error;
  expect(error.code).toBe('no_credential');
  expect(`${error.message}${error.stack}`).not.toContain(CANARY);
  return error.message;
}

describe('the token', () => {
  it('is that of GH_TOKEN, then of GITHUB_TOKEN, and gh is not asked', async () => {
    gh('on-path');
    expect(
      await findGithubToken(host, { signal, env: { ...env, GH_TOKEN: ' a ', GITHUB_TOKEN: 'b' } }),
    ).toEqual({
      token: 'a',
      from: 'GH_TOKEN',
    });
    expect(await findGithubToken(host, { signal, env: { ...env, GH_TOKEN: '', GITHUB_TOKEN: 'b' } })).toEqual(
      {
        token: 'b',
        from: 'GITHUB_TOKEN',
      },
    );
    expect(() => readFileSync(join(home, 'asked'))).toThrow();
  });

  it.each(['on-path', '.local/bin', 'bin'])('is that of the active account of a gh in %s', async (folder) => {
    const path = gh(folder);
    expect(await findGithubToken(host, { signal, env })).toEqual({
      token: CANARY,
      from: `octocat in gh (${path})`,
    });
    const asked = readFileSync(join(home, 'asked'), 'utf8');
    expect(asked).toBe('auth token --hostname git.example.com\nconfig get user --host git.example.com\n');
  });

  it('is that of the gh that GH_BIN names, and of no other', async () => {
    gh('on-path', 'other');
    env.GH_BIN = gh('elsewhere');
    expect((await findGithubToken(host, { signal, env })).token).toBe(CANARY);
    env.GH_BIN = join(home, 'nowhere');
    expect(await failure()).toContain(`GH_BIN is ${home}/nowhere, which cannot be run`);
  });

  it('that is nowhere is an error that says where it was looked for and what to do', async () => {
    // A machine may have a gh of its own where one is looked for last.
    mkdirSync(join(home, 'on-path/gh'), { recursive: true });
    env.GH_BIN = join(home, 'on-path/gh');
    expect(await failure()).toMatch(
      /^No token for git\.example\.com\. GH_ENTERPRISE_TOKEN, GITHUB_ENTERPRISE_TOKEN, GH_TOKEN and GITHUB_TOKEN are not set, and there is no gh: .* Run `gh auth login --hostname git\.example\.com`, or set GH_TOKEN to a token of https:\/\/git\.example\.com\/settings\/tokens/,
    );
  });

  it('that gh does not have, or that is none, is an error without what gh said', async () => {
    gh('on-path', CANARY, 1);
    expect(await failure()).toMatch(/gh \(.*on-path\/gh\) has no token for this host/);
    gh('on-path', `${CANARY} two words`);
    expect(await failure()).toMatch(/has no token for this host/);
    env.GH_TOKEN = `${CANARY}\u0001`;
    expect(await failure()).toMatch(/GH_TOKEN holds what is no token/);
  });

  it('of an enterprise host may have a variable of its own, which is nothing to the public one', async () => {
    env.GH_TOKEN = 'public';
    env.GITHUB_ENTERPRISE_TOKEN = 'second';
    const of = (name: string) => findGithubToken(githubHost({ GH_HOST: name }), { signal, env });
    expect(await of('git.example.com')).toEqual({ token: 'second', from: 'GITHUB_ENTERPRISE_TOKEN' });
    env.GH_ENTERPRISE_TOKEN = 'first';
    expect((await of('git.example.com')).token).toBe('first');
    for (const name of ['github.com', 'acme.ghe.com']) expect((await of(name)).token).toBe('public');
  });

  it('is not that of a gh in a folder that PATH names from where the program runs', async () => {
    gh('on-path', 'other');
    env.PATH = [relative(process.cwd(), join(home, 'on-path')), ''].join(delimiter);
    gh('.local/bin');
    expect((await findGithubToken(host, { signal, env })).token).toBe(CANARY);
  });

  it('that gh cannot be asked for is not one that it does not have', async () => {
    const path = gh('on-path');
    writeFileSync(path, '#!/bin/sh\nkill -SEGV $$\n');
    expect(await failure()).toContain(`gh (${path}) could not be run (SIGSEGV).`);
    writeFileSync(path, '#!/nonexistent/sh\n');
    expect(await failure()).toContain(`gh (${path}) could not be run (ENOENT).`);
    writeFileSync(path, '#!/bin/sh\nexec /bin/sleep 60\n');
    expect(await failure(500)).toContain(`gh (${path}) did not answer within 0.5 seconds.`);
  });

  it('is not looked for when the call has ended', async () => {
    gh('on-path');
    const ended = AbortSignal.abort();
    await expect(findGithubToken(host, { signal: ended, env })).rejects.toMatchObject({ name: 'AbortError' });
  });
});
