// The path of an endpoint URL: which repository, which ref, which directory. Source: spec, Addresses.
import { KNOWN_HOSTS, type KnownHost } from './known-hosts.ts';
import { checkRefName } from './lib/ref-name.ts';
import { decodeSegment, encodePath, encodeSegment } from './lib/segment.ts';
import { checkRepositoryPath } from './paths.ts';

/** Of the canonical form too, in which a character outside ASCII takes up to nine or twelve. */
export const MAX_ADDRESS_CHARACTERS = 2_048;

const TOO_LONG = 'An address has at most 2,048 characters, escapes counted.';

/** A parsed address. `path` is '' for the whole repository; `ref` is null for the default branch. */
export interface Address {
  /** Lower-case host key: `gh`, `gl`, `cb`, `local`, or one from the configuration. */
  readonly host: string;
  /** As the host spells it in a URL; nested groups are joined with `/`. */
  readonly owner: string;
  readonly repo: string;
  readonly ref: string | null;
  /** True when `ref` is a full commit hash: such an address never moves. */
  readonly pinned: boolean;
  readonly path: string;
}

/** An account of a host, `/gh/acme`: a page for a browser, nothing an agent connects to. */
export interface OwnerPath {
  readonly host: string;
  readonly owner: string;
}

export type AddressErrorCode =
  | 'address.syntax'
  | 'address.too_long'
  | 'address.unknown_host'
  | 'address.account'
  | 'address.owner'
  | 'address.repo'
  | 'address.ref'
  | 'address.path'
  | 'address.escape';

export interface AddressError {
  readonly code: AddressErrorCode;
  /** Says what is wrong and shows the right spelling. */
  readonly message: string;
}

export type AddressResult = { readonly ok: true; readonly address: Address } | AddressFailure;
export type OwnerResult = { readonly ok: true; readonly owner: OwnerPath } | AddressFailure;
export type AddressFailure = { readonly ok: false; readonly error: AddressError };

export interface AddressOptions {
  /** Default: gh, gl, cb, local. */
  readonly hosts?: readonly KnownHost[];
}

export function addressFailure(code: AddressErrorCode, message: string): AddressFailure {
  return { ok: false, error: { code, message } };
}

/** Takes an address apart: the raw (undecoded) path of a URL, beginning with `/`. Total; never repairs. */
export function parseAddress(text: string, options: AddressOptions = {}): AddressResult {
  const head = parseHead(text, options);
  if (!head.ok) return head;
  const { host, owner, rest } = head;
  if (rest === null) {
    return addressFailure(
      'address.account',
      `${formatOwnerPath({ host: host.key, owner })} names an account; an address also names a repository: /${host.key}/<owner>/<repo>.`,
    );
  }

  const slash = rest.indexOf('/');
  const segment = slash === -1 ? rest : rest.slice(0, slash);
  const at = segment.indexOf('@');
  const repo = parseRepo(host, owner, at === -1 ? segment : segment.slice(0, at));
  if (!repo.ok) return repo;
  const where = `/${host.key}/${owner.replaceAll('/', '~')}/${repo.name}`;

  // A ref ends at the first `:`, wherever it stands, else at the first `/`.
  const behind = at === -1 ? '' : rest.slice(at + 1);
  const colon = behind.indexOf(':');
  let rawRef: string | null = null;
  let rawPath: string | null = slash === -1 ? null : rest.slice(slash + 1);
  if (at !== -1 && colon !== -1) {
    rawRef = behind.slice(0, colon);
    rawPath = colon === behind.length - 1 ? null : behind.slice(colon + 1);
  } else if (at !== -1) rawRef = segment.slice(at + 1);

  const ref = rawRef === null ? { ok: true as const, text: null } : parseRef(where, rawRef);
  if (!ref.ok) return ref;
  const path = rawPath === null ? { ok: true as const, text: '' } : parsePath(where, rawPath);
  if (!path.ok) return path;

  const pinned = ref.text !== null && isCommitHash(ref.text);
  const address: Address = {
    host: host.key,
    owner,
    repo: repo.name,
    ref: pinned && ref.text !== null ? ref.text.toLowerCase() : ref.text,
    pinned,
    path: path.text,
  };
  // Escaping can only triple each of a character's bytes; a short address needs no look at its canonical form.
  if (text.length * 12 > MAX_ADDRESS_CHARACTERS && formatAddress(address).length > MAX_ADDRESS_CHARACTERS) {
    return addressFailure('address.too_long', TOO_LONG);
  }
  return { ok: true, address };
}

