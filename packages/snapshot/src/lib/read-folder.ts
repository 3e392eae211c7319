// Finds the folder that a caller names.
import type { AnswerError } from '@skillquay/core/answers';
import { RowClass } from '../tables.ts';
import { closedPath, fail, noFolder, withNext } from './read-errors.ts';
import type { Scope } from './read-scope.ts';

/**
 * The number of a folder inside the mount, or what to tell the caller. -1: the folder is withheld whole, and its
 * answers hold the reason and nothing else. A folder somewhere in a withheld one is refused, there or not.
 */
export function findFolder(scope: Scope, path: string): number | AnswerError {
  const error = scope.pathError(path, true);
  if (error !== null) return error;
  if (!scope.contains(path)) return noFolder(scope, path);
  const closed = scope.closedAbove(path);
  if (closed !== null)
    return path === closed || path === scope.path ? -1 : closedPath('folder.not_found', path, closed);
  const folder = scope.folderOf(path);
  if (folder !== -1) return folder;
  const row = scope.rowOf(path);
  const isFile = row !== -1 && (scope.isServed(row) || scope.index.class[row] === RowClass.skill);
  return isFile ? notAFolder(scope, path, row) : noFolder(scope, path);
}

function notAFolder(scope: Scope, path: string, row: number): AnswerError {
  return withNext(
    fail('folder.not_found', `"${path}" is a file, not a folder: read it, or browse the folder it lies in.`),
    scope.index.class[row] === RowClass.skill ? 'load_skill' : 'read_repo_file',
    { path },
  );
}
