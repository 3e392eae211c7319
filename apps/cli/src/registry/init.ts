// `skillquay registry init`: names the repository that is the registry, makes it where that is this program's to do, and
// prints the lines that connect clients to it.
import { lstat, readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runGit } from '@skillquay/git/process';
import { userOf } from '@skillquay/git/user-remote';
import { openBackend } from '@skillquay/registry/backends';
import {
  cacheRoot,
  configPath,
  type Environment,
  homeFolder,
  type NamedInFile,
  type RegistryConfig,
  readConfig,
  readNamed,
  writeConfig,
} from '@skillquay/registry/config';
import { RegistryError } from '@skillquay/registry/errors';
import {
  checkName,
  formatRegistry,
  parseRegistry,
  type RegistryName,
  withoutSecrets,
} from '@skillquay/registry/registry-name';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { type ClientLines, clientLines } from './client-lines.ts';
import { declined, type Io } from './io.ts';
import type { Outcome } from './run.ts';

export interface InitOptions {
  readonly branch?: string;
  readonly dir?: string;
  readonly public: boolean;
}

type State = 'created' | 'empty' | 'existing' | 'configured';

export async function init(argument: string | undefined, options: InitOptions, io: Io): Promise<Outcome> {
  const path = configPath(io.env);
  const isAsked = argument !== undefined || options.branch !== undefined || options.dir !== undefined;
  // Who names none wants the lines for another client: nothing is written or made.
  if (!isAsked && !options.public) {
    const { name, from } = await configured(io.env, path);
    return outcome(name, 'configured', from, io);
  }
  const before = await readNamed(path);
  const name = await nameFrom(argument, options, before, io);
  const isSame = before !== null && 'name' in before && formatRegistry(before.name) === formatRegistry(name);
  if (before !== null && !isSame) await mayReplace(path, before, name, io);
  const state = await prepare(name, options.public, io);
  if (!isSame) await writeConfig(path, name);
  return outcome(name, state, path, io);
}

function outcome(name: RegistryName, state: State, config: string, { env }: Io): Outcome {
  const shown = formatRegistry(name);
  const clients = clientLines();
  const notes = notesOn(name, config, env);
  return {
    data: { registry: shown, state, config, clients, notes },
    text: [
      `${STATES[state](shown)} ${config} names it.`,
      ...notes,
      ...clients.flatMap(lines),
      '',
      'Then publish a skill: `skillquay registry publish <folder>`.',
    ].join('\n'),
  };
}

const TOKEN_VARIABLES = ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];

/** What of this shell matters, and a client may start the server without. */
function notesOn(name: RegistryName, config: string, env: Environment): string[] {
  const given = env.SKILLS_REGISTRY?.trim() ?? '';
  const isFromShell = config === 'SKILLS_REGISTRY';
  const isGithub = name.kind === 'github';
  const isSet = (variable: string) => (env[variable]?.trim() ?? '') !== '';
  const needed = [
    ...(isFromShell ? [config] : []),
    ...(isGithub ? ['GH_HOST', 'GITHUB_API_URL'] : []),
    'XDG_CONFIG_HOME',
  ].filter(isSet);
  const token = isGithub ? TOKEN_VARIABLES.find(isSet) : undefined;
  return [
    ...(!isFromShell && given !== '' && given !== formatRegistry(name)
      ? ['SKILLS_REGISTRY is set here and wins over that file.']
      : []),
    ...(needed.length > 0
      ? [
          `${needed.join(' and ')} must be set for the server too: add ${needed.length === 1 ? 'it' : 'them'} to the lines below.`,
        ]
      : []),
    ...(token === undefined
      ? []
      : [
          `The token is that of ${token} here. A client that is not started from this shell lacks it: run \`gh auth login\`.`,
        ]),
  ];
}

const STATES: Readonly<Record<State, (name: string) => string>> = {
  created: (name) => `Created ${name}.`,
  empty: (name) => `${name} is there and has no commit yet.`,
  existing: (name) => `${name} is there.`,
  configured: (name) => `The registry is ${name}.`,
};

function lines({ client, where, lines }: ClientLines): string[] {
  const place = where.charAt(0).toLowerCase() + where.slice(1);
  return ['', `  ${client} (${place}):`, ...lines.split('\n').map((line) => `    ${line}`)];
}

async function nameFrom(
  argument: string | undefined,
  { branch, dir }: InitOptions,
  before: NamedInFile,
  io: Io,
): Promise<RegistryName> {
  if (argument === undefined && before !== null && 'problem' in before) throw before.problem;
  const known = before !== null && 'name' in before ? before.name : null;
  const named = argument === undefined ? known : parseRegistry(asUrl(argument, io));
  if (named === null) throw unnamed();
  if (named.kind === 'git') checkUser(named.url);
  if (branch?.trim() === '')
    throw new CommandError(ExitCode.usage, '--branch names no branch. Leave it out.');
  const name = { ...named, branch: branch ?? named.branch, dir: dir?.replace(/^\/+|\/+$/g, '') ?? named.dir };
  checkName(name);
  return name;
}

