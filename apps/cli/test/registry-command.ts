// Runs commands of the registry against a bare-bones home, with no configuration of this machine's git.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BIN, type Ran, skillquay } from './command.ts';

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
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    skillquay(['registry', ...args], { cwd: home, env: { ...own, ...env } });
  return {
    home,
    run,
    async start(args, env = {}) {
      const child = spawn(process.execPath, [BIN, 'registry', ...args], {
        cwd: home,
        env: { ...own, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
      const [code] = await once(child, 'close');
      return { code, text };
    },
    json(args, env) {
      const { code, out, err } = run([...args, '--json'], env);
      return { code, err, data: JSON.parse(out) };
    },
  };
}
