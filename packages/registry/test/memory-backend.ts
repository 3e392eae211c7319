// A registry in memory, for tests of what stands before the port: every listing, fetch and commit is counted.
import { createHash } from 'node:crypto';
import { compareUtf8 } from '@skillquay/core/paths';
import type {
  Backend,
  Change,
  EmptyRegistry,
  Head,
  Listing,
  MissingRegistry,
  RegistryEntry,
} from '../src/backend.ts';
import { RefMoved, RegistryError } from '../src/errors.ts';
import { blobId } from '../src/git-id.ts';
import type { SkillFile } from '../src/skill-files.ts';

/** A path to text, bytes, or a whole file. */
export type Given = Readonly<Record<string, string | Uint8Array | Pick<SkillFile, 'mode' | 'bytes'>>>;

interface Stored {
  readonly mode: RegistryEntry['mode'];
  readonly bytes: Uint8Array;
}

export class MemoryBackend implements Backend {
  readonly name = 'o/r';
  readonly calls = { list: 0, blobs: [] as string[][], commit: 0 };
  state: 'ready' | 'empty' | 'missing';
  readonly messages: string[] = [];
  /** Runs before each commit, which is refused when it has moved the branch. */
  beforeCommit: () => void | Promise<void> = () => {};
  /** Runs before blobs are given. */
  beforeBlobs: () => void | Promise<void> = () => {};
  /** Blobs of this text do not come whole. */
  readonly broken = new Set<string>();
  #files = new Map<string, Stored>();
  #number = 1;

  constructor(files: Given | 'empty' | 'missing' = {}) {
    this.state = typeof files === 'string' ? files : 'ready';
    if (typeof files !== 'string') this.put(files);
  }

  /** Somebody else's commit. */
  put(files: Given): void {
    for (const [path, given] of Object.entries(files)) {
      const plain = typeof given === 'string' ? Buffer.from(given) : given;
      this.#files.set(path, plain instanceof Uint8Array ? { mode: '100644', bytes: plain } : plain);
    }
    this.state = 'ready';
    this.#number += 1;
  }

  delete(path: string): void {
    this.#files.delete(path);
    this.#number += 1;
  }

  /** Mode and text by path. */
  files(): Record<string, string> {
    return Object.fromEntries(
      [...this.#files].sort().map(([path, { mode, bytes }]) => [path, `${mode} ${Buffer.from(bytes)}`]),
    );
  }

  get commitId(): string {
    return createHash('sha1').update(`commit ${this.#number}`).digest('hex');
  }

  async branchOf({ branch }: Head) {
    return branch;
  }

  async check() {
    return { account: 'me' };
  }

  async list(): Promise<Listing | EmptyRegistry | MissingRegistry> {
    this.calls.list += 1;
    if (this.state === 'missing') return { missing: true };
    if (this.state === 'empty') return { empty: true, branch: 'main' };
    const entries = [...this.#files]
      .map(([path, { mode, bytes }]) => ({ path, mode, oid: blobId(bytes), size: bytes.length }))
      .sort((a, b) => compareUtf8(a.path, b.path));
    const folders = new Set(
      entries.flatMap(({ path }) => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : [])),
    );
    const trees = new Map(
      [...folders].map((folder) => {
        const below = entries.filter(({ path }) => path.startsWith(`${folder}/`));
        return [folder, createHash('sha1').update(JSON.stringify(below)).digest('hex')] as const;
      }),
    );
    return { head: { branch: 'main', commit: this.commitId, tree: this.commitId }, trees, entries };
  }

  async blobs(oids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    this.calls.blobs.push([...oids]);
    await this.beforeBlobs();
    const all = new Map([...this.#files.values()].map(({ bytes }) => [blobId(bytes), bytes]));
    return new Map(
      oids.map((oid) => {
        const bytes = all.get(oid);
        if (bytes === undefined || this.broken.has(Buffer.from(bytes).toString()))
          throw new RegistryError('bad_data', `no blob ${oid}`);
        return [oid, bytes];
      }),
    );
  }

  async commit({ on, slug, files, message }: Change): Promise<{ commit: string }> {
    this.calls.commit += 1;
    await this.beforeCommit();
    const moved = 'empty' in on ? this.state !== 'empty' : on.head.commit !== this.commitId;
    if (moved) throw new RefMoved();
    for (const path of [...this.#files.keys()]) if (path.startsWith(`${slug}/`)) this.#files.delete(path);
    for (const { path, mode, bytes } of files ?? []) this.#files.set(`${slug}/${path}`, { mode, bytes });
    this.state = 'ready';
    this.#number += 1;
    this.messages.push(message);
    return { commit: this.commitId };
  }

  webUrl(commit: string, path: string): string | null {
    return `https://git.example.com/o/r/tree/${commit}/${path}`;
  }
}
