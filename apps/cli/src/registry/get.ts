// `skillquay registry get`: brings skills to this machine, and into the folders of agents when asked.
import { join } from 'node:path';
import { registryIdentity } from '@skillquay/registry/registry-identity';
import { notFoundText } from '@skillquay/registry/text';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { AGENTS, agentsNamed, type SkillsFolder, skillsFolders } from './agents.ts';
import { openCopies } from './copies.ts';
import { folderNameOf } from './copy-name.ts';
import { installAll } from './install.ts';
import type { GotSkill, Installed, Target } from './install-step.ts';
import type { Io } from './io.ts';
import { projectRoot, realPlace } from './project.ts';
import type { Outcome } from './run.ts';
import { notThere, openSession, type Session } from './session.ts';

export interface GetOptions {
  readonly agent?: string;
  readonly all: boolean;
  readonly project: boolean;
  readonly force: boolean;
}

export async function get(asked: readonly string[], options: GetOptions, io: Io): Promise<Outcome> {
  const project = options.project ? await projectRoot(io.cwd) : null;
  const folders = await foldersOf(options, project, io);
  const session = await openSession(io);
  // All are brought before any is installed: a name that means nothing leaves every agent's folder as it was.
  const brought: Brought[] = [];
  for (const one of asked) {
    const found = await bring(session, one, io);
    if (!brought.some(({ skill }) => skill.slug === found.skill.slug)) brought.push(found);
  }
  const targets: Target[] = [];
  for (const { skill } of folders.length === 0 ? [] : brought) {
    const name = await folderNameOf(skill);
    for (const { path, agents } of folders)
      targets.push({ skill, path: join(path, name), project, agents: agents.map(({ id }) => id) });
  }
  const install = { copies: openCopies(io.env), force: options.force, showAll: false };
  const { installed, failure } = await installAll(targets, install, io);
  const skills = brought.map(({ skill: { slug, tree, path }, notes }) => ({
    slug,
    tree,
    path,
    notes,
    installed: installed.filter((copy) => copy.slug === slug),
  }));
  return {
    data: { registry: session.registry.name, skills },
    text: skills
      .flatMap(({ path, installed }) => (folders.length === 0 ? [path] : installed.map(line)))
      .join('\n'),
    failure,
  };
}

export interface Brought {
  readonly skill: GotSkill;
  readonly notes: readonly string[];
}

/** Notes what of the skill could not be brought. Throws CommandError `no_such_skill` for a miss. */
export async function bring({ config, registry }: Session, asked: string, io: Io): Promise<Brought> {
  const got = await registry.get(asked, io.call);
  if (got.kind === 'not_found') {
    if ((await registry.list(io.call)).missing) throw notThere(registry.name);
    throw noSuchSkill(registry.name, asked);
  }
  const { slug, tree, path, notes } = got;
  for (const note of notes) io.note(`note: ${note}`);
  const { branch } = config.name;
  return { skill: { registry: registryIdentity(config.name, io.env), branch, slug, tree, path }, notes };
}

export function noSuchSkill(registry: string, asked: string): CommandError {
  return new CommandError(
    ExitCode.badData,
    `${notFoundText(registry, asked)} \`skillquay registry list\` shows what is there.`,
    'no_such_skill',
  );
}

/** Each folder once, although a link may lead from one to another. */
async function foldersOf(
  { agent, all, project: isForProject }: GetOptions,
  project: string | null,
  io: Io,
): Promise<readonly SkillsFolder[]> {
  if (agent !== undefined && all)
    throw new CommandError(ExitCode.usage, '--all is each agent; leave --agent out.');
  if (agent === undefined && !all) {
    if (isForProject) throw new CommandError(ExitCode.usage, '--project needs --agent or --all.');
    return [];
  }
  const agents = agent === undefined ? AGENTS : agentsNamed(agent);
  const byPlace = new Map<string, SkillsFolder>();
  for (const folder of skillsFolders(agents, project, io.env)) {
    const place = await realPlace(folder.path);
    const known = byPlace.get(place);
    byPlace.set(place, known ? { ...known, agents: [...known.agents, ...folder.agents] } : folder);
  }
  return [...byPlace.values()];
}

function line({ state, path, agents }: Installed): string {
  return `${state}: ${path} (${agents.join(', ')})`;
}
