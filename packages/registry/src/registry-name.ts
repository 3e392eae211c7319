// Which repository, branch and folder a registry is. Source: spec, The personal registry, "The registry".
import { parseAddress } from '@skillquay/core/address';
import { checkRepositoryPath } from '@skillquay/core/paths';
import { decoded, looksLikeToken, misplacedUser } from '@skillquay/git/user-remote';
import { RegistryError } from './errors.ts';
import { isGitsOwn, shown } from './skill-files.ts';

export interface GithubRegistry {
  readonly kind: 'github';
  readonly owner: string;
  readonly repo: string;
  /** null = the host's default branch, which is asked for. */
  readonly branch: string | null;
  /** '' = the root of the repository. */
  readonly dir: string;
}

export interface GitRegistry {
  readonly kind: 'git';
  /** As git takes it; it may hold credentials, which are never shown. */
  readonly url: string;
  readonly branch: string | null;
  readonly dir: string;
}

export type RegistryName = GithubRegistry | GitRegistry;

const SPELLINGS =
  'Write owner/repo[@branch][:dir], an address such as /gh/acme/skills@main/skills, or a git URL with #branch:dir.';

/** Reads any spelling of a registry. Throws RegistryError `config`. */
export function parseRegistry(text: string): RegistryName {
  const written = text.trim();
  if (written === '') throw bad(`A registry is not named. ${SPELLINGS}`);
  const name = readUrl(written) ?? readAddress(written) ?? readShort(written);
  if (name === null) throw bad(`"${quotable(written)}" names no registry. ${SPELLINGS}`);
  checkName(name);
  return name;
}

/** Whether branch and folder can be used. Throws RegistryError `config`. */
export function checkName({ branch, dir }: Pick<RegistryName, 'branch' | 'dir'>): void {
  checkDir(dir);
  checkBranch(branch);
}

/** `owner/repo` as results name it; of a git URL its last two segments. */
export function shownName(name: RegistryName): string {
  if (name.kind === 'github') return `${name.owner}/${name.repo}`;
  const path = withoutSecrets(name.url)
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replace(/^[^/]*:(?!\/\/)/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '');
  const segments = path.split('/').filter((segment) => segment !== '');
  return shown(segments.slice(-2).map(decoded).join('/') || withoutSecrets(name.url));
}

/** The whole name in one line; user, password and query of a URL are left out. */
export function formatRegistry(name: RegistryName): string {
  const { branch, dir } = name;
  if (name.kind === 'github')
    return `${name.owner}/${name.repo}${branch === null ? '' : `@${branch}`}${dir === '' ? '' : `:${dir}`}`;
  const place = `${fragment(branch ?? '')}${dir === '' ? '' : `:${fragment(dir)}`}`;
  return `${withoutSecrets(name.url)}${place === '' ? '' : `#${place}`}`;
}

function fragment(text: string): string {
  return encodeURI(text).replaceAll('#', '%23');
}

/** A URL without user, password and query, to be shown. */
export function withoutSecrets(url: string): string {
  // A password may hold an @ of its own.
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1').replace(/\?[^#]*/, '');
}

/** What names no registry, to be shown: a long word, or what stands before an @ in it, may be a token. */
function quotable(text: string): string {
  if (/^[^\s/@]+$/.test(text) && looksLikeToken(text)) return '***';
  const hidden = withoutSecrets(text)
    .replace(/[^\s/@]*:[^\s@]*@/g, '***@')
    .replace(/([^\s/@]+)@/g, (whole, name: string) => (looksLikeToken(name) ? '***@' : whole));
  return shown(hidden);
}

function readUrl(text: string): RegistryName | null {
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  // git@host:path, which is no address and has no scheme.
  const isScp = /^[^/@:\s]+@[^/:\s]+:[^\s]+$/.test(text);
  if (!isUrl && !isScp) return null;
  const mark = text.indexOf('#');
  // Git knows its schemes in lower case alone.
  const url = (mark === -1 ? text : text.slice(0, mark)).replace(/^[a-z]+(?=:\/\/)/i, (scheme) =>
    scheme.toLowerCase(),
  );
  if (isUrl) checkUrl(url);
  return { kind: 'git', url, ...branchAndDir(mark === -1 ? '' : text.slice(mark + 1)) };
}

