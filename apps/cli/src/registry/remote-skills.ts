// Brings the commit of a repository elsewhere, of which nothing is run or checked out, and gives the skills in it.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import { openObjects } from '@skillquay/git/objects';
import { listTree } from '@skillquay/git/tree';
import { createHosts } from '@skillquay/hosts/hosts';
import type { Source } from '@skillquay/hosts/sources';
import { MAX_SKILL_BYTES } from '@skillquay/registry/payload';
import { type Config, readConfig, storeShares } from '@skillquay/server/config';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import type { FoundSkill } from './local-skills.ts';
import { entriesBelow, manifestsOf, skillsInTree } from './tree-skills.ts';

/** What of a deployment's configuration is used here; what is wrong with the rest is nobody's business. */
const VARIABLES = ['GH_URL', 'GL_URL', 'CB_URL', 'SNAPSHOT_STORE', 'SNAPSHOT_STORE_BYTES', 'REF_TTL_SECONDS'];

export interface RemoteSkills {
  /** The source as it was read, to be shown. */
  readonly from: string;
  readonly skills: readonly FoundSkill[];
}

/** Gives `work` the skills at a source, which are gone when it is over. Throws HostError, GitError, CommandError. */
export async function withRemoteSkills<T>(
  source: Source,
  io: Io,
  work: (found: RemoteSkills) => Promise<T>,
): Promise<T> {
  const config = configOf(io);
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
    const { address } = source;
    const host = hosts.byKey.get(address.host);
    if (host === undefined) throw new CommandError(ExitCode.usage, `${source.shown} is on no known host.`);
    io.doing(`fetching ${source.shown}`);
    const resolution = await host.resolve(address, { signal });
    const repo = await host.bring(resolution, signal);
    const listing = await listTree(repo, resolution.tree, { signal });
    const objects = openObjects(repo, { maxBytes: MAX_SKILL_BYTES });
    try {
      const { path, repo: name } = address;
      const place = { path, name: path === '' ? name : basename(path), manifests: manifestsOf(listing) };
      const skills = await skillsInTree(entriesBelow(listing, path), place, (oid) => objects.read(oid));
      return await work({ from: `${formatAddress(address)} at ${resolution.commit.slice(0, 12)}`, skills });
    } finally {
      await objects.close();
    }
  } finally {
    await hosts.close();
  }
}

function configOf({ env }: Io): Config {
  const used = Object.fromEntries(VARIABLES.map((name) => [name, env[name]]));
  const reading = readConfig(used, (path) => readFileSync(path, 'utf8'));
  if (reading.ok) return reading.config;
  throw new CommandError(
    ExitCode.configuration,
    `the configuration has problems: ${reading.problems.join('; ')}`,
  );
}
