// Which skills the skills extension can list, before any document is made: by what they are called, by what stands in
// their directories, by how much of it there is. Source: format, section 9.
import type { SkillFacts } from '@skillquay/core/facts';
import { basename, dirname } from '@skillquay/core/paths';
import { whyNotPortable } from '@skillquay/core/skill-document';
import type { Classes } from '../classify.ts';
import { Scope } from '../policy.ts';
import {
  LISTING_REASONS,
  type ListingReason,
  MAX_LISTED_BYTES,
  MAX_LISTED_FILES,
  RowClass,
  WITHHELD_REASONS,
} from '../tables.ts';
import type { JudgedSkills } from './build-judged.ts';
import { below, belowAt } from './build-ranges.ts';
import type { Commit } from './build-steps.ts';

export function listingNumber(reason: ListingReason): number {
  return LISTING_REASONS.indexOf(reason);
}

/** Skills that can be listed as far as is known without their files' content. */
export interface Candidates {
  /** Number of the reason of each skill, 0 = none so far. */
  readonly reason: Uint8Array;
  /** Entries [from, to) below the directory of each skill without a reason. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  /** Of the entries before each: how many are served, and their bytes. */
  readonly files: Uint32Array;
  readonly bytes: Float64Array;
}

export function findCandidates(commit: Commit, classes: Classes, judged: JudgedSkills): Candidates {
  const { listing } = commit;
  const totals = addUp(commit, classes);
  const count = classes.skills.length;
  const found = {
    reason: new Uint8Array(count),
    from: new Uint32Array(count),
    to: new Uint32Array(count),
    files: totals.files,
    bytes: totals.bytes,
  };
  classes.skills.forEach((entry, skill) => {
    const reason =
      ofPlace(classes, judged, skill, entry) ||
      ofFacts(commit, entry) ||
      ofName(commit, totals, entry) ||
      ofFiles(skill, entry);
    found.reason[skill] = listingNumber(reason);
  });
  return found;

  function ofFiles(skill: number, entry: number): ListingReason {
    const { from, to } = belowAt(listing.path, dirname(listing.path[entry] ?? ''), entry);
    found.from[skill] = from;
    found.to[skill] = to;
    const isMissing = judged.lacksRules[skill] === 1 || (judged.includes[skill]?.missing.length ?? 0) > 0;
    if (isMissing || between(totals.lost, from, to) > 0) return 'file_unavailable';
    if (between(totals.files, from, to) > MAX_LISTED_FILES) return 'too_many_files';
    return between(totals.bytes, from, to) > MAX_LISTED_BYTES ? 'too_large' : '';
  }
}

interface Totals {
  readonly files: Uint32Array;
  readonly bytes: Float64Array;
  /** Entries that should be served and are not here. */
  readonly lost: Uint32Array;
}

/** What entries [from, to) add up to. */
export function between(totals: ArrayLike<number>, from: number, to: number): number {
  return (totals[to] ?? 0) - (totals[from] ?? 0);
}

export function isServedEntry(classes: Classes, entry: number): boolean {
  const rowClass = classes.class[entry] ?? 0;
  return rowClass !== 0 && rowClass !== RowClass.withheld && classes.withheld[entry] === 0;
}

function addUp({ listing, policy, kept, facts }: Commit, classes: Classes): Totals {
  const { count } = listing;
  const totals = {
    files: new Uint32Array(count + 1),
    bytes: new Float64Array(count + 1),
    lost: new Uint32Array(count + 1),
  };
  const isLost = Uint8Array.from(WITHHELD_REASONS, (reason) =>
    reason === 'object_missing' || reason === 'beyond_limit' ? 1 : 0,
  );
  for (let entry = 0; entry < count; entry += 1) {
    const isServed = isServedEntry(classes, entry);
    const isBeyond = entry >= kept && classes.class[entry] === 0 && policy.scope[entry] === Scope.open;
    const lost = isBeyond || isLost[classes.withheld[entry] ?? 0] === 1;
    totals.files[entry + 1] = (totals.files[entry] ?? 0) + (isServed ? 1 : 0);
    totals.bytes[entry + 1] = (totals.bytes[entry] ?? 0) + (isServed ? (facts.size[entry] ?? 0) : 0);
    totals.lost[entry + 1] = (totals.lost[entry] ?? 0) + (lost ? 1 : 0);
  }
  return totals;
}

function ofPlace(
  classes: Classes,
  { copies, discoverable }: JudgedSkills,
  skill: number,
  entry: number,
): ListingReason {
  if (classes.withheld[entry] !== 0) return 'described_only';
  if (copies.copyOf[skill] !== -1) return 'duplicate';
  return discoverable[skill] === 1 ? '' : 'hidden';
}

/** Reasons that come before those of a skill's facts: whoever had one may have had one of the others as well. */
const BEFORE_FACTS: ReadonlySet<ListingReason> = new Set(['described_only', 'duplicate', 'hidden']);
const OF_FACTS: ReadonlySet<ListingReason> = new Set(['name_directory_mismatch', 'not_portable']);

/** What the path and content of a SKILL.md decide is as before while they are: no record is parsed to find out. */
function ofFacts({ facts, listing, previous }: Commit, entry: number): ListingReason {
  const before = previous?.listingOf(entry) ?? null;
  if (before !== null && OF_FACTS.has(before)) return before;
  // An unavailable file may have been one that the front matter hides.
  if (before !== null && !BEFORE_FACTS.has(before) && before !== 'file_unavailable') return '';
  const skill = facts.skillOf(entry);
  return skill === undefined ? '' : judgeFacts(skill, listing.path[entry] ?? '');
}

function judgeFacts(facts: SkillFacts, path: string): ListingReason {
  const directory = dirname(path);
  if (directory !== '' && basename(directory) !== facts.name) return 'name_directory_mismatch';
  if (whyNotPortable(facts) !== null) return 'not_portable';
  // What it includes cannot be known.
  return facts.incomplete === true ? 'file_unavailable' : '';
}

/** A root skill gives its name to the URIs of the whole repository: no directory may be called the same. */
function ofName({ facts, listing }: Commit, { files }: Totals, entry: number): ListingReason {
  if (dirname(listing.path[entry] ?? '') !== '') return '';
  const { from, to } = below(listing.path, facts.skillOf(entry)?.name ?? '');
  return between(files, from, to) > 0 ? 'uri_collision' : '';
}
