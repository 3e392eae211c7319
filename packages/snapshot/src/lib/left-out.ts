// Which files of a skill's directory its document names as left out. The builder and the reader ask the same questions,
// so that the document that is read is the one that was digested.
import { fileUrl } from '@skillquay/core/file-url';
import { isHidden } from '@skillquay/core/paths';
import type { LeftOutFile } from '@skillquay/core/skill-document';
import { SIZE_UNKNOWN, WITHHELD_REASONS, type WithheldReason } from '../tables.ts';

/** An entry below the directory of a skill. */
export interface Below {
  readonly path: string;
  /** Number in WITHHELD_REASONS, 0 = it is served. */
  readonly withheld: number;
  /** The skill it belongs to, -1 without one. */
  readonly owner: number;
  readonly size: number;
}

/** Of what is not served: hidden files that belong to no skill are not missed, and what is closed is not named. */
export function isLeftOut({ path, withheld, owner }: Pick<Below, 'path' | 'withheld' | 'owner'>): boolean {
  if (withheld === 0 || WITHHELD_REASONS[withheld] === 'closed_scope') return false;
  return owner !== -1 || !isHidden(path);
}

/** Files that one document names; the rest is counted. Every skill above a file names it. */
export const MAX_LEFT_OUT = 512;

/** What has no bytes of its own, or none that a URL could name. */
const WITHOUT_BYTES: ReadonlySet<WithheldReason> = new Set(['symlink', 'submodule', 'unaddressable_path']);

/** The URL is the only place where the document may hold the commit. */
export function leftOutFile(
  { path, withheld, size }: Omit<Below, 'owner'>,
  rawUrl: string | null,
  commit: string,
): LeftOutFile {
  const reason = WITHHELD_REASONS[withheld] ?? '';
  return {
    path,
    reason,
    ...(size === SIZE_UNKNOWN ? {} : { size }),
    ...(rawUrl === null || WITHOUT_BYTES.has(reason) ? {} : { url: fileUrl(rawUrl, commit, path) }),
  };
}
