// Where the configuration of a registry lies and what it says: the environment, else one file of the user's. Source:
// spec, The personal registry, "The registry" and "Boot".
import { readFile, realpath, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import { parse, stringify, TomlError } from 'smol-toml';
import { RegistryError } from './errors.ts';
import { writeNew } from './lib/durable.ts';
import { errorCode } from './lib/error-code.ts';
import { ownName } from './lib/own-name.ts';
import { checkName, parseRegistry, type RegistryName, trimSlashes } from './registry-name.ts';

/** Bytes of the largest file that is published. */
export const DEFAULT_MAX_FILE_BYTES = 2 * 1024 ** 2;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface RegistryConfig {
  readonly name: RegistryName;
  /** SKILLS_REGISTRY, or the path of the file. */
  readonly from: string;
  readonly maxFileBytes: number;
  /** Where copies of skills and of blobs are kept. */
  readonly cacheRoot: string;
}

/** Throws RegistryError `config`. */
export async function readConfig(env: Environment = process.env): Promise<RegistryConfig> {
  const rest = { maxFileBytes: maxFileBytes(env), cacheRoot: cacheRoot(env) };
  const given = env.SKILLS_REGISTRY?.trim() ?? '';
  if (given !== '') return { name: named('SKILLS_REGISTRY', given), from: 'SKILLS_REGISTRY', ...rest };
  const path = configPath(env);
  return { name: await readRegistryFile(path), from: path, ...rest };
}

/** What a file names: a registry, or why it names none; null where there is no file, or no word of a registry in it. */
export type NamedInFile = { readonly name: RegistryName } | { readonly problem: RegistryError } | null;

/** Throws RegistryError `config` for a file that cannot be read, or is no TOML. */
export async function readNamed(path: string): Promise<NamedInFile> {
  const text = await textOf(path);
  if (text === null || rootOf(path, text).registry === undefined) return null;
  try {
    return { name: nameIn(path, text) };
  } catch (error) {
    if (error instanceof RegistryError) return { problem: error };
    throw error;
  }
}

/** Names the registry in the file at `path`, and leaves what else is in it, but for comments. Throws RegistryError `config`. */
export async function writeConfig(path: string, name: RegistryName): Promise<void> {
  const { branch, dir } = name;
  const keys = {
    repo: name.kind === 'github' ? `${name.owner}/${name.repo}` : name.url,
    ...(branch === null ? {} : { default_branch: branch }),
    ...(dir === '' ? {} : { dir }),
  };
  // A link, into a folder that its user keeps elsewhere, stays one.
  const at = await realpath(path).catch(() => path);
  const draft = `${at}.${ownName()}.tmp`;
  try {
    const before = await readFile(at, 'utf8').catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return '';
      throw error;
    });
    const root = rootOf(path, before);
    const others = isTable(root.registry) ? root.registry : {};
    const text = stringify({
      ...root,
      registry: { ...others, default_branch: undefined, dir: undefined, ...keys },
    });
    await makePrivateFolder(dirname(at));
    await writeNew(draft, new TextEncoder().encode(text), 0o600);
    await rename(draft, at);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (error instanceof RegistryError) throw error;
    throw bad(`${path} cannot be written (${errorCode(error)}).`);
  }
}

/** `${XDG_CONFIG_HOME:-~/.config}/skills-mcp/registry.toml` */
export function configPath(env: Environment = process.env): string {
  return join(baseFolder(env, 'XDG_CONFIG_HOME', '.config'), 'skills-mcp', 'registry.toml');
}

/** `${XDG_CACHE_HOME:-~/.cache}/skills-mcp` */
export function cacheRoot(env: Environment = process.env): string {
  return join(baseFolder(env, 'XDG_CACHE_HOME', '.cache'), 'skills-mcp');
}

/** `${XDG_STATE_HOME:-~/.local/state}/skills-mcp` */
export function stateRoot(env: Environment = process.env): string {
  return join(baseFolder(env, 'XDG_STATE_HOME', join('.local', 'state')), 'skills-mcp');
}

