// The other end of a git backend: where its branches are, fetching one commit of it, pushing one.
import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GitError, type GitOptions, type RunOptions, runGit } from '@skillquay/git/process';
import { decoded, looksLikeToken, userOf, userRemote } from '@skillquay/git/user-remote';
import { isGitId } from '../git-id.ts';
import { isPassing } from './git-failure.ts';
import type { Workspace } from './git-store.ts';
import { ownHooks } from './own-hooks.ts';

const ASK_MS = 60_000;
const TRANSFER_MS = 300_000;
/** Milliseconds before what a host failed at is asked for again. */
const WAITS_MS = [500, 1_000];
/** Characters of a user name below which it is not looked for in what a host says. */
const SHORT_NAME = 8;

/** Nobody is there to be asked. */
const QUIET = { SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' };
/** A fetch comes as a whole pack or not at all. */
const WHOLE_PACKS = ['-c', 'fetch.unpackLimit=1', '-c', 'transfer.unpackLimit=1'];

/**
 * Written for sh, which git starts it with where it is on this machine, and which no `-c` reaches. Reading asks not who
 * owns a repository, and fetches nothing it lacks from where the repository says.
 */
const LOCAL_READING = ["--upload-pack=git -c 'safe.directory=*' -c protocol.allow=never upload-pack"];

export interface Refs {
  /** What HEAD points to, as `refs/heads/…`; null where the host does not say. */
  readonly head: string | null;
  /** Commit by name. */
  readonly refs: ReadonlyMap<string, string>;
}

export class GitRemote {
  readonly #url: string;
  readonly #options: GitOptions;
  readonly #isLocal: boolean;
  readonly #reading: readonly string[];
  /** Host, and account where the URL names one: `example.com as ann`. '' for a folder. */
  readonly asked: string;
  /** A user is in the URL, to be let in as. */
  readonly given: boolean;
  /** What a user without a colon was taken for, where it may be something else. */
  readonly taken: 'name' | 'token' | null;
  /** The password or token in the URL, and what is made of it. */
  readonly secrets: readonly string[];

  constructor(url: string) {
    const remote = userRemote(url);
    this.#url = remote.url;
    this.#options = { ...remote.options, env: { ...QUIET, ...remote.options.env } };
    this.#isLocal = /^file:/i.test(url);
    this.#reading = this.#isLocal ? LOCAL_READING : [];
    this.asked = askedOf(url);
    this.given = remote.options.secrets !== undefined;
    this.taken = takenFor(url);
    this.secrets = secretsOf(url);
  }

  /** Where these refs are; all branches where none is named. Throws GitError. */
  async refs(work: Workspace, names: readonly string[], signal: AbortSignal): Promise<Refs> {
    const which = names.length === 0 ? ['--heads'] : [];
    const text = await this.#run(
      ['ls-remote', '--quiet', '--symref', ...this.#reading, ...which, '--', this.#url, ...names],
      {
        repo: work.repo,
        signal,
        timeoutMs: ASK_MS,
      },
    );
    const refs = new Map<string, string>();
    let head: string | null = null;
    for (const line of text.toString().split('\n')) {
      const [value = '', name = ''] = line.split('\t');
      if (name === 'HEAD' && value.startsWith('ref: ')) head = value.slice('ref: '.length);
      else if (isGitId(value)) refs.set(name, value);
    }
    return { head, refs };
  }

  /**
   * The branch that a HEAD without a commit points to, null where the host does not say: only a clone is told, and it
   * makes one up where it is not. Throws GitError.
   */
  async unbornHead(work: Workspace, signal: AbortSignal): Promise<string | null> {
    const clone = join(work.repo.gitDir, 'unborn');
    const madeUp = `made-up-${randomBytes(8).toString('hex')}`;
    const told = ['-c', 'protocol.version=2', '-c', `init.defaultBranch=${madeUp}`];
    const how = [
      '--bare',
      '--quiet',
      '--template=',
      '--depth=1',
      '--single-branch',
      '--no-tags',
      ...this.#reading,
    ];
    try {
      await this.#run([...told, 'clone', ...how, '--', this.#url, clone], { signal, timeoutMs: ASK_MS });
      const head = await readFile(join(clone, 'HEAD'), 'utf8');
      const branch = /^ref: refs\/heads\/(.+)\n$/.exec(head)?.[1] ?? null;
      return branch === madeUp ? null : branch;
    } finally {
      await rm(clone, { recursive: true, force: true }).catch(() => {});
    }
  }

  /** Brings the files of the commit that a ref is at and returns its id. Throws GitError. */
  async fetch(work: Workspace, ref: string, signal: AbortSignal): Promise<string> {
    const { repo } = work;
    const local = 'refs/fetched';
    const fetch = (how: readonly string[]) =>
      this.#run(
        [
          ...WHOLE_PACKS,
          'fetch',
          '--quiet',
          '--no-tags',
          '--no-prune',
          '--no-write-fetch-head',
          '--no-write-commit-graph',
          ...this.#reading,
          ...how,
          '--',
          this.#url,
          `+${ref}:${local}`,
        ],
        { repo, signal, timeoutMs: TRANSFER_MS },
      );
    for (const [i, commit] of work.commits.entries())
      await runGit(['update-ref', `refs/kept/${i}`, commit], { repo, signal });
    try {
      await fetch(['--depth=1']);
    } catch (error) {
      if (!(error instanceof GitError) || !/shallow|deepen/.test(error.stderr)) throw error;
      // All of the history, from a host that gives nothing less; what is kept of it has none.
      await rm(join(repo.gitDir, 'shallow'), { force: true });
      await rm(join(repo.gitDir, 'refs/kept'), { recursive: true, force: true });
      await fetch([]);
    }
    const id = await runGit(['rev-parse', '--verify', `${local}^{commit}`], { repo, signal });
    return id.toString().trim();
  }

  /** Moves one ref, if it is where it is expected (null: nowhere). Throws GitError. */
  async push(
    work: Workspace,
    move: { readonly ref: string; readonly from: string | null; readonly to: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { ref, from, to } = move;
    const lease = `--force-with-lease=${ref}:${from ?? ''}`;
    const alone = ['--no-follow-tags', '--no-signed', '--no-verify', '--recurse-submodules=no'];
    const hooks = this.#isLocal ? await ownHooks(this.#url, work, signal) : [];
    await this.#run(
      [
        'push',
        '--quiet',
        ...hooks,
        ...alone,
        '--no-force-if-includes',
        lease,
        '--',
        this.#url,
        `${to}:${ref}`,
      ],
      { repo: work.repo, signal, timeoutMs: TRANSFER_MS },
    );
  }

  /** Each of these may be done twice: a push that was done has moved the ref that it expects. */
  async #run(args: readonly string[], options: RunOptions): Promise<Buffer> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await runGit(args, { ...options, ...this.#options });
      } catch (error) {
        const wait = WAITS_MS[attempt];
        if (wait === undefined || !isPassing(error)) throw error;
        await delay(wait, undefined, options.signal === undefined ? {} : { signal: options.signal });
      }
    }
  }
}

