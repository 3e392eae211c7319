// Runs the user's git as a hardened process: no prompts, no hooks, no lazy fetch, bounded, killed as a group.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import {
  baseEnvironment,
  type ConfigMode,
  hardening,
  type SecretSettings,
  secretSettings,
} from './lib/environment.ts';
import type { GitRepository } from './repository.ts';

export type GitErrorKind =
  | 'missing'
  | 'timeout'
  | 'too_large'
  | 'cancelled'
  | 'unsupported'
  /** The disk is. */
  | 'full'
  | 'failed';

/** Git did not do what was asked. `stderr` is for the operator's log at most: it is never shown to a client. */
export class GitError extends Error {
  readonly kind: GitErrorKind;
  /** null when git was killed or never ran. */
  readonly exitCode: number | null;
  /** The last MAX_STDERR_BYTES that git printed. */
  readonly stderr: string;
  constructor(kind: GitErrorKind, message: string, exitCode: number | null = null, stderr = '') {
    super(message);
    this.name = 'GitError';
    this.kind = kind;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface GitOptions {
  /** The repository to work in; without one git looks for it from `cwd`. */
  readonly repo?: GitRepository;
  readonly cwd?: string;
  /** `anonymous` (default) sees no configuration and no credentials of the user; `user` sees both. */
  readonly config?: ConfigMode;
  /** Transports git may use (`https`, `ssh`, …). None by default: a read can never turn into a fetch. */
  readonly protocols?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Configuration that is for nobody to see: handed over in the environment, never in argv. */
  readonly secrets?: SecretSettings;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

export interface RunOptions extends GitOptions {
  readonly input?: Uint8Array | string;
  /** Bytes of output after which git is killed. */
  readonly maxBytes?: number;
}

/** A git process whose streams are read and written by the caller. */
export interface GitProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly child: ChildProcess;
  /** Settles when git has ended and its output is closed; rejects with a GitError. */
  readonly done: Promise<void>;
  /** Ends git and everything it started; `done` rejects with this kind. */
  stop(kind: GitErrorKind): void;
}

export const DEFAULT_TIMEOUT_MS = 60_000;
export const MAX_OUTPUT_BYTES = 256 * 1024 ** 2;
const MAX_STDERR_BYTES = 4096;
/** How long git may take to clean up after SIGTERM. */
const GRACE_MS = 2_000;
const OLDEST = [2, 39] as const;

const running = new Set<ChildProcess>();

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    // Git is the leader of its own group: transports and index-pack go with it.
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

process.once('exit', () => {
  for (const child of running) signalGroup(child, 'SIGTERM');
});

const MESSAGES: Record<GitErrorKind, string> = {
  missing: 'git was not found: install git 2.39 or later and put it on PATH',
  timeout: 'git took too long',
  too_large: 'git gave more output than is allowed',
  cancelled: 'git was cancelled',
  unsupported: 'git cannot do this here',
  full: 'no space is left on the disk',
  failed: 'git failed',
};

function subcommand(args: readonly string[]): string | undefined {
  return args.find((arg, i) => arg !== '-c' && args[i - 1] !== '-c');
}

/** What git says of this machine's disk, not of the one at the other end. */
const DISK_FULL = /^(?!remote: ).*(?:No space left on device|Disk quota exceeded|Out of diskspace)/m;

/** Starts git without a look at its version. `args` begin with the subcommand. */
function launch(args: readonly string[], options: GitOptions): GitProcess {
  const config = options.config ?? 'anonymous';
  const base = baseEnvironment(config, process.env);
  const child = spawn('git', [...hardening(config, options.protocols ?? []), ...args], {
    cwd: options.cwd,
    env: {
      ...base,
      ...secretSettings(base, options.secrets ?? {}),
      ...(options.repo ? { GIT_DIR: options.repo.gitDir, ...options.repo.env } : {}),
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  running.add(child);
  const { stdin, stdout, stderr } = child;
  let tail = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-MAX_STDERR_BYTES);
  });
  // Git may end before it has read everything; its exit code says what happened.
  stdin.on('error', () => {});

  let stopped: GitErrorKind | undefined;
  const stop = (kind: GitErrorKind) => {
    if (stopped !== undefined || !running.has(child)) return;
    stopped = kind;
    signalGroup(child, 'SIGTERM');
    setTimeout(() => running.has(child) && signalGroup(child, 'SIGKILL'), GRACE_MS).unref();
    stdout.destroy();
  };
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      running.delete(child);
      reject(
        // A working directory that is gone reads like a program that is not there.
        error.code === 'ENOENT' && (options.cwd === undefined || existsSync(options.cwd))
          ? new GitError('missing', MESSAGES.missing)
          : new GitError('failed', MESSAGES.failed, null, error.message),
      );
    });
    child.once('close', (code) => {
      running.delete(child);
      if (stopped !== undefined) reject(new GitError(stopped, MESSAGES[stopped], code, tail));
      else if (code !== 0 && DISK_FULL.test(tail)) reject(new GitError('full', MESSAGES.full, code, tail));
      else if (code !== 0)
        reject(new GitError('failed', `${MESSAGES.failed} (${subcommand(args)})`, code, tail));
      else resolve();
    });
  });
  const onAbort = () => stop('cancelled');
  const timer =
    options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), options.timeoutMs);
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted) stop('cancelled');
  const settled = () => {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  };
  done.then(settled, settled);
  return { stdin, stdout, child, done, stop };
}

async function collect(git: GitProcess, input: Uint8Array | string | undefined, maxBytes: number) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  git.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) git.stop('too_large');
    else chunks.push(chunk);
  });
  git.stdin.end(input ?? '');
  await git.done;
  return Buffer.concat(chunks);
}

let version: Promise<string> | undefined;

/** The version of the git on PATH, asked once. Throws GitError `missing` when there is none or it is too old. */
export function gitVersion(): Promise<string> {
  version ??= collect(launch(['version'], {}), undefined, MAX_STDERR_BYTES).then((text) =>
    checkVersion(text.toString()),
  );
  version.catch(() => {
    version = undefined;
  });
  return version;
}

/** Reads `git version 2.39.5 (…)`. Throws GitError `missing`. */
export function checkVersion(text: string): string {
  const match = /(\d+)\.(\d+)(?:\.\d+)*/.exec(text);
  const [major, minor] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
    throw new GitError(
      'missing',
      `git ${match?.[0] ?? '(unknown version)'} is too old: install git 2.39 or later`,
    );
  return match[0];
}

/** Starts git for streaming; `args` begin with the subcommand. */
export async function startGit(args: readonly string[], options: GitOptions = {}): Promise<GitProcess> {
  await gitVersion();
  return launch(args, options);
}

/** Runs git to its end and returns what it printed. Throws GitError. */
export async function runGit(args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
  const git = await startGit(args, { timeoutMs: DEFAULT_TIMEOUT_MS, ...options });
  return collect(git, options.input, options.maxBytes ?? MAX_OUTPUT_BYTES);
}
