// `skillquay registry get`: brings skills to this machine, and into the folders of agents when asked.
import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { RegistryError } from '@skillquay/registry/errors';
import { formatRegistry } from '@skillquay/registry/registry-name';
import { notFoundText } from '@skillquay/registry/text';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { AGENTS, agentsNamed, type SkillsFolder, skillsFolders } from './agents.ts';
import { openCopies } from './copies.ts';
import type { Failure } from './failure.ts';
import { folderNameOf, type GotSkill, type Installed, install } from './install.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { openSession, type Session } from './session.ts';

export interface GetOptions {
  readonly agent?: string;
  readonly all: boolean;
  readonly project: boolean;
  readonly force: boolean;
}

export interface Brought extends GotSkill {
  readonly notes: readonly string[];
  readonly installed: readonly Installed[];
}

export async function get(asked: readonly string[], options: GetOptions, io: Io): Promise<Outcome> {
  const folders = foldersOf(options, io);
  if (options.project) for (const { path } of folders) await checkInside(path, io.cwd);
  const session = await openSession(io);
  // All are brought before any is installed: a name that means nothing leaves every agent's folder as it was.
  const found = [];
  for (const one of asked) found.push(await bring(session, one, io));
  const brought: Brought[] = [];
  for (const { skill, notes } of found) {
    for (const note of notes) io.note(`note: ${note}`);
    const installed = await installAll(skill, folders, options.force, io);
    brought.push({ ...skill, notes, installed });
  }
  return {
    data: { registry: session.registry.name, skills: brought },
    text: brought.flatMap(lines).join('\n'),
    failure: keptFailure(brought.flatMap(({ installed }) => installed)),
  };
}

/** Throws RegistryError `invalid` for a miss. */
export async function bring(
  { config, registry }: Session,
  asked: string,
  io: Io,
): Promise<{ readonly skill: GotSkill; readonly notes: readonly string[] }> {
  const got = await registry.get(asked, io.call);
  if (got.kind === 'not_found') throw new RegistryError('invalid', notFoundText(registry.name, asked));
  const { slug, tree, path, notes } = got;
  return { skill: { registry: formatRegistry(config.name), slug, tree, path }, notes };
}

/** What a person is to do about copies that were left as they are. */
export function keptFailure(installed: readonly Installed[]): Failure | undefined {
  const kept = installed.filter(({ state }) => state === 'kept').map(({ path }) => path);
  if (kept.length === 0) return undefined;
  return {
    code: 'changed_here',
    message: `changed on this machine, or another skill, and left as it is: ${kept.join(', ')}. Publish it, or replace it with --force.`,
    exitCode: ExitCode.badData,
  };
}

function foldersOf({ agent, all, project }: GetOptions, io: Io): readonly SkillsFolder[] {
  if (agent !== undefined && all)
    throw new CommandError(ExitCode.usage, '--all is each agent; leave --agent out.');
  if (agent === undefined && !all) {
    if (project) throw new CommandError(ExitCode.usage, '--project needs --agent or --all.');
    return [];
  }
  const agents = agent === undefined ? AGENTS : agentsNamed(agent);
  return skillsFolders(agents, project ? io.cwd : null, io.env);
}

/** A project may be somebody else's, and its links are: none leads a copy out of it. Throws CommandError. */
async function checkInside(path: string, project: string): Promise<void> {
  const root = await realpath(project);
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const real = await realpath(at).catch(() => null);
    if (real === null) continue;
    if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) return;
    throw new CommandError(
      ExitCode.badData,
      `${at} leads out of this project, to ${real}. Take the link away, or install without --project.`,
    );
  }
}

async function installAll(
  skill: GotSkill,
  folders: readonly SkillsFolder[],
  force: boolean,
  io: Io,
): Promise<readonly Installed[]> {
  if (folders.length === 0) return [];
  const name = await folderNameOf(skill);
  const copies = openCopies(io.env);
  const installed: Installed[] = [];
  for (const { path, agents } of folders) {
    const ids = agents.map(({ id }) => id);
    installed.push(await install(skill, join(path, name), ids, { copies, force }, io));
  }
  return installed;
}

function lines({ path, installed }: Brought): string[] {
  if (installed.length === 0) return [path];
  return installed.map((copy) => `${copy.state}: ${copy.path} (${copy.agents.join(', ')})`);
}
