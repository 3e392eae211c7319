// A registry of skills: lists them, gets one as a folder, publishes one whole, removes one. Source: spec, The personal
// registry, "Tools".
import { join } from 'node:path';
import type { Backend, CallOptions, EmptyRegistry, Head, Listing, MissingRegistry } from './backend.ts';
import { type BlobCache, blobsThrough, openBlobCache } from './blob-cache.ts';
import { RegistryError, SkillChangedError } from './errors.ts';
import { attempts, type Wait } from './lib/attempts.ts';
import { type Differences, differences, isNone } from './lib/differences.ts';
import { entriesOf, isText, skillFiles, treeOf } from './lib/listing.ts';
import { type SkillSummary, skillRows } from './lib/skill-rows.ts';
import { Turns } from './lib/turns.ts';
import { type Payload, type PublishSource, readPayload } from './payload.ts';
import { type CachedSkill, openSkillCache, type SkillCache } from './skill-cache.ts';
import { resolveSlug } from './slug.ts';
import { severalText, shortCommit, shownSlug } from './text.ts';

export type { Differences } from './lib/differences.ts';
export type { SkillSummary } from './lib/skill-rows.ts';

export interface RegistryCaches {
  readonly blobs: BlobCache;
  readonly skills: SkillCache;
}

/** The caches below a folder: copies of skills in `skills`, blobs in `blobs`. */
export function openCaches(root: string): RegistryCaches {
  return { blobs: openBlobCache(join(root, 'blobs')), skills: openSkillCache(join(root, 'skills')) };
}

export interface RegistryOptions {
  readonly backend: Backend;
  readonly caches: RegistryCaches;
  readonly limits: { readonly maxFileBytes: number };
  /** What `~` stands for in a local folder; else the home of this user. */
  readonly home?: string;
  /** Milliseconds to wait; to be given where nobody should wait. */
  readonly wait?: Wait;
}

export interface SkillList {
  /** By slug, in byte order. */
  readonly skills: readonly SkillSummary[];
  /** null: there is no commit yet, or no repository. */
  readonly head: Head | null;
  readonly missing: boolean;
}

export type Got =
  | ({ readonly kind: 'found'; readonly slug: string; readonly tree: string } & CachedSkill)
  | { readonly kind: 'not_found' };

export interface Published {
  readonly kind: 'published' | 'unchanged';
  readonly slug: string;
  readonly commit: string;
  /** The page of the skill at that commit; null without a web page. */
  readonly url: string | null;
}

/** The place of a skill, and what is there. */
export interface Replaced {
  readonly slug: string;
  /** Of the folder there; null where there is none. */
  readonly tree: string | null;
}

/** What publishing would do. */
export type Planned =
  | (Replaced & {
      readonly kind: 'new' | 'changed' | 'unchanged';
      readonly differences: Differences;
      /** What was looked at; null: there is no commit yet. */
      readonly commit: string | null;
      /** The page of the skill at that commit; null without a web page. */
      readonly url: string | null;
    })
  | { readonly kind: 'refused'; readonly error: RegistryError };

export interface PlanItem {
  readonly name: string;
  readonly source: PublishSource;
}

export type Removed =
  | { readonly kind: 'removed'; readonly slug: string; readonly commit: string }
  | { readonly kind: 'not_found' };

export interface PublishOptions extends CallOptions {
  /** What somebody agreed to replace: where something else is by now, SkillChangedError is thrown. */
  readonly insteadOf?: Replaced | undefined;
  /** Take front matter that nobody can read, and a folder that is no skill. */
  readonly force?: boolean | undefined;
}

/** All methods throw RegistryError, and an AbortError when the signal was aborted. */
export interface Registry {
  /** `owner/repo`, as results name it. */
  readonly name: string;
  list(options: CallOptions): Promise<SkillList>;
  /** The name of the branch that was listed; null when the repository has gone. */
  branchOf(head: Head, options: CallOptions): Promise<string | null>;
  get(asked: string, options: CallOptions): Promise<Got>;
  publish(name: string, source: PublishSource, options: PublishOptions): Promise<Published>;
  /** What publishing each of these would do, in their order, by one look at the registry. Nothing is changed. */
  plan(items: readonly PlanItem[], options: PublishOptions): Promise<readonly Planned[]>;
  remove(asked: string, options: CallOptions): Promise<Removed>;
}

