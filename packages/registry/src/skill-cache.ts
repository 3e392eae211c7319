// Keeps skills as folders on disk, for all processes of a user: each is whole or not there. Source: spec, The personal
// registry, "get_skill".
//
// `<slug>/` is the skill and `<slug>.meta.json` says which tree it is. The meta is moved away before the folder changes
// and written when all of it is in place, so whatever a killed process leaves is a miss. A folder that is served is
// compared with its tree all the same: what lies in a cache anybody may have changed.
import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sliceCodePoints } from '@skillquay/core/text';
import { makeFolder } from '@skillquay/git/make-folder';
import { alive } from '@skillquay/git/process-alive';
import type { RegistryEntry } from './backend.ts';
import { RegistryError } from './errors.ts';
import { type Lock, withLock } from './lib/lock.ts';
import {
  checkFolder,
  type FetchBlobs,
  type FolderPlan,
  planFolder,
  syncFolder,
  writeFolder,
  writeNew,
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
/** What is not a skill: `.new-` is being made, `.old-` was renamed away; then the process and a random part. */
const ASIDE = /^\.(new|old)-(\d+)-/;
/** A name that no process is busy with for longer; it was left by one whose number another has now. */
const ASIDE_MS = 24 * 3_600_000;
const MAX_NAME_BYTES = 200;
const ATTEMPTS = 3;

/** A cache in `folder`, absolute, which need not exist. What earlier runs left there is removed. */
export function openSkillCache(folder: string): SkillCache {
  return new SkillFolders(folder);
}

class SkillFolders implements SkillCache {
  readonly #folder: string;
  readonly #ready: Promise<void>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#ready = sweep(folder).catch(() => {});
  }

  async get(
    skill: SkillTree,
    fetch: FetchBlobs,
    options: { readonly signal: AbortSignal },
  ): Promise<CachedSkill> {
    await this.#ready;
    try {
      return await this.#get(skill, fetch, options);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
      // Of a full disk, a folder of somebody else, two files that this file system takes for one.
      const why = `${shownSlug(skill.slug)} could not be kept in ${this.#folder} (${error.code} at ${error.syscall})`;
      throw new RegistryError('internal', `${why}. Make room, or set XDG_CACHE_HOME to a folder of yours.`);
    }
  }

  async #get(
    skill: SkillTree,
    fetch: FetchBlobs,
    options: { readonly signal: AbortSignal },
  ): Promise<CachedSkill> {
    const plan = await planFolder(skill.entries, fetch);
    const name = nameOf(skill.slug);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const found =
        (await this.#hit(name, skill, plan)) ??
        (await withLock(join(this.#folder, LOCKS), name, options, async (lock) => {
          options.signal.throwIfAborted();
          return (await this.#hit(name, skill, plan)) ?? this.#replace(name, skill, plan, fetch, lock);
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
  async #replace(
    name: string,
    { tree, repo }: SkillTree,
    plan: FolderPlan,
    fetch: FetchBlobs,
    lock: Lock,
  ): Promise<CachedSkill | null> {
    const path = join(this.#folder, name);
    const tag = `${process.pid}-${randomBytes(6).toString('hex')}`;
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

/** Makes the folder, and removes what processes that have ended were making or have renamed away. */
async function sweep(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  for (const name of await readdir(folder)) {
    const [, kind, pid] = ASIDE.exec(name) ?? [];
    if (kind === undefined) continue;
    const path = join(folder, name);
    const owner = Number(pid);
    // What this process has renamed away it did before this start.
    const isOver = owner === process.pid ? kind === 'old' : !alive(owner);
    const age = Date.now() - (await lstat(path)).ctimeMs;
    if (isOver || age > ASIDE_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
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
