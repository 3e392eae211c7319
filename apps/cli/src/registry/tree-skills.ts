// Finds and reads the skills in the tree of a commit. Nothing is checked out.
import { basename, posix } from 'node:path';
import { readLfsPointer } from '@skillquay/core/lfs';
import { MANIFEST_FILE } from '@skillquay/core/manifest-file';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { GitError } from '@skillquay/git/process';
import { OID_BYTES, type TreeListing } from '@skillquay/git/tree';
import { RegistryError } from '@skillquay/registry/errors';
import { isPassedOver } from '@skillquay/registry/passed-over';
import { MAX_SKILL_BYTES, MAX_SKILL_FILES } from '@skillquay/registry/payload';
import type { SkillFile } from '@skillquay/registry/skill-files';
import type { FoundSkill } from './local-skills.ts';
import { skillNameOf } from './skill-name.ts';
import { includedFromElsewhere, rulesAbove } from './stays-behind.ts';
import { isSearched, isVisible } from './where-skills-are.ts';

const MODES: readonly (SkillFile['mode'] | null)[] = ['100644', '100755', '120000', null];

/** Throws GitError, of which `too_large` is for a blob above `MAX_SKILL_BYTES`. */
export type ReadBlob = (oid: string) => Promise<Uint8Array | null>;

export interface TreeEntry {
  readonly path: string;
  /** null: a submodule. */
  readonly mode: SkillFile['mode'] | null;
  readonly oid: string;
}

/** Where the tree has rules. */
export function manifestsOf(listing: TreeListing): ReadonlySet<string> {
  const found = new Set<string>();
  for (let at = 0; at < listing.count; at += 1) {
    const path = listing.path(at);
    if (posix.basename(path) === MANIFEST_FILE && (listing.modes[at] ?? 3) < 2) found.add(path);
  }
  return found;
}

/** Entries below a folder of the tree, relative to it. */
export function entriesBelow(listing: TreeListing, root: string): TreeEntry[] {
  const begin = root === '' ? '' : `${root}/`;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < listing.count; at += 1) {
    if (!listing.validUtf8(at)) continue;
    const path = listing.path(at);
    if (!path.startsWith(begin)) continue;
    const oid = Buffer.from(listing.oids.subarray(at * OID_BYTES, (at + 1) * OID_BYTES)).toString('hex');
    entries.push({ path: path.slice(begin.length), mode: MODES[listing.modes[at] ?? 3] ?? null, oid });
  }
  return entries;
}

/** The folder that is looked into. */
export interface TreePlace {
  /** In the tree; '' for its root. */
  readonly path: string;
  /** What a skill is called that it is itself. */
  readonly name: string;
  /** All rules of the tree. */
  readonly manifests: ReadonlySet<string>;
}

/** Each skill with what is read of it when it is wanted; what lies in a skill is a part of it. */
export async function skillsInTree(
  entries: readonly TreeEntry[],
  { path: root, name: rootName, manifests }: TreePlace,
  read: ReadBlob,
): Promise<readonly FoundSkill[]> {
  const found: FoundSkill[] = [];
  for (const { place, oid } of placesIn(entries)) {
    const folder = place === '.' ? rootName : posix.basename(place);
    const whole = posix.join(root, place);
    const path = whole === '.' ? '' : whole;
    const main = await read(oid).catch((error: unknown) => {
      if (error instanceof GitError && error.kind === 'too_large') return null;
      throw error;
    });
    const begin = place === '.' ? '' : `${place}/`;
    const own = entries
      .filter(({ path }) => path.startsWith(begin))
      .map((entry) => ({ ...entry, path: entry.path.slice(begin.length) }));
    const isLeftOut = ({ path }: TreeEntry) => path.split('/').some(isPassedOver);
    found.push({
      place,
      folder,
      name: main === null ? folder : skillNameOf(main, folder),
      source: {
        skillFiles: () =>
          readFiles(
            place,
            own.filter((entry) => !isLeftOut(entry)),
            read,
          ),
      },
      leftOut: own.filter(isLeftOut).map((entry) => entry.path),
      staysBehind: [
        ...rulesAbove(path).filter((rules) => manifests.has(rules)),
        ...(main === null ? [] : includedFromElsewhere(main, path)),
      ],
    });
  }
  return found;
}

/** In byte order; hidden ones only where there is no other. */
function placesIn(entries: readonly TreeEntry[]): { readonly place: string; readonly oid: string }[] {
  const all = entries
    .filter(({ path, mode }) => basename(path) === SKILL_FILE && mode !== null && mode !== '120000')
    .map(({ path, oid }) => ({ place: posix.dirname(path), oid }));
  const searched = all.filter(({ place }) => place === '.' || place.split('/').every(isSearched));
  const visible = searched.filter(({ place }) => place === '.' || place.split('/').every(isVisible));
  const wanted = visible.length > 0 ? visible : searched;
  const places = new Set(wanted.map(({ place }) => place));
  const isInside = (place: string): boolean => {
    for (let at = place; at !== '.'; ) {
      at = posix.dirname(at);
      if (places.has(at)) return true;
    }
    return false;
  };
  return wanted.filter(({ place }) => !isInside(place));
}

/** Throws RegistryError for what makes this skill none that can be published. */
async function readFiles(
  place: string,
  entries: readonly TreeEntry[],
  read: ReadBlob,
): Promise<readonly SkillFile[]> {
  if (entries.length > MAX_SKILL_FILES)
    throw new RegistryError('invalid', `It has more than ${MAX_SKILL_FILES} files, which is the limit.`);
  const files: SkillFile[] = [];
  let bytes = 0;
  for (const { path, mode, oid } of entries) {
    if (mode === null)
      throw new RegistryError(
        'invalid',
        `${path} is another repository (a submodule). Clone this one with its submodules, and add the folder from there.`,
      );
    const content = await bytesOf(oid, read);
    if (content === null)
      throw new RegistryError('bad_data', `${path} is missing from the repository. Fetch it again.`);
    if (readLfsPointer(content) !== null)
      throw new RegistryError(
        'invalid',
        `${path} is a pointer of Git LFS; its content lies elsewhere. Clone the repository with git-lfs, and add the folder from there.`,
      );
    bytes += content.length;
    if (bytes > MAX_SKILL_BYTES) throw tooLarge();
    files.push({ path, mode, bytes: content });
  }
  return files;

  function tooLarge(): RegistryError {
    return new RegistryError(
      'invalid',
      `${place} has more than ${MAX_SKILL_BYTES} bytes, which is the limit. Leave out what it does not need.`,
    );
  }

  async function bytesOf(oid: string, read: ReadBlob): Promise<Uint8Array | null> {
    try {
      return await read(oid);
    } catch (error) {
      throw error instanceof GitError && error.kind === 'too_large' ? tooLarge() : error;
    }
  }
}
