// Lays the findings of a build out as tables: rows for what matters, records beside them, everything in a fixed order.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { compareUtf8 } from '@skillquay/core/paths';
import type { Classes, Overview } from '../classify.ts';
import { Scope, scopeOf } from '../policy.ts';
import {
  type ClassCounts,
  type DiagnosticRecord,
  type EncodedDiagnostic,
  type IndexIdentity,
  type LinkRecord,
  type ManifestRecord,
  RowClass,
  type SkillRecord,
  type SnapshotTables,
  type TextRecord,
} from '../tables.ts';
import { type Copies, discoverable, findCopies } from './build-copies.ts';
import { numberDocuments } from './build-documents.ts';
import { type Includes, type JudgedIncludes, judgeIncludes } from './build-includes.ts';
import { partialSentence } from './build-limits.ts';
import { judgeCollisions, judgeSkillLinks, judgeSkillNames, judgeUnaddressable } from './build-names.ts';
import { layOutRows } from './build-rows.ts';
import type { Commit } from './build-steps.ts';
import { decodedDiagnostic } from './file-records.ts';

export async function layOut(
  commit: Commit,
  identity: IndexIdentity,
  classes: Classes,
  includes: Includes,
  overviews: readonly Overview[],
): Promise<{ tables: SnapshotTables; segment: Uint8Array }> {
  const { listing, facts, policy, kept } = commit;
  const documents = numberDocuments(facts, classes.class, commit.limits, commit.previous);
  const judged = classes.skills.map((entry, skill) =>
    judgeIncludes(
      listing.path[entry] ?? '',
      includes.allowed[skill] ?? [],
      classes,
      facts,
      commit.diagnostics,
    ),
  );
  const copies = findCopies({
    listing,
    skills: classes.skills,
    owner: classes.owner,
    rulesOf: (skill) => rulesInForce(commit, classes.skills[skill] ?? 0),
    includesOf: (skill) => judged[skill] ?? { entries: [], missing: [] },
  });
  const found = discoverable(copies);
  const scopes = listing.unaddressable.map(({ path }) => scopeOf(policy, path));
  commit.diagnostics.push(
    ...judgeSkillNames(listing, policy, kept),
    ...judgeCollisions(listing, policy, classes.class, kept),
    ...judgeUnaddressable(listing, scopes),
    ...(await judgeSkillLinks(
      commit.git,
      listing,
      policy,
      classes,
      (skill) => found[skill] === 1,
      kept,
      commit.signal,
    )),
  );
  const partial = [...leftOut(commit), ...documents.partial];
  const { rows, rowOf } = layOutRows(commit, classes, documents);
  const tables: SnapshotTables = {
    identity,
    counts: countClasses(commit, classes, scopes),
    partial,
    rows,
    skills: skillRecords(commit, classes, judged, copies, found, rowOf),
    manifests: manifestRecords(commit, rowOf),
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

/** The entries of the manifests at and above an entry's folder, from the root down. */
function rulesInForce({ policy }: Commit, entry: number): number[] {
  const rules: number[] = [];
  let number = policy.governing[entry] ?? -1;
  while (number !== -1) {
    rules.push(policy.manifests[number]?.entry ?? 0);
    number = policy.above[number] ?? -1;
  }
  return rules.reverse();
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

/** How the text of a skill ends that includes nothing: only that may be taken over, for includes are rows. */
const NO_INCLUDES = ',[],[]]';

function skillRecords(
  commit: Commit,
  classes: Classes,
  judged: readonly JudgedIncludes[],
  copies: Copies,
  found: Uint8Array,
  rowOf: Int32Array,
): SkillRecord[] {
  const records: SkillRecord[] = [];
  classes.skills.forEach((entry, skill) => {
    const { entries, missing } = judged[skill] ?? { entries: [], missing: [] };
    const encoded = entries.length + missing.length === 0 ? commit.facts.encodedSkill(entry) : undefined;
    records.push({
      row: rowOf[entry] ?? -1,
      get facts() {
        const facts = commit.facts.skillOf(entry);
        if (facts === undefined) throw new Error('A valid skill has facts.');
        return facts;
      },
      includes: entries.map((include) => rowOf[include] ?? -1),
      missingIncludes: missing,
      hidden: copies.hidden[skill] === 1,
      copyOf: copies.copyOf[skill] ?? -1,
      discoverable: found[skill] === 1,
      ...(encoded?.endsWith(NO_INCLUDES) ? { encoded } : {}),
    });
  });
  return records;
}

function manifestRecords({ policy }: Commit, rowOf: Int32Array): ManifestRecord[] {
  return policy.manifests.map(({ entry, ...manifest }) => ({ row: rowOf[entry] ?? -1, ...manifest }));
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