/** A user name that has no password may be a token, of whatever length. */
function askedOf(url: string): string {
  const [, user = '', host = ''] =
    /^(?!file:)[a-z][a-z0-9+.-]*:\/\/(?:([^/]*)@)?([^/?#@]+)/i.exec(url) ??
    /^([^/:@]+)@([^/:]+):/.exec(url) ??
    [];
  const name = decoded(user.replace(/:.*/s, ''));
  const isAccount = /^https?:/i.test(url) ? userOf(url).secret === 'password' : name !== '';
  return isAccount && name !== '' && !looksLikeToken(name) ? `${host} as ${name}` : host;
}

function takenFor(url: string): 'name' | 'token' | null {
  const { name, secret } = userOf(url);
  if (!looksLikeToken(name) || /^https?:\/\/[^/?#]*:[^/?#]*@/i.test(url)) return null;
  return secret === null ? 'name' : 'token';
}

/** In every spelling that somebody could repeat. */
function secretsOf(url: string): string[] {
  const { name, password, secret } = userOf(url);
  // A short name is part of too many words.
  const isHidden = (text: string) => text === password || secret === 'name' || text.length >= SHORT_NAME;
  const hidden = (secret === 'password' && !looksLikeToken(name) ? [password] : [name, password]).filter(
    isHidden,
  );
  const known = hidden.filter((text) => text !== '' && text !== 'x-oauth-basic');
  const header = Buffer.from(`${name}:${password}`).toString('base64');
  const [, written = ''] = /^[a-z]+:\/\/([^/]*)@/i.exec(url) ?? [];
  const parts = written.split(/:(.*)/s).filter((part) => known.includes(decoded(part)));
  return known.length === 0 ? [] : [header, ...parts, ...known];
}
