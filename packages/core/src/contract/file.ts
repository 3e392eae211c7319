// The text of a `read_repo_file` result. It ends with a line of ours: the last line of a file could pass for one.
// Source: contract, Raw files.
import { type AnswerError, type FileAnswer, isAnswerError, type MountIdentity } from '../answers.ts';
import { lineCost, Sheet } from '../budget.ts';
import { addIdentity, nextCall, type RenderOptions } from '../lib/result-text.ts';
import { showPath } from '../show-path.ts';
import { codePointLength } from '../text.ts';
import { contentLines, cutContent } from './content.ts';

export const DEFAULT_FILE_CHARACTERS = 40_000;

export interface RenderedFile {
  readonly text: string;
  /** Characters shown before the next page; null when the end was shown. */
  readonly nextOffset: number | null;
}

/** One page of a file, or an error when the offset is past its end. `limit` is the one asked for, null if none was. */
export function renderFile(
  identity: MountIdentity,
  file: FileAnswer,
  request: { readonly offset: number; readonly limit: number | null },
  options: Pick<RenderOptions, 'budget'>,
): RenderedFile | AnswerError {
  const total = codePointLength(file.text);
  if (request.offset > total) return offsetPastEnd(file.path, total);
  const sheet = new Sheet(options.budget);
  addIdentity(sheet, identity);
  sheet.add(`File: ${showPath(file.path)}`);
  const next = (offset: number): string =>
    nextCall('read_repo_file', { path: file.path, offset, limit: request.limit });
  const page = cutContent(
    [{ title: `file: ${file.path}`, path: file.path, text: file.text }],
    { part: 0, offset: request.offset },
    {
      jsonBytes: sheet.left - lineCost(completeLine(false)) - lineCost(next(total)),
      bytes: Number.POSITIVE_INFINITY,
      characters: request.limit ?? DEFAULT_FILE_CHARACTERS,
    },
  );
  sheet.add(...contentLines(page.pieces), completeLine(page.next === null));
  if (page.next !== null) sheet.add(next(page.next.offset));
  return { text: sheet.toString(), nextOffset: page.next?.offset ?? null };
}

/** Whether the file was shown to its end. */
function completeLine(complete: boolean): string {
  return `complete: ${complete}`;
}

function offsetPastEnd(path: string, total: number): AnswerError {
  return {
    error: {
      code: 'request.invalid',
      message: `offset is past the end of ${showPath(path)}: it may be 0 to ${total}, counted in characters.`,
    },
  };
}

export function isRenderedFile(page: RenderedFile | AnswerError): page is RenderedFile {
  return !isAnswerError(page);
}
