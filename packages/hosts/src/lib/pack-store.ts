// A bare repository that fetched packs are moved into whole: many processes may fill it, a crash leaves nothing half.
import { mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { bareRepository, exists } from '@skillquay/git/bare';
import { makeFolder } from '@skillquay/git/make-folder';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import { GitError, type GitOptions, type GitProcess, runGit, startGit } from '@skillquay/git/process';
import { alive } from '@skillquay/git/process-alive';
import type { GitRepository } from '@skillquay/git/repository';

/** How a repository is reached. */
export interface Transport {
  /** Without a password. */
  readonly url: string;
  readonly options: Pick<GitOptions, 'config' | 'protocols' | 'secrets'>;
}

export interface StoreLimits {
  /** Bytes that one fetch may bring. */
  readonly maxFetchBytes: number;
  readonly fetchTimeoutMs: number;
}

export interface FetchPlan {
  /** A full hash, or the full name of a ref. */
  readonly want: string;
  /** The commit that must be there afterwards; kept under a ref of its own. */
  readonly keep: string;
  /** How many commits of its history, itself included; null = all. */
  readonly depth: number | null;
  /** Commits without their trees and blobs. */
  readonly commitsOnly: boolean;
}

/** Commits offered to the host as known. The newest are the ones that make a fetch small. */
const MAX_OFFERED = 32;
const WATCH_MS = 250;
/** A fetch of another machine that shares the store is given up after this. */
const ABANDONED_MS = 86_400_000;
const KEPT = 'refs/snap';

export class PackStore {
  readonly #dir: string;
  readonly #limits: StoreLimits;
  #ready: Promise<GitRepository> | undefined;
  /** Commits that were looked for and are here: a marker may outlive its pack, but not under our eyes. */
  readonly #seen = new Set<string>();

  constructor(dir: string, limits: StoreLimits) {
    this.#dir = dir;
    this.#limits = limits;
  }

  /** The repository to read from; made when it is first asked for, and again where all of it was given up. */
  async repository(): Promise<GitRepository> {
    const known = this.#ready;
    if (known !== undefined) {
      const repo = await known;
      if (await exists(join(repo.gitDir, 'HEAD'))) return repo;
      if (this.#ready === known) this.#ready = undefined;
      this.#seen.clear();
    }
    this.#ready ??= this.#prepare();
    this.#ready.catch(() => {
      this.#ready = undefined;
    });
    return this.#ready;
  }

  /** Whether what this plan would bring is here. */
  async has({ keep, commitsOnly }: FetchPlan): Promise<boolean> {
    const store = await this.repository();
    const marker = join(store.gitDir, KEPT, keep);
    if (!(await exists(marker))) return false;
    if (this.#seen.has(keep)) return true;
    const [present] = await presentOf(store, [keep], commitsOnly);
    if (present === undefined) await rm(marker, { force: true });
    else this.#seen.add(keep);
    return present !== undefined;
  }

  /**
   * Fetches in a repository of its own that borrows from the store, then moves what came. False when `keep` is
   * no commit. Throws GitError.
   */
  async fetch(transport: Transport, plan: FetchPlan, signal: AbortSignal): Promise<boolean> {
    const store = await this.repository();
    const temporary = await mkdtemp(join(this.#dir, `fetch-${hostname()}-${process.pid}-`));
    try {
      const work = await bareRepository(join(temporary, 'git'), join(store.gitDir, 'objects'));
      await this.#offer(store, work, plan);
      const git = await startGit(fetchArguments(transport, plan), {
        ...transport.options,
        repo: work,
        signal,
        timeoutMs: this.#limits.fetchTimeoutMs,
      });
      git.stdin.end();
      git.stdout.resume();
      await this.#bounded(git, join(work.gitDir, 'objects/pack'));
      const type = await runGit(['cat-file', '-t', plan.keep], { repo: work });
      if (type.toString() !== 'commit\n') return false;
      await publish(join(work.gitDir, 'objects/pack'), join(store.gitDir, 'objects/pack'));
      // Where history was cut off, git must know when it walks along it.
      if (plan.commitsOnly && (await exists(join(work.gitDir, 'shallow'))))
        await rename(join(work.gitDir, 'shallow'), join(store.gitDir, 'shallow'));
      await this.#keep(store, plan.keep);
      return true;
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  async #prepare(): Promise<GitRepository> {
    await makePrivateFolder(this.#dir);
    await this.#sweep();
    return bareRepository(join(this.#dir, 'git'));
  }

  /** Removes what processes that no longer run left behind. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#dir)) {
      const made = /^fetch-(.*)-(\d+)-[^-]*$/.exec(name);
      if (!made) continue;
      const path = join(this.#dir, name);
      const dead = made[1] === hostname() && !alive(Number(made[2]));
      const facts = await stat(path).catch(() => null);
      if (dead || (facts && Date.now() - facts.mtimeMs > ABANDONED_MS))
        // The git that it had started may still write there, or make it again: then the next one comes by.
        await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    }
  }

  /** Tells git which commits it has: that is what makes the next fetch small. */
  async #offer(store: GitRepository, work: GitRepository, plan: FetchPlan): Promise<void> {
    const { depth, commitsOnly } = plan;
    // Content has no parents here, and a host that is asked for a whole history would leave theirs out.
    if (depth === null && !commitsOnly) return;
    const dir = join(store.gitDir, KEPT);
    const names = await readdir(dir).catch(() => []);
    const commits = names.filter((name) => /^[0-9a-f]{40}$/.test(name));
    const aged = await Promise.all(
      commits.map(async (name) => ({
        name,
        at: (await stat(join(dir, name)).catch(() => null))?.mtimeMs ?? 0,
      })),
    );
    const newest = aged.sort((a, b) => b.at - a.at).slice(0, MAX_OFFERED);
    const offered = await presentOf(
      store,
      newest.map(({ name }) => name),
      commitsOnly,
    );
    if (offered.length === 0) return;
    await writeFile(
      join(work.gitDir, 'packed-refs'),
      offered.map((name) => `${name} ${KEPT}/${name}\n`).join(''),
    );
    // Their parents are not here; without saying so the host would take them for known.
    if (depth !== null)
      await writeFile(join(work.gitDir, 'shallow'), offered.map((name) => `${name}\n`).join(''));
  }

  async #bounded(git: GitProcess, packs: string): Promise<void> {
    const watch = setInterval(async () => {
      if ((await sizeOf(packs)) > this.#limits.maxFetchBytes) git.stop('too_large');
    }, WATCH_MS);
    try {
      await git.done;
    } finally {
      clearInterval(watch);
    }
    if ((await sizeOf(packs)) > this.#limits.maxFetchBytes)
      throw new GitError('too_large', 'the repository is larger than is fetched');
  }

  async #keep(store: GitRepository, commit: string): Promise<void> {
    const dir = join(store.gitDir, KEPT);
    await makeFolder(dir);
    const temporary = join(this.#dir, `keep-${commit}-${process.pid}`);
    const file = await open(temporary, 'w');
    await file.writeFile(`${commit}\n`);
    await file.sync();
    await file.close();
    await rename(temporary, join(dir, commit));
  }
}

function fetchArguments(transport: Transport, plan: FetchPlan): string[] {
  // The remote stands in the arguments only. In a configuration file it would make later reads of a missing
  // object fetch it.
  const remote = [
    ['url', transport.url],
    ...(plan.commitsOnly
      ? ([
          ['promisor', 'true'],
          ['partialclonefilter', 'tree:0'],
        ] as const)
      : []),
  ].flatMap(([name, value]) => ['-c', `remote.skillquay.${name}=${value}`]);
  return [
    ...remote,
    '-c',
    'fetch.unpackLimit=1',
    // Git would offer every ref of the store it borrows from, also those whose parents are not there.
    '-c',
    'core.alternateRefsPrefixes=refs/none/',
    '-c',
    'http.lowSpeedLimit=1000',
    '-c',
    'http.lowSpeedTime=60',
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    ...(plan.depth === null ? [] : [`--depth=${plan.depth}`]),
    ...(plan.commitsOnly ? ['--filter=tree:0'] : []),
    'skillquay',
    `+${plan.want}:refs/fetched`,
  ];
}

/** Those of the commits that are here with their trees, or by themselves. */
async function presentOf(
  repo: GitRepository,
  commits: readonly string[],
  commitsOnly: boolean,
): Promise<string[]> {
  if (commits.length === 0) return [];
  const input = commits.map((commit) => `${commit}^{${commitsOnly ? 'commit' : 'tree'}}\n`).join('');
  const answers = (await runGit(['cat-file', '--batch-check=%(objecttype)'], { repo, input })).toString();
  const types = answers.split('\n');
  return commits.filter((_, i) => types[i] === 'commit' || types[i] === 'tree');
}

/** Moves packs from one repository to another; the index comes last, because it is what makes git see a pack. */
async function publish(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => name.startsWith('pack-'));
  const last = (name: string) => Number(name.endsWith('.idx'));
  for (const name of names.sort((a, b) => last(a) - last(b))) await rename(join(from, name), join(to, name));
}

async function sizeOf(dir: string): Promise<number> {
  const names = await readdir(dir).catch(() => []);
  const sizes = await Promise.all(names.map((name) => stat(join(dir, name)).catch(() => null)));
  return sizes.reduce((sum, facts) => sum + (facts?.size ?? 0), 0);
}
