// What an answer about a folder has to say of problems in it: a bounded part, and how many there are beyond.
import type { Diagnostic } from '@skillquay/core/facts';
import { forAuthor } from '@skillquay/core/for-author';
import { isBelow, joinPath } from '@skillquay/core/paths';
import type { DiagnosticRecord } from '../tables.ts';
import { lowerBound } from './file-index.ts';
import type { Scope } from './read-scope.ts';

/** Diagnostics of one answer; a tool result shows ten of them and a count. */
export const MAX_DIAGNOSTICS = 50;

export interface Told {
  readonly diagnostics: readonly Diagnostic[];
  readonly moreDiagnostics?: number;
}

export interface Problems {
  readonly errors: number;
  readonly warnings: number;
  readonly worst: readonly Diagnostic[];
}

const MANIFEST = 'SKILLCDN.md';
const SKILL = 'SKILL.md';

/** What a record is to a reader: how it came about is the builder's business. */
export function told({ ofFile: _, ...diagnostic }: DiagnosticRecord): Diagnostic {
  return diagnostic;
}

/** Why a folder is withheld whole. */
function ofClosed(scope: Scope, folder: string): DiagnosticRecord[] {
  const { index } = scope;
  return [...index.diagnosticsOf(folder), ...index.diagnosticsOf(joinPath(folder, MANIFEST))];
}

/** All that is said about a folder itself (its manifest, its skill, its README), then the errors below it. */
export function diagnosticsOfFolder(scope: Scope, path: string): Told {
  const closed = scope.closedAbove(path);
  if (closed !== null) return bounded(ofClosed(scope, closed), 0);
  const { index } = scope;
  const own = [path, joinPath(path, MANIFEST), joinPath(path, SKILL)];
  const overview = index.folders.overview[index.folders.of(path)] ?? -1;
  if (overview !== -1) own.push(index.path(overview));
  const found = own.flatMap((one) => index.diagnosticsOf(one)).filter(isProblem);
  const [from, to] = index.diagnosticsBelow(path);
  const errors = index.diagnosticErrors;
  const last = lowerBound(errors, to);
  let at = lowerBound(errors, from);
  for (; at < last && found.length < MAX_DIAGNOSTICS; at += 1) {
    const record = index.diagnostic(errors[at] ?? 0);
    if (!own.includes(record.path)) found.push(record);
  }
  return bounded(found, last - at);
}

/** Everything an author should mend at a folder and below it: how much there is, and the first `limit`, errors before warnings. */
export function problemsOf(scope: Scope, limit: number): Problems {
  const { index, path } = scope;
  const closed = scope.closedAbove(path);
  const [from, to] = index.diagnosticsBelow(path);
  const records = [...(closed === null ? index.diagnosticsOf(path) : ofClosed(scope, closed))];
  for (let at = from; closed === null && at < to; at += 1) records.push(index.diagnostic(at));
  const all = records.map((record) => forAuthor(told(record)));
  const errors = all.filter(({ severity }) => severity === 'error');
  const warnings = all.filter(({ severity }) => severity === 'warning');
  return {
    errors: errors.length,
    warnings: warnings.length,
    worst: [...errors, ...warnings].slice(0, limit),
  };
}

/** Which manifests at, above or below a folder cannot be used: what search does not find for that reason. */
export function diagnosticsOfPolicy(scope: Scope, path: string): Told {
  const { index, base } = scope;
  if (base.closed.size === 0) return { diagnostics: [] };
  const above = scope.closedAbove(path);
  const folders = above === null ? index.closedFolders.filter((folder) => isBelow(folder, path)) : [above];
  const shown = folders.slice(0, MAX_DIAGNOSTICS);
  return bounded(
    shown.flatMap((folder) => ofClosed(scope, folder)).filter((record) => record.severity === 'error'),
    folders.length - shown.length,
  );
}

function isProblem(record: DiagnosticRecord): boolean {
  return record.severity !== 'info';
}

function bounded(found: readonly DiagnosticRecord[], beyond: number): Told {
  const diagnostics = found.slice(0, MAX_DIAGNOSTICS).map(told);
  const more = found.length - diagnostics.length + beyond;
  return more === 0 ? { diagnostics } : { diagnostics, moreDiagnostics: more };
}
