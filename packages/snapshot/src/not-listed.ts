// Why the skills extension does not list a skill, in words for whoever asked for it. Source: format, section 9.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic, Severity } from '@skillquay/core/facts';
import { showPath } from '@skillquay/core/show-path';
import { whyNotPortable } from '@skillquay/core/skill-document';
import type { Index } from './index.ts';
import { LISTING_REASONS, type ListingReason, MAX_LISTED_BYTES, MAX_LISTED_FILES } from './tables.ts';

interface Words {
  readonly severity: Severity;
  /** A clause. */
  readonly why: string;
  readonly hint: string;
}

const MIB = 1024 ** 2;

const WORDS: Readonly<Record<Exclude<ListingReason, ''>, Words>> = {
  described_only: {
    severity: 'info',
    why: 'its license keeps its content at the source',
    hint: 'Read it at its source; its author decides what others may pass on.',
  },
  duplicate: {
    severity: 'info',
    why: 'it is a copy of another skill',
    hint: 'Take the other, or give the two different content.',
  },
  hidden: {
    severity: 'info',
    why: 'its directory is hidden, and the repository has visible skills',
    hint: 'Move it out of directories that begin with a dot if hosts are to find it.',
  },
  name_directory_mismatch: {
    severity: 'warning',
    why: 'its name is not that of its directory',
    hint: 'Give both the same name.',
  },
  not_portable: {
    severity: 'warning',
    why: 'a strict host refuses it',
    hint: 'Correct that in its front matter.',
  },
  uri_collision: {
    severity: 'warning',
    why: 'a directory of the repository has its name, which stands before every path in URIs',
    hint: 'Rename the skill or the directory.',
  },
  file_unavailable: {
    severity: 'warning',
    why: 'not all of its files and of what it includes can be had',
    hint: 'See what is left out and what its includes name, and commit those files as they are.',
  },
  too_many_files: {
    severity: 'warning',
    why: `its directory holds more than ${MAX_LISTED_FILES} files`,
    hint: 'Move what the skill does not need out of its directory.',
  },
  too_large: {
    severity: 'warning',
    why: `the files of its directory take more than ${MAX_LISTED_BYTES / MIB} MiB`,
    hint: 'Move what the skill does not need out of its directory.',
  },
};

/** The reason of a skill, '' where it is listed. */
export function listingReason(index: Index, skill: number): ListingReason {
  return LISTING_REASONS[index.listing.reason[skill] ?? 0] ?? '';
}

/** What to tell of a skill that is not listed, null of one that is. `names` says which other paths may be named. */
export function notListed(
  index: Index,
  skill: number,
  names: (path: string) => boolean = () => true,
): Diagnostic | null {
  const reason = listingReason(index, skill);
  if (reason === '') return null;
  const { severity, why, hint } = WORDS[reason];
  const path = index.path(index.skillRow[skill] ?? -1);
  const said = diagnostic('not_listed', {
    path,
    reason: `${detailOf(index, skill, reason, names) ?? why} (${reason})`,
  });
  return { ...said, severity, hint: `${hint} ${said.hint}` };
}

function detailOf(
  index: Index,
  skill: number,
  reason: ListingReason,
  names: (path: string) => boolean,
): string | null {
  if (reason === 'not_portable') return whyNotPortable(index.skill(skill).facts);
  if (reason !== 'duplicate') return null;
  const original = index.path(index.skillRow[index.skillCopyOf[skill] ?? -1] ?? -1);
  return names(original) ? `it is a copy of ${showPath(original)}` : null;
}
