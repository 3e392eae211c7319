// Keeps skills as folders on disk, for all processes of a user: each is whole or not there. Source: spec, The personal
// registry, "get_skill".
//
// `<slug>/` is the skill and `<slug>.meta.json` says which tree it is. The meta is moved away before the folder changes
// and written when all of it is in place, so whatever a killed process leaves is a miss. A folder that is served is
// compared with its tree all the same: what lies in a cache anybody may have changed.
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sliceCodePoints } from '@skillquay/core/text';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import type { RegistryEntry } from './backend.ts';
import { RegistryError } from './errors.ts';
import { diskFailureText, isDiskFailure } from './lib/disk-failure.ts';
import { syncFolder, writeNew } from './lib/durable.ts';
import { type Lock, withLock } from './lib/lock.ts';
import { ownerOf, ownName } from './lib/own-name.ts';
import {
  checkFolder,
  type FetchBlobs,
  type FolderPlan,
  planFolder,
  writeFolder,
} from './lib/skill-folder.ts';
import { checkSkillPath } from './skill-files.ts';
import { slugify } from './slug.ts';
import { shownSlug } from './text.ts';

/** A skill at one commit. */
export interface SkillTree {
  /** The name of its folder in the registry. */
  readonly slug: string;
  readonly repo: string;
  /** Id of the folder's tree. */
  readonly tree: string;
  /** Relative to the skill's folder. */
  readonly entries: readonly RegistryEntry[];
}

export interface CachedSkill {
  /** Absolute. */
  readonly path: string;
  /** Sentences about what of the skill is not there: links that lead out of it, large files kept elsewhere. */
  readonly notes: readonly string[];
}

export interface SkillCache {
  /** `fetch` is asked for blobs by id, in parts. Throws RegistryError, an AbortError, and what `fetch` throws. */
  get(skill: SkillTree, fetch: FetchBlobs, options: { readonly signal: AbortSignal }): Promise<CachedSkill>;
}

const META = '.meta.json';
const LOCKS = '.locks';
/** What is not a skill: `.new-` is being made, `.old-` was renamed away; then whose it is. */
const ASIDE = /^\.(new|old)-/;
/** Longer than anybody is busy with one, wherever that is. */
const ASIDE_MS = 24 * 3_600_000;
const MAX_NAME_BYTES = 200;
const ATTEMPTS = 3;

/** A cache in `folder`, absolute, which need not exist. What earlier runs left there is removed. */
export function openSkillCache(folder: string): SkillCache {
  return new SkillFolders(folder);
}

