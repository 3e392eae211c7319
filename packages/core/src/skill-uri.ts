// The URI of a repository file in the skills extension: the address without its ref, then the file's path.
// Source: spec, Addresses, "As OAuth resource, as skill URI".
import {
  type AddressFailure,
  type AddressOptions,
  addressFailure,
  formatAddress,
  MAX_ADDRESS_CHARACTERS,
  parseAddress,
} from './address.ts';
import { decodeSegment, encodePath } from './lib/segment.ts';
import { checkRepositoryPath, MAX_PATH_CHARACTERS } from './paths.ts';

const SCHEME = 'skill:/';
/** A character of the path takes up to twelve as escapes: a listed file may have a URI longer than any address. */
const MAX_URI_CHARACTERS = MAX_ADDRESS_CHARACTERS + 12 * MAX_PATH_CHARACTERS;

/** Which file of which repository. The commit belongs to the connection, never to the URI. */
export interface SkillUri {
  readonly host: string;
  readonly owner: string;
  readonly repo: string;
  /** Behind the repository; '' = the repository itself. A root skill's name may be its first segment. */
  readonly path: string;
}

export type SkillUriResult = { readonly ok: true; readonly uri: SkillUri } | AddressFailure;

/**
 * Takes a skill URI apart. Another spelling of the same characters is the same file; `..` in any spelling is an
 * error rather than a way up, which a URL parser would make of it.
 */
export function parseSkillUri(text: string, options: AddressOptions = {}): SkillUriResult {
  if (!/^skill:\/\/[^/]/i.test(text)) {
    return addressFailure('address.syntax', 'A skill URI is skill://<host>/<owner>/<repo>/<path>.');
  }
  if (text.length > MAX_URI_CHARACTERS) {
    return addressFailure('address.too_long', 'A skill URI is no longer than the path of a file makes it.');
  }
  const [, host = '', owner = '', repo = '', ...rest] = text.slice(SCHEME.length).split('/');
  // With `@` it would carry a ref: ask the address parser only about what has none.
  if (repo.includes('@')) {
    return addressFailure(
      'address.ref',
      'A skill URI names no ref: the connection does. Leave out "@" and the ref.',
    );
  }
  const parsed = parseAddress(`/${host}/${owner}/${repo}`, options);
  if (!parsed.ok) return parsed;
  const path = pathOf(rest);
  if (path === null) {
    return addressFailure(
      'address.path',
      'Behind the repository, a skill URI has the path of a file or folder, each segment escaped once.',
    );
  }
  const { address } = parsed;
  return { ok: true, uri: { host: address.host, owner: address.owner, repo: address.repo, path } };
}

/** The path its escaped segments name; null for one that no file can have. */
function pathOf(segments: readonly string[]): string | null {
  if (segments.length === 0) return '';
  const raw = segments.join('/');
  if (/[?#]/.test(raw)) return null;
  // No slash may be escaped, so all segments are decoded as one.
  const path = decodeSegment(raw);
  return path.ok && checkRepositoryPath(path.text) === null ? path.text : null;
}

/** Writes the URI of a file or folder, each segment escaped as the URL Standard would. */
export function formatSkillUri(uri: SkillUri): string {
  return skillUriWriter(uri)(uri.path);
}

/** Writes the URIs of one repository's paths. */
export function skillUriWriter({ host, owner, repo }: Omit<SkillUri, 'path'>): (path: string) => string {
  const root = SCHEME + formatAddress({ host, owner, repo, ref: null, pinned: false, path: '' });
  return (path) => (path === '' ? root : `${root}/${encodePath(path)}`);
}
