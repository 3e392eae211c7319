// `skillquay registry doctor`: looks at everything a registry needs, and says of what is wrong what to do.
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '@skillquay/git/make-folder';
import { gitVersion } from '@skillquay/git/process';
import { type OpenedBackend, openBackend } from '@skillquay/registry/backends';
import { type RegistryConfig, readConfig } from '@skillquay/registry/config';
import { openConfigured } from '@skillquay/registry/configured';
import { formatRegistry } from '@skillquay/registry/registry-name';
import { counted } from '../count.ts';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { printable } from '../terminal.ts';
import { serverPath } from './client-lines.ts';
import { type Failure, failureOf } from './failure.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { notThere } from './session.ts';

export interface Check {
  readonly check: 'git' | 'server' | 'configuration' | 'cache' | 'credential' | 'repository';
  readonly ok: boolean;
  /** What was found, or what is wrong and what to do. */
  readonly message: string;
}

/** Each check that those before it make possible. */
export async function doctor(io: Io): Promise<Outcome> {
  const examination = new Examination(io);
  await examination.look('git', async () => `git ${await gitVersion()}`);
  await examination.look('server', serverText);
  const config = await examination.find('configuration', async () => {
    const config = await readConfig(io.env);
    return [config, `${formatRegistry(config.name)}, from ${config.from}`];
  });
  if (config !== null) await withConfig(config, examination, io);
  const { checks, failure } = examination;
  return { data: { ok: failure === undefined, checks }, text: checks.map(line).join('\n'), failure };
}

async function withConfig(config: RegistryConfig, examination: Examination, io: Io): Promise<void> {
  // First: what a host says is kept there.
  await examination.look('cache', () => cacheText(config.cacheRoot));
  const opened = await examination.find('credential', async () => {
    const opened = await openBackend(config, { env: io.env, signal: io.call.signal });
    const { account } = await opened.backend.check(io.call);
    return [opened, credentialText(opened, account)];
  });
  if (opened !== null) await examination.look('repository', () => repositoryText(config, opened.backend, io));
}

class Examination {
  readonly checks: Check[] = [];
  failure: Failure | undefined;
  readonly #signal: AbortSignal;

  constructor({ call }: Io) {
    this.#signal = call.signal;
  }

  async look(check: Check['check'], work: () => Promise<string>): Promise<void> {
    await this.find(check, async () => [true, await work()]);
  }

  /** What was found, or null when something is wrong with it. */
  async find<T>(check: Check['check'], work: () => Promise<readonly [T, string]>): Promise<T | null> {
    try {
      const [found, message] = await work();
      this.checks.push({ check, ok: true, message });
      return found;
    } catch (error) {
      if (this.#signal.aborted) throw error;
      const failure = failureOf(error, this.#signal);
      this.checks.push({ check, ok: false, message: failure.message });
      this.failure ??= failure;
      return null;
    }
  }
}

function credentialText({ credential, host }: OpenedBackend, account: string | null): string {
  if (credential === null) return 'that of your git';
  return `${credential} for ${host}${account === null ? '' : `, as ${account}`}`;
}

async function repositoryText(
  config: RegistryConfig,
  backend: OpenedBackend['backend'],
  io: Io,
): Promise<string> {
  const registry = openConfigured(config, backend);
  const { head, missing, skills } = await registry.list(io.call);
  if (missing) throw notThere(registry.name);
  if (head === null) return `${registry.name} has no commit yet; the first skill that is published makes one`;
  const unreadable = skills.filter(({ readable }) => !readable).map(({ slug }) => slug);
  return [
    `${registry.name}@${head.branch} at ${head.commit.slice(0, 7)}, ${counted(skills.length, 'skill')}`,
    unreadable.length === 0 ? '' : `; no agent can read ${unreadable.join(', ')}`,
  ].join('');
}

/** What the lines of `init` start. */
async function serverText(): Promise<string> {
  const path = serverPath();
  const isBuilt = await stat(new URL('../dist/skill-registry-mcp.js', pathToFileURL(path))).catch(() => null);
  if (isBuilt !== null) return path;
  throw new CommandError(
    ExitCode.configuration,
    `${path} is not built. Run \`npm run build\` in the checkout, and \`skillquay registry init\` for the lines of your client.`,
  );
}

async function cacheText(folder: string): Promise<string> {
  const file = join(folder, `.doctor-${process.pid}`);
  try {
    await makeFolder(folder, 0o700);
    await writeFile(file, '', { flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown reason';
    throw new CommandError(
      ExitCode.noPermission,
      `${folder} cannot be written (${code}). Set XDG_CACHE_HOME to a folder of yours.`,
    );
  } finally {
    await rm(file, { force: true }).catch(() => {});
  }
  return folder;
}

function line({ check, ok, message }: Check): string {
  return printable(`${ok ? 'ok   ' : 'wrong'}  ${check.padEnd(13)}  ${message}`);
}
