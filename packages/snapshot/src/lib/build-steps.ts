// The steps of a build between the listing and the tables: what is read, and what reading changes about classes.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { isJsonPath, isMarkdownPath } from '@skillquay/core/file-kind';
import { MAX_LFS_POINTER_BYTES } from '@skillquay/core/lfs';
import { MAX_LINK_STEPS, MAX_SKILL_FILE_BYTES, type ReadingLimits } from '@skillquay/core/limits';
import { dirname } from '@skillquay/core/paths';
import type { GitRepository } from '@skillquay/git/repository';
import { type Classes, chooseOverviews, isSkillPath, type Overview, withheldNumber } from '../classify.ts';
import { type Policy, Scope } from '../policy.ts';
import { RowClass, RowMode, type Serving, SIZE_UNKNOWN, type WithheldReason } from '../tables.ts';
import type { Facts } from './build-facts.ts';
import type { Includes } from './build-includes.ts';
import type { Licences } from './build-licences.ts';
import { type Listing, missingContent } from './build-listing.ts';
import type { ManifestFile } from './build-manifests.ts';
import type { Previous } from './build-previous.ts';
import { Found, Want } from './build-read.ts';
import { type Reading, Wanted } from './build-reading.ts';
import { followLinks } from './build-references.ts';
import type { Restrictions } from './build-restrictions.ts';

/** A commit while it is built. */
export interface Commit {
  readonly git: GitRepository;
  readonly limits: ReadingLimits;
  readonly serving: Serving;
  readonly signal: AbortSignal;
  readonly listing: Listing;
  /** Entries from here on are left out by the limit of tree entries. */
  readonly kept: number;
  readonly manifests: readonly ManifestFile[];
  readonly policy: Policy;
  readonly licences: Licences;
  readonly facts: Facts;
  readonly reading: Reading;
  readonly previous: Previous | null;
  /** What the commit as a whole gives; what a file gives by itself stands in `facts`. */
  readonly diagnostics: Diagnostic[];
}

/** Reads every SKILL.md that policy lets be read. Returns 1 for each entry that is a valid one. */
export async function readSkills(commit: Commit): Promise<Uint8Array> {
  const { listing, policy, facts } = commit;
  const files: number[] = [];
  for (let i = 0; i < commit.kept; i += 1)
    if (policy.scope[i] === Scope.open && isFile(listing.mode[i]) && isSkillPath(listing.path[i] ?? ''))
      files.push(i);
  await commit.reading.measure(files);
  const limit = Math.min(MAX_SKILL_FILE_BYTES, commit.limits.readFileBytes);
  const wanted = new Wanted();
  for (const entry of files) {
    const size = facts.size[entry] ?? SIZE_UNKNOWN;
    if (size === SIZE_UNKNOWN) continue;
    if (size <= limit) wanted.add(entry, Want.skill | servingWant(commit, entry));
    else {
      const path = listing.path[entry] ?? '';
      commit.diagnostics.push(diagnostic('too_large', { path, size, limit }));
    }
  }
  const none = new Uint8Array(listing.count);
  for (const entry of await commit.reading.read(wanted, none)) facts.found[entry] = Found.refused;
  const valid = new Uint8Array(listing.count);
  for (const entry of files) if (((facts.found[entry] ?? 0) & Found.skill) !== 0) valid[entry] = 1;
  return valid;
}

/** What the reader of a SKILL.md has to know of licences, before it knows what the file itself says. */
function servingWant({ serving, licences, listing, policy }: Commit, entry: number): number {
  if (serving === 'whole') return 0;
  const ofDirectory = licences.ofDirectory(dirname(listing.path[entry] ?? ''));
  const otherwise = ofDirectory ?? licences.ofPlace(policy.governing[entry] ?? -1);
  return (
    (ofDirectory === null ? Want.fieldDecides : 0) | (otherwise?.kind === 'restrictive' ? Want.described : 0)
  );
}

/**
 * Learns the sizes of what is served, withholds what is too large or not there, and chooses the READMEs. Returns those
 * that are served.
 */