/** Throws RegistryError `config`. */
export function homeFolder(env: Environment = process.env): string {
  const home = [env.HOME ?? '', systemHome()].find(isAbsolute);
  if (home === undefined)
    throw bad('This user has no home folder. Set HOME, or both XDG_CONFIG_HOME and XDG_CACHE_HOME.');
  return home;
}

/** Empty for a user whom the system does not know; what HOME says, where it says anything, be it nothing. */
function systemHome(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** A relative path in such a variable is to be ignored. Source: XDG Base Directory Specification, 0.8. */
function baseFolder(env: Environment, variable: string, fallback: string): string {
  const given = env[variable] ?? '';
  return isAbsolute(given) ? given : join(homeFolder(env), fallback);
}

function maxFileBytes(env: Environment): number {
  const given = env.SKILLS_MAX_FILE_BYTES?.trim() ?? '';
  if (given === '') return DEFAULT_MAX_FILE_BYTES;
  const bytes = /^[0-9]{1,15}$/.test(given) ? Number(given) : 0;
  if (bytes < 1) throw bad(`SKILLS_MAX_FILE_BYTES is "${given}"; write a number of bytes, such as 2097152.`);
  return bytes;
}

async function readRegistryFile(path: string): Promise<RegistryName> {
  const text = await textOf(path);
  if (text !== null) return nameIn(path, text);
  throw bad(
    `No registry configured. Set SKILLS_REGISTRY=owner/repo or run \`skillquay registry init\`. Looked at ${path}.`,
  );
}

/** null where there is no file. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw bad(`${path} cannot be read (${code}).`);
  }
}

function nameIn(path: string, text: string): RegistryName {
  const table = tableOf(path, text);
  const repo = textAt(path, table, 'repo');
  if (repo === null)
    throw bad(`${path}: the key \`repo\` is missing in [registry]. Write repo = "owner/repo".`);
  const name = named(`${path}, key \`repo\``, repo);
  return withKeys(path, name, textAt(path, table, 'default_branch'), textAt(path, table, 'dir'));
}

function rootOf(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The lines behind the first show the file, which may hold what is nobody's business.
    const [reason = ''] = error.message.replace(/^Invalid TOML document: /, '').split('\n');
    throw bad(`${path}:${error.line}:${error.column} is no valid TOML: ${reason}.`);
  }
}

function tableOf(path: string, text: string): Readonly<Record<string, unknown>> {
  const table = rootOf(path, text).registry;
  if (table === undefined)
    throw bad(`${path}: the table [registry] is missing. Write [registry] and repo = "owner/repo" below it.`);
  if (!isTable(table)) throw bad(`${path}: \`registry\` is no table. Write [registry].`);
  return table;
}

/** null where the key is missing or says nothing. */
function textAt(path: string, table: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = table[key] ?? '';
  if (typeof value !== 'string') throw bad(`${path}: the key \`${key}\` is no text. Put it in quotes.`);
  return value.trim() === '' ? null : value.trim();
}

/** A key says what the name leaves open, and nothing else than the name says. */
function withKeys(path: string, name: RegistryName, branch: string | null, dir: string | null): RegistryName {
  const twice = (key: string) =>
    bad(`${path}: the key \`${key}\` and \`repo\` say two different things. Keep one of the two.`);
  const folder = trimSlashes(dir ?? '');
  if (branch !== null && name.branch !== null && branch !== name.branch) throw twice('default_branch');
  if (folder !== '' && name.dir !== '' && folder !== name.dir) throw twice('dir');
  const whole = { ...name, branch: name.branch ?? branch, dir: name.dir === '' ? folder : name.dir };
  try {
    checkName(whole);
  } catch (error) {
    throw error instanceof RegistryError ? bad(`${path}: ${error.message}`) : error;
  }
  return whole;
}

function named(where: string, text: string): RegistryName {
  try {
    return parseRegistry(text);
  } catch (error) {
    throw error instanceof RegistryError ? bad(`${where}: ${error.message}`) : error;
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function bad(message: string): RegistryError {
  return new RegistryError('config', message);
}
