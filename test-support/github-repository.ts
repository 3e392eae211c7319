// A repository in memory whose objects have the ids that git gives them, for the GitHub of the tests.
import { createHash } from 'node:crypto';

export interface Stored {
  readonly mode: string;
  readonly oid: string;
}

/** A path to text, bytes, or a whole file; null takes it away. */
export type Given = Readonly<
  Record<string, string | Uint8Array | { readonly mode: string; readonly bytes: Uint8Array } | null>
>;

export interface Row extends Stored {
  readonly path: string;
  readonly type: 'blob' | 'tree' | 'commit';
}

interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

export class GithubRepository {
  readonly blobs = new Map<string, Buffer>();
  readonly commits = new Map<string, Commit>();
  readonly branches = new Map<string, string>();
  defaultBranch = 'main';
  /** The names of a folder, in the order of git. */
  readonly #trees = new Map<string, readonly (Stored & { readonly name: string })[]>();
  #clock = 0;

  constructor(files?: Given) {
    this.tree(new Map());
    if (files !== undefined) this.put(files);
  }

  /** Somebody's commit of these files on top of those that are there; null takes a file away. */
  put(files: Given, branch = this.defaultBranch, message = 'by somebody'): string {
    const before = this.branches.get(branch);
    const paths = before === undefined ? new Map<string, Stored>() : this.flat(this.treeOf(before));
    for (const [path, given] of Object.entries(files)) {
      const file = given === null || typeof given === 'string' || given instanceof Uint8Array ? null : given;
      const bytes = file?.bytes ?? given;
      if (typeof bytes === 'string' || bytes instanceof Uint8Array)
        paths.set(path, { mode: file?.mode ?? '100644', oid: this.blob(Buffer.from(bytes)) });
      else paths.delete(path);
    }
    const commit = this.commit({
      tree: this.tree(paths),
      parents: before === undefined ? [] : [before],
      message,
    });
    this.branches.set(branch, commit);
    return commit;
  }

  blob(bytes: Buffer): string {
    const oid = id('blob', bytes);
    this.blobs.set(oid, bytes);
    return oid;
  }

  commit(commit: Commit): string {
    this.#clock += 1;
    const oid = id('commit', Buffer.from(JSON.stringify({ ...commit, at: this.#clock })));
    this.commits.set(oid, commit);
    return oid;
  }

  /** Stores the folders of these paths and gives the topmost. */
  tree(paths: ReadonlyMap<string, Stored>): string {
    const folders = new Map<string, Map<string, Stored>>();
    const names: (Stored & { readonly name: string })[] = [];
    for (const [path, stored] of paths) {
      const slash = path.indexOf('/');
      if (slash === -1) names.push({ name: path, ...stored });
      else {
        const folder = folders.get(path.slice(0, slash)) ?? new Map<string, Stored>();
        folders.set(path.slice(0, slash), folder.set(path.slice(slash + 1), stored));
      }
    }
    for (const [name, below] of folders) names.push({ name, mode: '040000', oid: this.tree(below) });
    const key = ({ name, mode }: { readonly name: string; readonly mode: string }) =>
      Buffer.from(mode === '040000' ? `${name}/` : name);
    names.sort((a, b) => Buffer.compare(key(a), key(b)));
    const rows = names.map(({ name, mode, oid }) =>
      Buffer.concat([Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`), Buffer.from(oid, 'hex')]),
    );
    const oid = id('tree', Buffer.concat(rows));
    this.#trees.set(oid, names);
    return oid;
  }

  hasTree(oid: string): boolean {
    return this.#trees.has(oid);
  }

  treeOf(commit: string): string {
    return this.#commit(commit).tree;
  }

  #commit(oid: string): Commit {
    const found = this.commits.get(oid);
    if (found === undefined) throw new Error(`no commit ${oid}`);
    return found;
  }

  /** What is in a tree, folders before what lies in them. */
  *rows(tree: string, recursive: boolean, at = ''): Generator<Row> {
    for (const { name, mode, oid } of this.#trees.get(tree) ?? []) {
      const path = at === '' ? name : `${at}/${name}`;
      const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
      yield { path, mode, oid, type };
      if (type === 'tree' && recursive) yield* this.rows(oid, true, path);
    }
  }

  /** The files of a tree by path. */
  flat(tree: string): Map<string, Stored> {
    const files = [...this.rows(tree, true)].filter(({ type }) => type !== 'tree');
    return new Map(files.map(({ path, mode, oid }) => [path, { mode, oid }]));
  }

  /** Mode and text by path, of a branch. */
  files(branch = this.defaultBranch): Record<string, string> {
    const commit = this.branches.get(branch);
    if (commit === undefined) return {};
    const files = [...this.flat(this.treeOf(commit))];
    return Object.fromEntries(
      files.map(([path, { mode, oid }]) => [path, `${mode} ${this.blobs.get(oid) ?? oid}`]),
    );
  }

  /** The commits of a branch, newest first. */
  log(branch = this.defaultBranch): Pick<Commit, 'message' | 'parents'>[] {
    const commits: Pick<Commit, 'message' | 'parents'>[] = [];
    let oid = this.branches.get(branch);
    while (oid !== undefined) {
      const { message, parents }: Commit = this.#commit(oid);
      commits.push({ message, parents });
      oid = parents[0];
    }
    return commits;
  }

  descends(commit: string, from: string): boolean {
    const pending = [commit];
    for (let oid = pending.pop(); oid !== undefined; oid = pending.pop()) {
      if (oid === from) return true;
      pending.push(...(this.commits.get(oid)?.parents ?? []));
    }
    return false;
  }
}

function id(type: string, bytes: Uint8Array): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}
