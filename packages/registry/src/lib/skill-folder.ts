// A skill as a folder of this machine: which files and links it consists of, writing it, and telling whether it is that.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeUtf8 } from '@skillquay/core/decode';
import { readLfsPointer } from '@skillquay/core/lfs';
import { utf8Length } from '@skillquay/core/text';
import type { RegistryEntry } from '../backend.ts';
import { RegistryError } from '../errors.ts';
import { isBlob } from '../git-id.ts';
import { isLeftBehind } from '../passed-over.ts';
import { checkSkillPath, findTwins, isGitsOwn, shown } from '../skill-files.ts';
import { batches } from './batches.ts';
import { syncFolder, writeNew } from './durable.ts';
import { inParallel } from './in-parallel.ts';
import { foldersOf, staysInside } from './links.ts';

export interface FolderPlan {
  readonly files: readonly RegistryEntry[];
  readonly links: ReadonlyMap<string, string>;
  readonly folders: ReadonlySet<string>;
  /** What of the skill is not written, and why. */
  readonly notes: readonly string[];
}

export type FetchBlobs = (oids: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>;

const FILES_AT_ONCE = 8;
/** Of the target of a link; no system takes a longer one. */
const MAX_TARGET_BYTES = 4_095;
/** Of one name; most file systems take no longer one. */
const MAX_PART_BYTES = 255;
const OWNER_EXECUTES = 0o100;
const WITHOUT_LINKS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

export interface PlanOptions {
  /** Asked for the blobs of links. */
  readonly fetch: FetchBlobs;
  /** The disk takes names for one that differ in case or composition alone. */
  readonly foldsNames: boolean;
}

/** `entries` are relative to the skill's folder. Throws what `fetch` throws. */
export async function planFolder(
  entries: readonly RegistryEntry[],
  { fetch, foldsNames }: PlanOptions,
): Promise<FolderPlan> {
  const notes: string[] = [];
  const twins = foldsNames ? findTwins(entries.map(({ path }) => path)) : new Map<string, string>();
  const kept = entries.filter(({ path, mode }) => {
    const twin = twins.get(path);
    const why =
      mode === '160000'
        ? 'is another repository (a submodule)'
        : twin !== undefined
          ? `is '${shown(twin)}' to this disk`
          : pathProblem(path);
    if (why !== null) notes.push(`'${shown(path)}' ${why} and is left out.`);
    return why === null;
  });
  const folders = foldersOf(kept.map(({ path }) => path));
  const links = new Map<string, string>();
  const linked = kept.filter(({ mode }) => mode === '120000');
  const targets = await readTargets(linked, fetch);
  for (const { path } of linked) {
    const target = checkTarget(path, targets.get(path), folders);
    if (target.ok) links.set(path, target.text);
    else notes.push(`Link '${shown(path)}' ${target.why} and is left out.`);
  }
  return { files: kept.filter(({ mode }) => mode !== '120000'), links, folders, notes };
}

/** By the paths of the links; what is too long for a target is not among them. */
async function readTargets(
  links: readonly RegistryEntry[],
  fetch: FetchBlobs,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const targets = new Map<string, Uint8Array>();
  for (const batch of batches(links.filter(({ size }) => (size ?? 0) <= MAX_TARGET_BYTES))) {
    const blobs = await fetch(batch.map(({ oid }) => oid));
    for (const { path, oid } of batch) {
      const bytes = blobs.get(oid) ?? missing(path);
      if (bytes.length <= MAX_TARGET_BYTES) targets.set(path, bytes);
    }
  }
  return targets;
}

function checkTarget(
  path: string,
  bytes: Uint8Array | undefined,
  folders: ReadonlySet<string>,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string } {
  if (bytes === undefined) return { ok: false, why: 'has a target that is longer than one can be' };
  const target = decodeUtf8(bytes);
  if (!target.ok) return { ok: false, why: 'has a target that is not UTF-8' };
  if (staysInside(path, target.text, folders)) return target;
  return { ok: false, why: `leads out of the skill, to '${shown(target.text)}',` };
}

/** A path that this platform would take for something else. Elsewhere the file is what its author made it. */
function pathProblem(path: string): string | null {
  // What the reading of names puts for bytes that are no text: two such names can read alike.
  if (path.includes('\ufffd')) return 'has a name that is not UTF-8';
  const isPlain =
    !path.includes('\0') &&
    path
      .split('/')
      .every((part) => !/^\.{0,2}$/.test(part) && !isGitsOwn(part) && utf8Length(part) <= MAX_PART_BYTES);
  const fits = isPlain && (process.platform !== 'win32' || checkSkillPath(path).ok);
  return fits ? null : 'has a name that cannot be written here';
}

/** Writes the plan into `folder`, which must not exist. All of it is on the disk when this returns. */
export async function writeFolder(
  folder: string,
  plan: FolderPlan,
  fetch: FetchBlobs,
): Promise<readonly string[]> {
  const notes: string[] = [];
  const folders = [...plan.folders].sort((a, b) => a.length - b.length);
  for (const path of folders) await mkdir(join(folder, path), { mode: 0o700 });
  for (const batch of batches(plan.files)) {
    const blobs = await fetch(batch.map(({ oid }) => oid));
    await inParallel(batch, FILES_AT_ONCE, async (entry) => {
      const bytes = blobs.get(entry.oid) ?? missing(entry.path);
      if (!isBlob(entry.oid, bytes)) missing(entry.path);
      await writeNew(join(folder, entry.path), bytes, entry.mode === '100755' ? 0o700 : 0o600);
      const note = lfsNote(entry.path, bytes);
      if (note !== null) notes.push(note);
    });
  }
  // Last, so that no file is written through one.
  for (const [path, target] of plan.links) await symlink(target, join(folder, path));
  await inParallel(folders, FILES_AT_ONCE, (path) => syncFolder(join(folder, path)));
  return notes.sort();
}

/**
 * What is to be said about a folder that holds exactly what the plan says, content included; null when it does not. What
 * tools leave behind when a skill is used does not count.
 */
export async function checkFolder(folder: string, plan: FolderPlan): Promise<readonly string[] | null> {
  try {
    if (!(await lstat(folder)).isDirectory()) return null;
    const files = new Map(plan.files.map((entry) => [entry.path, entry]));
    const found = await countBelow(folder, '', { files, plan });
    if (found !== files.size + plan.links.size) return null;
    const notes: string[] = [];
    await inParallel(plan.files, FILES_AT_ONCE, async (entry) => {
      const note = await checkFile(join(folder, entry.path), entry);
      if (note !== null) notes.push(note);
    });
    for (const [path, target] of plan.links) if ((await readlink(join(folder, path))) !== target) return null;
    return notes.sort();
  } catch {
    return null;
  }
}

interface Wanted {
  readonly files: ReadonlyMap<string, RegistryEntry>;
  readonly plan: FolderPlan;
}

/** How many files and links of the plan lie below. Throws at the first thing that is not of the plan. */
async function countBelow(folder: string, path: string, wanted: Wanted): Promise<number> {
  let count = 0;
  for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    const isFolder = entry.isDirectory() && wanted.plan.folders.has(below);
    const isFile = entry.isFile() && wanted.files.has(below);
    const isLink = entry.isSymbolicLink() && wanted.plan.links.has(below);
    if (isFolder) count += await countBelow(folder, below, wanted);
    else if (isFile || isLink) count += 1;
    else if (!isLeftBehind(entry.name)) throw new Error('not of the skill');
  }
  return count;
}

async function checkFile(file: string, entry: RegistryEntry): Promise<string | null> {
  const handle = await open(file, WITHOUT_LINKS);
  try {
    const { mode, size } = await handle.stat();
    const executes = (mode & OWNER_EXECUTES) !== 0;
    const isMode = process.platform === 'win32' || executes === (entry.mode === '100755');
    if (!isMode || (entry.size !== null && entry.size !== size)) throw new Error('not of the skill');
    const bytes = await handle.readFile();
    if (!isBlob(entry.oid, bytes)) throw new Error('not of the skill');
    return lfsNote(entry.path, bytes);
  } finally {
    await handle.close();
  }
}

function lfsNote(path: string, bytes: Uint8Array): string | null {
  const pointer = readLfsPointer(bytes);
  return pointer === null
    ? null
    : `'${shown(path)}' is a Git LFS pointer; the ${pointer.size} bytes it stands for are not downloaded.`;
}

function missing(path: string): never {
  throw new RegistryError('bad_data', `'${shown(path)}' did not arrive whole. Try again.`);
}
