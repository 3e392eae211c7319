// Finds the token for a host: in the environment, else with gh, whose active account alone is asked for. Source: spec,
// The personal registry, "Two backends" and "Boot".
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Environment, homeFolder } from '../config.ts';
import { RegistryError } from '../errors.ts';
import type { GithubToken } from './github-client.ts';
import type { GithubHost } from './github-host.ts';

const VARIABLES = ['GH_TOKEN', 'GITHUB_TOKEN'];
const GH_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const WORKING = /^[\x21-\x7e]{1,4096}$/;

/** Throws RegistryError `no_credential`, which says where it was looked for. */
export async function findGithubToken(
  host: GithubHost,
  { signal, env = process.env }: { readonly signal: AbortSignal; readonly env?: Environment },
): Promise<GithubToken> {
  for (const from of VARIABLES) {
    const token = env[from]?.trim() ?? '';
    if (token === '') continue;
    // The value itself is nobody's business, not even in an error.
    if (!WORKING.test(token)) throw none(host, `${from} holds what is no token.`);
    return { token, from };
  }
  const gh = await findGh(env);
  if (gh === null)
    throw none(host, `GH_TOKEN and GITHUB_TOKEN are not set, and there is no gh: ${looked(env)}.`);
  const run = (args: readonly string[]) => output(gh, args, env, signal);
  const token = await run(['auth', 'token', '--hostname', host.name]);
  if (token === null || !WORKING.test(token))
    throw none(host, `GH_TOKEN and GITHUB_TOKEN are not set, and gh (${gh}) has no token for this host.`);
  const account = await run(['config', 'get', 'user', '--host', host.name]);
  const whose = account !== null && /^[\w.-]{1,100}$/.test(account) ? `${account} in ` : '';
  return { token, from: `${whose}gh (${gh})` };
}

function none(host: GithubHost, why: string): RegistryError {
  return new RegistryError(
    'no_credential',
    `No token for ${host.name}. ${why} Run \`gh auth login --hostname ${host.name}\`, or set GH_TOKEN to a token of ${host.web}/settings/tokens that may read and write the contents of the repository.`,
  );
}

/** Where gh lies beside the PATH; programs started by an editor often have a short one. */
function folders(env: Environment): readonly string[] {
  const home = homeFolder(env);
  return [join(home, '.local', 'bin'), '/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', join(home, 'bin')];
}

function looked(env: Environment): string {
  const given = env.GH_BIN?.trim() ?? '';
  return given === ''
    ? `not on PATH, nor in ${folders(env).join(', ')}`
    : `GH_BIN is ${given}, which cannot be run`;
}

async function findGh(env: Environment): Promise<string | null> {
  const given = env.GH_BIN?.trim() ?? '';
  if (given !== '') return (await isProgram(given)) ? given : null;
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const name = process.platform === 'win32' ? 'gh.exe' : 'gh';
  for (const folder of [...onPath, ...folders(env)]) {
    const path = join(folder, name);
    if (await isProgram(path)) return path;
  }
  return null;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** What gh prints, trimmed; null when it fails. What it says of a failure is not passed on. */
function output(
  gh: string,
  args: readonly string[],
  env: Environment,
  signal: AbortSignal,
): Promise<string | null> {
  const options = {
    signal,
    timeout: GH_TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { ...env, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1' },
  };
  return new Promise((resolve, reject) => {
    const child = execFile(gh, [...args], options, (error, stdout) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(error === null ? stdout.trim() : null);
    });
    child.stdin?.end();
  });
}
