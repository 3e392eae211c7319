// Reads a folder of this machine as the files of a skill, and nothing that lies outside it. Source: spec, The personal
// registry, "local_folder".
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, opendir, readlink } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { compareUtf8, joinPath } from '@skillquay/core/paths';
import { homeFolder } from './config.ts';
import { RegistryError } from './errors.ts';
import { errorCode } from './lib/error-code.ts';
import { isPassedOver } from './passed-over.ts';
import { type SkillFile, shown } from './skill-files.ts';

export interface LocalFile {
  /** Relative to the folder, `/` between its parts. */
  readonly path: string;
  readonly mode: SkillFile['mode'];
  readonly size: number;
  /** null: more bytes than were to be read. */
  readonly bytes: Uint8Array | null;
}

export interface LocalFolder {
  /** In byte order of their paths. */
  readonly files: readonly LocalFile[];
  /** Files or folders are missing because there are more than were asked for; those of the folder itself come first. */
  readonly cut: boolean;
}

export interface LocalLimits {
  /** Bytes of one file, and of all, that are read. */
  readonly fileBytes: number;
  readonly allBytes: number;
  /** Files, and folders, that are looked at. */
  readonly files: number;
}

export interface LocalOptions {
  readonly signal: AbortSignal;
  /** What `~` stands for; else the home of this user. */
  readonly home?: string | undefined;
}

// A link is never followed, and a pipe is never waited for; both flags are missing on Windows.
const SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FOLDER = SAFELY | (constants.O_DIRECTORY ?? 0);
/** Each folder above the one that is read is open, so that nothing can be put in its place. */
const MAX_DEPTH = 64;
const NAMES_AT_ONCE = 512;
const OWNER_EXECUTES = 0o100n;

/**
 * The files of the folder at a path that is absolute or begins with `~`. Links are read as links. Throws RegistryError
 * `invalid` with a sentence that names what cannot be read.
 */
export async function readLocalFolder(
  given: string,
  limits: LocalLimits,
  { signal, home }: LocalOptions,
): Promise<LocalFolder> {
  const path = absolute(given, home);
  const stat = await lstat(path, { bigint: true }).catch((error: unknown) => {
    throw bad(`local_folder '${shown(given)}' ${whyNot(error)}.`);
  });
  if (stat.isSymbolicLink())
    throw bad(`local_folder '${shown(given)}' is itself a link. Give the folder that it leads to.`);
  if (!stat.isDirectory()) throw bad(`local_folder '${shown(given)}' is not a folder.`);
  const walk = new Walk(limits, signal);
  await walk.folder({ at: path, path: '', stat });
  walk.files.sort((a, b) => compareUtf8(a.path, b.path));
  return { files: walk.files, cut: walk.cut };
}

function absolute(given: string, home: string | undefined): string {
  const path = /^~(?:[/\\]|$)/.test(given) ? join(home ?? homeFolder(), given.slice(1)) : given;
  if (path.includes('\0') || !isAbsolute(path))
    throw bad(`local_folder '${shown(given)}' is not absolute. Write it from the root, or from ~.`);
  return resolve(path);
}

type Stat = Awaited<ReturnType<typeof statOf>>;

interface Place {
  /** Where it is opened. */
  readonly at: string;
  /** Relative to the folder that is read. */
  readonly path: string;
  /** What was there when the folder above was listed. */
  readonly stat: Stat;
}

class Walk {
  readonly files: LocalFile[] = [];
  cut = false;
  readonly #limits: LocalLimits;
  readonly #signal: AbortSignal;
  #folders = 0;
  #bytes = 0;

  constructor(limits: LocalLimits, signal: AbortSignal) {
    this.#limits = limits;
    this.#signal = signal;
  }

