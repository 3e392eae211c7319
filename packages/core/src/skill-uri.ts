// The URI of a repository file in the skills extension: the address without its ref, then the file's path.
// Source: spec, Addresses, "As OAuth resource, as skill URI".
import {
  type Address,
  type AddressFailure,
  type AddressOptions,
  addressFailure,
  formatAddress,
  formatRepository,
  parseAddress,
} from './address.ts';

const SCHEME = 'skill:/';

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
  const address = text.slice(SCHEME.length);
  // A repository segment with `@` would carry a ref: ask the address parser only about what has none.
  if (address.split('/', 4)[3]?.includes('@') === true) {
    return addressFailure(
      'address.ref',
      'A skill URI names no ref: the connection does. Leave out "@" and the ref.',
    );
  }
  const parsed = parseAddress(address, options);
  if (!parsed.ok) return parsed;
  const { host, owner, repo, path } = parsed.address;
  return { ok: true, uri: { host, owner, repo, path } };
}

/** Writes the URI of a file or folder, each segment escaped as the URL Standard would. */
export function formatSkillUri(uri: SkillUri): string {
  const { host, owner, repo, path } = uri;
  return SCHEME + formatAddress({ host, owner, repo, ref: null, pinned: false, path });
}

/** The URI all files of an address's repository start with, without a slash at the end. */
export function skillUriPrefix(address: Address): string {
  return SCHEME + formatRepository(address);
}