async function configured(env: Environment, path: string): Promise<Pick<RegistryConfig, 'name' | 'from'>> {
  const isInShell = (env.SKILLS_REGISTRY?.trim() ?? '') !== '';
  if (!isInShell && (await readNamed(path)) === null) throw unnamed();
  return readConfig(env);
}

function unnamed(): CommandError {
  return new CommandError(
    ExitCode.usage,
    'Name the repository: `skillquay registry init owner/repo`, a git URL, or a folder such as ~/skills.git.',
  );
}

/** A folder of this machine as the URL that git takes; anything else as it is. */
function asUrl(argument: string, { cwd, env }: Pick<Io, 'cwd' | 'env'>): string {
  const isPath = /^(?:~|\.{1,2})(?:[/\\]|$)/.test(argument);
  // No repository on GitHub has a name that ends so, nor one without an owner.
  const isBareName = /^[^:@]+\.git$|^[^/:@\s]+$/.test(argument);
  const isAddress = /^\/(?:gh|gl|cb)\/[^/]+\/[^/]+/.test(argument);
  if (isAddress || !(isPath || isBareName || isAbsolute(argument))) return argument;
  return pathToFileURL(
    argument.startsWith('~') ? join(homeFolder(env), argument.slice(1)) : resolve(cwd, argument),
  ).href;
}

/** Who is in the URL would be kept in a file. Throws CommandError. */
function checkUser(url: string): void {
  const { name, secret } = userOf(url);
  const hasPassword = secret !== null || /^[a-z][a-z0-9+.-]*:\/\/[^/@]*:[^/]*@/i.test(url);
  if (!hasPassword && name === '') return;
  throw new CommandError(
    ExitCode.usage,
    hasPassword
      ? `${withoutSecrets(url)} was given with a password or a token, which would be kept in a file. Leave it to git's credential helper.`
      : `${withoutSecrets(url)} was given with a user before its host, which would be kept in a file. Leave the name out: git's credential helper gives it.`,
  );
}

async function mayReplace(
  path: string,
  before: Exclude<NamedInFile, null>,
  name: RegistryName,
  io: Io,
): Promise<void> {
  const was = 'name' in before ? formatRegistry(before.name) : 'something that cannot be read';
  if (!(await io.confirm(`${path} names ${was}. Replace it by ${formatRegistry(name)}?`)))
    throw declined('Nothing was changed.');
}

/** Makes the repository where it is missing. Throws RegistryError. */
async function prepare(name: RegistryName, isPublic: boolean, io: Io): Promise<State> {
  const { call, env } = io;
  const path = name.kind === 'git' && name.url.startsWith('file://') ? fileURLToPath(name.url) : null;
  if (path !== null) await checkBare(path);
  const opened = await openBackend({ name, cacheRoot: cacheRoot(env) }, { env, signal: call.signal });
  io.doing(`looking at ${formatRegistry(name)}`);
  const { account } = await opened.backend.check(call);
  const found = await opened.backend.list(call);
  if ('empty' in found) return 'empty';
  if (!('missing' in found)) return 'existing';
  if (opened.create !== null) {
    const kind = isPublic ? 'public' : 'private';
    await agreed(`Create the ${kind} repository ${opened.backend.name} on ${opened.host}?`, io);
    await opened.create({ account, isPublic }, call);
    return 'created';
  }
  if (path !== null) {
    await checkFree(path);
    await agreed(`Create the bare repository ${path}?`, io);
    await runGit(['init', '--quiet', '--bare', `--initial-branch=${name.branch ?? 'main'}`, '--', path], {
      signal: call.signal,
    });
    return 'created';
  }
  throw new RegistryError(
    'not_found',
    `${opened.backend.name} does not exist, or your git may not read it. Create it on its host, empty, then run this again.`,
  );
}

/** Git takes no push to the branch that a work tree shows. Throws CommandError. */
async function checkBare(path: string): Promise<void> {
  const facts = await stat(path).catch(() => null);
  if (facts?.isFile())
    throw new CommandError(ExitCode.usage, `${path} is a file. Name a folder, such as ${path}.git.`);
  if ((await lstat(join(path, '.git')).catch(() => null)) === null) return;
  throw new CommandError(
    ExitCode.usage,
    `${path} is a work tree, and git takes no push to what it shows. Name a folder for a bare repository, such as ${path}.git.`,
  );
}

/** What else lies in a folder is not to be mixed with a repository. Throws CommandError. */
async function checkFree(path: string): Promise<void> {
  if ((await readdir(path).catch(() => [])).length === 0) return;
  throw new CommandError(
    ExitCode.usage,
    `${path} holds files. Name a folder that is empty or missing, such as ${path}.git; \`skillquay registry sync\` then publishes the skills that lie here.`,
  );
}

async function agreed(question: string, io: Io): Promise<void> {
  if (!(await io.confirm(question))) throw declined('Nothing was created.');
}
