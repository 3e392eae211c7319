// What an answer about a folder has to say of problems in it: a bounded part, and how many there are beyond.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { forAuthor } from '@skillquay/core/for-author';
import { MANIFEST_FILE } from '@skillquay/core/manifest-file';
import { basename, dirname, isBelow, joinPath } from '@skillquay/core/paths';
import { isMisnamedSkillFile, SKILL_FILE } from '@skillquay/core/skill-file';
import type { Index } from '../index.ts';
import type { DiagnosticRecord } from '../tables.ts';
import { lowerBound } from './file-index.ts';
import type { Scope } from './read-scope.ts';

/** Diagnostics of one answer; a tool result shows ten of them and a count. */
export const MAX_DIAGNOSTICS = 50;

export interface Told {
  readonly diagnostics: readonly Diagnostic[];
  readonly moreDiagnostics?: number;
  /** `BrowseAnswer.moreBelow` */
  readonly moreBelow?: string;
}

export interface Problems {
  readonly errors: number;
  readonly warnings: number;
  readonly worst: readonly Diagnostic[];
}

/**
 * What a record is to a reader of a mount: how it came about is the builder's business, and the other of two names that
 * collide is not named where it lies outside.
 */
export function told(scope: Scope, { ofFile: _, ...found }: DiagnosticRecord): Diagnostic {
  if (found.code !== 'case_collision' || scope.path === '') return found;
  if (found.message.includes(`\`${scope.path}/`)) return found;
  return { ...found, message: diagnostic('case_collision', { path: found.path, other: OUTSIDE }).message };
}

const OUTSIDE = 'a path outside this mount';

/** Why a folder is withheld whole. */
function ofClosed(scope: Scope, folder: string): DiagnosticRecord[] {
  const { index } = scope;
  return [...index.diagnosticsOf(folder), ...index.diagnosticsOf(joinPath(folder, MANIFEST_FILE))];
}

/** All that is said about a folder itself (its manifest, its skill, its README), then the errors below it. */
export function diagnosticsOfFolder(scope: Scope, path: string): Told {
  const closed = scope.closedAbove(path);
  if (closed !== null) return bounded(scope, ofClosed(scope, closed), 0);
  const { index } = scope;
  const own = ownPaths(scope, path);
  const found = ofOwn(scope, own);
  const { errors, from, to } = errorsBelow(scope, path);
  let at = from;
  for (; at < to && found.length < MAX_DIAGNOSTICS; at += 1) {
    const record = index.diagnostic(errors[at] ?? 0);
    if (!own.includes(record.path)) found.push(record);
  }
  return bounded(scope, found, to - at);
}

/** Errors below a folder that are looked at for those directly in it. */
const MAX_LOOKED_AT = 2_000;

/**
 * Likewise, but of the errors only those of manifests that cannot be used, wherever they are below (contract, Browse
 * and search), and those of what lies directly in the folder; the others are counted.
 */
export function diagnosticsOfListing(scope: Scope, path: string): Told {
  const closed = scope.closedAbove(path);
  if (closed !== null) return bounded(scope, ofClosed(scope, closed), 0);
  const { index } = scope;
  const own = ownPaths(scope, path);
  const found = ofOwn(scope, own);
  for (const record of unusableManifests(scope, path).records)
    if (!own.includes(record.path)) found.push(record);
  const shown = new Set(found.map((record) => record.path));
  const { errors, from, to } = errorsBelow(scope, path);
  const last = Math.min(to, from + MAX_LOOKED_AT);
  let further = to - last;
  let below = further === 0 ? null : dirname(index.encodedDiagnostic(errors[to - 1] ?? 0).path);
  for (let at = from; at < last; at += 1) {
    const number = errors[at] ?? 0;
    const errorPath = index.encodedDiagnostic(number).path;
    if (shown.has(errorPath)) continue;
    if (found.length < MAX_DIAGNOSTICS && isDirectlyIn(path, errorPath)) found.push(index.diagnostic(number));
    else {
      further += 1;
      below = commonFolder(below ?? dirname(errorPath), errorPath);
    }
  }
  const told = bounded(scope, found, further);
  return below === null || found.length > MAX_DIAGNOSTICS ? told : { ...told, moreBelow: below };
}