class SkillFolders implements SkillCache {
  readonly #folder: string;
  /** Whether the disk takes names for one that differ in case alone; known when the folder is there and swept. */
  #foldsNames: Promise<boolean> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async get(
    skill: SkillTree,
    fetch: FetchBlobs,
    options: { readonly signal: AbortSignal },
  ): Promise<CachedSkill> {
    try {
      return await this.#get(skill, fetch, options);
    } catch (error) {
      if (!isDiskFailure(error)) throw error;
      throw new RegistryError('internal', diskFailureText(shownSlug(skill.slug), error));
    }
  }

  async #get(
    skill: SkillTree,
    fetch: FetchBlobs,
    options: { readonly signal: AbortSignal },
  ): Promise<CachedSkill> {
    this.#foldsNames ??= begin(this.#folder).catch(() => false);
    const plan = await planFolder(skill.entries, { fetch, foldsNames: await this.#foldsNames });
    const name = nameOf(skill.slug);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const found =
        (await this.#hit(name, skill, plan)) ??
        (await withLock(join(this.#folder, LOCKS), name, options, async (lock) => {
          options.signal.throwIfAborted();
          return (await this.#hit(name, skill, plan)) ?? this.#replace({ name, skill, plan, fetch, lock });
        }));
      if (found !== null) return found;
    }
    throw new RegistryError(
      'internal',
      `${shownSlug(skill.slug)} could not be kept, because others replace it. Try again.`,
    );
  }

  async #hit(name: string, { tree, repo }: SkillTree, plan: FolderPlan): Promise<CachedSkill | null> {
    const path = join(this.#folder, name);
    const meta = readMeta(await readFile(path + META, 'utf8').catch(() => ''));
    if (meta?.tree !== tree || meta.repo !== repo) return null;
    const notes = await checkFolder(path, plan);
    return notes === null ? null : { path, notes: [...plan.notes, ...notes] };
  }

  /** null when another process has taken the lock meanwhile. */
  async #replace({ name, skill, plan, fetch, lock }: Replacement): Promise<CachedSkill | null> {
    const { tree, repo } = skill;
    const path = join(this.#folder, name);
    const tag = ownName();
    const draft = join(this.#folder, `.new-${tag}`);
    const aside = join(this.#folder, `.old-${tag}`);
    try {
      const notes = await writeFolder(draft, plan, fetch);
      await writeNew(draft + META, new TextEncoder().encode(JSON.stringify({ tree_sha: tree, repo })), 0o600);
      if (!(await lock.held())) return null;
      await inOrder([
        { from: path + META, to: aside + META, ifThere: true },
        { from: path, to: aside, ifThere: true },
        { from: draft, to: path },
        { from: draft + META, to: path + META },
      ]);
      await rm(aside + META, { recursive: true, force: true });
      return { path, notes: [...plan.notes, ...notes] };
    } finally {
      await rm(draft + META, { force: true }).catch(() => {});
      await rm(draft, { recursive: true, force: true }).catch(() => {});
    }
  }
}

interface Replacement {
  readonly name: string;
  readonly skill: SkillTree;
  readonly plan: FolderPlan;
  readonly fetch: FetchBlobs;
  readonly lock: Lock;
}

interface Move {
  readonly from: string;
  readonly to: string;
  /** There may be nothing to be moved. */
  readonly ifThere?: boolean;
}

/** Each is on the disk before the next is made; when one fails, those before it are taken back. */
async function inOrder(moves: readonly Move[]): Promise<void> {
  const done: Move[] = [];
  try {
    for (const move of moves) {
      if (!(await made(move))) continue;
      done.push(move);
      await syncFolder(dirname(move.to));
    }
  } catch (error) {
    for (const { from, to } of done.reverse()) await rename(to, from).catch(() => {});
    throw error;
  }
}

async function made({ from, to, ifThere }: Move): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (ifThere && error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Makes the folder, removes what processes that have ended left there, and looks how the disk takes names. */
async function begin(folder: string): Promise<boolean> {
  await makePrivateFolder(folder);
  for (const name of await readdir(folder)) {
    const kind = ASIDE.exec(name)?.[1];
    if (kind === undefined) continue;
    const path = join(folder, name);
    const owner = ownerOf(name.replace(ASIDE, ''));
    // What this process has renamed away it did before this start.
    const isOver = owner === 'ended' || (owner === 'own' && kind === 'old');
    const since = await lstat(path).catch(() => null);
    const isOld = since !== null && Date.now() - since.ctimeMs > ASIDE_MS;
    if (isOver || isOld) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
  return isOne(folder, join(dirname(folder), inOtherCase(basename(folder))));
}

function inOtherCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}

/** Whether two different paths lead to the same thing. */
async function isOne(path: string, other: string): Promise<boolean> {
  if (path === other) return false;
  const [one, two] = await Promise.all([stat(path), stat(other).catch(() => null)]);
  return one.ino === two?.ino && one.dev === two.dev;
}

function readMeta(text: string): { readonly tree: string; readonly repo: string } | null {
  try {
    const { tree_sha, repo }: { tree_sha?: unknown; repo?: unknown } = JSON.parse(text);
    return typeof tree_sha === 'string' && typeof repo === 'string' ? { tree: tree_sha, repo } : null;
  } catch {
    return null;
  }
}

/** The slug where every file system takes it as a name of its own, else one that is made of it. */
function nameOf(slug: string): string {
  const isPlain =
    checkSkillPath(slug).ok &&
    !/^\.|[/\\]|\.meta\.json$/i.test(slug) &&
    new TextEncoder().encode(slug).length <= MAX_NAME_BYTES;
  if (isPlain) return slug;
  const digits = createHash('sha256').update(slug).digest('hex').slice(0, 12);
  return `${sliceCodePoints(slugify(slug), 0, 40)}-${digits}`.replace(/^-/, '');
}
