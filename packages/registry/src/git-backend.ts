// A registry in any repository that the user's git can push to. Source: spec, The personal registry, "git".
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { GitError, runGit } from '@skillquay/git/process';
import type {
  Backend,
  CallOptions,
  Change,
  EmptyRegistry,
  Head,
  Listing,
  MissingRegistry,
} from './backend.ts';
import { RefMoved, RegistryError } from './errors.ts';
import { type IdKind, kindOfId } from './git-id.ts';
import { diskFailureText, isDiskFailure } from './lib/disk-failure.ts';
import { fastImport } from './lib/fast-import.ts';
import {
  codeOf,
  gitFailure,
  isMoved,
  isPassing,
  isRefusal,
  refusal,
  saysMissing,
} from './lib/git-failure.ts';
import { listFolder, readBlobs, runKept } from './lib/git-listing.ts';
import { GitRemote } from './lib/git-remote.ts';
import { GitStore, ShelfBroken, type Workspace } from './lib/git-store.ts';
import { type GitRegistry, shownName, withoutSecrets } from './registry-name.ts';
import { shown } from './skill-files.ts';

/** Who commits where the user's git does not say who the user is. */
const SOMEBODY = 'skill-registry-mcp <skill-registry-mcp@localhost>';

interface Tip {
  readonly branch: string;
  readonly commit: string;
}

/** Keeps what it fetches below `${cacheRoot}/git`. Nothing is asked before the first call. */
export function openGitBackend(name: GitRegistry, options: { readonly cacheRoot: string }): Backend {
  return new GitBackend(name, options.cacheRoot);
}

class GitBackend implements Backend {
  readonly name: string;
  readonly #dir: string;
  readonly #branch: string | null;
  readonly #remote: GitRemote;
  readonly #store: GitStore;
  /** As last listed; a listing of one commit never changes. */
  #listing: Listing | undefined;

  constructor(name: GitRegistry, cacheRoot: string) {
    this.name = shownName(name);
    this.#dir = name.dir;
    this.#branch = name.branch;
    this.#remote = new GitRemote(name.url);
    const key = createHash('sha256').update(withoutSecrets(name.url)).digest('hex').slice(0, 32);
    this.#store = new GitStore(join(cacheRoot, 'git', key));
  }

