// The address of a source given on a command line. Source: spec, Addresses, "Sources given on a command line".
import { type AddressOptions, type AddressResult, addressFailure, parseAddress } from './address.ts';
import { KNOWN_HOSTS, type KnownHost } from './known-hosts.ts';
import { encodeSegment } from './lib/segment.ts';
import { sliceCodePoints } from './text.ts';

/** Leaves room for the longest escapes of two such names in one address. */
const MAX_LOCAL_NAME_CHARACTERS = 64;

/**
 * The address under which a git URL or an absolute path is mounted. A git URL of a known host becomes that host's
 * address; anything else `/local/<parent>/<name>`. Pure text: nothing is looked up.
 */
export function addressOfSource(source: string, options: AddressOptions = {}): AddressResult {
  const hosts = options.hosts ?? KNOWN_HOSTS;
  const url = splitGitUrl(source);
  if (url === null) return localAddress(segmentsOf(source), options);
  const host = hosts.find((known) => known.domains.includes(url.domain));
  const segments = segmentsOf(url.path);
  if (host === undefined) {
    return localAddress(
      segments.length < 2 && url.domain !== '' ? [url.domain, ...segments] : segments,
      options,
    );
  }
  return hostAddress(host, segments, options);
}

function hostAddress(host: KnownHost, segments: readonly string[], options: AddressOptions): AddressResult {
  const page = pageAddress(host, segments);
  if (page !== null) {
    return addressFailure(
      'address.syntax',
      `A git URL ends with the repository. For a branch and a folder, write ${page}.`,
    );
  }
  const names = segments.map((segment, i) => (i === segments.length - 1 ? withoutGit(segment) : segment));
  const fits = host.naming.nested ? names.length >= 2 : names.length === 2;
  if (!fits) {
    return addressFailure(
      'address.syntax',
      `A git URL of ${host.title} ends with <owner>/<repo>; as an address: /${host.key}/<owner>/<repo>.`,
    );
  }
  const repo = names.at(-1) ?? '';
  return parseAddress(`/${host.key}/${names.slice(0, -1).join('~')}/${repo}`, options);
}

/** What the address of a pasted web page would be, such as `…/tree/main/docs`; null for a git URL. */
function pageAddress(host: KnownHost, segments: readonly string[]): string | null {
  const mark = segments.findIndex((segment, i) => i >= 2 && /^(?:-|tree|blob|src)$/.test(segment));
  if (mark === -1) return null;
  const tail = segments
    .slice(mark)
    .filter((segment, i) => i > 2 || !/^(?:-|tree|blob|src|branch|tag|commit)$/.test(segment));
  const repository = `/${host.key}/${segments.slice(0, mark - 1).join('~')}/${segments[mark - 1]}`;
  const [ref, ...path] = tail;
  return ref === undefined ? repository : `${repository}@${[ref, ...path].join('/')}`;
}

function localAddress(segments: readonly string[], options: AddressOptions): AddressResult {
  const [owner, repo] = [segments.at(-2) ?? 'root', segments.at(-1) ?? 'root'];
  return parseAddress(`/local/${localName(owner)}/${localName(repo)}`, options);
}

function localName(segment: string): string {
  const safe = withoutGit(segment).replace(/[^\p{L}\p{M}\p{N}._-]/gu, '-');
  const name = withoutGit(sliceCodePoints(safe, 0, MAX_LOCAL_NAME_CHARACTERS));
  return encodeSegment(/^\.{0,2}$/.test(name) ? '-' : name);
}

function withoutGit(segment: string): string {
  return segment.replace(/(?<=.)(?:\.git)+$/i, '');
}

/** The segments of a path that name something: a bare repository's own `.git` folder does not. */
function segmentsOf(path: string): readonly string[] {
  const segments = path.split(/[/\\]/).filter((segment) => segment !== '' && segment !== '.');
  return segments.at(-1) === '.git' ? segments.slice(0, -1) : segments;
}

interface GitUrl {
  /** Lower-case, without port; '' for `file:`. */
  readonly domain: string;
  /** Without query and fragment, escapes decoded. */
  readonly path: string;
}

/** Splits `scheme://[user@]domain[:port]/path` and `[user@]domain:path`; null for a path of this machine. */
function splitGitUrl(source: string): GitUrl | null {
  const url = /^[a-z][a-z0-9+.-]+:\/\/(?:[^/]*@)?([^/:]*)(?::\d*)?(\/[^?#]*)?/i.exec(source);
  if (url !== null) return { domain: (url[1] ?? '').toLowerCase(), path: unescaped(url[2] ?? '') };
  const scp = /^(?:[^/\\:@]+@)?([^/\\:@]{2,}):(?!\\)(.*)$/.exec(source);
  return scp === null ? null : { domain: (scp[1] ?? '').toLowerCase(), path: scp[2] ?? '' };
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
