// A registry on GitHub, through its REST and Git Data API. Source: spec, The personal registry, "Two backends" and
// "Writes".
import { join } from 'node:path';
import { joinPath } from '@skillquay/core/paths';
import type {
  Backend,
  BlobOptions,
  CallOptions,
  Change,
  EmptyRegistry,
  Head,
  Listing,
  MissingRegistry,
} from './backend.ts';
import { RefMoved, RegistryError } from './errors.ts';
import { isBlob } from './git-id.ts';
import { type AnswerCache, openAnswerCache } from './lib/github-answer-cache.ts';
import {
  type CommitAnswer,
  isOfEmpty,
  readBlob,
  readCommit,
  readDefaultBranch,
  readFirstCommit,
  readId,
  readLogin,
  readRef,
  readTree,
} from './lib/github-answers.ts';
import { type NewTreeEntry, swapsFileAndFolder, treeChange } from './lib/github-change.ts';
import {
  type GithubAnswer,
  GithubClient,
  type GithubRequest,
  type GithubToken,
} from './lib/github-client.ts';
import type { GithubHost } from './lib/github-host.ts';
import { EMPTY_TREE, readFolder } from './lib/github-tree.ts';
import { inParallel } from './lib/in-parallel.ts';
import { type GithubRegistry, shownName } from './registry-name.ts';

export { githubHost } from './lib/github-host.ts';

export interface GithubBackendOptions {
  readonly host: GithubHost;
  readonly token: GithubToken;
  readonly cacheRoot: string;
  /** Milliseconds for one request and its answer. */
  readonly timeoutMs?: number;
  /** Milliseconds to wait; to be given where nobody should wait. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const BLOBS_AT_ONCE = 8;
/** The largest file that GitHub takes, in base64 and with what stands around it. */
const MAX_BLOB_ANSWER_BYTES = 140 * 1024 ** 2;
/** The default branch, before its name was needed. */
const DEFAULT = 'HEAD';

/** Keeps answers of the host below `${cacheRoot}/github`. Nothing is asked before the first call. */
export function openGithubBackend(name: GithubRegistry, options: GithubBackendOptions): Backend {
  return new GithubBackend(name, options);
}

class GithubBackend implements Backend {
  readonly name: string;
  readonly #where: GithubRegistry;
  readonly #host: GithubHost;
  readonly #client: GithubClient;
  readonly #kept: AnswerCache;
  /** As the host named it when it was written to last. */
  #defaultBranch: string | null = null;

  constructor(name: GithubRegistry, { host, token, cacheRoot, timeoutMs, wait }: GithubBackendOptions) {
    this.name = shownName(name);
    this.#where = name;
    this.#host = host;
    this.#client = new GithubClient({ host, token, timeoutMs, wait });
    this.#kept = openAnswerCache(join(cacheRoot, 'github'), token.token);
  }

  async check(options: CallOptions): Promise<{ readonly account: string | null }> {
    const answer = await this.#client.ask({ method: 'GET', path: '/user', expect: [403] }, options);
    if (answer.status !== 403) return { account: readLogin(answer.body) };
    // A token of an app is nobody's: it is good, and may not ask who it is. Of any other token this is a refusal.
    if (/not accessible by integration/i.test(answer.reason)) return { account: null };
    throw this.#client.tokenRefused(answer);
  }

  async list(options: CallOptions): Promise<Listing | EmptyRegistry | MissingRegistry> {
    const branch = this.#where.branch ?? DEFAULT;
    const head = await this.#head(branch, options);
    if ('missing' in head || 'empty' in head) return head;
    const { dir } = this.#where;
    const contents = await readFolder(head.tree, dir, options.signal, (oid, recursive, signal) =>
      this.#tree(oid, recursive, { ...options, signal }),
    );
    if (contents.kind === 'file')
      throw new RegistryError('bad_data', `The registry's folder \`${dir}\` is a file in ${this.name}.`);
    if (contents.kind === 'too_large')
      throw new RegistryError(
        'bad_data',
        `${this.name} has a folder with more entries than ${this.#host.name} lists.`,
      );
    const { trees, entries } = contents;
    return { head: { branch, ...head }, trees, entries };
  }

  async branchOf({ branch }: Head, options: CallOptions): Promise<string | null> {
    return branch === DEFAULT ? this.#askDefaultBranch(options) : branch;
  }

