// Puts skills of the registry into folders where agents look for skills, and leaves alone what their user changed. All
// that is to be agreed to is agreed to before the first copy is touched; what goes wrong with one stops no other.
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { RegistryError } from '@skillquay/registry/errors';
import { checkSkillPath } from '@skillquay/registry/skill-files';
import { counted } from '../count.ts';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Copies, Copy } from './copies.ts';
import { recoverFolder, replaceFolder } from './copy-folder.ts';
import { type FolderDiff, folderDiff } from './diff.ts';
import { type Failure, failureOf } from './failure.ts';
import {
  type FolderFiles,
  type FoundFolder,
  folderFiles,
  type IsPart,
  partOf,
  sameFiles,
  skillFiles,
} from './folder-files.ts';
import { declined, type Io } from './io.ts';
import { checkInside } from './project.ts';
import { skillNameOf } from './skill-name.ts';

/** A skill as it lies in the cache. */
export interface GotSkill {
  /** The identity of the registry. */
  readonly registry: string;
  readonly branch: string | null;
  readonly slug: string;
  readonly tree: string;
  /** Absolute. */
  readonly path: string;
}

/** Where a copy of a skill is to be. */
export interface Target {
  readonly skill: GotSkill;
  readonly path: string;
  /** The root of the project that it is for; null when it is for all of the user's. */
  readonly project: string | null;
  /** Their ids. */
  readonly agents: readonly string[];
}

export interface Installed {
  readonly path: string;
  readonly agents: readonly string[];
  readonly slug: string;
  readonly state:
    | 'installed'
    /** It is as the registry has it now. */
    | 'updated'
    | 'current'
    /** Its user changed it or it is another skill, and nobody could be asked. */
    | 'kept'
    /** Its user said no. */
    | 'declined'
    /** It could not be read or written; the error says why. */
    | 'blocked'
    /** The command was ended before. */
    | 'not_tried';
  /** What changed, or would have. */
  readonly diff?: string | undefined;
  readonly error?: Pick<Failure, 'code' | 'message'> | undefined;
}

export interface InstallOptions {
  readonly copies: Copies;
  /** Replace what its user changed, without asking. */
  readonly force: boolean;
  /** Show what changes, and ask, although their users changed nothing. */
  readonly showAll: boolean;
}

export interface InstallOutcome {
  readonly installed: readonly Installed[];
  readonly failure: Failure | undefined;
}

/** The name of the skill's folder among those of an agent: agents want it to be that of the front matter. */
export async function folderNameOf({ path, slug }: Pick<GotSkill, 'path' | 'slug'>): Promise<string> {
  const main = await readFile(join(path, SKILL_FILE)).catch(() => null);
  if (main === null)
    throw new CommandError(
      ExitCode.badData,
      `\`${slug}\` has no SKILL.md that is a file, and no agent could use it. Put one into the registry.`,
    );
  const name = skillNameOf(main, slug);
  const isPlain = checkSkillPath(name).ok && !/[/\\]/.test(name) && !name.startsWith('.');
  return isPlain ? name : slug;
}

/** Throws CommandError `usage` where somebody has to be asked and nobody can be; nothing was changed then. */
export async function installAll(
  targets: readonly Target[],
  options: InstallOptions,
  io: Io,
): Promise<InstallOutcome> {
  const { signal } = io.call;
  const steps = targets.map((target) => new Step(target, options.copies, signal));
  for (const step of steps) {
    signal.throwIfAborted();
    await step.tried(() => step.look(io));
  }
  await agree(steps, options, io);
  for (const step of steps) {
    if (signal.aborted) step.stop('not_tried');
    await step.tried(() => step.apply());
  }
  return { installed: steps.map((step) => step.result()), failure: failureFrom(steps, signal) };
}

type State = Installed['state'];

interface Look {
  readonly wanted: FolderFiles;
  /** null: nothing is there. */
  readonly seen: FoundFolder | null;
  readonly isPart: IsPart;
  readonly before: Copy | null;
  readonly kind: 'new' | 'current' | 'untouched' | 'changed';
}

/** One copy on its way. */
class Step {
  readonly target: Target;
  state: State | undefined;
  diff: FolderDiff | undefined;
  failure: Failure | undefined;
  #look: Look | undefined;
  readonly #copies: Copies;
  readonly #signal: AbortSignal;

  constructor(target: Target, copies: Copies, signal: AbortSignal) {
    this.target = target;
    this.#copies = copies;
    this.#signal = signal;
  }

  get kind(): Look['kind'] | undefined {
    return this.state === undefined ? this.#look?.kind : undefined;
  }

  /** Nothing is done any more. */
  stop(state: State): void {
    this.state ??= state;
  }

