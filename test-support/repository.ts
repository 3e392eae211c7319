// Real git repositories for tests: `repository({ 'skills/a/SKILL.md': '…' })`. Same content, same hashes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file's content, or what stands there instead of a regular file; null removes it in a later commit. */
export type Entry =
  | string
  | Uint8Array
  | { symlink: string }
  | { submodule: string }
  | { executable: string }
  /** A whole folder: the hash of a tree that is in the repository. */
  | { tree: string }
  | null;

/** Paths to entries; use an array of pairs for paths that are bytes. */
export type Files = Readonly<Record<string, Entry>> | ReadonlyArray<readonly [Uint8Array | string, Entry]>;

export interface TestRepository {
  /** A bare repository. */
  readonly dir: string;
  /** The commit made last. */
  readonly head: string;
  /** Adds a commit with these changes to `branch` (default `main`, from its tip) and returns its hash. */
  commit(files: Files, options?: { branch?: string; from?: string }): string;
  /** Runs git in the repository and returns what it printed, trimmed. */
  git(...args: string[]): string;
  remove(): void;
}

const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

function run(dir: string, args: readonly string[], input?: Uint8Array): string {
  const done = spawnSync('git', ['--git-dir', dir, ...args], {
    env: ENV,
    input: input ?? '',
    maxBuffer: 1024 ** 3,
  });
  if (done.error) throw done.error;
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr.toString()}`);
  return done.stdout.toString().trimEnd();
}

/** A path in fast-import's C quoting: every byte that is not plain becomes an octal escape. */
function quoted(path: Uint8Array | string): string {
  let out = '"';
  for (const byte of Buffer.from(path as Uint8Array)) {
    out +=
      byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
        ? `\\${byte.toString(8).padStart(3, '0')}`
        : String.fromCharCode(byte);
  }
  return `${out}"`;
}

function change(path: Uint8Array | string, entry: Entry): Uint8Array[] {
  if (entry === null) return [Buffer.from(`D ${quoted(path)}\n`)];
  if (typeof entry === 'object' && 'submodule' in entry)
    return [Buffer.from(`M 160000 ${entry.submodule} ${quoted(path)}\n`)];
  if (typeof entry === 'object' && 'tree' in entry)
    return [Buffer.from(`M 040000 ${entry.tree} ${quoted(path)}\n`)];
  let mode = '100644';
  let content: Uint8Array;
  if (typeof entry === 'string') content = Buffer.from(entry);
  else if (entry instanceof Uint8Array) content = entry;
  else if ('symlink' in entry) {
    mode = '120000';
    content = Buffer.from(entry.symlink);
  } else {
    mode = '100755';
    content = Buffer.from(entry.executable);
  }
  return [
    Buffer.from(`M ${mode} inline ${quoted(path)}\ndata ${content.length}\n`),
    content,
    Buffer.from('\n'),
  ];
}

/** What is to be removed when the process ends. */
const made = new Set<string>();
process.once('exit', () => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

/** Makes a bare repository with one commit of `files` on `main`; removed when the process ends or by `remove()`. */
export function repository(files: Files = {}): TestRepository {
  const dir = mkdtempSync(join(tmpdir(), 'skillquay-test-'));
  run(dir, ['init', '--quiet', '--bare', '--initial-branch=main', dir]);
  made.add(dir);
  const branches = new Set<string>();
  const repo = {
    dir,
    head: '',
    commit(files: Files, options: { branch?: string; from?: string } = {}): string {
      const branch = `refs/heads/${options.branch ?? 'main'}`;
      const from = options.from ?? (branches.has(branch) ? `${branch}^0` : undefined);
      const pairs = Array.isArray(files) ? files : Object.entries(files);
      const chunks: Uint8Array[] = [
        Buffer.from(`commit ${branch}\ncommitter Test <test@example.com> 1767225600 +0000\ndata 6\nchange\n`),
      ];
      if (from) chunks.push(Buffer.from(`from ${from}\n`));
      for (const [path, entry] of pairs as ReadonlyArray<readonly [Uint8Array | string, Entry]>)
        chunks.push(...change(path, entry));
      run(dir, ['fast-import', '--quiet', '--force'], Buffer.concat(chunks));
      branches.add(branch);
      repo.head = run(dir, ['rev-parse', branch]);
      return repo.head;
    },
    git: (...args: string[]) => run(dir, args),
    remove: () => {
      made.delete(dir);
      rmSync(dir, { recursive: true, force: true });
    },
  };
  if ((Array.isArray(files) ? files : Object.keys(files)).length > 0) repo.commit(files);
  return repo;
}