export async function measureFiles(
  commit: Commit,
  classes: Classes,
  { keeping }: Restrictions,
): Promise<Overview[]> {
  const { listing, limits } = commit;
  const files: number[] = [];
  for (let i = 0; i < listing.count; i += 1) if (isFileClass(classes.class[i])) files.push(i);
  await commit.reading.measure(files);
  for (const entry of files) {
    judgeSize(commit, classes, entry);
    const isData = classes.class[entry] === RowClass.document && isJsonPath(listing.path[entry] ?? '');
    if (isData && (commit.facts.size[entry] ?? 0) > limits.indexedBytesPerFile) classes.class[entry] = 0;
  }
  const overviews = chooseOverviews(listing, commit.policy, classes.class, commit.kept);
  await commit.reading.measure(overviews.map(({ entry }) => entry));
  for (const { entry } of overviews) {
    if (classes.class[entry] !== 0) continue;
    classes.class[entry] = RowClass.overview;
    if (keeping(entry) !== null) withhold(classes, entry, 'restrictive_license');
    else judgeSize(commit, classes, entry);
  }
  for (const { entry, size } of commit.manifests) commit.facts.size[entry] = size;
  return overviews.filter(({ entry }) => classes.class[entry] !== RowClass.withheld);
}

/** Reads supporting files, documents and overviews, as far as anything is wanted of them. */
export async function readFiles(
  commit: Commit,
  classes: Classes,
  overviews: readonly Overview[],
  includes: Includes,
): Promise<void> {
  const { facts, listing } = commit;
  const introduces = new Uint8Array(listing.count);
  for (const { entry } of overviews) introduces[entry] = 1;
  const included = new Uint8Array(listing.count);
  classes.skills.forEach((skill, number) => {
    // Nothing is put together of what is only described.
    if (classes.withheld[skill] !== 0) return;
    for (const { entry } of includes.allowed[number] ?? []) if (entry !== -1) included[entry] = 1;
  });
  const wanted = new Wanted();
  for (let entry = 0; entry < listing.count; entry += 1) {
    if (!isFileClass(classes.class[entry])) continue;
    // A SKILL.md that is none was read before, to find that out.
    if (isSkillPath(listing.path[entry] ?? '') && applyFound(commit, classes, entry)) continue;
    const want = wantOf(commit, classes, entry, introduces[entry] === 1, included[entry] === 1);
    const isNew = facts.known[entry] === 0;
    const signals = isNew && included[entry] === 1 ? Want.signals : 0;
    const left = isNew ? want && want | signals : leftOfWant(want, facts.found[entry] ?? 0);
    if (left !== null) wanted.add(entry, classes.nearest[entry] === -1 ? left : left | Want.digest);
  }
  const refused = await commit.reading.read(wanted, classes.class);
  for (const entry of refused) facts.found[entry] = Found.refused;
  for (const entry of wanted.entries) applyFound(commit, classes, entry);
  for (const manifest of commit.manifests)
    if (manifest.links.length > 0 && classes.class[manifest.entry] === RowClass.manifest)
      facts.links[manifest.entry] = manifest.links;
}

/** What is to be learnt of a file; null = nothing. */
function wantOf(
  { listing, limits, facts }: Commit,
  classes: Classes,
  entry: number,
  introduces: boolean,
  included: boolean,
): number | null {
  const path = listing.path[entry] ?? '';
  const size = facts.size[entry] ?? 0;
  const introduction = introduces ? Want.introduction : 0;
  switch (classes.class[entry]) {
    case RowClass.document:
      return Want.search | Want.introduction | (isMarkdownPath(path) ? Want.links : 0);
    case RowClass.overview:
      return Want.links | Want.introduction;
    case RowClass.invalidSkill:
      return Want.links;
    default:
      if (isMarkdownPath(path)) return Want.search | Want.links | introduction;
      if (isJsonPath(path) && size <= limits.indexedBytesPerFile) return Want.search;
      if (included) return Want.text;
      return size <= MAX_LFS_POINTER_BYTES ? 0 : null;
  }
}