/** Its sentences repeat nothing of the URL: any part of one that is written wrong may be a password. */
function checkUrl(url: string): void {
  const [, scheme = '', host = ''] = /^([^:]*):\/\/([^/]*)/.exec(url) ?? [];
  if (!['https', 'http', 'ssh', 'file'].includes(scheme))
    throw bad(`A git registry has no URL with the scheme "${shown(scheme)}". Use https, ssh or file.`);
  // What goes over the wire in the clear goes only where there is no wire.
  if (scheme === 'http' && !/^(?:.*@)?(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d*)?$/i.test(host))
    throw bad('A git registry on another machine has no URL with http. Use https or ssh.');
  if (url.includes('?'))
    throw bad(
      "The URL of a git registry has no query (? and what follows). Leave it out; a token is for git's credential helper, or stands before the host: https://token:@host/path.",
    );
  const misplaced = misplacedUser(url);
  if (misplaced !== null) throw bad(misplaced);
}

/** `branch:dir`, either of which may be missing. */
function branchAndDir(fragment: string): { readonly branch: string | null; readonly dir: string } {
  const colon = fragment.indexOf(':');
  const branch = decoded(colon === -1 ? fragment : fragment.slice(0, colon));
  const dir = colon === -1 ? '' : decoded(fragment.slice(colon + 1));
  return { branch: branch === '' ? null : branch, dir: trimSlashes(dir) };
}

function readAddress(text: string): RegistryName | null {
  if (!text.startsWith('/')) return null;
  const parsed = parseAddress(text);
  if (!parsed.ok) throw bad(`${quotable(text)}: ${shown(parsed.error.message)}`);
  const { host, owner, repo, ref, path } = parsed.address;
  if (host !== 'gh')
    throw bad(`/${shown(host)}/… is not on GitHub. Name such a registry by its git URL, with #branch:dir.`);
  return { kind: 'github', owner, repo, branch: ref, dir: path };
}

function readShort(text: string): RegistryName | null {
  const match = /^([^/@:\s]+)\/([^/@:\s]+)(?:@([^:\s]+))?(?::(.*))?$/.exec(text);
  if (match === null) return null;
  const [, owner = '', repo = '', branch = null, dir = ''] = match;
  const parsed = parseAddress(`/gh/${owner}/${repo}`);
  if (!parsed.ok) throw bad(`${quotable(text)}: ${shown(parsed.error.message)}`);
  return {
    kind: 'github',
    owner: parsed.address.owner,
    repo: parsed.address.repo,
    branch,
    dir: trimSlashes(dir),
  };
}

function checkDir(dir: string): void {
  const problem = checkRepositoryPath(dir, { root: true });
  if (problem !== null) throw bad(`The registry's folder "${shown(dir)}" cannot be used. ${shown(problem)}`);
  if (dir.split('/').some(isGitsOwn))
    throw bad(
      `The registry's folder "${shown(dir)}" cannot be used. It has a ".git" part, which git keeps for itself.`,
    );
}

/** The rules of git for names of branches, as far as they keep a name from meaning something else. */
function checkBranch(branch: string | null): void {
  if (branch === null) return;
  const isName =
    !/[\0-\x20\x7f~^:?*[\\]/.test(branch) &&
    !/^[-/.]|[/.]$|\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)/.test(branch) &&
    branch !== '@';
  if (!isName) throw bad(`"${shown(branch)}" cannot be the name of a branch.`);
}

/** A folder without the slashes around it. */
export function trimSlashes(dir: string): string {
  return dir.replace(/^\/+|\/+$/g, '');
}

function bad(message: string): RegistryError {
  return new RegistryError('config', message);
}
