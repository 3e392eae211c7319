// `skillquay registry init`: names the repository that is the registry, makes it where that is this program's to do, and
// prints the lines that connect clients to it.
import { stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runGit } from '@skillquay/git/process';
import { openBackend } from '@skillquay/registry/backends';
import type { Environment } from '@skillquay/registry/config';
import { cacheRoot, configPath, homeFolder, readConfig, writeConfig } from '@skillquay/registry/config';
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
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';

export interface InitOptions {
  readonly branch?: string;
  readonly dir?: string;
  readonly public: boolean;
}

type State = 'created' | 'empty' | 'existing';

export async function init(argument: string | undefined, options: InitOptions, io: Io): Promise<Outcome> {
  const name = await nameFrom(argument, options, io);
  const shown = formatRegistry(name);
  const path = configPath(io.env);
  await mayReplace(path, shown, io);
  const state = await prepare(name, options.public, io);
  await writeConfig(path, name);
  const clients = clientLines();
  const notes = notesOn(name, io.env);
  return {
    data: { registry: shown, state, config: path, clients, notes },
    text: [
      `${STATES[state](shown)} ${path} names it.`,
      ...notes,
      ...clients.flatMap(lines),
      '',
      'Then publish a skill: `skillquay registry publish <folder>`.',
    ].join('\n'),
  };
}

const TOKEN_VARIABLES = ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];

/** What of this shell matters, and a client may start the server without. */
function notesOn(name: RegistryName, env: Environment): string[] {
  const given = env.SKILLS_REGISTRY?.trim() ?? '';
  const isGithub = name.kind === 'github';
  const isSet = (variable: string) => (env[variable]?.trim() ?? '') !== '';
  const needed = [...(isGithub ? ['GH_HOST', 'GITHUB_API_URL'] : []), 'XDG_CONFIG_HOME'].filter(isSet);
  const token = isGithub ? TOKEN_VARIABLES.find(isSet) : undefined;
  return [
    ...(given !== '' && given !== formatRegistry(name)
      ? ['SKILLS_REGISTRY is set here and wins over that file.']
      : []),
    ...(needed.length > 0
      ? [`${needed.join(' and ')} must be set for the server too: add it to the lines below.`]
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
};

function lines({ client, where, lines }: ClientLines): string[] {
  const place = where.charAt(0).toLowerCase() + where.slice(1);
  return ['', `  ${client} (${place}):`, ...lines.split('\n').map((line) => `    ${line}`)];
}

async function nameFrom(
  argument: string | undefined,
  { branch, dir }: InitOptions,
  io: Io,
): Promise<RegistryName> {
  const named = argument === undefined ? await configured(io) : parseRegistry(asUrl(argument, io));
  if (named.kind === 'git' && hasPassword(named.url))
    throw new CommandError(
      ExitCode.usage,
      `${withoutSecrets(named.url)} was given with a password or a token, which would be kept in a file. Leave it to git's credential helper.`,
    );
  const name = { ...named, branch: branch ?? named.branch, dir: dir?.replace(/^\/+|\/+$/g, '') ?? named.dir };
  checkName(name);
  return name;
}

/** Who names none wants the lines for another client. */
async function configured({ env }: Io): Promise<RegistryName> {
  try {
    return (await readConfig(env)).name;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    throw new CommandError(
      ExitCode.usage,
      'Name the repository: `skillquay registry init owner/repo`, a git URL, or a folder such as ~/skills.git.',
    );
  }
}

/** A folder of this machine as the URL that git takes; anything else as it is. */
function asUrl(argument: string, { cwd, env }: Pick<Io, 'cwd' | 'env'>): string {
  const isPath = /^(?:~|\.{1,2})(?:[/\\]|$)/.test(argument);
  const isAddress = /^\/[a-z]+\/[^/]+\/[^/]+/.test(argument) && /^\/(?:gh|gl|cb)\//.test(argument);
  if (!isPath && (!isAbsolute(argument) || isAddress)) return argument;
  return pathToFileURL(pathOf(argument, cwd, env)).href;
}

function pathOf(argument: string, cwd: string, env: Environment): string {
  return argument.startsWith('~') ? join(homeFolder(env), argument.slice(1)) : resolve(cwd, argument);
}

function hasPassword(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/@]*:[^/@]*@/i.test(url) || /^https?:\/\/[^/@]+@/i.test(url);
}

async function mayReplace(path: string, shown: string, io: Io): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) return;
  const { SKILLS_REGISTRY: _, ...env } = io.env;
  const before = await readConfig(env).then(
    ({ name }) => formatRegistry(name),
    () => 'something that cannot be read',
  );
  if (before === shown) return;
  if (!(await io.confirm(`${path} names ${before}. Replace it by ${shown}?`)))
    throw new CommandError(ExitCode.usage, 'Nothing was changed.');
}

/** Makes the repository where it is missing. Throws RegistryError. */
async function prepare(name: RegistryName, isPublic: boolean, io: Io): Promise<State> {
  const { call, env } = io;
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
  if (name.kind === 'git' && name.url.startsWith('file://')) {
    const path = fileURLToPath(name.url);
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

async function agreed(question: string, io: Io): Promise<void> {
  if (!(await io.confirm(question))) throw new CommandError(ExitCode.usage, 'Nothing was created.');
}
