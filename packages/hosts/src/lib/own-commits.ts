// The own-commit rule: only commits in the history of the default branch are served. Source: spec, "What may be served".
import { appendFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exists } from '@skillquay/git/bare';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import { GitError, runGit } from '@skillquay/git/process';
import type { GitRepository } from '@skillquay/git/repository';

/** Repositories that have the commits up to `head`. Throws HostError. */
export interface History {
  /** The newest of them, where that is cheaper to have; kept while `use` runs. */
  readonly recent?: <T>(head: string, use: (repo: GitRepository) => Promise<T>) => Promise<T>;
  readonly whole: (head: string) => Promise<GitRepository>;
}

/** Objects that begin alike and are looked at; in any real history few do. */
const MAX_CANDIDATES = 50;

export class OwnCommits {
  readonly #file: string;
  readonly #history: History;
  #passed: Promise<Set<string>> | undefined;

  /** `file` keeps what has passed, a hash a line. */
  constructor(file: string, history: History) {
    this.#file = file;
    this.#history = history;
  }

  /** Whether it passed once: it is never asked again. */
  async known(commit: string): Promise<boolean> {
    return (await this.#load()).has(commit);
  }

  /** Whether it is `head` or an ancestor of it. */
  async includes(commit: string, head: string): Promise<boolean> {
    if (commit !== head && !(await this.#leadsTo(commit, head))) return false;
    const passed = await this.#load();
    if (passed.has(commit)) return true;
    passed.add(commit);
    await makePrivateFolder(dirname(this.#file));
    await appendFile(this.#file, `${commit}\n`);
    return true;
  }

  /** The one commit of that history whose hash begins like this; null when there is none, or several. */
  async find(prefix: string, head: string): Promise<string | null> {
    // All of it: an old commit may begin alike.
    const repo = await this.#history.whole(head);
    const listed = await runGit(['rev-parse', `--disambiguate=${prefix.toLowerCase()}`], { repo });
    const candidates = listed.toString().split('\n').filter(Boolean).slice(0, MAX_CANDIDATES);
    const own: string[] = [];
    for (const candidate of candidates) if (await isAncestor(repo, candidate, head)) own.push(candidate);
    return own.length === 1 ? (own[0] ?? null) : null;
  }

  async #leadsTo(commit: string, head: string): Promise<boolean> {
    const found = await this.#history.recent?.(head, async (repo) => {
      // Looked at before git is asked: another process may remove the store meanwhile.
      const cutOff = await exists(join(repo.gitDir, 'shallow'));
      if (await isAncestor(repo, commit, head)) return true;
      return cutOff || !(await exists(join(repo.gitDir, 'HEAD'))) ? null : false;
    });
    return found ?? isAncestor(await this.#history.whole(head), commit, head);
  }

  #load(): Promise<Set<string>> {
    this.#passed ??= readFile(this.#file, 'latin1').then(
      // A line that a crash cut short is no hash.
      (text) => new Set(text.split('\n').filter((line) => /^[0-9a-f]{40}$/.test(line))),
      () => new Set<string>(),
    );
    return this.#passed;
  }
}

async function isAncestor(repo: GitRepository, commit: string, head: string): Promise<boolean> {
  try {
    await runGit(['merge-base', '--is-ancestor', '--end-of-options', commit, head], { repo });
    return true;
  } catch (error) {
    // 1: it is not. 128: there is no such commit here. Both read alike.
    if (error instanceof GitError && error.kind === 'failed') return false;
    throw error;
  }
}
