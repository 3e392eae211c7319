// Reads objects by their hash: many in one stream, or one at a time from a process that stays.
import { BatchParser, NO_OBJECT } from './lib/batch-parser.ts';
import { bytesToHex } from './lib/hex.ts';
import { GitError, type GitProcess, startGit } from './process.ts';
import type { GitRepository } from './repository.ts';
import { OID_BYTES } from './tree.ts';

export { type ObjectReader, openObjects, type ReaderOptions } from './lib/object-reader.ts';

/** The size given for an object that is missing, unreadable, or no blob. */
export const UNKNOWN_SIZE: number = NO_OBJECT;

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** A larger blob is passed over: `content` is null and `size` says how large it is. */
  readonly maxBytes?: number;
}

/** The size of an object that is not there, where it is known all the same. */
function unkeptSize(repo: GitRepository, oids: Uint8Array, index: number): number {
  if (!repo.unkept?.size) return UNKNOWN_SIZE;
  const oid = Buffer.from(oids.subarray(index * OID_BYTES, (index + 1) * OID_BYTES)).toString('hex');
  const size = repo.unkept.get(oid);
  return size === undefined ? UNKNOWN_SIZE : Math.min(size, UNKNOWN_SIZE - 1);
}

/** One line of input, a hash in hexadecimal and a line feed. */
const LINE_BYTES = 2 * OID_BYTES + 1;
/** Hashes written to git at a time. */
const BLOCK = 1_000;

async function writeHashes(git: GitProcess, oids: Uint8Array, from: number): Promise<void> {
  const count = oids.length / OID_BYTES;
  for (let at = from; at < count; at += BLOCK) {
    const block = Buffer.alloc(Math.min(BLOCK, count - at) * LINE_BYTES, '\n');
    for (let i = 0; i * LINE_BYTES < block.length; i++)
      bytesToHex(oids, (at + i) * OID_BYTES, block, i * LINE_BYTES, OID_BYTES);
    if (git.stdin.destroyed) return;
    if (!git.stdin.write(block)) {
      await new Promise<void>((resolve) => {
        const go = () => {
          git.stdin.off('drain', go).off('close', go);
          resolve();
        };
        git.stdin.on('drain', go).on('close', go);
      });
    }
  }
  git.stdin.end();
}

/**
 * Runs `args` over the hashes from `from` on and hands each record on. Returns how many were answered and, where
 * git broke off, why. What `onRecord` throws ends git and is thrown on.
 */
async function pass(
  repo: GitRepository,
  args: readonly string[],
  oids: Uint8Array,
  from: number,
  signal: AbortSignal | undefined,
  read: (chunk: Buffer, index: number) => number | Promise<number>,
): Promise<{ next: number; error: GitError | null }> {
  const git = await startGit(args, { repo, signal });
  const ended = git.done.then(
    () => null,
    (error: unknown) => error,
  );
  let next = from;
  const writing = writeHashes(git, oids, from);
  try {
    for await (const chunk of git.stdout) next = await read(chunk, next);
  } catch (error) {
    git.stop('cancelled');
    const reason = await ended;
    // A stream destroyed from outside (a timeout, an abort) is no failure of its own.
    if (signal?.aborted && reason instanceof GitError) throw reason;
    throw error;
  }
  await writing;
  const error = await ended;
  if (error === null) return { next, error: null };
  if (!(error instanceof GitError) || error.kind !== 'failed') throw error;
  return { next, error };
}

/** Repeats passes: an object at which git breaks off without answering anything is `broken`, the rest goes on. */
async function passes(
  repo: GitRepository,
  args: readonly string[],
  oids: Uint8Array,
  signal: AbortSignal | undefined,
  reader: () => (chunk: Buffer, index: number) => number | Promise<number>,
  broken: (index: number) => void | Promise<void>,
): Promise<void> {
  const count = oids.length / OID_BYTES;
  for (let at = 0; at < count; ) {
    const { next, error } = await pass(repo, args, oids, at, signal, reader());
    if (error !== null && error.exitCode !== null && next === at) {
      await broken(at);
      at++;
    } else if (error === null && next < count) {
      throw new GitError('failed', 'git answered for fewer objects than it was asked for');
    } else if (error !== null && next === at) {
      throw error;
    } else at = next;
  }
}

/**
 * Reads `oids` (20 bytes each) in order. `onObject(i, content, size)` gets null for what is missing (`size`
 * UNKNOWN_SIZE) or too large; a promise it returns is awaited before git is read further. `content` is a view
 * of a shared chunk: copy what you keep. Throws GitError, and what `onObject` throws.
 */
export function streamObjects(
  repo: GitRepository,
  oids: Uint8Array,
  onObject: (index: number, content: Buffer | null, size: number) => void | Promise<void>,
  options: StreamOptions = {},
): Promise<void> {
  const reader = () => {
    const parser = new BatchParser(options.maxBytes ?? Number.POSITIVE_INFINITY);
    return async (chunk: Buffer, index: number) => {
      let at = index;
      parser.feed(chunk);
      while (parser.next()) {
        const size = parser.size === UNKNOWN_SIZE ? unkeptSize(repo, oids, at) : parser.size;
        const waiting = onObject(at++, parser.content, size);
        if (waiting) await waiting;
      }
      return at;
    };
  };
  return passes(repo, ['cat-file', '--batch', '--buffer'], oids, options.signal, reader, (i) =>
    onObject(i, null, UNKNOWN_SIZE),
  );
}

/** The sizes of blobs, in order; UNKNOWN_SIZE for what is missing or no blob. Throws GitError. */
export async function objectSizes(
  repo: GitRepository,
  oids: Uint8Array,
  options: Pick<StreamOptions, 'signal'> = {},
): Promise<Uint32Array> {
  const sizes = new Uint32Array(oids.length / OID_BYTES).fill(UNKNOWN_SIZE);
  const reader = () => {
    let carry = '';
    return (chunk: Buffer, index: number) => {
      const lines = (carry + chunk.toString('latin1')).split('\n');
      carry = lines.pop() ?? '';
      for (const [i, line] of lines.entries()) {
        const [, type, size] = line.split(' ');
        if (type === 'blob') sizes[index + i] = Math.min(Number(size), UNKNOWN_SIZE - 1);
      }
      return index + lines.length;
    };
  };
  await passes(repo, ['cat-file', '--batch-check', '--buffer'], oids, options.signal, reader, () => {});
  for (const [i, size] of sizes.entries()) if (size === UNKNOWN_SIZE) sizes[i] = unkeptSize(repo, oids, i);
  return sizes;
}