  async tried(work: () => Promise<void>): Promise<void> {
    if (this.state !== undefined) return;
    try {
      await work();
    } catch (error) {
      const isOfThis =
        error instanceof CommandError ||
        error instanceof RegistryError ||
        (error instanceof Error && 'syscall' in error);
      if (!isOfThis) throw error;
      this.failure = failureOf(error, this.#signal);
      this.stop('blocked');
    }
  }

  async look(io: Io): Promise<void> {
    const { skill, path, project } = this.target;
    if (project !== null) await checkInside(dirname(path), project);
    for (const said of await recoverFolder(path)) io.note(`note: ${said}`);
    const before = await this.#copies.at(path);
    const cached = await skillFiles(skill.path);
    if (cached.kind !== 'folder')
      throw new CommandError(ExitCode.tryAgain, `${skill.path} has gone from the cache. Try again.`);
    const wanted = cached.files;
    const isPart = partOf(wanted, before?.files);
    const there = await folderFiles(path, isPart);
    if (there.kind === 'other')
      throw new CommandError(
        ExitCode.badData,
        `${path} is a link or a file, and is left as it is. Take it away to install \`${skill.slug}\` there.`,
      );
    const isUntouched =
      there.kind === 'folder' &&
      before?.slug === skill.slug &&
      before.registry === skill.registry &&
      sameFiles(there.files, before.files);
    const isCurrent = there.kind === 'folder' && sameFiles(there.files, wanted);
    const kind =
      there.kind === 'nothing' ? 'new' : isCurrent ? 'current' : isUntouched ? 'untouched' : 'changed';
    this.#look = { wanted, seen: there.kind === 'folder' ? there : null, isPart, before, kind };
  }

  async show(io: Io): Promise<void> {
    if (this.#look === undefined) return;
    const { path, skill } = this.target;
    this.diff = await folderDiff(
      { label: 'installed', folder: path, files: this.#look.seen?.files ?? new Map() },
      { label: 'registry', folder: skill.path, files: this.#look.wanted },
    );
    io.say(`${path}:\n${this.diff.short}\n`);
  }

  async apply(): Promise<void> {
    if (this.#look === undefined) return;
    const { skill, path, project, agents } = this.target;
    const { wanted, seen, isPart, before, kind } = this.#look;
    if (kind !== 'current') {
      // A link may have come since it was looked at.
      if (project !== null) await checkInside(dirname(path), project);
      await replaceFolder({ from: skill.path, files: wanted, to: path, seen, isPart });
    }
    await this.#copies.keep({
      path,
      project,
      agents: [...new Set([...(before?.agents ?? []), ...agents])],
      registry: skill.registry,
      branch: skill.branch,
      slug: skill.slug,
      tree: skill.tree,
      files: wanted,
    });
    this.stop(kind === 'new' ? 'installed' : kind === 'current' ? 'current' : 'updated');
  }

  result(): Installed {
    const { target, state = 'not_tried', diff, failure } = this;
    return {
      path: target.path,
      agents: target.agents,
      slug: target.skill.slug,
      state,
      ...(diff === undefined ? {} : { diff: diff.whole }),
      ...(failure === undefined ? {} : { error: { code: failure.code, message: failure.message } }),
    };
  }
}

/** Shows what is to be replaced and stops what nobody agrees to. */
async function agree(steps: readonly Step[], { force, showAll }: InstallOptions, io: Io): Promise<void> {
  const untouched = showAll ? steps.filter(({ kind }) => kind === 'untouched') : [];
  for (const step of untouched) await step.show(io);
  const question = `Update ${counted(untouched.length, 'copy')}?`;
  if (untouched.length > 0 && !force && !(await io.confirm(question)))
    for (const step of untouched) step.stop('declined');
  for (const step of steps.filter(({ kind }) => kind === 'changed')) {
    await step.show(io);
    const { path, skill } = step.target;
    if (force) continue;
    // --yes does not answer this: what is replaced exists nowhere else.
    if (!io.canAsk) step.stop('kept');
    else if (
      !(await io.ask(
        `${path} was changed on this machine, or is another skill. Replace it by \`${skill.slug}\`?`,
      ))
    )
      step.stop('declined');
  }
}

/** All that was not done, in one sentence each; the exit code is that of the first. */
function failureFrom(steps: readonly Step[], signal: AbortSignal): Failure | undefined {
  const paths = (wanted: State) =>
    steps.filter(({ state }) => state === wanted).map(({ target }) => target.path);
  const [notTried, kept, refused] = [paths('not_tried'), paths('kept'), paths('declined')];
  const failures = steps.flatMap(({ failure }) => failure ?? []);
  if (notTried.length > 0) {
    const { code, exitCode } = failureOf(signal.reason, signal);
    failures.unshift({ code, message: `cancelled; not installed: ${notTried.join(', ')}.`, exitCode });
  }
  if (kept.length > 0)
    failures.push({
      code: 'changed_here',
      message: `changed on this machine, or another skill, and left as it is: ${kept.join(', ')}. Publish it, or replace it with --force.`,
      exitCode: ExitCode.badData,
    });
  if (refused.length > 0) failures.push(failureOf(declined(`left as it is: ${refused.join(', ')}.`), signal));
  const [first] = failures;
  return first && { ...first, message: failures.map(({ message }) => message).join(' ') };
}

/** What a skill calls itself when that is not the name of its copy; null when it is. */
export async function newNameOf({ skill, path }: Target): Promise<string | null> {
  const name = await folderNameOf(skill).catch(() => null);
  return name === null || name === basename(path) ? null : name;
}
