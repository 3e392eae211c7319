// Real folders for tests, with a git repository in them or not.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type FolderEntry = string | Uint8Array | { symlink: string } | { executable: string } | null;

export interface TestFolder {
  readonly dir: string;
  /** Writes files; null removes one, and whatever is below it. */
  write(files: Readonly<Record<string, FolderEntry>>): void;
  /** Runs git in the folder and returns what it printed, trimmed. */
  git(...args: string[]): string;
  /** `git add -A` and a commit; returns its hash. */
  commit(): string;
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
};

const folders = new Set<TestFolder>();
process.once('exit', () => {
  for (const made of folders) made.remove();
});

/** A folder called `name` in a folder of its own, removed when the process ends or by `remove()`. */
export function folder(files: Readonly<Record<string, FolderEntry>> = {}, name = 'folder'): TestFolder {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'skillquay-folder-')));
  const dir = join(parent, name);
  mkdirSync(dir);
  const made: TestFolder = {
    dir,
    write(files) {
      for (const [path, entry] of Object.entries(files)) {
        const full = join(dir, path);
        if (entry === null || (typeof entry === 'object' && 'symlink' in entry))
          rmSync(full, { recursive: true, force: true });
        if (entry === null) continue;
        mkdirSync(dirname(full), { recursive: true });
        if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(full, entry);
        else if ('symlink' in entry) symlinkSync(entry.symlink, full);
        else {
          writeFileSync(full, entry.executable);
          chmodSync(full, 0o755);
        }
      }
    },
    git(...args) {
      const done = spawnSync('git', args, { cwd: dir, env: ENV });
      if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr.toString()}`);
      return done.stdout.toString().trimEnd();
    },
    commit() {
      made.git('add', '-A');
      made.git('commit', '--quiet', '--allow-empty', '-m', 'change');
      return made.git('rev-parse', 'HEAD');
    },
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
  folders.add(made);
  made.write(files);
  return made;
}

/** The same, with a repository in it and everything committed. */
export function checkout(files: Readonly<Record<string, FolderEntry>> = {}, name = 'checkout'): TestFolder {
  const made = folder(files, name);
  made.git('init', '--quiet', '--initial-branch=main');
  made.commit();
  return made;
}