  async folder(place: Place): Promise<void> {
    this.#folders += 1;
    if (place.path.split('/').length > MAX_DEPTH)
      throw bad(`Folder '${shown(place.path)}' lies more than ${MAX_DEPTH} folders deep. Move it up.`);
    const handle = await openSame(place, FOLDER);
    try {
      const base = await throughHandle(handle, place.at);
      const names = await this.#namesIn(base).catch((error: unknown) => {
        throw bad(`Folder '${shown(place.path)}' ${whyNot(error)}.`);
      });
      const below: Place[] = [];
      for (const name of names) {
        this.#signal.throwIfAborted();
        const path = joinPath(place.path, name);
        // What the reading of names puts for bytes that are no text; the name itself could not be opened.
        if (name.includes('\ufffd')) throw bad(`The name of '${shown(path)}' is not UTF-8. Rename it.`);
        const there = { at: join(base, name), path, stat: await statOf(join(base, name), path) };
        if (there.stat.isDirectory()) below.push(there);
        else await this.#file(there);
        if (this.cut) return;
      }
      for (const there of below) {
        if (this.#folders > this.#limits.files) this.cut = true;
        if (this.cut) return;
        await this.folder(there);
      }
      await checkUnmoved(place, base);
    } finally {
      await handle.close();
    }
  }

  /** In byte order; of more than can be files and folders of a skill some are left out. */
  async #namesIn(base: string): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { name } of await opendir(base, { bufferSize: NAMES_AT_ONCE })) {
      if (isPassedOver(name)) continue;
      if (names.length > 2 * this.#limits.files) {
        this.cut = true;
        break;
      }
      names.push(name);
    }
    return names.sort(compareUtf8);
  }

  async #file(place: Place): Promise<void> {
    if (this.files.length >= this.#limits.files) {
      this.cut = true;
    } else if (place.stat.isSymbolicLink()) {
      this.files.push(await linkAt(place));
    } else if (place.stat.isFile()) {
      const left = Math.max(0, this.#limits.allBytes - this.#bytes);
      const file = await fileAt(place, Math.min(this.#limits.fileBytes, left));
      this.#bytes += file.size;
      this.files.push(file);
    } else {
      throw bad(`'${shown(place.path)}' is neither a file nor a folder, but a pipe, socket or device.`);
    }
  }
}

async function linkAt({ at, path }: Place): Promise<LocalFile> {
  const target = await readlink(at).catch((error: unknown) => {
    throw bad(`Link '${shown(path)}' ${whyNot(error)}.`);
  });
  if (target.includes('\ufffd')) throw bad(`The target of the link '${shown(path)}' is not UTF-8.`);
  const bytes = new TextEncoder().encode(target);
  return { path, mode: '120000', size: bytes.length, bytes };
}

async function fileAt(place: Place, maxBytes: number): Promise<LocalFile> {
  const handle = await openSame(place, SAFELY);
  try {
    const mode = (place.stat.mode & OWNER_EXECUTES) === 0n ? '100644' : '100755';
    const size = Number(place.stat.size);
    if (size > maxBytes) return { path: place.path, mode, size, bytes: null };
    const bytes = await readAll(handle, size, maxBytes);
    return { path: place.path, mode, size: bytes?.length ?? maxBytes + 1, bytes };
  } catch (error) {
    throw error instanceof RegistryError ? error : bad(`File '${shown(place.path)}' ${whyNot(error)}.`);
  } finally {
    await handle.close();
  }
}

/** To its end, which a file that is being written moves; null when that is beyond `maxBytes`. */
async function readAll(handle: FileHandle, expected: number, maxBytes: number): Promise<Uint8Array | null> {
  // One byte more than is expected, so that the end is seen without another buffer.
  let bytes = new Uint8Array(expected + 1);
  for (let size = 0; ; ) {
    const { bytesRead } = await handle.read(bytes, size, bytes.length - size, null);
    if (bytesRead === 0) return bytes.subarray(0, size);
    size += bytesRead;
    if (size > maxBytes) return null;
    if (size < bytes.length) continue;
    const larger = new Uint8Array(Math.min(2 * size, maxBytes) + 1);
    larger.set(bytes);
    bytes = larger;
  }
}

/** Opens what was listed, and refuses what has been put in its place since. */
async function openSame({ at, path, stat }: Place, flags: number): Promise<FileHandle> {
  const handle = await open(at, flags).catch((error: unknown) => {
    throw isSwap(error) ? swapped(path) : bad(`'${shown(path)}' ${whyNot(error)}.`);
  });
  const opened = await handle.stat({ bigint: true });
  if (isSame(opened, stat)) return handle;
  await handle.close();
  throw swapped(path);
}

/**
 * A path that names what is open, whatever the folders above it have become. Linux has one; elsewhere it is the path
 * itself, and `checkUnmoved` looks again when the folder has been read.
 */
async function throughHandle(handle: FileHandle, at: string): Promise<string> {
  const through = `/proc/self/fd/${handle.fd}`;
  return process.platform === 'linux' && (await lstat(through).catch(() => null)) !== null ? through : at;
}

async function checkUnmoved({ at, path, stat }: Place, base: string): Promise<void> {
  if (base === at && !isSame(await statOf(at, path), stat)) throw swapped(path);
}

async function statOf(at: string, path: string) {
  return lstat(at, { bigint: true }).catch((error: unknown) => {
    throw bad(`'${shown(path)}' ${whyNot(error)}.`);
  });
}

function isSame(a: Stat, b: Stat): boolean {
  return a.dev === b.dev && a.ino === b.ino && (a.mode & TYPE) === (b.mode & TYPE);
}

const TYPE = BigInt(constants.S_IFMT);

function isSwap(error: unknown): boolean {
  return ['ELOOP', 'EMLINK', 'ENOTDIR', 'ENOENT'].includes(errorCode(error));
}

function swapped(path: string): RegistryError {
  return bad(`'${shown(path === '' ? '.' : path)}' was replaced while the folder was read. Publish again.`);
}

function whyNot(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user';
    default:
      return `cannot be read (${errorCode(error)})`;
  }
}

function bad(message: string): RegistryError {
  return new RegistryError('invalid', message);
}
