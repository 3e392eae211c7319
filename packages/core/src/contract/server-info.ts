// How a mount introduces itself to a client. Source: contract, Connection and prompt; spec, Answers.
import type { MountIdentity, MountOverview } from '../answers.ts';
import { brief } from '../lib/result-text.ts';

/** It travels with every result of the current protocol revision, and is paid for there. */
const MAX_DESCRIPTION_CHARACTERS = 200;
const MAX_TITLE_CHARACTERS = 100;

export interface ServerInfo {
  /** The canonical address: clients key caches by it. */
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly websiteUrl: string;
  readonly icons: { readonly src: string; readonly sizes: string[] }[];
}

export interface ServerInfoOptions {
  /** Of the software. */
  readonly version: string;
  /** Scheme, host and port of this deployment, without a slash at the end. */
  readonly origin: string;
  /** Null while the commit is being indexed. */
  readonly overview: MountOverview | null;
}

export function serverInfo(identity: MountIdentity, options: ServerInfoOptions): ServerInfo {
  const { overview, origin, version } = options;
  const description = overview?.description ?? overview?.overview?.summary;
  return {
    name: identity.address,
    title: brief(overview?.name ?? ownerAndRepo(identity.repository), MAX_TITLE_CHARACTERS),
    version,
    ...(description === undefined ? {} : { description: brief(description, MAX_DESCRIPTION_CHARACTERS) }),
    websiteUrl: origin + identity.address,
    icons: [{ src: `${origin}/icon${identity.address}`, sizes: ['128x128'] }],
  };
}

/** `/gl/group~team/recipes` → `group/team/recipes` */
function ownerAndRepo(repository: string): string {
  return decodeURIComponent(repository).split('/').slice(2).join('/').replaceAll('~', '/');
}