/** What is still to be learnt of a file that was read as a SKILL.md: not its links, and nothing if it is no text. */
function leftOfWant(want: number | null, found: number): number | null {
  const left = (want ?? 0) & ~Want.links;
  return left === 0 || (found & Found.text) === 0 ? null : left;
}

/** Serves what is linked to (format, section 5). */
export async function readReferences(
  commit: Commit,
  classes: Classes,
  overviews: readonly Overview[],
  { keeping }: Restrictions,
): Promise<void> {
  const { listing, kept, policy, facts } = commit;
  const sources: number[] = [];
  for (let i = 0; i < listing.count; i += 1) if (isLinkSource(classes.class[i])) sources.push(i);
  for (const { entry } of overviews) if (classes.class[entry] === RowClass.supporting) sources.push(entry);
  const serve = async (entries: readonly number[]) => {
    const files: number[] = [];
    for (const entry of entries) {
      if (classes.class[entry] !== 0) continue;
      if (keeping(entry) !== null) withhold(classes, entry, 'restrictive_license');
      else files.push(entry);
    }
    await commit.reading.measure(files);
    const wanted = new Wanted();
    for (const entry of files) {
      classes.class[entry] = RowClass.reference;
      judgeSize(commit, classes, entry);
      if (classes.class[entry] === RowClass.reference) wanted.add(entry, Want.links);
    }
    for (const entry of await commit.reading.read(wanted, classes.class)) facts.found[entry] = Found.refused;
    for (const entry of wanted.entries) applyFound(commit, classes, entry);
  };
  const graph = { entries: listing, kept, policy, linksOf: (entry: number) => facts.links[entry], serve };
  for (const entry of await followLinks(graph, sources)) {
    const path = listing.path[entry] ?? '';
    commit.diagnostics.push(diagnostic('link_step_limit', { path, limit: MAX_LINK_STEPS }));
  }
}

function isLinkSource(rowClass: number | undefined): boolean {
  return (
    rowClass === RowClass.skill ||
    rowClass === RowClass.manifest ||
    rowClass === RowClass.document ||
    rowClass === RowClass.overview
  );
}

/** Classes of regular files that are served as they are. */
function isFileClass(rowClass: number | undefined): boolean {
  return (
    rowClass === RowClass.supporting ||
    rowClass === RowClass.document ||
    rowClass === RowClass.invalidSkill ||
    rowClass === RowClass.overview
  );
}

function isFile(mode: number | undefined): boolean {
  return mode === RowMode.file || mode === RowMode.executable;
}

function withhold(classes: Classes, entry: number, reason: WithheldReason): void {
  classes.class[entry] = RowClass.withheld;
  classes.withheld[entry] = withheldNumber(reason);
}

function judgeSize(commit: Commit, classes: Classes, entry: number): void {
  const size = commit.facts.size[entry] ?? SIZE_UNKNOWN;
  if (size === SIZE_UNKNOWN) {
    withhold(classes, entry, 'object_missing');
    commit.diagnostics.push(missingContent(commit.listing, entry));
  } else if (size > commit.limits.readFileBytes) withhold(classes, entry, 'too_large');
}

/** Withholds a file that turned out not to be what its name says. Returns whether it did. */
function applyFound(commit: Commit, classes: Classes, entry: number): boolean {
  const { facts, listing, limits } = commit;
  const found = facts.found[entry] ?? 0;
  if (found === Found.refused) {
    withhold(classes, entry, 'beyond_limit');
    const path = listing.path[entry] ?? '';
    if (isSkillPath(path))
      commit.diagnostics.push(
        diagnostic('beyond_limit', { path, count: 1, limit: limits.blobBytes, what: 'bytes that are read' }),
      );
    return true;
  }
  if (facts.known[entry] === 0) return false;
  if ((found & Found.pointer) !== 0) withhold(classes, entry, 'lfs_pointer');
  else if ((found & Found.missing) !== 0) withhold(classes, entry, 'object_missing');
  else if ((found & Found.text) === 0 && classes.class[entry] !== RowClass.supporting)
    withhold(classes, entry, 'not_text');
  else return false;
  return true;
}
