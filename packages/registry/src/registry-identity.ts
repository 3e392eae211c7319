// Which registry is meant, however it is spelled: a copy that was installed from one is never taken for another's.
import type { Environment } from './config.ts';
import { githubHost } from './lib/github-host.ts';
import { type RegistryName, withoutSecrets } from './registry-name.ts';

const GITHUB = /^github\.com\//i;

/**
 * Host, repository and folder, without credentials. Not the branch: which one is the default only the host knows.
 * Throws RegistryError `config`.
 */
export function registryIdentity(name: RegistryName, env: Environment = process.env): string {
  const place =
    name.kind === 'github' ? `${githubHost(env).name}/${name.owner}/${name.repo}` : placeOf(name.url);
  const repository = name.kind === 'github' || GITHUB.test(place) ? place.toLowerCase() : place;
  return name.dir === '' ? repository : `${repository}:${name.dir}`;
}

function placeOf(url: string): string {
  const scp = /^([^/@:\s]+)@([^/:\s]+):(.*)$/.exec(url);
  if (scp !== null) return remote(scp[1] ?? '', scp[2] ?? '', scp[3] ?? '');
  if (/^file:/i.test(url) || !URL.canParse(url)) return withoutSecrets(url).replace(/\/+$/, '');
  const { protocol, username, host, pathname } = new URL(url);
  // The user of any other scheme is a credential.
  return remote(protocol === 'ssh:' ? username : '', host, pathname);
}

/** What a path means to ssh may depend on whose home it begins in. */
function remote(user: string, host: string, path: string): string {
  const whose = user === '' || user === 'git' ? '' : `${user}@`;
  return `${whose}${host.toLowerCase()}/${path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`;
}
