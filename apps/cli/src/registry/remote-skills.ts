// Finds the skills of a repository elsewhere: its commit is fetched and read, nothing of it is run or checked out.
import { readFileSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { openObjects } from '@skillquay/git/objects';
import { listTree, OID_BYTES, type TreeListing } from '@skillquay/git/tree';
import { createHosts } from '@skillquay/hosts/hosts';
import type { Source } from '@skillquay/hosts/sources';
import { RegistryError } from '@skillquay/registry/errors';
import { isPassedOver } from '@skillquay/registry/passed-over';
import { MAX_SKILL_BYTES, MAX_SKILL_FILES } from '@skillquay/registry/payload';
import type { SkillFile } from '@skillquay/registry/skill-files';
import { readConfig, storeShares } from '@skillquay/server/config';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import type { FoundSkill } from './local-skills.ts';
import { skillNameOf } from './skill-name.ts';

const MODES: readonly (SkillFile['mode'] | null)[] = ['100644', '100755', '120000', null];

export interface RemoteSkills {
  /** The commit that was read, in full. */
  readonly commit: string;
  /** Folders with a SKILL.md, relative to the address's path; what lies in a skill is a part of it. */
  readonly places: readonly string[];
  /** Reads these whole. */
  read(places: readonly string[]): Promise<readonly FoundSkill[]>;
}

/** Gives `work` the skills at a source, which are gone when it is over. Throws HostError, GitError, CommandError. */
export async function withRemoteSkills<T>(
  source: Source,
  io: Io,
  work: (skills: RemoteSkills) => Promise<T>,
): Promise<T> {
  const reading = readConfig(io.env, (path) => readFileSync(path, 'utf8'));
  if (!reading.ok)
    throw new CommandError(
      ExitCode.configuration,
      `the configuration has problems: ${reading.problems.join('; ')}`,
    );
  const { config } = reading;
  const { signal } = io.call;
  const hosts = await createHosts({
    sources: [source],
    remotes: config.hosts,
    open: false,
    storeDir: config.snapshotStore,
    refTtlMs: config.refTtlSeconds * 1000,
    maxStoreBytes: storeShares(config.snapshotStoreBytes).repositories,
  });
  try {
    const host = hosts.byKey.get(source.address.host);
    if (host === undefined) throw new CommandError(ExitCode.usage, `${source.shown} is on no known host.`);
    io.doing(`fetching ${source.shown}`);
    const resolution = await host.resolve(source.address, signal);
    const repo = await host.bring(resolution, signal);
    const listing = await listTree(repo, resolution.tree, { signal });
    const objects = openObjects(repo, { maxBytes: MAX_SKILL_BYTES });
    try {
      const root = source.address.path;
      const entries = entriesBelow(listing, root);
      const places = placesOf(entries);
      const fallback = root === '' ? source.address.repo : basename(root);
      return await work({
        commit: resolution.commit,
        places,
        read: async (wanted) => {
          const found: FoundSkill[] = [];
          for (const place of wanted)
            found.push(await readSkill(place, entries, fallback, (oid) => objects.read(oid)));
          return found;
        },
      });
    } finally {
      await objects.close();
    }
  } finally {
    await hosts.close();
  }
}

interface Entry {
  readonly path: string;
  /** null: a submodule. */
  readonly mode: SkillFile['mode'] | null;
  readonly oid: string;
}

function entriesBelow(listing: TreeListing, root: string): Entry[] {
  const begin = root === '' ? '' : `${root}/`;
  const entries: Entry[] = [];
  for (let at = 0; at < listing.count; at += 1) {
    if (!listing.validUtf8(at)) continue;
    const path = listing.path(at);
    if (!path.startsWith(begin)) continue;
    const oid = Buffer.from(listing.oids.subarray(at * OID_BYTES, (at + 1) * OID_BYTES)).toString('hex');
    entries.push({ path: path.slice(begin.length), mode: MODES[listing.modes[at] ?? 3] ?? null, oid });
  }
  return entries;
}

function placesOf(entries: readonly Entry[]): string[] {
  const folders = entries
    .filter(({ path, mode }) => posix.basename(path) === SKILL_FILE && mode !== null && mode !== '120000')
    .map(({ path }) => posix.dirname(path))
    .filter((folder) => folder === '.' || !folder.split('/').some((part) => isPassedOver(part)));
  const all = new Set(folders);
  const isInside = (folder: string): boolean => {
    for (let at = folder; at !== '.'; ) {
      at = posix.dirname(at);
      if (all.has(at)) return true;
    }
    return false;
  };
  return folders.filter((folder) => !isInside(folder)).sort();
}

async function readSkill(
  place: string,
  entries: readonly Entry[],
  fallback: string,
  read: (oid: string) => Promise<Uint8Array | null>,
): Promise<FoundSkill> {
  const begin = place === '.' ? '' : `${place}/`;
  const own = entries
    .filter(({ path }) => path.startsWith(begin))
    .map((entry) => ({ ...entry, path: entry.path.slice(begin.length) }))
    .filter(({ path }) => !path.split('/').some((part) => isPassedOver(part)));
  if (own.length > MAX_SKILL_FILES)
    throw new RegistryError(
      'invalid',
      `${place} has more than ${MAX_SKILL_FILES} files, which is the limit.`,
    );
  const files: SkillFile[] = [];
  let bytes = 0;
  for (const { path, mode, oid } of own) {
    if (mode === null)
      throw new RegistryError('invalid', `${begin}${path} is another repository (a submodule).`);
    const content = await read(oid);
    if (content === null)
      throw new RegistryError('bad_data', `${begin}${path} is missing from its repository.`);
    bytes += content.length;
    if (bytes > MAX_SKILL_BYTES)
      throw new RegistryError(
        'invalid',
        `${place} has more than ${MAX_SKILL_BYTES} bytes, which is the limit.`,
      );
    files.push({ path, mode, bytes: content });
  }
  const main = files.find(({ path }) => path === SKILL_FILE);
  const folder = place === '.' ? fallback : posix.basename(place);
  return {
    place,
    name: main === undefined ? folder : skillNameOf(main.bytes, folder),
    source: { skillFiles: files },
  };
}

/** The source as it was read, to be shown. */
export function readAt(source: Source, commit: string): string {
  return `${formatAddress(source.address)} at ${commit.slice(0, 12)}`;
}