  check({ signal }: CallOptions): Promise<{ readonly account: null }> {
    return this.#guarded(signal, async () => {
      await this.#store.use('sha1', (work) => this.#tip(work, signal));
      return { account: null };
    });
  }

  list(call: CallOptions): Promise<Listing | EmptyRegistry | MissingRegistry> {
    const { signal } = call;
    return this.#guarded(signal, async () => {
      const tip = await this.#store.use('sha1', (work) => this.#tip(work, signal));
      if (!('commit' in tip)) return tip;
      const { head } = this.#listing ?? {};
      if (this.#listing !== undefined && head?.commit === tip.commit && head.branch === tip.branch)
        return this.#listing;
      this.#listing = await this.#store.use(kindOfId(tip.commit), async (work) => {
        const commit = await this.#bring(work, tip, call);
        return listFolder(work, { branch: tip.branch, commit }, this.#dir, signal);
      });
      return this.#listing;
    });
  }

  async branchOf({ branch }: Head): Promise<string> {
    return branch;
  }

  blobs(oids: readonly string[], call: CallOptions): Promise<ReadonlyMap<string, Uint8Array>> {
    const { signal } = call;
    return this.#guarded(signal, async () => {
      const [first] = oids;
      if (first === undefined) return new Map();
      return this.#store.use(kindOfId(first), async (work) => {
        if (this.#listing !== undefined) await this.#bring(work, this.#listing.head, call);
        return readBlobs(work, oids, signal);
      });
    });
  }

  commit(change: Change, call: CallOptions): Promise<{ readonly commit: string }> {
    const { signal } = call;
    return this.#guarded(signal, async () => {
      const { on } = change;
      const from = 'head' in on ? on.head : null;
      const branch = 'head' in on ? on.head.branch : on.branch;
      const ref = `refs/heads/${branch}`;
      const attempt = (kind: IdKind) =>
        this.#store.use(kind, async (work) => {
          if (from !== null && (await this.#bring(work, from, call)) !== from.commit) throw new RefMoved();
          const commit = await this.#write(work, change, from?.commit ?? null, signal);
          await this.#push(work, { ref, from: from?.commit ?? null, to: commit }, signal);
          await work.keep(commit);
          return { commit };
        });
      if (from !== null) return attempt(kindOfId(from.commit));
      try {
        return await attempt('sha1');
      } catch (error) {
        // How a repository without a commit names its objects is told to who pushes.
        const code = error instanceof RegistryError ? error.code : codeOf(error);
        if (code !== 'bad_data') throw error;
        return await attempt('sha256');
      }
    });
  }

  /** A host of git alone has no pages. */
  webUrl(): null {
    return null;
  }

  async #tip(work: Workspace, signal: AbortSignal): Promise<Tip | EmptyRegistry | MissingRegistry> {
    try {
      const wanted = this.#branch === null ? 'HEAD' : `refs/heads/${this.#branch}`;
      const { head, refs } = await this.#remote.refs(work, [wanted], signal);
      const commit = refs.get(wanted);
      const named = this.#branch ?? branchOf(head);
      if (commit !== undefined && named !== null) return { branch: named, commit };
      if (commit !== undefined) throw this.#noBranch('its HEAD is on no branch');
      const isEmpty = (await this.#remote.refs(work, [], signal)).refs.size === 0;
      const branch = this.#branch ?? (await this.#remote.unbornHead(work, signal));
      if (branch === null) throw this.#noBranch('its host does not say which one is');
      if (isEmpty) return { empty: true, branch };
      throw this.#noBranch(`there is no branch "${shown(branch)}"`, 'Push it, or name another');
    } catch (error) {
      if (saysMissing(error)) return { missing: true };
      throw error;
    }
  }

  #noBranch(why: string, advice = 'Name one'): RegistryError {
    const what = this.#branch === null ? 'has no default branch' : 'cannot be used';
    return new RegistryError(
      'not_found',
      `${this.name} ${what}: ${why}. ${advice} behind the # of SKILLS_REGISTRY.`,
    );
  }

  /** Sees to it that the files of the branch are here, and returns the commit it is at when they had to be fetched. */
  async #bring(work: Workspace, { branch, commit }: Tip, call: CallOptions): Promise<string> {
    if (work.commits.includes(commit)) return commit;
    call.onStep?.(`Fetching ${this.name}`);
    try {
      const fetched = await this.#remote.fetch(work, `refs/heads/${branch}`, call.signal);
      await work.keep(fetched);
      return fetched;
    } catch (error) {
      // The host was there a moment ago: what is kept may be what git stumbles over.
      if (work.commits.length > 0 && isUnexplained(error)) throw new ShelfBroken('', { cause: error });
      throw error;
    }
  }

  async #write(
    work: Workspace,
    { slug, files, message }: Change,
    from: string | null,
    signal: AbortSignal,
  ): Promise<string> {
    const ref = 'refs/made';
    const [author, committer] = await Promise.all([ident('AUTHOR'), ident('COMMITTER')]);
    const folder = this.#dir === '' ? slug : `${this.#dir}/${slug}`;
    const input = fastImport({ ref, from, author, committer, message, folder, files });
    await runKept(work, ['-c', 'core.ignoreCase=false', 'fast-import', '--quiet', '--done'], {
      signal,
      input,
    });
    return (await runKept(work, ['rev-parse', '--verify', ref], { signal })).toString().trim();

    async function ident(who: 'AUTHOR' | 'COMMITTER'): Promise<string> {
      try {
        const args = ['-c', 'user.useConfigOnly=true', 'var', `GIT_${who}_IDENT`];
        return (await runGit(args, { repo: work.repo, config: 'user', signal })).toString().trim();
      } catch (error) {
        if (!(error instanceof GitError) || error.kind !== 'failed') throw error;
        return `${SOMEBODY} ${Math.floor(Date.now() / 1_000)} +0000`;
      }
    }
  }

  /** What a push that failed has come to is asked at the host, not guessed from words. */
  async #push(
    work: Workspace,
    move: { readonly ref: string; readonly from: string | null; readonly to: string },
    signal: AbortSignal,
  ): Promise<void> {
    const failure = await this.#remote.push(work, move, signal).then(
      () => null,
      (error: unknown) => error,
    );
    if (failure === null) return;
    signal.throwIfAborted();
    if (!(failure instanceof GitError) || (failure.kind !== 'failed' && failure.kind !== 'timeout'))
      throw failure;
    const at = (await this.#remote.refs(work, [move.ref], signal)).refs.get(move.ref) ?? null;
    // The connection broke when all was done.
    if (at === move.to) return;
    if (at !== move.from || isMoved(failure)) throw new RefMoved();
    if (isRefusal(failure)) throw refusal(failure, this.#context);
    if (!isUnexplained(failure)) throw gitFailure(failure, { ...this.#context, isPush: true });
    throw new ShelfBroken('', { cause: refusal(failure, this.#context) });
  }

  get #context() {
    const { asked, given, taken, secrets } = this.#remote;
    return { name: this.name, asked, given, taken, secrets };
  }

  async #guarded<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    try {
      signal.throwIfAborted();
      return await task();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ShelfBroken) {
        if (error.cause instanceof Error) throw gitFailure(error.cause, this.#context);
        throw new RegistryError('bad_data', `${this.name} has changed while it was read. Try again.`);
      }
      if (isDiskFailure(error))
        throw new RegistryError('internal', diskFailureText(`What ${this.name} holds`, error));
      throw gitFailure(error, this.#context);
    }
  }
}

function branchOf(head: string | null): string | null {
  return head === null ? null : (/^refs\/heads\/(.+)$/.exec(head)?.[1] ?? null);
}

function isUnexplained(error: unknown): boolean {
  return error instanceof GitError && error.kind === 'failed' && codeOf(error) === null && !isPassing(error);
}