  async blobs(oids: readonly string[], options: BlobOptions): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const fetch = async (oid: string, signal: AbortSignal) => {
      const answer = await this.#ask(
        { method: 'GET', path: `/git/blobs/${oid}`, maxBytes: MAX_BLOB_ANSWER_BYTES },
        { ...options, signal },
      );
      const bytes = readBlob(answer.body);
      if (bytes === null || !isBlob(oid, bytes))
        throw this.#client.badData(`other bytes than those of ${oid}`);
      found.set(oid, bytes);
      await options.onBlob?.(oid, bytes);
    };
    await inParallel([...new Set(oids)], BLOBS_AT_ONCE, fetch, options.signal);
    return found;
  }

  async commit(change: Change, options: CallOptions): Promise<{ readonly commit: string }> {
    const { branch, head } = await this.#ground(change.on, options);
    const tree = await this.#newTree(change, head.tree, options);
    const body = { message: change.message, tree, parents: [head.commit] };
    const commit = await this.#made('/git/commits', body, 'a commit', options);
    await this.#moveBranch(branch, head.commit, commit, options);
    return { commit };
  }

  webUrl(commit: string, path: string): string | null {
    const { owner, repo, dir } = this.#where;
    const parts = ['tree', commit, ...joinPath(dir, path).split('/')].filter((part) => part !== '');
    return `${this.#host.web}/${[owner, repo, ...parts].map(encodeURIComponent).join('/')}`;
  }

  /** Where a branch stands. One request, which is conditional when there was an answer before. */
  async #head(branch: string, options: CallOptions): Promise<CommitAnswer | EmptyRegistry | MissingRegistry> {
    // One of the files that the commit changed is the fewest that can be asked for.
    const path = `/commits/${branch === DEFAULT ? DEFAULT : `heads/${segments(branch)}`}?per_page=1`;
    const kept = await this.#kept.read(this.#url(path));
    const before = kept === null ? null : readCommit(kept.body);
    const etag = before === null ? undefined : (kept?.etag ?? undefined);
    const request = { method: 'GET', path, etag, expect: [404, 409, 422] } as const;
    const answer = await this.#ask(request, options);
    if (answer.status === 304 && before !== null) return before;
    if (answer.status === 409 && !isOfEmpty(answer)) throw this.#client.refused(request, answer);
    if (answer.status >= 400) return this.#noHead(answer, options);
    const head = readCommit(answer.body);
    if (head === null) throw this.#client.badData('no commit');
    if (answer.etag !== null)
      await this.#kept.write(this.#url(path), {
        etag: answer.etag,
        body: { sha: head.commit, commit: { tree: { sha: head.tree } } },
      });
    return head;
  }

  /** Tells apart a repository without commits, one that is not there, and a branch that is not. */
  async #noHead(answer: GithubAnswer, options: CallOptions): Promise<EmptyRegistry | MissingRegistry> {
    const named = await this.#askDefaultBranch(options);
    if (named === null) return { missing: true };
    const configured = this.#where.branch;
    if (isOfEmpty(answer)) return { empty: true, branch: configured ?? named };
    throw new RegistryError(
      'not_found',
      configured === null
        ? `${this.name} has no branch "${named}", which ${this.#host.name} names as its default. Name one: owner/repo@branch.`
        : `${this.name} has no branch "${configured}". Make it, or name another one; the default branch is "${named}".`,
    );
  }

  /** null when the repository is not there, or not to be seen. */
  async #askDefaultBranch(options: CallOptions): Promise<string | null> {
    const answer = await this.#ask({ method: 'GET', path: '', expect: [404] }, options);
    if (answer.status === 404) return null;
    const branch = readDefaultBranch(answer.body);
    if (branch === null) throw this.#client.badData('no default branch');
    return branch;
  }

  /** One tree, which is asked for once: its id names what it holds. */
  async #tree(oid: string, recursive: boolean, options: CallOptions) {
    const path = `/git/trees/${oid}${recursive ? '?recursive=1' : ''}`;
    const kept = await this.#kept.read(this.#url(path));
    const before = kept === null ? null : readTree(kept.body);
    if (before !== null) return before;
    const { body } = await this.#ask({ method: 'GET', path }, options);
    const tree = readTree(body);
    if (tree === null) throw this.#client.badData('no tree');
    const entries = tree.entries.map(({ path: at, mode, oid: sha, size }) => ({ path: at, mode, sha, size }));
    await this.#kept.write(this.#url(path), {
      etag: null,
      body: { tree: entries, truncated: tree.truncated },
    });
    return tree;
  }

  /** The branch by its name, and the commit that the change goes on top of. */
  async #ground(
    on: Change['on'],
    options: CallOptions,
  ): Promise<{ readonly branch: string; readonly head: CommitAnswer }> {
    if ('empty' in on) return { branch: on.branch, head: await this.#begin(on.branch, options) };
    if (on.head.branch !== DEFAULT) return { branch: on.head.branch, head: on.head };
    const branch = await this.#askDefaultBranch(options);
    if (branch === null) throw new RefMoved();
    // Read and written is one branch: a name that is new may have come up in between.
    if (branch !== this.#defaultBranch && (await this.#ref(branch, options)) !== on.head.commit)
      throw new RefMoved();
    this.#defaultBranch = branch;
    return { branch, head: on.head };
  }

  /** Gives an empty repository its first commit, which only this part of the API can make. */
  async #begin(branch: string, options: CallOptions): Promise<CommitAnswer> {
    const text = `# ${this.#where.repo}\n\nA registry of agent skills: each folder with a \`SKILL.md\` is one.\n`;
    const body = {
      message: 'begin the registry',
      content: Buffer.from(text).toString('base64'),
      branch,
    };
    const request = { method: 'PUT', path: '/contents/README.md', body, expect: [404, 409, 422] } as const;
    const answer = await this.#ask(request, options);
    if (answer.status >= 400) {
      if (/^branch\b.*\bnot found/i.test(answer.reason))
        throw new RegistryError(
          'refused',
          `${this.#host.name} does not let the empty ${this.name} begin on the branch "${branch}". Push a first commit there, or name no branch.`,
        );
      if ((await this.#ref(branch, options)) !== null) throw new RefMoved();
      throw this.#client.refused(request, answer);
    }
    const head = readFirstCommit(answer.body);
    if (head === null) throw this.#client.badData('no commit');
    return head;
  }

  async #newTree({ on, slug, files }: Change, base: string, options: CallOptions): Promise<string> {
    const folder = joinPath(this.#where.dir, slug);
    const listed = 'empty' in on ? [] : on.entries;
    const old = listed
      .filter(({ path }) => path.startsWith(`${slug}/`))
      .map((entry) => ({ ...entry, path: entry.path.slice(slug.length + 1) }));
    const known = new Set(listed.filter(({ mode }) => mode !== '160000').map(({ oid }) => oid));
    // What is not UTF-8 in a name cannot be sent back: only the folder as a whole can be named.
    const isNamed = old.every(({ path }) => !path.includes('\ufffd'));
    if (files === null && !isNamed)
      return this.#makeTree(base, [{ path: folder, mode: '040000', type: 'tree', sha: null }], options);
    const isNew = files !== null && (!isNamed || swapsFileAndFolder(files, old));
    const change = isNew ? treeChange('', files, [], known) : treeChange(folder, files ?? [], old, known);
    const upload = ([oid, bytes]: readonly [string, Uint8Array], signal: AbortSignal) =>
      this.#upload(oid, bytes, { ...options, signal });
    await inParallel([...change.uploads], BLOBS_AT_ONCE, upload, options.signal);
    if (!isNew) return this.#makeTree(base, change.entries, options);
    const sha = await this.#makeTree(null, change.entries, options);
    return this.#makeTree(base, [{ path: folder, mode: '040000', type: 'tree', sha }], options);
  }

  #makeTree(base: string | null, tree: readonly NewTreeEntry[], options: CallOptions): Promise<string> {
    const body = base === null || base === EMPTY_TREE ? { tree } : { base_tree: base, tree };
    return this.#made('/git/trees', body, 'a tree', options);
  }

  async #upload(oid: string, bytes: Uint8Array, options: CallOptions): Promise<void> {
    const body = { content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
    const stored = await this.#made('/git/blobs', body, 'a blob', options);
    if (stored !== oid) throw this.#client.badData('another id than the file has');
  }

  /** The id of what was made. */
  async #made(path: string, body: unknown, what: string, options: CallOptions): Promise<string> {
    const answer = await this.#ask({ method: 'POST', path, body }, options);
    const id = readId(answer.body);
    if (id === null) throw this.#client.badData(`no id of ${what}`);
    return id;
  }

  /** Throws RefMoved when the branch is not at `from`; any other refusal at once, with what the host says. */
  async #moveBranch(branch: string, from: string, to: string, options: CallOptions): Promise<void> {
    const path = `/git/refs/heads/${segments(branch)}`;
    const request = { method: 'PATCH', path, body: { sha: to, force: false }, expect: [409, 422] } as const;
    let failure: RegistryError;
    try {
      const answer = await this.#ask(request, options);
      if (answer.status < 400) return;
      if (/fast.?forward/i.test(answer.reason)) throw new RefMoved();
      failure = this.#client.refused(request, answer);
    } catch (error) {
      if (!(error instanceof RegistryError && error.code === 'bad_data')) throw error;
      failure = error;
    }
    // This answer, or the one to an attempt before, may have been lost on its way.
    const now = await this.#ref(branch, options);
    if (now === to) return;
    if (now !== from) throw new RefMoved();
    throw failure;
  }

  /** The commit of a branch; null when it is not there. */
  async #ref(branch: string, options: CallOptions): Promise<string | null> {
    const path = `/git/ref/heads/${segments(branch)}`;
    const answer = await this.#ask({ method: 'GET', path, expect: [404, 409] }, options);
    if (answer.status >= 400) return null;
    const commit = readRef(answer.body);
    if (commit === null) throw this.#client.badData('no commit of a branch');
    return commit;
  }

  #ask(request: GithubRequest, options: CallOptions): Promise<GithubAnswer> {
    return this.#client.ask({ ...request, path: this.#path(request.path) }, options);
  }

  #url(path: string): string {
    return this.#host.api + this.#path(path);
  }

  #path(path: string): string {
    const { owner, repo } = this.#where;
    return `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}${path}`;
  }
}

function segments(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/');
}
