// Turns a commit into an index: list, decide policy, read, classify, follow links, lay out. Source: design, "Building".
import type { ReadingLimits } from '@skillquay/core/limits';
import type { GitRepository } from '@skillquay/git/repository';
import { listTree } from '@skillquay/git/tree';
import { classify } from './classify.ts';
import type { Index } from './index.ts';
import { encodeIndex } from './index-file.ts';
import { readKeptFolders } from './lib/build-broken.ts';
import { listSkills } from './lib/build-digests.ts';
import { toBuildError } from './lib/build-error.ts';
import { Facts } from './lib/build-facts.ts';
import { allowIncludes } from './lib/build-includes.ts';
import { judgeSkills } from './lib/build-judged.ts';
import { readLicences } from './lib/build-licences.ts';
import { addressableEntries } from './lib/build-listing.ts';
import { readManifests } from './lib/build-manifests.ts';
import { Previous } from './lib/build-previous.ts';
import { Reading } from './lib/build-reading.ts';
import { type BuildReport, reportOf } from './lib/build-report.ts';
import { measureKept, restrict } from './lib/build-restrictions.ts';
import { type Commit, measureFiles, readFiles, readReferences, readSkills } from './lib/build-steps.ts';
import { layOut } from './lib/build-tables.ts';
import { decidePolicy, Scope } from './policy.ts';
import type { IndexIdentity, Serving } from './tables.ts';

export { BuildError, type BuildErrorCode } from './lib/build-error.ts';
export type { BuildReport, WithheldFile } from './lib/build-report.ts';

/** Files read of those known to be read; more become known while links are followed. */
export interface BuildProgress {
  readonly read: number;
  readonly known: number;
}

export interface BuildRequest {
  readonly identity: IndexIdentity;
  readonly git: GitRepository;
  /** The tree to read: a treeish known to `git`. */
  readonly tree: string;
  readonly limits: ReadingLimits;
  readonly serving: Serving;
  /** Where the host has the bytes of a file, for `fileUrl`; absent where it has no page for them. */
  readonly rawUrl?: string | null | undefined;
  /** An index to start from. Used if it is of the same repository and rules; the result is the same without it. */
  readonly previous?: Index | null | Promise<Index | null> | undefined;
  /** Reading threads for a large repository; 0 = none. The result does not depend on it. */
  readonly workers: number;
  /** The bundled `build-worker` file; null = no threads. */
  readonly workerUrl: URL | null;
  /** Bytes to be read at once from which threads are worth starting. */
  readonly parallelBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined;
}

export interface BuiltIndex {
  /** The bytes of the index, piece behind piece. */
  readonly chunks: readonly Uint8Array[];
  readonly report: BuildReport;
}

/** Builds the index of a commit. Throws BuildError. */
export async function buildIndex(request: BuildRequest): Promise<BuiltIndex> {
  try {
    return await build(request, request.signal ?? new AbortController().signal);
  } catch (error) {
    throw toBuildError(error);
  }
}

async function build(request: BuildRequest, signal: AbortSignal): Promise<BuiltIndex> {
  const { git, limits, serving } = request;
  // Git lists while the previous index is read.
  const [tree, before] = await Promise.all([listTree(git, request.tree, { signal }), request.previous]);
  const listing = addressableEntries(tree);
  const manifests = await readManifests(git, listing, limits, signal);
  const policy = decidePolicy(listing.path, manifests);
  const facts = new Facts(listing.count);
  const previous = before && isUsable(before, request) ? new Previous(before, listing) : null;
  const reading = new Reading({ ...request, signal }, listing, facts, previous);
  const kept = keptEntries(policy.scope, limits.treeEntries);
  const commit: Commit = {
    git,
    limits,
    serving,
    signal,
    listing,
    kept,
    manifests,
    policy,
    facts,
    reading,
    previous,
    licences: await readLicences(git, listing, policy, limits, signal),
    diagnostics: [...policy.diagnostics],
  };
  try {
    const validSkills = await readSkills(commit);
    const classes = classify(listing, policy, validSkills, kept);
    const includes = allowIncludes(listing, policy, classes, facts);
    const restrictions = restrict(commit, classes, await readKeptFolders(commit, validSkills));
    for (const [skill, found] of includes.dropped.entries())
      if (restrictions.described[skill] === 0) commit.diagnostics.push(...found);
    const overviews = await measureFiles(commit, classes, restrictions);
    await readFiles(commit, classes, overviews, includes);
    await readReferences(commit, classes, overviews, restrictions);
    await measureKept(commit, classes, restrictions);
    await reading.finish();
    const judged = judgeSkills(commit, classes, includes, restrictions);
    const { rawUrl = null } = request;
    const listings = await listSkills(commit, classes, judged, { commit: request.identity.commit, rawUrl });
    // Gives the memory of the threads back before the index is laid out.
    await reading.close();
    const { tables, segment } = await layOut(
      commit,
      request.identity,
      rawUrl,
      classes,
      judged,
      restrictions,
      listings,
      overviews,
    );
    return { chunks: encodeIndex(tables, segment), report: reportOf(commit, tables, restrictions) };
  } finally {
    await reading.close();
  }
}

/** How far the listing is read. What is excluded does not count: it is as if it had never been there. */
function keptEntries(scope: Uint8Array, limit: number): number {
  let left = limit;
  for (let i = 0; i < scope.length; i += 1) {
    if (scope[i] === Scope.excluded) continue;
    if (left === 0) return i;
    left -= 1;
  }
  return scope.length;
}

function isUsable({ identity }: Index, request: BuildRequest): boolean {
  return identity.repository === request.identity.repository && identity.rules === request.identity.rules;
}
