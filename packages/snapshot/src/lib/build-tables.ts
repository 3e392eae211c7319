// Lays the findings of a build out as tables: rows for what matters, records beside them, everything in a fixed order.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import type { ResolvedLicence } from '@skillquay/core/licence';
import { compareUtf8 } from '@skillquay/core/paths';
import type { Classes, Overview } from '../classify.ts';
import { Scope, scopeOf } from '../policy.ts';
import {
  type ClassCounts,
  type DiagnosticRecord,
  type EncodedDiagnostic,
  type EncodedSkill,
  type IndexIdentity,
  type LinkRecord,
  type ManifestRecord,
  RowClass,
  type SkillRecord,
  type SnapshotTables,
  type TextRecord,
} from '../tables.ts';
import type { Listings } from './build-digests.ts';
import { numberDocuments } from './build-documents.ts';
import { NOTHING } from './build-includes.ts';
import type { JudgedSkills } from './build-judged.ts';
import type { Said } from './build-licences.ts';
import { partialSentence } from './build-limits.ts';
import { judgeCollisions, judgeSkillLinks, judgeSkillNames, judgeUnaddressable } from './build-names.ts';
import type { Restrictions } from './build-restrictions.ts';
import { layOutRows } from './build-rows.ts';
import { judgeScripts } from './build-scripts.ts';
import type { Commit } from './build-steps.ts';
import { decodedDiagnostic, includesNothing, licenceToText } from './file-records.ts';

export async function layOut(
  commit: Commit,
  identity: IndexIdentity,
  rawUrl: string | null,
  classes: Classes,
  judged: JudgedSkills,
  { keptFolders }: Restrictions,
  listings: Listings,
  overviews: readonly Overview[],
): Promise<{ tables: SnapshotTables; segment: Uint8Array }> {
  const { listing, facts, policy, kept } = commit;
  const documents = numberDocuments(facts, classes.class, commit.limits, commit.previous);
  const scopes = listing.unaddressable.map(({ path }) => scopeOf(policy, path));
  commit.diagnostics.push(
    ...judgeSkillNames(listing, policy, kept),
    ...judgeCollisions(listing, policy, classes.class, kept),
    ...judgeUnaddressable(listing, scopes),
    ...judgeScripts(listing, policy, classes, facts),
    ...(await judgeSkillLinks(
      commit.git,
      listing,
      policy,
      classes,
      (skill) => judged.discoverable[skill] === 1,
      kept,
      commit.signal,
    )),
  );
  const partial = [...leftOut(commit), ...documents.partial];
  const { rows, rowOf } = layOutRows(commit, classes, documents, listings);
  const licences = new LicenceTable();
  const tables: SnapshotTables = {
    identity,
    counts: countClasses(commit, classes, scopes),
    partial,
    rows,
    skills: skillRecords(commit, classes, judged, rowOf, licences),
    listing: { reason: listings.reason, sha256: listings.sha256, size: listings.size },
    rawUrl,
    manifests: manifestRecords(commit, rowOf, licences),
    looseLicence: licences.number(commit.licences.ofPlace(-1)),
    keptFolders: [...keptFolders]
      .sort(([a], [b]) => compareUtf8(a, b))
      .map(([folder, said]) => ({ folder, licence: licences.number(said) })),
    licences: licences.records,
    texts: textRecords(commit, classes, rowOf),
    links: linkRecords(commit, classes, rowOf),
    overviews: overviews
      .filter(({ entry }) => classes.class[entry] !== RowClass.withheld)
      .map(({ folder, entry }) => ({ folder, row: rowOf[entry] ?? -1 })),
    closedFolders: [...policy.closed].sort(compareUtf8),
    diagnostics: sortedDiagnostics(facts.diagnostics, commit.diagnostics),
  };
  return { tables, segment: documents.segment };
}

/** Licences in the order in which they are first met, each once. */
class LicenceTable {
  readonly records: ResolvedLicence[] = [];
  readonly #numbers = new Map<string, number>();

  /** -1 where nothing was said. */
  number(said: Said | undefined): number {
    if (said === null || said === undefined) return -1;
    const key = licenceToText(said);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.records.length);
    return this.records.push(said) - 1;
  }
}

/** Sentences on what the limits of tree entries and of bytes left out. Each is reported as a diagnostic as well. */
function leftOut(commit: Commit): string[] {
  const { listing, policy, kept, limits, reading, diagnostics } = commit;
  const partial: string[] = [];
  const tell = (count: number, limit: number, what: string) => {
    if (count === 0) return;
    partial.push(partialSentence(count, limit, what, 'left out'));
    diagnostics.push(diagnostic('beyond_limit', { path: '', count, limit, what }));
  };
  let beyond = 0;
  for (let i = kept; i < listing.count; i += 1) if (policy.scope[i] !== Scope.excluded) beyond += 1;
  tell(beyond, limits.treeEntries, 'tree entries');
  tell(reading.refused, limits.blobBytes, 'bytes that are read');
  return partial;
}

