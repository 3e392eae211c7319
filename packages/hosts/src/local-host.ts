// A repository on this machine, read in place: its refs by git, its objects without a look at its configuration.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Address } from '@skillquay/core/address';
import type { Caller } from '@skillquay/core/caller';
import { bareRepository } from '@skillquay/git/bare';
import type { Located } from '@skillquay/git/locate';
import { GitError, runGit } from '@skillquay/git/process';
import type { GitRepository } from '@skillquay/git/repository';
import { type Host, HostError, type Resolution } from './host.ts';
import { hostFailure, refNotFound } from './lib/failures.ts';
import { OwnCommits } from './lib/own-commits.ts';
import { RefCache, waitFor } from './lib/ref-cache.ts';
import { findRef, parseRefs, type Refs } from './lib/refs.ts';
import { defaultBranch, resolveRef } from './lib/resolve.ts';
import { folderLinks, NO_LINKS } from './links.ts';

export interface LocalOptions {
  /** For keys, e.g. `local/acme/library`. */
  readonly name: string;
  readonly located: Located;
  /** What the address without a ref means instead of HEAD: a branch, a tag, or a commit of the repository. */
  readonly ref: string | null;
  readonly storeDir: string;
  readonly now: () => number;
}

/** Asking git again is cheap here, and its user expects to see what was just committed. */
const LOCAL_REF_TTL_MS = 1_000;

/** A folder within a repository has other content at the same commit. `prefix` is '' or ends with a slash. */
export function folderName(name: string, prefix: string): string {
  return prefix === '' ? name : `${name}:${prefix.slice(0, -1)}`;
}

/** One local repository, as a Host that answers for it alone. */
export function localHost(options: LocalOptions): Host {
  const { located, now } = options;
  const { repo, prefix } = located;
  const place = createHash('sha256').update(located.objects).digest('hex').slice(0, 16);
  const dir = join(options.storeDir, 'local', place);
  const own = new OwnCommits(join(dir, 'own-commits'), { whole: async () => repo });
  const refs = new RefCache<Refs>({
    ttlMs: LOCAL_REF_TTL_MS,
    staleMs: 0,
    now,
    load: async () => {
      try {
        const listed = await listRefs(repo);
        return options.ref === null
          ? listed
          : { ...listed, head: await chosenHead(repo, listed, options.ref) };
      } catch (error) {
        throw hostFailure(error);
      }
    },
  });

  const identity = { repository: folderName(options.name, prefix), scope: 'private' } as const;
  const resolveNow = async (address: Address, caller: Caller | undefined): Promise<Resolution> => {
    const resolution = await resolveRef(address, {
      ...identity,
      own,
      // Git on this machine can be asked before every refusal.
      refs: (maxAgeMs) => refs.get(caller, maxAgeMs === undefined ? undefined : 0),
    });
    return prefix === '' ? resolution : { ...resolution, tree: await folderTree(repo, resolution, prefix) };
  };

  return {
    resolve: (address, caller) => waitFor(resolveNow(address, caller), caller?.signal),
    known(address) {
      // The tree of a folder is git's to say.
      const known = address.ref === null && prefix === '' ? refs.fresh : null;
      return known === null ? null : defaultBranch(identity, known);
    },
    async bring({ commit, ref }) {
      const type = await runGit(['cat-file', '-t', commit], { repo }).catch(() => null);
      // A tag may name a file or a folder. What is not there at all, reading it says.
      if (type !== null && type.toString() !== 'commit\n') throw refNotFound(ref ?? options.ref ?? 'HEAD');
      return bareRepository(join(dir, 'reader'), located.objects);
    },
    links: () => (prefix === '' ? NO_LINKS : folderLinks(prefix)),
    async close() {},
  };
}

/** The refs of a repository on this machine, in one listing of the form that a remote's have. */
async function listRefs(repo: GitRepository): Promise<Refs> {
  const quiet = (error: unknown) => {
    // 1: nothing to list, or HEAD is detached.
    if (error instanceof GitError && error.exitCode === 1) return Buffer.alloc(0);
    throw error;
  };
  const [head, listed] = await Promise.all([
    runGit(['symbolic-ref', '--quiet', 'HEAD'], { repo }).catch(quiet),
    runGit(['show-ref', '--head', '--dereference'], { repo }).catch(quiet),
  ]);
  const symbolic = head.length > 0 ? `ref: ${head.toString().trim()}\tHEAD\n` : '';
  return parseRefs(symbolic + listed.toString());
}

/** The tree of a folder at a commit. */
async function folderTree(repo: GitRepository, resolution: Resolution, prefix: string): Promise<string> {
  // With its slash the name fits a folder only.
  const name = `${resolution.commit}:${prefix}`;
  const tree = await runGit(['rev-parse', '--quiet', '--verify', '--end-of-options', name], { repo }).catch(
    () => null,
  );
  if (tree === null)
    throw new HostError('mount.ref_not_found', `The repository has no folder ${prefix} at this commit.`);
  return tree.toString().trim();
}

/** Who starts the process may serve any commit of their own repository. */
async function chosenHead(repo: GitRepository, refs: Refs, ref: string): Promise<NonNullable<Refs['head']>> {
  // What is committed, instead of the folder as it is now, is what people mean by it.
  const found = findRef(refs, ref) ?? (ref === 'HEAD' ? refs.head : null);
  if (found !== null) return found;
  if (!/^[0-9a-f]{7,40}$/i.test(ref)) throw refNotFound(ref);
  const commit = await runGit(['rev-parse', '--quiet', '--verify', '--end-of-options', `${ref}^{commit}`], {
    repo,
  }).catch(() => null);
  if (commit === null) throw refNotFound(ref);
  return { commit: commit.toString().trim(), branch: null };
}
