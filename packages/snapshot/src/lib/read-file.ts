// Reads one file of a mount as text, or refuses with the reason and the place where its bytes can be had.
import type { AnswerError, FileAnswer } from '@skillquay/core/answers';
import { WITHHELD_REASONS, type WithheldReason } from '../tables.ts';
import { readBody } from './read-body.ts';
import { closedPath, fail, noFile, withFolder } from './read-errors.ts';
import { keepingLicence } from './read-licence.ts';
import type { Scope } from './read-scope.ts';

export async function readFile(scope: Scope, path: string): Promise<FileAnswer | AnswerError> {
  const row = findFile(scope, path);
  if (typeof row !== 'number') return row;
  const body = await readBody(scope, row);
  return body.ok ? { path, text: body.text } : refusal(scope, path, body.reason, body);
}

/** The row of a served file of the mount, or what to tell the caller. */
export function findFile(scope: Scope, path: string): number | AnswerError {
  const error = scope.pathError(path, false);
  if (error !== null) return error;
  if (!scope.contains(path)) return noFile(scope, path);
  const closed = scope.closedAbove(path);
  if (closed !== null) return closedPath('file.not_served', path, closed);
  const row = scope.rowOf(path);
  if (row === -1) return scope.folderOf(path) === -1 ? noFile(scope, path) : isFolder(scope, path);
  return scope.isServed(row) ? row : withheld(scope, path, row);
}

/** Says why a row is not served. */
export function withheld(scope: Scope, path: string, row: number): AnswerError {
  const licence = keepingLicence(scope, row);
  if (licence === null)
    return refusal(scope, path, WITHHELD_REASONS[scope.index.withheld[row] ?? 0] ?? '', scope.sizeOf(row));
  return fail(
    'file.not_served',
    `"${path}" is kept at its source by its license, ${licence.label} (said by ${licence.where}), so it is not served here (restrictive_license). Read it there.`,
    scope.base.pageSource(path),
  );
}

function isFolder(scope: Scope, path: string): AnswerError {
  const error = fail('file.not_found', `"${path}" is a folder: browse it to see the files in it.`);
  return withFolder(error, scope, path);
}

interface Details {
  readonly size?: number;
  readonly looksLike?: string;
}

/** Says why a file is not carried here. Also for what was withheld while the index was built. */
export function refusal(scope: Scope, path: string, reason: WithheldReason, details: Details): AnswerError {
  const { base } = scope;
  const size = details.size === undefined ? '' : ` (${details.size.toLocaleString('en-US')} bytes)`;
  switch (reason) {
    case 'too_large': {
      const limit = base.maxFileBytes.toLocaleString('en-US');
      const message = `"${path}" is too large to read here${size}; the limit is ${limit} bytes. Get it from its source.`;
      return fail('file.too_large', message, base.rawSource(path));
    }
    case 'not_text': {
      const kind = details.looksLike === undefined ? '' : `; it looks like ${details.looksLike}`;
      return fail(
        'file.not_text',
        `"${path}" is not UTF-8 text${kind}, so it cannot be read here. Get its bytes from its source.`,
        base.rawSource(path),
      );
    }
    case 'lfs_pointer':
      return fail(
        'file.not_served',
        `"${path}" is kept in Git LFS${size} (lfs_pointer); the repository holds only a pointer to it. Get it from its source.`,
        base.rawSource(path),
      );
    case 'symlink':
      return fail(
        'file.not_served',
        `"${path}" is a symbolic link (symlink); links are not followed. Browse for the file it stands for.`,
        base.pageSource(path),
      );
    case 'submodule':
      return fail(
        'file.not_served',
        `"${path}" is a submodule (submodule); its files belong to another repository, which has an address of its own.`,
        base.pageSource(path),
      );
    case 'beyond_limit':
      return fail(
        'file.not_served',
        `"${path}" lies beyond a limit of this repository's index (beyond_limit). Get it from its source.`,
        base.rawSource(path),
      );
    case 'object_missing':
      return fail(
        'file.unavailable',
        `The content of "${path}" is not available (object_missing). Try again later, or get it from its source.`,
        base.rawSource(path),
      );
    case 'closed_scope':
    case 'restrictive_license':
    case 'unaddressable_path':
    case '':
      return fail('file.not_served', `"${path}" is withheld (${reason || 'not served'}).`);
  }
}