/** Writes the canonical form of a parsed address; parsing it gives the same address again. */
export function formatAddress(address: Address): string {
  const base = `/${repositoryKeyEscaped(address)}`;
  if (address.ref === null) return address.path === '' ? base : `${base}/${encodePath(address.path)}`;
  const withRef = `${base}@${encodePath(address.ref)}`;
  // With a slash in the ref, only a colon says where it ends; and a colon in the path would otherwise seem to.
  if (address.ref.includes('/') || address.path.includes(':'))
    return `${withRef}:${encodePath(address.path)}`;
  return address.path === '' ? withRef : `${withRef}/${encodePath(address.path)}`;
}

/** The canonical address of the whole repository at its default branch. */
export function formatRepository(address: Address): string {
  return `/${repositoryKeyEscaped(address)}`;
}

function repositoryKeyEscaped(address: Address): string {
  return repositoryKey(address).split('/').map(encodeSegment).join('/');
}

/** Names the repository of a parsed address in keys, e.g. `gh/acme/library`, `gl/group~team/recipes`. */
export function repositoryKey(address: Pick<Address, 'host' | 'owner' | 'repo'>): string {
  return `${address.host}/${address.owner.replaceAll('/', '~')}/${address.repo}`;
}

/** Takes the path of an account apart: `/gh/acme`. */
export function parseOwnerPath(text: string, options: AddressOptions = {}): OwnerResult {
  const head = parseHead(text, options);
  if (!head.ok) return head;
  if (head.rest !== null) {
    return addressFailure('address.syntax', `An account is /${head.host.key}/<owner> and nothing behind it.`);
  }
  return { ok: true, owner: { host: head.host.key, owner: head.owner } };
}

export function formatOwnerPath(owner: OwnerPath): string {
  return `/${owner.host}/${encodeSegment(owner.owner.replaceAll('/', '~'))}`;
}

/**
 * The other reading of an address whose ref was not found: the ref may have a slash in it.
 * Null where there is no other reading.
 */
export function slashRefSpelling(address: Address): string | null {
  if (address.ref === null || address.path === '' || address.ref.includes('/') || address.pinned) return null;
  const [first = '', ...rest] = address.path.split('/');
  const ref = `${address.ref}/${first}`;
  return checkRefName(ref) === null ? formatAddress({ ...address, ref, path: rest.join('/') }) : null;
}

export function isCommitHash(ref: string): boolean {
  return /^[0-9a-f]{40}$/i.test(ref);
}

type Head =
  | { readonly ok: true; readonly host: KnownHost; readonly owner: string; readonly rest: string | null }
  | AddressFailure;

