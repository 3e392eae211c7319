// Searches a mount: scopes the segment, and turns its groups into skills and documents.
import type { AnswerError, SearchAnswer, SearchHit } from '@skillquay/core/answers';
import type { GroupHit } from '@skillquay/search/api';
import type { SearchRequest } from '../reader.ts';
import { RowClass } from '../tables.ts';
import { diagnosticsOfPolicy } from './read-diagnostics.ts';
import { skillEntry } from './read-entries.ts';
import { withNext } from './read-errors.ts';
import { findFolder } from './read-folder.ts';
import type { Scope } from './read-scope.ts';

/** Matching files named with a skill (contract, Browse and search). */
const MAX_SKILL_FILES = 5;

export function search(scope: Scope, request: SearchRequest): SearchAnswer | AnswerError {
  const { query, path = scope.path, after, limit } = request;
  const folder = findFolder(scope, path);
  if (typeof folder !== 'number') return searchAgain(folder, query);
  // Files below the folder are searched; the skill they belong to may lie above it, but not outside the mount.
  const [from, to] = folder === -1 ? [0, 0] : scope.docsOf(folder);
  const [groupFrom, groupTo] = folder === -1 ? [0, 0] : scope.docsOf(scope.folderOf(scope.path));
  const groupOf = scope.index.docGroup;
  const result = scope.base
    .segment()
    .search(query, { from, to, groupOf, groupFrom, groupTo }, { after, limit });
  return {
    query,
    path,
    hits: result.hits.map((hit) => hitOf(scope, hit)),
    positions: result.hits.map(({ score, group }) => ({ score, group })),
    more: result.more,
    ...(result.empty ? { nothingToSearch: true } : {}),
    ...diagnosticsOfPolicy(scope, path),
    partial: scope.partial,
  };
}

/** Where another folder was meant, the same words are looked for in it. */
function searchAgain(failure: AnswerError, query: string): AnswerError {
  const { next } = failure.error;
  return next?.tool === 'browse_repo'
    ? withNext(failure, 'search_repo', { query, ...next.arguments })
    : failure;
}

function hitOf(scope: Scope, { group, docs, matching, own }: GroupHit): SearchHit {
  const { index } = scope;
  const row = index.docRow[group] ?? -1;
  if (index.class[row] !== RowClass.skill)
    return { kind: 'document', path: index.path(row), ...scope.textOf(row) };
  const others = docs.filter((doc) => doc !== group).slice(0, MAX_SKILL_FILES);
  const files = others.map((doc) => index.path(index.docRow[doc] ?? -1));
  return {
    kind: 'skill',
    skill: skillEntry(scope, index.owner[row] ?? -1),
    files,
    moreFiles: matching - (own ? 1 : 0) - files.length,
  };
}
