// One `git cat-file --batch` that stays: single reads without the price of a process each.
import { GitError, type GitProcess, startGit } from '../process.ts';
import type { GitRepository } from '../repository.ts';
import { BatchParser, NO_OBJECT } from './batch-parser.ts';

export interface ObjectReader {
  /** The bytes of a blob (40 hex digits); null when it is missing. Throws GitError, `too_large` above the bound. */
  read(oid: string): Promise<Buffer | null>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** Bytes of the largest blob that is handed out. */
  readonly maxBytes?: number;
  /** Milliseconds without a read after which the process ends; the next read starts another. */
  readonly idleMs?: number;
}

const MAX_READ_BYTES = 64 * 1024 ** 2;
const IDLE_MS = 30_000;
const OID = /^[0-9a-f]{40}$/;

interface Waiting {
  readonly oid: string;
  readonly resolve: (content: Buffer | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Opens `repo` for reads one at a time. Nothing is started before the first. */
export function openObjects(repo: GitRepository, options: ReaderOptions = {}): ObjectReader {
  const maxBytes = options.maxBytes ?? MAX_READ_BYTES;
  const idleMs = options.idleMs ?? IDLE_MS;
  const queue: Waiting[] = [];
  /** Set while a process starts or runs; `running` only once it takes input. */
  let starting: Promise<void> | undefined;
  let running: GitProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function settle(parser: BatchParser): void {
    const first = queue.shift();
    if (parser.content !== null) first?.resolve(Buffer.from(parser.content));
    else if (parser.size === NO_OBJECT) first?.resolve(null);
    else first?.reject(new GitError('too_large', `an object of ${parser.size} bytes is too large to read`));
  }

  /** One process, from its start to its end. */
  async function serve(): Promise<void> {
    const parser = new BatchParser(maxBytes);
    let answered = 0;
    let failure: GitError | undefined;
    try {
      const git = await startGit(['cat-file', '--batch'], { repo });
      running = git;
      git.stdout.on('data', (chunk: Buffer) => {
        parser.feed(chunk);
        while (parser.next()) {
          answered++;
          settle(parser);
        }
        if (queue.length === 0) rest(git);
      });
      for (const waiting of queue) git.stdin.write(`${waiting.oid}\n`);
      if (closed) git.stop('cancelled');
      await git.done;
    } catch (error) {
      failure = error instanceof GitError ? error : new GitError('failed', String(error));
    }
    running = undefined;
    starting = undefined;
    if (queue.length === 0) return;
    if (closed || (failure && failure.kind !== 'failed')) {
      for (const waiting of queue.splice(0)) waiting.reject(failure);
      return;
    }
    if (answered === 0 && failure) {
      // Git ends at an object it cannot read, with an exit code; without one it was killed.
      const first = queue.shift();
      if (failure.exitCode !== null) first?.resolve(null);
      else first?.reject(failure);
    }
    if (queue.length > 0) starting = serve();
  }

  function rest(git: GitProcess): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (queue.length === 0) git.stdin.end();
    }, idleMs);
  }

  return {
    read(oid) {
      if (closed) return Promise.reject(new GitError('cancelled', 'the reader is closed'));
      if (!OID.test(oid)) return Promise.resolve(null);
      clearTimeout(idle);
      return new Promise((resolve, reject) => {
        queue.push({ oid, resolve, reject });
        // A process that is still starting takes the whole queue once it is up.
        if (running) running.stdin.write(`${oid}\n`);
        else starting ??= serve();
      });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      running?.stop('cancelled');
      await starting;
    },
  };
}