export function openRegistry(options: RegistryOptions): Registry {
  return new BackedRegistry(options);
}

class BackedRegistry implements Registry {
  readonly name: string;
  readonly #options: RegistryOptions;
  readonly #backend: Backend;
  /** Changes of this process wait for each other rather than collide. */
  readonly #changes = new Turns();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#backend = options.backend;
    this.name = options.backend.name;
  }

  async list(options: CallOptions): Promise<SkillList> {
    const listing = await this.#list(options);
    if ('missing' in listing) return { skills: [], head: null, missing: true };
    if ('empty' in listing) return { skills: [], head: null, missing: false };
    const skills = await skillRows(listing, (oids) => this.#blobs(oids, options));
    return { skills, head: listing.head, missing: false };
  }

  branchOf(head: Head, options: CallOptions): Promise<string | null> {
    return this.#backend.branchOf(head, options);
  }

  async get(asked: string, options: CallOptions): Promise<Got> {
    const listing = await this.#list(options);
    if (!('trees' in listing)) return { kind: 'not_found' };
    const slug = this.#resolve(asked, listing);
    if (slug === null) return { kind: 'not_found' };
    const tree = treeOf(listing, slug);
    const skill = { slug, repo: this.name, tree, entries: entriesOf(listing, slug) };
    const fetch = (oids: readonly string[]) => this.#blobs(oids, options);
    return { kind: 'found', slug, tree, ...(await this.#options.caches.skills.get(skill, fetch, options)) };
  }

  async publish(name: string, source: PublishSource, options: PublishOptions): Promise<Published> {
    const payload = await this.#payload(name, source, options);
    return this.#change(options, async (attempt) => {
      const on = await this.#writable(options);
      const slug =
        'trees' in on ? this.#folderFor(name, payload.slug, on, options.force === true) : payload.slug;
      if ('trees' in on && isNone(differences(payload.files, entriesOf(on, slug)))) {
        // After an attempt that seemed to fail it may be this very change that is there.
        const { commit } = on.head;
        return {
          kind: attempt === 1 ? 'unchanged' : 'published',
          slug,
          commit,
          url: this.#url(commit, slug),
        };
      }
      const { insteadOf } = options;
      if (insteadOf !== undefined && (insteadOf.slug !== slug || insteadOf.tree !== folderTree(on, slug)))
        throw new SkillChangedError(
          `${shownSlug(insteadOf.slug)} in ${this.name} was changed by others meanwhile, and nothing is replaced. Look at what is there now, and try again.`,
        );
      const change = { on, slug, files: payload.files, message: `publish: ${slug}` };
      options.onStep?.(`Publishing ${shownSlug(slug)} to ${this.name}`);
      const { commit } = await this.#backend.commit(change, options);
      return { kind: 'published', slug, commit, url: this.#url(commit, slug) };
    });
  }

  async plan(items: readonly PlanItem[], options: PublishOptions): Promise<readonly Planned[]> {
    const on = await this.#writable(options);
    const planned: Planned[] = [];
    for (const { name, source } of items) {
      try {
        planned.push(this.#planned(name, await this.#payload(name, source, options), on, options));
      } catch (error) {
        if (!(error instanceof RegistryError)) throw error;
        planned.push({ kind: 'refused', error });
      }
    }
    return planned;
  }

  #planned(
    name: string,
    payload: Payload,
    on: Listing | EmptyRegistry,
    { force = false }: PublishOptions,
  ): Planned {
    const slug = 'trees' in on ? this.#folderFor(name, payload.slug, on, force) : payload.slug;
    const there = 'trees' in on ? entriesOf(on, slug) : [];
    const found = differences(payload.files, there);
    const kind = there.length === 0 ? 'new' : isNone(found) ? 'unchanged' : 'changed';
    const commit = 'trees' in on ? on.head.commit : null;
    return {
      kind,
      slug,
      tree: folderTree(on, slug),
      differences: found,
      commit,
      url: commit && this.#url(commit, slug),
    };
  }

  #payload(name: string, source: PublishSource, options: PublishOptions): Promise<Payload> {
    const { limits, home } = this.#options;
    return readPayload(name, source, { ...limits, home, ...options });
  }

  async remove(asked: string, options: CallOptions): Promise<Removed> {
    let meant: string | null = null;
    return this.#change(options, async () => {
      const on = await this.#writable(options);
      if (!('trees' in on)) return { kind: 'not_found' };
      // After an attempt that seemed to fail it may be gone by this very change.
      if (meant !== null && !skillFiles(on).has(meant))
        return { kind: 'removed', slug: meant, commit: on.head.commit };
      const slug = meant ?? this.#resolve(asked, on);
      if (slug === null) return { kind: 'not_found' };
      meant = slug;
      const { commit } = await this.#backend.commit(
        { on, slug, files: null, message: `remove: ${slug}` },
        options,
      );
      return { kind: 'removed', slug, commit };
    });
  }

  /** Makes a change, and makes it anew when the branch has moved. */
  #change<T>({ signal }: CallOptions, attempt: (number: number) => Promise<T>): Promise<T> {
    const { wait } = this.#options;
    return this.#changes.run(signal, () => attempts(this.name, { signal, wait }, attempt));
  }

  #list(options: CallOptions): Promise<Listing | EmptyRegistry | MissingRegistry> {
    options.onStep?.(`Looking at ${this.name}`);
    return this.#backend.list(options);
  }

  async #writable(options: CallOptions): Promise<Listing | EmptyRegistry> {
    const listing = await this.#list(options);
    if (!('missing' in listing)) return listing;
    throw new RegistryError(
      'not_found',
      `${this.name} does not exist, or your credential may not see it. Make it with \`skillquay registry init\`, or correct SKILLS_REGISTRY.`,
    );
  }

  /** The skill that is meant, or null. Throws RegistryError `invalid` when several are. */
  #resolve(asked: string, listing: Listing): string | null {
    const resolved = resolveSlug(asked, [...skillFiles(listing).keys()].filter(isText));
    if (resolved.kind === 'several')
      throw new RegistryError('invalid', severalText(this.name, asked, resolved.slugs));
    return resolved.kind === 'one' ? resolved.slug : null;
  }

  /** The folder that the skill has, or the new one it gets: no folder or file that is no skill is written over. */
  #folderFor(name: string, slug: string, listing: Listing, force: boolean): string {
    const known = this.#resolve(name, listing);
    if (known !== null) return known;
    const wanted = slug.toLowerCase();
    const folder = [...listing.trees.keys()].find((other) => other.toLowerCase() === wanted);
    const file = listing.entries.find(({ path }) => path.toLowerCase() === wanted);
    if (file === undefined && (folder === undefined || (force && folder === slug))) return slug;
    throw new RegistryError(
      'invalid',
      `${shownSlug(folder ?? file?.path ?? slug)} is already in ${this.name} and is no skill. Choose another name, or take it away first.`,
    );
  }

  #blobs(oids: readonly string[], options: CallOptions): Promise<ReadonlyMap<string, Uint8Array>> {
    return blobsThrough(this.#options.caches.blobs, oids, (missing, onBlob) => {
      options.onStep?.(`Bringing ${missing.length} ${missing.length === 1 ? 'file' : 'files'}`);
      return this.#backend.blobs(missing, { ...options, onBlob });
    });
  }

  #url(commit: string, slug: string): string | null {
    return this.#backend.webUrl(shortCommit(commit), slug);
  }
}

/** Of whatever folder is there, also one that is no skill. */
function folderTree(on: Listing | EmptyRegistry, slug: string): string | null {
  return 'trees' in on ? (on.trees.get(slug) ?? null) : null;
}
