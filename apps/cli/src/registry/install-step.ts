// One copy of a skill for agents: what is there, what would change, and the change.
import { dirname } from 'node:path';
import { shownSlug } from '@skillquay/registry/text';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Copies, Copy } from './copies.ts';
import { checkWay, recoverFolder, replaceFolder } from './copy-folder.ts';
import { type FolderDiff, folderDiff } from './diff.ts';
import { type Failure, failureOf, isExpected } from './failure.ts';
import {
  type FolderFiles,
  type FoundFolder,
  folderFiles,
  type IsPart,
  partOf,
  sameFiles,
  skillFiles,
} from './folder-files.ts';
import type { Io } from './io.ts';
import { checkInside } from './project.ts';

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

export type State = Installed['state'];

export type Kind = 'new' | 'current' | 'untouched' | 'changed';

interface Look {
  readonly wanted: FolderFiles;
  /** null: nothing is there. */
  readonly seen: FoundFolder | null;
  readonly isPart: IsPart;
  readonly before: Copy | null;
  readonly kind: Kind;
}

/** One copy on its way: looked at, shown, written. */
export class Step {
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

  get kind(): Kind | undefined {
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
      this.failure = this.#failureOf(error);
      this.stop('blocked');
    }
  }

  /** Throws what is nothing of this copy alone. */
  #failureOf(error: unknown): Failure {
    if (isExpected(error)) return failureOf(error, this.#signal);
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    const failure = failureOf(error, this.#signal);
    if (failure.code !== 'internal') return failure;
    const message = `${this.target.path} could not be read (${error.code} at ${error.syscall}). Try again.`;
    return failureOf(new CommandError(ExitCode.tryAgain, message), this.#signal);
  }

  /** `taken` are the places of the copies before it, and by which skills. */
  async look(taken: Map<string, string>, io: Io): Promise<void> {
    const { skill, path, project } = this.target;
    const first = taken.get(path);
    if (first !== undefined)
      throw new CommandError(
        ExitCode.badData,
        `${path} is the place of ${shownSlug(first)}, and ${shownSlug(skill.slug)} has the same name. Give one of the two another name.`,
      );
    taken.set(path, skill.slug);
    if (project !== null) await checkInside(dirname(path), project);
    await checkWay(path);
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
        `${path} is a link or a file, and is left as it is. Take it away to install ${shownSlug(skill.slug)} there.`,
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

  /** `shown` are the differences that were shown already, and of which copy. */
  async show(shown: Map<string, string>, io: Io): Promise<void> {
    if (this.#look === undefined) return;
    const { path, skill } = this.target;
    this.diff = await folderDiff(
      { label: 'installed', folder: path, files: this.#look.seen?.files ?? new Map() },
      { label: 'registry', folder: skill.path, files: this.#look.wanted },
    );
    const key = `${skill.slug}\n${this.diff.whole}`;
    const first = shown.get(key);
    if (first === undefined) shown.set(key, path);
    io.say(`${path}:\n${first === undefined ? this.diff.short : `the same as in ${first}`}\n`);
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
