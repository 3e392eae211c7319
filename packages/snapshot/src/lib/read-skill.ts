// What a skill says about itself: its fields, its files, what its texts point at, what is left out.
import type { AnswerError, SkillAnswer, WithheldEntry } from '@skillquay/core/answers';
import type { Diagnostic } from '@skillquay/core/facts';
import { dirname } from '@skillquay/core/paths';
import { utf8Length } from '@skillquay/core/text';
import { TEXT_SIGNALS } from '@skillquay/core/trust-signals';
import { listingReason, notListed } from '../not-listed.ts';
import type { SkillRequest } from '../reader.ts';
import { RowClass, type SkillRecord } from '../tables.ts';
import { told } from './read-diagnostics.ts';
import { describedOnly, withheldEntry } from './read-entries.ts';
import { closedPath, fail, faultOf, noSkill, withNext } from './read-errors.ts';
import { withheld } from './read-file.ts';
import { isDescribed } from './read-licence.ts';
import type { Scope } from './read-scope.ts';

/** The number of the skill whose SKILL.md this exactly is, or what to tell the caller. */
export function findSkill(scope: Scope, path: string): number | AnswerError {
  const error = scope.pathError(path, false);
  if (error !== null) return error;
  if (!scope.contains(path)) return noSkill(scope, path);
  const closed = scope.closedAbove(path);
  if (closed !== null) return closedPath('skill.not_found', path, closed);
  const row = scope.rowOf(path);
  if (row === -1) return noSkill(scope, path);
  const rowClass = scope.index.class[row];
  if (rowClass === RowClass.skill) return scope.index.owner[row] ?? -1;
  return scope.isServed(row) ? notASkill(scope, path) : withheld(scope, path, row);
}

function notASkill(scope: Scope, path: string): AnswerError {
  const error = scope.index.diagnosticsOf(path).find(({ severity }) => severity === 'error');
  const why = error === undefined ? '' : ` ${faultOf(error)}`;
  const message = `"${path}" is a file, but not a skill.${why} It can be read as a file.`;
  return withNext(fail('skill.not_found', message), 'read_repo_file', { path });
}

