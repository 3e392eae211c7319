// What a caller is told when a path names nothing, or nothing that is served. A path that is excluded, that lies
// outside the mount or that never existed gives the same sentences: they are made from the path alone.
import type { AnswerError, AnswerErrorCode } from '@skillquay/core/answers';

export function fail(code: AnswerErrorCode, message: string, sourceUrl?: string): AnswerError {
  return { error: sourceUrl === undefined ? { code, message } : { code, message, sourceUrl } };
}

export function noFolder(path: string): AnswerError {
  const named =
    path === '' ? 'The repository root is not part of this mount.' : `There is no folder "${path}" here.`;
  return fail('folder.not_found', `${named} Browse without a path to see the folders there are.`);
}

export function noSkill(path: string): AnswerError {
  return fail(
    'skill.not_found',
    `There is no skill at "${path}" here. Browse or search to find skills, and give the exact path of a SKILL.md.`,
  );
}

export function noFile(path: string): AnswerError {
  return fail(
    'file.not_found',
    `There is no file "${path}" to read here. Browse its folder to see the paths there are.`,
  );
}

/** A path at or in a folder that is withheld whole. Says the same of every path in it. */
export function closedPath(code: AnswerErrorCode, path: string, folder: string): AnswerError {
  const where = folder === '' ? 'The whole repository' : `Everything in "${folder}"`;
  return fail(
    code,
    `"${path}" cannot be shown. ${where} is withheld (closed_scope), because the manifest that decides what is published there cannot be used; its author has to correct it.`,
  );
}
