// Puts the hosts together: what the process was started with, and the repositories of the known hosts.
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Address, repositoryKey } from '@skillquay/core/address';
import { locateRepository } from '@skillquay/git/locate';
import { makePrivateFolder } from '@skillquay/git/private-folder';
import { GitError } from '@skillquay/git/process';
import { alive } from '@skillquay/git/process-alive';
import { userRemote } from '@skillquay/git/user-remote';
import { type Host, HostError } from './host.ts';
import { because, hostFailure, notFound, unsupported } from './lib/failures.ts';
import { type GitFault, teller } from './lib/git-faults.ts';
import { GitSpace } from './lib/git-space.ts';
import { webTransport } from './lib/transport.ts';
import { hostLinks, type LinkStyle, NO_LINKS } from './links.ts';
import { localHost } from './local-host.ts';
import { type RemoteLimits, remoteHost } from './remote-host.ts';
import type { Source } from './sources.ts';
import { worktreeHost } from './worktree-host.ts';

export type { GitFault } from './lib/git-faults.ts';

export type RemoteKey = 'gh' | 'gl' | 'cb';

export interface HostsOptions {
  /** What the process was started with: `sourceFrom` makes them. */
  readonly sources: readonly Source[];
  /** Git base URL of each host key, without a trailing slash. */
  readonly remotes: Readonly<Record<RemoteKey, string>>;
  /** Every repository of the host keys is served, not only those among the sources. */
  readonly open: boolean;
  /** Directory for fetched repositories. */
  readonly storeDir: string;
  readonly refTtlMs: number;
  /** Bytes of fetched repositories together; those used longest ago go first. Absent = no bound. */
  readonly maxStoreBytes?: number;
  /** Bytes of the largest file that is read: of a working folder, no larger ones are stored. Absent = no bound. */
  readonly maxFileBytes?: number;
  /** Repositories whose refs are remembered; default MAX_REMEMBERED. */
  readonly maxRemembered?: number;
  readonly now?: () => number;
  readonly limits?: Partial<RemoteLimits>;
  /** Told once of each failure of git for which a repository is not answered. */
  readonly log?: (fault: GitFault) => void;
}

export interface Hosts {
  /** A Host for each host key that an address may have; an address that is not served throws HostError there. */
  readonly byKey: ReadonlyMap<string, Host>;
  close(): Promise<void>;
}

const STYLES: Readonly<Record<RemoteKey, LinkStyle>> = { gh: 'github', gl: 'gitlab', cb: 'forgejo' };
/** Repositories whose refs are remembered; the one asked for longest ago is forgotten. */
const MAX_REMEMBERED = 1_000;

