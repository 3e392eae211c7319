// Finds the token for a host: in the environment, else with gh, whose active account alone is asked for. Source: spec,
// The personal registry, "Two backends" and "Boot".
import { type ExecFileException, execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Environment, homeFolder } from '../config.ts';
import { RegistryError } from '../errors.ts';
import type { GithubToken } from './github-client.ts';
import type { GithubHost } from './github-host.ts';

const VARIABLES = ['GH_TOKEN', 'GITHUB_TOKEN'];
/** Of a GitHub Enterprise Server alone. Source: `gh help environment`. */
const ENTERPRISE_VARIABLES = ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];
const GH_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const WORKING = /^[\x21-\x7e]{1,4096}$/;

export interface FindOptions {
  readonly signal: AbortSignal;
  readonly env?: Environment;
  /** Milliseconds for one answer of gh, which may ask for a keyring to be unlocked. */
  readonly timeoutMs?: number;
}

/** Throws RegistryError `no_credential`, which says where it was looked for. */
export async function findGithubToken(
  host: GithubHost,
  { signal, env = process.env, timeoutMs = GH_TIMEOUT_MS }: FindOptions,
): Promise<GithubToken> {
  const isEnterprise = host.name !== 'github.com' && !host.name.endsWith('.ghe.com');
  const variables = [...(isEnterprise ? ENTERPRISE_VARIABLES : []), ...VARIABLES];
  const unset = `${variables.slice(0, -1).join(', ')} and ${variables.at(-1)} are not set`;
  for (const from of variables) {
    const token = env[from]?.trim() ?? '';
    if (token === '') continue;
    // The value itself is nobody's business, not even in an error.
    if (!WORKING.test(token)) throw none(host, `${from} holds what is no token.`);
    return { token, from };
  }
  const gh = await findGh(env);
  if (gh === null) throw none(host, `${unset}, and there is no gh: ${looked(env)}.`);
  const run = (args: readonly string[]) => runGh(gh, args, { signal, env, timeoutMs });
  const token = await run(['auth', 'token', '--hostname', host.name]);
  if (token.failure !== null) throw none(host, `${unset}, and gh (${gh}) ${token.failure}.`);
  if (!WORKING.test(token.output)) throw none(host, `${unset}, and gh (${gh}) has no token for this host.`);
  const account = await run(['config', 'get', 'user', '--host', host.name]);
  const whose = /^[\w.-]{1,100}$/.test(account.output) ? `${account.output} in ` : '';
  return { token: token.output, from: `${whose}gh (${gh})` };
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
  // What is relative would lie in the folder that an editor started this program in, which may be anybody's.
  const onPath = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
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

interface Ran {
  /** What gh prints, trimmed; nothing when it fails. */
  readonly output: string;
  /** Why there is no answer; null where it is one, also that there is nothing. */
  readonly failure: string | null;
}

/** What gh says of a failure is not passed on. */
function runGh(
  gh: string,
  args: readonly string[],
  { signal, env, timeoutMs }: Required<FindOptions>,
): Promise<Ran> {
  const options = {
    signal,
    timeout: timeoutMs,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: { ...env, GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1' },
  };
  return new Promise((resolve, reject) => {
    const child = execFile(gh, [...args], options, (error, stdout) => {
      if (signal.aborted) reject(signal.reason);
      else resolve({ output: error === null ? stdout.trim() : '', failure: failureOf(error, timeoutMs) });
    });
    child.stdin?.end();
  });
}

/** gh ends with a code of its own where it has nothing to give. */
function failureOf(error: ExecFileException | null, timeoutMs: number): string | null {
  if (error === null || typeof error.code === 'number') return null;
  if (error.killed === true) return `did not answer within ${timeoutMs / 1_000} seconds`;
  return `could not be run (${error.code ?? error.signal})`;
}