/** Reads `/<host>/<owner>` and hands on the raw rest, null when nothing follows. */
function parseHead(text: string, options: AddressOptions): Head {
  const hosts = options.hosts ?? KNOWN_HOSTS;
  if (text.length > MAX_ADDRESS_CHARACTERS) {
    return addressFailure('address.too_long', TOO_LONG);
  }
  if (!text.startsWith('/')) {
    return addressFailure('address.syntax', 'An address starts with "/": write /gh/<owner>/<repo>.');
  }
  const mark = text.search(/[?#]/);
  if (mark !== -1) {
    const escaped = text[mark] === '?' ? '%3F' : '%23';
    return addressFailure(
      'address.syntax',
      `"${text[mark]}" is no part of an address: leave it out, or write ${escaped} for the character in a path.`,
    );
  }
  const [, rawHost = '', rawOwner, ...rest] = text.split('/');
  const key = decodeSegment(rawHost);
  const host = key.ok ? hosts.find((known) => known.key === key.text) : undefined;
  if (host === undefined) {
    const known = hosts.map((each) => `/${each.key} (${each.title})`).join(', ');
    return addressFailure(
      'address.unknown_host',
      `The first part of an address is a host, in lower case: ${known}. Write for example /gh/<owner>/<repo>.`,
    );
  }
  if (rawOwner === undefined || rawOwner === '') {
    return addressFailure(
      'address.syntax',
      `An owner and a repository are missing: write /${host.key}/<owner>/<repo>.`,
    );
  }
  const owner = parseOwner(host, rawOwner);
  if (!owner.ok) return owner;
  return { ok: true, host, owner: owner.name, rest: rest.length === 0 ? null : rest.join('/') };
}

type Name = { readonly ok: true; readonly name: string } | AddressFailure;

function parseOwner(host: KnownHost, raw: string): Name {
  const { naming } = host;
  const decoded = decodeSegment(raw);
  const parts = decoded.ok ? (naming.nested ? decoded.text.split('~') : [decoded.text]) : [];
  if (parts.length === 0 || !parts.every((part) => naming.owner.test(part))) {
    return addressFailure(
      'address.owner',
      `An owner here has ${naming.ownerRule}: write /${host.key}/${naming.nested ? '<group>~<subgroup>' : '<owner>'}/<repo>.`,
    );
  }
  return { ok: true, name: fold(host, parts.join('/')) };
}

function parseRepo(host: KnownHost, owner: string, raw: string): Name {
  const { naming } = host;
  const where = `/${host.key}/${owner.replaceAll('/', '~')}`;
  const decoded = decodeSegment(raw);
  const name = decoded.ok ? decoded.text : '';
  const bare = name.replace(/(?:\.git)+$/i, '');
  if (bare !== name && naming.repo.test(bare)) {
    return addressFailure(
      'address.repo',
      `A repository is named without ".git": write ${where}/${fold(host, bare)}.`,
    );
  }
  if (bare !== name || !naming.repo.test(name)) {
    return addressFailure('address.repo', `A repository here has ${naming.repoRule}: write ${where}/<repo>.`);
  }
  return { ok: true, name: fold(host, name) };
}

function fold(host: KnownHost, name: string): string {
  return host.naming.folds ? name.toLowerCase() : name;
}

type Decoded = { readonly ok: true; readonly text: string } | AddressFailure;

function parseRef(where: string, raw: string): Decoded {
  const ref = decodeAll(raw, `${where}@<ref>: for a ref with a slash, such as ${where}@feature/x:`);
  if (!ref.ok) return ref;
  const wrong = checkRefName(ref.text);
  if (wrong !== null) {
    return addressFailure(
      'address.ref',
      `A ref ${wrong}: write ${where}@<ref>, or ${where}@<ref>: when it has a slash.`,
    );
  }
  return ref;
}

function parsePath(where: string, raw: string): Decoded {
  const path = decodeAll(raw, `${where}/<path>`);
  if (!path.ok) return path;
  const wrong = raw === '' ? 'Nothing follows the last "/"; leave it out.' : checkRepositoryPath(path.text);
  if (wrong !== null) {
    return addressFailure('address.path', `${wrong} The address: ${where}/<path>.`);
  }
  return path;
}

function decodeAll(raw: string, spelling: string): Decoded {
  const texts: string[] = [];
  for (const segment of raw.split('/')) {
    const decoded = decodeSegment(segment);
    if (!decoded.ok) {
      const wrong =
        decoded.reason === 'separator'
          ? 'An escaped "/" or "\\" (%2F, %5C) has no place in an address; a slash is written as it is'
          : 'An escape is not valid UTF-8; write "%" itself as %25';
      return addressFailure('address.escape', `${wrong}: write ${spelling}.`);
    }
    texts.push(decoded.text);
  }
  return { ok: true, text: texts.join('/') };
}