function skillRecords(
  commit: Commit,
  classes: Classes,
  { includes, licences, copies, discoverable }: JudgedSkills,
  rowOf: Int32Array,
  table: LicenceTable,
): (SkillRecord | EncodedSkill)[] {
  return classes.skills.map((entry, skill) => {
    const { entries, missing } = includes[skill] ?? NOTHING;
    const columns = {
      row: rowOf[entry] ?? -1,
      hidden: copies.hidden[skill] === 1,
      copyOf: copies.copyOf[skill] ?? -1,
      discoverable: discoverable[skill] === 1,
      licence: table.number(licences[skill]),
    };
    const encoded = commit.facts.encodedSkill(entry);
    // Includes are rows, which are others now.
    const isSame = entries.length + missing.length === 0 && encoded !== undefined && includesNothing(encoded);
    if (isSame) return { ...columns, encoded };
    const facts = commit.facts.skillOf(entry);
    if (facts === undefined) throw new Error('A valid skill has facts.');
    return {
      ...columns,
      facts,
      includes: entries.map((include) => rowOf[include] ?? -1),
      missingIncludes: missing,
    };
  });
}

function manifestRecords(
  { policy, licences }: Commit,
  rowOf: Int32Array,
  table: LicenceTable,
): ManifestRecord[] {
  return policy.manifests.map(({ entry, ...manifest }, number) => ({
    row: rowOf[entry] ?? -1,
    ...manifest,
    licence: table.number(licences.ofPlace(number)),
  }));
}

function textRecords({ facts }: Commit, classes: Classes, rowOf: Int32Array): TextRecord[] {
  const records: TextRecord[] = [];
  for (let entry = 0; entry < rowOf.length; entry += 1) {
    const introduction = facts.introduction[entry];
    if (introduction === undefined || !isServed(classes.class[entry])) continue;
    records.push({ ...introduction, row: rowOf[entry] ?? -1 });
  }
  return records;
}

function linkRecords({ facts }: Commit, classes: Classes, rowOf: Int32Array): LinkRecord[] {
  const records: LinkRecord[] = [];
  for (let entry = 0; entry < rowOf.length; entry += 1) {
    const targets = facts.links[entry];
    if (targets !== undefined && isServed(classes.class[entry]))
      records.push({ row: rowOf[entry] ?? -1, targets });
  }
  return records;
}

function isServed(rowClass: number | undefined): boolean {
  return rowClass !== undefined && rowClass !== 0 && rowClass !== RowClass.withheld;
}

type AnyDiagnostic = DiagnosticRecord | EncodedDiagnostic;

/** In an order that depends on nothing but the diagnostics themselves. */
function sortedDiagnostics(
  ofFiles: readonly AnyDiagnostic[],
  others: readonly Diagnostic[],
): AnyDiagnostic[] {
  const records: AnyDiagnostic[] = [...ofFiles, ...others.map((found) => ({ ...found, ofFile: false }))];
  return records.sort((a, b) => compareUtf8(a.path, b.path) || compareOnPath(a, b));
}

function compareOnPath(left: AnyDiagnostic, right: AnyDiagnostic): number {
  // Those of one index stand in this order there.
  if ('encoded' in left && 'encoded' in right) return left.number - right.number;
  const a = decodedDiagnostic(left);
  const b = decodedDiagnostic(right);
  return (
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareUtf8(a.code, b.code) ||
    compareUtf8(a.message, b.message)
  );
}

function countClasses(commit: Commit, classes: Classes, scopes: readonly number[]): ClassCounts {
  const { listing, policy } = commit;
  const byClass = new Uint32Array(Math.max(...Object.values(RowClass)) + 1);
  let excluded = scopes.filter((scope) => scope === Scope.excluded).length;
  let other = 0;
  for (let entry = 0; entry < listing.count; entry += 1) {
    const rowClass = classes.class[entry] ?? 0;
    if (rowClass !== 0) byClass[rowClass] = (byClass[rowClass] ?? 0) + 1;
    else if (policy.scope[entry] === Scope.excluded) excluded += 1;
    else other += 1;
  }
  const count = (rowClass: number) => byClass[rowClass] ?? 0;
  return {
    entries: listing.count + listing.unaddressable.length,
    skill: count(RowClass.skill),
    supporting: count(RowClass.supporting),
    document: count(RowClass.document),
    manifest: count(RowClass.manifest),
    overview: count(RowClass.overview),
    reference: count(RowClass.reference),
    invalidSkill: count(RowClass.invalidSkill),
    withheld: count(RowClass.withheld),
    excluded,
    unaddressable: scopes.filter((scope) => scope !== Scope.excluded).length,
    other,
  };
}
