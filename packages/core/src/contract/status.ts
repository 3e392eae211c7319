// The text of results that carry no content: an index that is not ready, one that failed, a call that was wrong.
import type { AnswerError, MountIdentity } from '../answers.ts';
import { MAX_RESULT_BYTES, Sheet } from '../budget.ts';
import { escapeUnseen } from '../lib/characters.ts';
import { addIdentity, brief, nextCall, unbroken } from '../lib/result-text.ts';
import { cutAtWord } from '../text.ts';

const MAX_MESSAGE_CHARACTERS = 2_000;

/** A commit whose index is being made. */
export interface IndexingStatus {
  readonly filesRead: number;
  /** Null until the tree has been listed. */
  readonly filesKnown: number | null;
  readonly retryAfterSeconds: number;
}

/** A commit whose index could not be made. */
export interface FailedStatus {
  readonly code: string;
  /** One sentence, safe to show. */
  readonly reason: string;
  /** Null when no further attempt is planned. */
  readonly retryAfterSeconds: number | null;
}

export type ToolCall = {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string | number | null>>;
};

/** Not an error: the same call is worth making again. */
export function renderIndexing(identity: MountIdentity, status: IndexingStatus, repeat: ToolCall): string {
  const sheet = identitySheet(identity);
  sheet.add(`Status: ${indexingText(status)}`, nextCall(repeat.tool, repeat.arguments));
  return sheet.toString();
}

/** `indexing, 120 of 4000 files read; call again in 5 s` */
export function indexingText(status: IndexingStatus): string {
  const { filesRead, filesKnown, retryAfterSeconds } = status;
  const progress = filesKnown === null ? 'listing files' : `${filesRead} of ${filesKnown} files read`;
  return `indexing, ${progress}; call again in ${retryAfterSeconds} s`;
}

/** An error result. */
export function renderFailed(identity: MountIdentity, status: FailedStatus): string {
  const sheet = identitySheet(identity);
  sheet.add(`Status: failed`, `Error: ${failedText(status)}`, `Code: ${status.code}`);
  return sheet.toString();
}

export function failedText(status: FailedStatus): string {
  const { reason, retryAfterSeconds } = status;
  const again =
    retryAfterSeconds === null
      ? 'There is no further attempt.'
      : `The next attempt is in ${retryAfterSeconds} s.`;
  return `this commit could not be indexed. ${brief(reason, MAX_MESSAGE_CHARACTERS)} ${again}`;
}

/** An error result. Without an identity where the call was wrong before a commit was known. */
export function renderError(identity: MountIdentity | null, { error }: AnswerError): string {
  const sheet = identitySheet(identity);
  sheet.add(`Error: ${cutAtWord(unbroken(error.message), MAX_MESSAGE_CHARACTERS)}`, `Code: ${error.code}`);
  if (error.sourceUrl !== undefined) sheet.add(`Source: ${escapeUnseen(error.sourceUrl)}`);
  if (error.next !== undefined) sheet.add(nextCall(error.next.tool, error.next.arguments));
  return sheet.toString();
}

/** The answer to a cursor that does not fit, whatever is wrong with it. */
export function cursorError(): AnswerError {
  return {
    error: {
      code: 'request.invalid',
      message:
        'this cursor belongs to another request, or the repository has changed since: start again from the first page by making the call without cursor.',
    },
  };
}

function identitySheet(identity: MountIdentity | null): Sheet {
  const sheet = new Sheet({ maxBytes: MAX_RESULT_BYTES, overheadBytes: 0 });
  if (identity !== null) addIdentity(sheet, identity);
  return sheet;
}
