// Which GitHub a registry lies on: where its API answers and where its pages are. Source: spec, The personal registry,
// "Two backends".
import type { Environment } from '../config.ts';
import { RegistryError } from '../errors.ts';

export interface GithubHost {
  /** As people and gh name it: `github.com`. */
  readonly name: string;
  /** Where the API answers, without a slash at its end. */
  readonly api: string;
  /** Where the pages are, without a slash at its end. */
  readonly web: string;
}

const PUBLIC = 'github.com';

/** GITHUB_API_URL says it exactly, GH_HOST by name; else it is github.com. Throws RegistryError `config`. */
export function githubHost(env: Environment = process.env): GithubHost {
  const named = hostOf(env.GH_HOST?.trim() ?? '');
  const given = env.GITHUB_API_URL?.trim() ?? '';
  if (given === '') return byName(named ?? PUBLIC);
  const api = apiUrl(given);
  const web = webOf(api);
  if (named === null) return { name: web.host, api: trimmed(api), web: trimmed(web) };
  // The token of one host is not for another one. An enterprise server may have its API at another name.
  const isApiKnown = web.host !== api.host || isCloud(named);
  if (isApiKnown && web.host !== named)
    throw new RegistryError(
      'config',
      `GH_HOST and GITHUB_API_URL name two hosts: ${named} has its API at ${byName(named).api}. Set one of them only, or GH_HOST to the host of the API.`,
    );
  return { name: named, api: trimmed(api), web: `https://${named}` };
}

function trimmed(url: URL): string {
  return url.href.replace(/\/+$/, '');
}

function byName(name: string): GithubHost {
  const web = `https://${name}`;
  return { name, web, api: isCloud(name) ? `https://api.${name}` : `${web}/api/v3` };
}

/** Source: GitHub docs, "Getting started with the REST API", and of Enterprise Cloud with data residency. */
function isCloud(name: string): boolean {
  return name === PUBLIC || name.endsWith('.ghe.com');
}

function hostOf(given: string): string | null {
  if (given === '') return null;
  const name = given
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '')
    .replace(/:443$/, '');
  if (!/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?$/i.test(name))
    throw new RegistryError('config', 'GH_HOST names no host. Write it such as github.example.com.');
  return name.toLowerCase() === `api.${PUBLIC}` ? PUBLIC : name.toLowerCase();
}

function apiUrl(given: string): URL {
  const bad = (why: string) =>
    new RegistryError('config', `GITHUB_API_URL ${why}. Write it such as https://github.example.com/api/v3.`);
  if (!URL.canParse(given)) throw bad('is no URL');
  const url = new URL(given);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw bad('holds more than a host and a path');
  // A token goes over the wire in the clear only where there is no wire.
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal))
    throw bad('has to begin with https://');
  return url;
}

function webOf(api: URL): URL {
  const isApiHost = /^api\.(?:github\.com|.+\.ghe\.com)$/.test(api.hostname);
  return new URL(`${api.protocol}//${isApiHost ? api.host.slice('api.'.length) : api.host}`);
}
