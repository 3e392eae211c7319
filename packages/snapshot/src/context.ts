// Everything an agent reads of a skill, in order: the rules that apply, its instructions, what it includes.
// Source: contract, Loading a skill; format, section 8.
import type { ContextPart, SkillContext } from '@skillquay/core/answers';
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { MAX_CONTEXT_FILE_BYTES } from '@skillquay/core/limits';
import { contextPart } from './lib/context-part.ts';
import { type Body, readBody } from './lib/read-body.ts';
import { told } from './lib/read-diagnostics.ts';
import { isDescribed } from './lib/read-licence.ts';
import type { Scope } from './lib/read-scope.ts';
import { rulesOf } from './lib/read-skill.ts';
import { SIZE_UNKNOWN, type SkillRecord } from './tables.ts';

/**
 * Reads the context of a skill. Rules of manifests above the mount and shared pages outside it belong to the skill and
 * arrive with it. A manifest without a body has no rules and no part. Of a skill that is described only nothing is read.
 */
export async function readContext(scope: Scope, number: number): Promise<SkillContext> {
  const { index } = scope;
  if (isDescribed(scope, number)) return { parts: [], missing: [] };
  const record = index.skill(number);
  const path = index.path(record.row);
  const rules = rulesOf(scope, record)
    .map((manifest) => manifest.row)
    .filter((row) => scope.isServed(row));
  const includes = record.includes.filter((row) => isReadable(scope, row));
  const rows = beginningOf(scope, [...rules, record.row, ...includes]);
  const bodies = await Promise.all(rows.map((row) => readBody(scope, row)));
  const parts: ContextPart[] = [];
  const missing = knownToBeMissing(scope, record, path);
  const beyond = rules.length + 1 + includes.length - rows.length;
  if (beyond > 0)
    missing.push(diagnostic('context_limit', { path, count: beyond, limit: MAX_CONTEXT_FILE_BYTES }));
  bodies.forEach((body, i) => {
    const row = rows[i] ?? -1;
    const partPath = index.path(row);
    const kind = i < rules.length ? 'rules' : i === rules.length ? 'instructions' : 'included';
    if (!body.ok) missing.push(unreadable(kind, path, partPath, body));
    else {
      const part = contextPart(kind, partPath, body.text);
      if (part !== null) parts.push(part);
    }
  });
  for (const row of record.includes)
    if (!includes.includes(row)) missing.push(unavailable(path, index.path(row), 'is withheld'));
  const isUnread = bodies.some((body) => !body.ok && body.reason === 'object_missing');
  return { parts, missing, ...(isUnread ? { unread: true } : {}) };
}

/** As many rows as may be read at once. */
function beginningOf({ index }: Scope, rows: readonly number[]): readonly number[] {
  let left = MAX_CONTEXT_FILE_BYTES;
  const end = rows.findIndex((row) => {
    const size = index.size[row] ?? SIZE_UNKNOWN;
    if (size !== SIZE_UNKNOWN) left -= size;
    return left < 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

const ABOUT_INCLUDES: ReadonlySet<string> = new Set(['file_unavailable', 'kept_at_source']);
const MAKES_INCOMPLETE: ReadonlySet<string> = new Set([...ABOUT_INCLUDES, 'unrecovered_skillcdn']);

function isReadable(scope: Scope, row: number): boolean {
  return scope.isServed(row) && scope.closedAbove(scope.index.path(row)) === null;
}

/** What was missing when the index was built: no later page can repair it. */
function knownToBeMissing(scope: Scope, record: SkillRecord, path: string): Diagnostic[] {
  const said = scope.index
    .diagnosticsOf(path)
    .filter(({ code }) => MAKES_INCOMPLETE.has(code))
    .map((found) => told(scope, found));
  const missing = [...said];
  if (record.facts.incomplete === true && !said.some(({ code }) => code === 'unrecovered_skillcdn'))
    missing.push(diagnostic('unrecovered_skillcdn', { path }));
  if (record.missingIncludes.length > 0 && !said.some(({ code }) => ABOUT_INCLUDES.has(code)))
    missing.push(...record.missingIncludes.map((file) => unavailable(path, file, 'cannot be read')));
  return missing;
}

function unavailable(path: string, file: string, reason: string): Diagnostic {
  return diagnostic('file_unavailable', { path, file, reason });
}

function unreadable(
  kind: ContextPart['kind'],
  skillPath: string,
  path: string,
  body: Exclude<Body, { ok: true }>,
): Diagnostic {
  if (kind === 'included') {
    const reason = body.reason === 'not_text' ? 'is not UTF-8 text' : 'cannot be read';
    return unavailable(skillPath, path, reason);
  }
  return body.reason === 'not_text'
    ? diagnostic('not_utf8', { path, format: body.looksLike })
    : diagnostic('object_missing', { path });
}