export function skill(scope: Scope, path: string, request: SkillRequest): SkillAnswer | AnswerError {
  const number = findSkill(scope, path);
  if (typeof number !== 'number') return number;
  const { index } = scope;
  const record = index.skill(number);
  const { name, description, compatibility, allowedTools, metadata } = record.facts;
  const licence = index.skillLicence(number);
  const described = describedOnly(scope, number);
  const belongings =
    described.describedOnly === undefined ? belongingsOf(scope, number, record, request) : NONE;
  return {
    path,
    name,
    description,
    ...(licence === null ? {} : { licence }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(metadata === undefined ? {} : { metadata }),
    warnings: warningsOf(scope, number, record),
    ...belongings,
    ...described,
    sourceUrl: scope.base.pageSource(path),
  };
}

type Belongings = Pick<
  SkillAnswer,
  'files' | 'fileCount' | 'references' | 'moreReferences' | 'leftOut' | 'moreLeftOut'
>;

const NONE: Belongings = { files: [], fileCount: 0, references: [], leftOut: [] };

function belongingsOf(scope: Scope, number: number, record: SkillRecord, request: SkillRequest): Belongings {
  const path = scope.index.path(record.row);
  const { files, fileCount, leftOut, leftOutCount } = filesOf(scope, number, path, request);
  const references = referencesOf(scope, record);
  const shown = fitting(references, request);
  return {
    files,
    fileCount,
    references: shown,
    ...(shown.length === references.length ? {} : { moreReferences: references.length - shown.length }),
    leftOut,
    ...(leftOut.length === leftOutCount ? {} : { moreLeftOut: leftOutCount - leftOut.length }),
  };
}

/** Takes paths one by one while they fit the bounds of a list. */
class PathList {
  readonly #request: SkillRequest;
  #count = 0;
  #bytes = 0;
  #full = false;

  constructor(request: SkillRequest) {
    this.#request = request;
  }

  /** A path that does not fit ends the list: what is shown is always a beginning. */
  takes(path: string): boolean {
    this.#count += 1;
    this.#bytes += utf8Length(path) + 1;
    this.#full ||= this.#count > this.#request.maxPaths || this.#bytes > this.#request.maxPathBytes;
    return !this.#full;
  }

  get full(): boolean {
    return this.#full;
  }
}

function fitting(paths: readonly string[], request: SkillRequest): readonly string[] {
  const list = new PathList(request);
  return paths.filter((path) => list.takes(path));
}

/** The rows a skill owns lie below its directory, those of nested skills among them. */
function filesOf(scope: Scope, number: number, path: string, request: SkillRequest) {
  const { index } = scope;
  const folder = index.folders.of(dirname(path));
  const end = index.folders.rows[folder * 2 + 1] ?? 0;
  const files: string[] = [];
  const leftOut: WithheldEntry[] = [];
  const fileList = new PathList(request);
  const leftOutList = new PathList(request);
  let fileCount = 0;
  let leftOutCount = 0;
  for (let row = index.folders.rows[folder * 2] ?? 0; row < end; row += 1) {
    if (index.owner[row] !== number) continue;
    if (!scope.isServed(row)) {
      leftOutCount += 1;
      if (!leftOutList.full && leftOutList.takes(index.path(row))) leftOut.push(withheldEntry(scope, row));
    } else if (index.class[row] === RowClass.supporting) {
      fileCount += 1;
      if (fileList.full) continue;
      const file = index.path(row);
      if (fileList.takes(file)) files.push(file);
    }
  }
  return { files, fileCount, leftOut, leftOutCount };
}

/**
 * What is wrong with a skill, what a reader should know of the other texts that an agent gets with it, and why the skills
 * extension does not list it, unless that was said already. With a skill that is described only no other text comes, and
 * its description says why it is not listed.
 */
function warningsOf(scope: Scope, number: number, record: SkillRecord): readonly Diagnostic[] {
  const { index } = scope;
  const own = index.diagnosticsOf(index.path(record.row));
  if (isDescribed(scope, number)) return own.map((one) => told(scope, one));
  const others = [...rulesOf(scope, record).map((manifest) => manifest.row), ...record.includes];
  const found = [
    ...own,
    ...others.flatMap((row) =>
      index.diagnosticsOf(index.path(row)).filter(({ code }) => TEXT_SIGNALS.has(code)),
    ),
  ].map((one) => told(scope, one));
  const reason = notListed(index, number, (path) => scope.contains(path));
  const isSaid = found.some(({ code }) => code === listingReason(index, number));
  return reason === null || isSaid ? found : [...found, reason];
}

/** What the texts of a skill's context link to and this mount serves, in order of appearance, each once. */
function referencesOf(scope: Scope, record: SkillRecord): string[] {
  const { index } = scope;
  const found = new Set<number>();
  const sources = [...rulesOf(scope, record).map((manifest) => manifest.row), record.row, ...record.includes];
  for (const source of sources) {
    for (const target of index.links(source)) {
      const row = scope.rowOf(target);
      if (row !== -1 && row !== record.row && scope.isServed(row)) found.add(row);
    }
  }
  return Array.from(found, (row) => index.path(row));
}

/** The manifests whose rules apply to a skill, from the root to the nearest. */
export function rulesOf(scope: Scope, record: SkillRecord) {
  const { folders, manifests } = scope.index;
  const chain = [];
  for (let at = folders.of(dirname(scope.index.path(record.row))); at !== -1; at = folders.parent[at] ?? -1) {
    const manifest = manifests[folders.manifest[at] ?? -1];
    if (manifest !== undefined) chain.push(manifest);
  }
  return chain.reverse();
}
