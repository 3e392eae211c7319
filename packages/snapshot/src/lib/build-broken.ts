// What is said of folders whose SKILL.md is no skill. It keeps back what lies there and never lets anything through:
// whoever put a licence beside a skill meant that skill, and an error in it is no consent. Source: format, section 10.
import { readBrokenLicence } from '@skillquay/core/broken-licence';
import { readLfsPointer } from '@skillquay/core/lfs';
import { type ResolvedLicence, UNRECOGNISED } from '@skillquay/core/licence';
import { basename, dirname } from '@skillquay/core/paths';
import { streamObjects } from '@skillquay/git/objects';
import { skillFolderOf } from '../classify.ts';
import { Scope } from '../policy.ts';
import { RowMode } from '../tables.ts';
import { LICENCE_SHARE, licenceOfField, type Said } from './build-licences.ts';
import { ByteBudget } from './build-limits.ts';
import { oidsOf } from './build-listing.ts';
import type { Commit } from './build-steps.ts';
import { ownField } from './licence-place.ts';

/**
 * The licence that keeps what lies in a folder at its source, by folder; `where` as an index writes it.
 * `validSkill` holds 1 for each entry that is a valid SKILL.md.
 */
export async function readKeptFolders(
  commit: Commit,
  validSkill: Uint8Array,
): Promise<ReadonlyMap<string, ResolvedLicence>> {
  const kept = new Map<string, ResolvedLicence>();
  if (commit.serving === 'whole') return kept;
  const silent: number[] = [];
  for (const [folder, files] of brokenFolders(commit, validSkill)) {
    const said = commit.licences.ofDirectory(folder);
    if (said?.kind === 'restrictive') kept.set(folder, said);
    if (said === null) silent.push(...files);
  }
  for (const [path, said] of await readFields(commit, silent)) {
    const folder = dirname(path);
    if (said?.kind === 'restrictive' && !kept.has(folder)) kept.set(folder, said);
  }
  return kept;
}

/** Folders with something that is called SKILL.md, in whatever case, and no skill; with the files that are called so. */
function brokenFolders({ listing, policy }: Commit, validSkill: Uint8Array): Map<string, number[]> {
  const valid = new Set<string>();
  const broken = new Map<string, number[]>();
  for (let entry = 0; entry < listing.count; entry += 1) {
    if (policy.scope[entry] !== Scope.open) continue;
    const path = listing.path[entry] ?? '';
    const folder = skillFolderOf(path);
    if (folder === null) continue;
    if (validSkill[entry] === 1) valid.add(folder);
    const files = broken.get(folder) ?? [];
    broken.set(folder, files);
    if (isFile(listing.mode[entry]) && dirname(path) === folder) files.push(entry);
  }
  for (const folder of valid) broken.delete(folder);
  return broken;
}

/** What each of these files says of itself, by its path; in path order, because bytes may run out. */
async function readFields(commit: Commit, entries: readonly number[]): Promise<Map<string, Said>> {
  const { git, listing, limits, signal } = commit;
  const said = new Map<string, Said>();
  if (entries.length === 0) return said;
  const inOrder = [...entries].sort((a, b) => a - b);
  const budget = new ByteBudget(limits.blobBytes / LICENCE_SHARE);
  await streamObjects(
    git,
    oidsOf(listing, inOrder),
    (i, content) => {
      if (content === null || readLfsPointer(content) !== null) return;
      const path = listing.path[inOrder[i] ?? 0] ?? '';
      const licence = budget.take(content.length)
        ? licenceOfField(readBrokenLicence(textOf(content)))
        : UNRECOGNISED;
      said.set(path, licence === null ? null : { ...licence, where: ownField(basename(path)) });
    },
    { signal, maxBytes: limits.readFileBytes },
  );
  return said;
}

/** A file that is not UTF-8 may be in an old encoding, of which only the letters of ASCII matter here. */
function textOf(content: Uint8Array): string {
  const [first, second] = content;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(content);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(content);
  return Buffer.from(content.buffer, content.byteOffset, content.length).toString();
}

function isFile(mode: number | undefined): boolean {
  return mode === RowMode.file || mode === RowMode.executable;
}