/** Throws HostError for a source that cannot be opened, and Error for two sources with one address. */
export async function createHosts(options: HostsOptions): Promise<Hosts> {
  const now = options.now ?? Date.now;
  const space = new GitSpace({
    dir: join(options.storeDir, 'git'),
    maxBytes: options.maxStoreBytes ?? Number.POSITIVE_INFINITY,
  });
  const { storeDir, refTtlMs, limits } = options;
  const common = { storeDir, refTtlMs, now, limits, space };
  const privateDir = await ownDirectory(options.storeDir);
  /** Opened by who started the process, by repository key. */
  const opened = new Map<string, Host>();
  /** Anonymous repositories of the host keys, oldest first. */
  const remembered = new Map<string, Host>();

  function anonymous(address: Address): Host {
    const page = `${remoteBase(options, address.host)}/${address.owner}/${address.repo}`;
    return remoteHost({
      ...common,
      name: repositoryKey(address),
      transport: webTransport(`${page}.git`),
      links: linksOf(options, address),
      scope: 'public',
    });
  }

  function remember(address: Address, name: string): Host {
    const host = remembered.get(name) ?? anonymous(address);
    remembered.delete(name);
    remembered.set(name, host);
    for (const [oldest, { busy }] of remembered) {
      if (remembered.size <= (options.maxRemembered ?? MAX_REMEMBERED)) break;
      // What is under way is to be ended with the process. What is not busy holds nothing but memory.
      if (oldest !== name && !busy?.()) remembered.delete(oldest);
    }
    return host;
  }

  async function open(source: Source): Promise<Host> {
    const name = repositoryKey(source.address);
    switch (source.kind) {
      case 'address':
        return anonymous(source.address);
      case 'git':
        return remoteHost({
          ...common,
          name,
          transport: userRemote(source.url),
          links: linksOf(options, source.address),
          scope: 'private',
        });
      case 'path': {
        const located = await locateRepository(source.path).catch((error: unknown) => {
          if (!(error instanceof GitError) || error.kind !== 'failed') throw hostFailure(error);
          const message = `Git cannot read the repository that ${source.path} belongs to. See what \`git status\` says there.`;
          throw because(error, unsupported(message));
        });
        if (located !== null && (located.top === null || source.ref !== null))
          return localHost({ name, located, ref: source.ref, storeDir: options.storeDir, now });
        if (source.ref !== null)
          throw unsupported(`${source.path} is no git repository: it has no ref "${source.ref}".`);
        return worktreeHost({
          ...{ name, folder: source.path, located, storeDir: options.storeDir, privateDir, now },
          maxFileBytes: options.maxFileBytes ?? Number.POSITIVE_INFINITY,
        });
      }
    }
  }

  const close = async () => {
    await Promise.all([...opened.values(), ...remembered.values()].map((host) => host.close()));
    await rm(privateDir, { recursive: true, force: true });
  };

  try {
    for (const source of options.sources) {
      const name = repositoryKey(source.address);
      if (opened.has(name))
        throw new Error(
          `Two sources have the address /${name}: write one of them as owner/repo=<source>, with another name.`,
        );
      opened.set(name, await open(source));
    }
  } catch (error) {
    await close();
    throw error;
  }

  const choose = (address: Address): Host => {
    const own = opened.get(repositoryKey(address));
    if (own) return own;
    if (!isRemote(address.host)) throw notFound();
    if (options.open) return remember(address, repositoryKey(address));
    throw new HostError(
      'mount.not_allowed',
      `This server does not serve /${repositoryKey(address)}. Start it with that address, or with --open for all.`,
    );
  };
  const tell = teller(options.log);
  // Every request asks, with the same few addresses.
  const keys = new WeakMap<Address, string>();
  const keyOf = (address: Address): string => {
    const before = keys.get(address);
    if (before !== undefined) return before;
    const key = repositoryKey(address);
    keys.set(address, key);
    return key;
  };
  /** What was resolved: `bring` is not told the address. */
  const origins = new WeakMap<object, Address>();
  const dispatch: Host = {
    async resolve(address, caller) {
      const resolution = await choose(address)
        .resolve(address, caller)
        .catch((error: unknown) => {
          throw tell(repositoryKey(address), error);
        });
      origins.set(resolution, address);
      return resolution;
    },
    known(address) {
      const key = keyOf(address);
      const host = opened.get(key) ?? (remembered.has(key) ? remember(address, key) : null);
      const resolution = host === null ? null : host.known(address);
      if (resolution !== null && !origins.has(resolution)) origins.set(resolution, address);
      return resolution;
    },
    async bring(resolution, signal) {
      const { repository } = resolution;
      const origin = origins.get(resolution);
      const host =
        origin === undefined ? (opened.get(repository) ?? remembered.get(repository)) : choose(origin);
      if (!host) throw notFound();
      return host.bring(resolution, signal).catch((error: unknown) => {
        throw tell(repository, error);
      });
    },
    links: (address) => opened.get(repositoryKey(address))?.links(address) ?? linksOf(options, address),
    watch: (address, changed) => opened.get(repositoryKey(address))?.watch?.(address, changed) ?? null,
    close,
  };
  return { byKey: new Map(['gh', 'gl', 'cb', 'local'].map((key) => [key, dispatch])), close };
}

function isRemote(key: string): key is RemoteKey {
  return key in STYLES;
}

function remoteBase(options: HostsOptions, key: string): string {
  return isRemote(key) ? options.remotes[key] : '';
}

function linksOf(options: HostsOptions, address: Address) {
  const { host, owner, repo } = address;
  return isRemote(host) ? hostLinks(STYLES[host], `${options.remotes[host]}/${owner}/${repo}`) : NO_LINKS;
}

/** A directory of this process alone; those of processes that have ended are removed. */
async function ownDirectory(storeDir: string): Promise<string> {
  const parent = join(storeDir, 'worktrees');
  await makePrivateFolder(parent);
  const mine = `${hostname()}-`;
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(mine) ? Number(name.slice(mine.length)) : Number.NaN;
    if (Number.isInteger(pid) && pid !== process.pid && !alive(pid))
      await rm(join(parent, name), { recursive: true, force: true });
  }
  return join(parent, `${mine}${process.pid}`);
}