function ownPaths({ index }: Scope, path: string): string[] {
  const own = [path, joinPath(path, MANIFEST_FILE), joinPath(path, SKILL_FILE)];
  const overview = index.folders.overview[index.folders.of(path)] ?? -1;
  return overview === -1 ? own : [...own, index.path(overview)];
}

function ofOwn({ index }: Scope, own: readonly string[]): DiagnosticRecord[] {
  return own.flatMap((one) => index.diagnosticsOf(one)).filter(isProblem);
}

/** Numbers of the errors below a folder: `errors[from … to)`. */
function errorsBelow({ index }: Scope, path: string) {
  const errors = index.diagnosticErrors;
  const [from, to] = index.diagnosticsBelow(path);
  return { errors, from: lowerBound(errors, from), to: lowerBound(errors, to) };
}

/** A file or folder in the folder, or what makes a folder in it a skill or an area. */
function isDirectlyIn(folder: string, path: string): boolean {
  const parent = dirname(path);
  if (parent === folder) return true;
  const name = basename(path);
  const speaks = name === MANIFEST_FILE || name === SKILL_FILE || isMisnamedSkillFile(name);
  return speaks && parent !== '' && dirname(parent) === folder;
}

function commonFolder(folder: string, path: string): string {
  let common = folder;
  while (!isBelow(path, common)) common = dirname(common);
  return common;
}

/** Counted once for an index: a large repository has tens of thousands, and pages are asked for again and again. */
const counted = new WeakMap<Index, Map<string, Problems>>();
const MAX_COUNTED_FOLDERS = 1_000;

/**
 * Everything an author should mend at a folder and below it: how much there is, and the first `limit` (at most
 * `MAX_DIAGNOSTICS`), errors before warnings.
 */
export function problemsOf(scope: Scope, limit: number): Problems {
  const { index, path } = scope;
  const folders = counted.get(index) ?? new Map<string, Problems>();
  counted.set(index, folders);
  const found = folders.get(path) ?? countProblems(scope);
  if (folders.size >= MAX_COUNTED_FOLDERS) folders.clear();
  folders.set(path, found);
  return { ...found, worst: found.worst.slice(0, limit) };
}

function countProblems(scope: Scope): Problems {
  const { index, path } = scope;
  const closed = scope.closedAbove(path);
  const [from, to] = index.diagnosticsBelow(path);
  const records = [...(closed === null ? index.diagnosticsOf(path) : ofClosed(scope, closed))];
  for (let at = from; closed === null && at < to; at += 1) records.push(index.diagnostic(at));
  const all = records.map((record) => forAuthor(told(scope, record)));
  const errors = all.filter(({ severity }) => severity === 'error');
  const warnings = all.filter(({ severity }) => severity === 'warning');
  return {
    errors: errors.length,
    warnings: warnings.length,
    worst: [...errors, ...warnings].slice(0, MAX_DIAGNOSTICS),
  };
}

/** Which manifests at, above or below a folder cannot be used: what search does not find for that reason. */
export function diagnosticsOfPolicy(scope: Scope, path: string): Told {
  const { records, beyond } = unusableManifests(scope, path);
  return bounded(scope, records, beyond);
}

function unusableManifests(scope: Scope, path: string): { records: DiagnosticRecord[]; beyond: number } {
  const { index, base } = scope;
  if (base.closed.size === 0) return { records: [], beyond: 0 };
  const above = scope.closedAbove(path);
  const folders = above === null ? index.closedFolders.filter((folder) => isBelow(folder, path)) : [above];
  const shown = folders.slice(0, MAX_DIAGNOSTICS);
  return {
    records: shown
      .flatMap((folder) => ofClosed(scope, folder))
      .filter((record) => record.severity === 'error'),
    beyond: folders.length - shown.length,
  };
}

function isProblem(record: DiagnosticRecord): boolean {
  return record.severity !== 'info';
}

function bounded(scope: Scope, found: readonly DiagnosticRecord[], beyond: number): Told {
  const diagnostics = found.slice(0, MAX_DIAGNOSTICS).map((record) => told(scope, record));
  const more = found.length - diagnostics.length + beyond;
  return more === 0 ? { diagnostics } : { diagnostics, moreDiagnostics: more };
}
