// Reads what a URI of the skills extension names: a file's stored bytes, and of a listed SKILL.md the document that was
// digested when the snapshot was built. Source: format, sections 8 and 9.
import type { AnswerError } from '@skillquay/core/answers';
import { dirname } from '@skillquay/core/paths';
import {
  assembleDocument,
  type DocumentSources,
  documentHead,
  type LeftOutFile,
  servedFrontMatter,
} from '@skillquay/core/skill-document';
import { readContext } from '../context.ts';
import type { ResourceAnswer } from '../reader.ts';
import { SIZE_UNKNOWN } from '../tables.ts';
import { isLeftOut, leftOutFile, MAX_LEFT_OUT } from './left-out.ts';
import { readBytes } from './read-body.ts';
import { fail } from './read-errors.ts';
import { findFile, refusal } from './read-file.ts';
import { digestAt, findListed } from './read-listing.ts';
import type { Scope } from './read-scope.ts';
import { sha256 } from './sha256.ts';

export async function readResource(scope: Scope, path: string): Promise<ResourceAnswer | AnswerError> {
  const row = findFile(scope, path);
  if (typeof row !== 'number') return row;
  const skill = findListed(scope, path);
  if (skill !== -1) return readDocument(scope, skill, path);
  const read = await readBytes(scope, row);
  return read.ok ? { path, bytes: read.bytes } : refusal(scope, path, read.reason, read);
}

/** The document is a function of the index and of objects: it is made again, and answered only if it is the same. */
async function readDocument(
  scope: Scope,
  skill: number,
  path: string,
): Promise<ResourceAnswer | AnswerError> {
  const { index } = scope;
  const { parts, missing } = await readContext(scope, skill);
  const { facts } = index.skill(skill);
  const sources = parts.map((part) => part.path);
  const document = assembleDocument(documentHead({ facts, sources, ...leftOutOf(scope, path) }), parts);
  if (digestAt(sha256(document), 0) !== digestAt(index.listing.sha256, skill)) {
    // What could not be read explains it; else the index and this code disagree, which nobody can mend by asking again.
    if (missing.length === 0)
      scope.base.onFault(`The document of "${path}" is not the one that was digested.`);
    return fail(
      'file.unavailable',
      `The document of "${path}" cannot be put together now. Try again later, or get the files from their source.`,
      scope.base.pageSource(path),
    );
  }
  const { name, description } = servedFrontMatter(facts);
  return { path, bytes: Buffer.from(document), name, description };
}

function leftOutOf({ index }: Scope, path: string): Pick<DocumentSources, 'leftOut' | 'moreLeftOut'> {
  const folder = index.folders.of(dirname(path));
  const end = index.folders.rows[folder * 2 + 1] ?? 0;
  const leftOut: LeftOutFile[] = [];
  let moreLeftOut = 0;
  for (let row = index.folders.rows[folder * 2] ?? 0; row < end; row += 1) {
    const withheld = index.withheld[row] ?? 0;
    if (withheld === 0) continue;
    const file = {
      path: index.path(row),
      withheld,
      owner: index.owner[row] ?? -1,
      size: index.size[row] ?? SIZE_UNKNOWN,
    };
    if (!isLeftOut(file)) continue;
    if (leftOut.length === MAX_LEFT_OUT) moreLeftOut += 1;
    else leftOut.push(leftOutFile(file, index.rawUrl, index.identity.commit));
  }
  return { leftOut, moreLeftOut };
}
