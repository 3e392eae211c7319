// Runs commands of the registry against a bare-bones home, with no configuration of this machine's git.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ran } from './command.ts';
import { inSession, inSessionMeanwhile } from './command-session.ts';

export const SKILL = (name: string, description = `Does ${name}`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nBody of ${name}.\n`;

export interface RegistryHome {
  readonly home: string;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Ran;
  /** The same while this process goes on, which may be the host; what it printed is in one text. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Started>;
  /** The same with --json, its one document read. */
  json(args: readonly string[], env?: Readonly<Record<string, string>>): JsonRan;
}

export interface Started {
  readonly code: number | null;
  readonly text: string;
}

export interface JsonRan {
  readonly code: number | null;
  readonly err: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of a document, it says.
  readonly data: any;
}

const root = mkdtempSync(join(tmpdir(), 'skillquay-registry-home-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));

/** `registry` is what SKILLS_REGISTRY says; '' for nothing. */
export function registryHome(registry: string): RegistryHome {
  const home = mkdtempSync(join(root, 'home-'));
  const own = {
    PATH: process.env.PATH,
    HOME: home,
    SKILLS_REGISTRY: registry,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const options = (env: Readonly<Record<string, string>> = {}) => ({ cwd: home, env: { ...own, ...env } });
  const run = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
    inSession(['registry', ...args], options(env));
  return {
    home,
    run,
    async start(args, env) {
      const { code, out, err } = await inSessionMeanwhile(['registry', ...args], options(env));
      return { code, text: out + err };
    },
    json(args, env) {
      const { code, out, err } = run([...args, '--json'], env);
      return { code, err, data: JSON.parse(out) };
    },
  };
}
