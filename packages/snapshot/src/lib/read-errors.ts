// What a caller is told when a path names nothing, or nothing that is served. A path that is excluded, that lies
// outside the mount or that never existed gives the same sentences: they are made from the path and what the mount shows.
import type { AnswerError, AnswerErrorCode, NextCall } from '@skillquay/core/answers';
import type { DiagnosticRecord } from '../tables.ts';
import { brokenSkill, fileMeant, folderMeant, nearestFolder, skillMeant } from './read-meant.ts';
import type { Scope } from './read-scope.ts';

export function fail(code: AnswerErrorCode, message: string, sourceUrl?: string): AnswerError {
  return { error: sourceUrl === undefined ? { code, message } : { code, message, sourceUrl } };
}

/** The same error with the call that was probably meant, or one that shows what there is. */
export function withNext({ error }: AnswerError, tool: string, args: NextCall['arguments']): AnswerError {
  return { error: { ...error, next: { tool, arguments: args } } };
}

/** Shows a folder, by itself and without its path where it is the mounted one. */
export function withFolder(error: AnswerError, scope: Scope, folder: string): AnswerError {
  return withNext(error, 'browse_repo', folder === scope.path ? {} : { path: folder });
}

export function noFolder(scope: Scope, path: string): AnswerError {
  if (path === '')
    return withFolder(
      fail('folder.not_found', 'The repository root is not part of this mount. Browse without a path.'),
      scope,
      scope.path,
    );
  const meant = folderMeant(scope, path);
  const folder = nearestFolder(scope, path);
  const advice = meant === null ? browseTo(scope, folder) : `Did you mean "${meant}"?`;
  return withFolder(
    fail('folder.not_found', `There is no folder "${path}" here. ${advice}`),
    scope,
    meant ?? folder,
  );
}

export function noFile(scope: Scope, path: string): AnswerError {
  const missing = `There is no file "${path}" to read here.`;
  const meant = fileMeant(scope, path);
  if (meant !== null)
    return withNext(fail('file.not_found', `${missing} Did you mean "${meant}"?`), 'read_repo_file', {
      path: meant,
    });
  const folder = nearestFolder(scope, path);
  return withFolder(fail('file.not_found', `${missing} ${browseTo(scope, folder)}`), scope, folder);
}

export function noSkill(scope: Scope, path: string): AnswerError {
  const missing = `There is no skill at "${path}" here.`;
  const hint = skillHint(scope, path);
  if (hint !== null) {
    const error = fail('skill.not_found', `${missing} ${hint.message}`);
    if (hint.next !== undefined) return withNext(error, hint.next.tool, hint.next.arguments);
    return withFolder(error, scope, nearestFolder(scope, path));
  }
  return withFolder(
    fail(
      'skill.not_found',
      `${missing} Browse or search to find skills, and give the exact path of a SKILL.md.`,
    ),
    scope,
    nearestFolder(scope, path),
  );
}

/** What may help a caller who named a skill by anything but its path. */
export interface SkillHint {
  readonly message: string;
  readonly next?: NextCall;
}

/** Which skill a directory or a name stands for, or what is wrong with the one that is there; null without either. */
export function skillHint(scope: Scope, asked: string): SkillHint | null {
  const meant = skillMeant(scope, asked);
  if (meant !== null)
    return {
      message: `Did you mean "${meant}"?`,
      next: { tool: 'load_skill', arguments: { path: meant } },
    };
  const error = brokenSkill(scope, asked);
  return error === null ? null : { message: `"${error.path}" is no skill. ${faultOf(error)}` };
}

/** A fault by its code, as the listings have it. */
export function faultOf({ code, message, hint }: DiagnosticRecord): string {
  return `${code}: ${message} ${hint}`;
}

function browseTo(scope: Scope, folder: string): string {
  return folder === scope.path
    ? 'Browse without a path to see what there is.'
    : `Browse "${folder}" to see what there is.`;
}

/** A path at or in a folder that is withheld whole. Says the same of every path in it. */
export function closedPath(code: AnswerErrorCode, path: string, folder: string): AnswerError {
  const where = folder === '' ? 'The whole repository' : `Everything in "${folder}"`;
  return fail(
    code,
    `"${path}" cannot be shown. ${where} is withheld (closed_scope), because the manifest that decides what is published there cannot be used; its author has to correct it.`,
  );
}
