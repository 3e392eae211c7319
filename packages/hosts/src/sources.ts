// Reads what a command line names: an address, a git URL, or a path of this machine.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Address, formatRepository, parseAddress } from '@skillquay/core/address';
import { addressOfSource } from '@skillquay/core/source-address';
import { misplacedUser, saidBack } from '@skillquay/git/user-remote';

/** One argument of `serve`, with the address under which it is mounted (its ref and path included). */
export type Source = {
  readonly address: Address;
  /** What people are told of it: as it was written, without a user name, a password or a token. */
  readonly shown: string;
} & (
  | { readonly kind: 'address' }
  /** `url` is as it was written. */
  | { readonly kind: 'git'; readonly url: string }
  | {
      readonly kind: 'path';
      /** Absolute. */
      readonly path: string;
      /** Served instead of what lies in the folder. */
      readonly ref: string | null;
    }
);

export interface SourceOptions {
  readonly cwd: string;
  /** `owner/repo`: another address below `/local`. */
  readonly as?: string | undefined;
  readonly ref?: string | undefined;
}

export type SourceResult =
  | { readonly ok: true; readonly source: Source }
  | { readonly ok: false; readonly message: string };

const REMOTE_ADDRESS = /^\/(gh|gl|cb)\//;
/** `scheme://…`, `user@host:path`, `host.tld:path`. */
const GIT_URL =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|[^/\\:@-][^/\\:@]*@[^/\\:@-][^/\\:@]*:(?!:)|[\w-]+(?:\.[\w-]+)+:(?!:))/i;

/** `owner/repo=<source>`: a source with the name it is served under. */
const NAMED = /^([^/=:@\s]+\/[^/=:@\s]+)=(.+)$/s;

/** Looks whether paths exist; nothing else is asked. */
export async function sourceFrom(argument: string, options: SourceOptions): Promise<SourceResult> {
  const path = resolve(options.cwd, argument);
  const found = await stat(path).catch(() => null);
  const shown = withoutUser(argument);
  if (found?.isDirectory()) return pathSource(path, shown, options);
  const [, as, named] = NAMED.exec(argument) ?? [];
  if (as !== undefined && named !== undefined) {
    return options.as === undefined
      ? sourceFrom(named, { ...options, as })
      : failure(`${shown} has a name already; leave --as out.`);
  }
  if (REMOTE_ADDRESS.test(argument)) return addressSource(argument, shown, options);
  if (GIT_URL.test(argument)) return gitSource(argument, shown, options);
  if (found) return failure(`${shown} is a file. Name the folder or repository it is in.`);
  return failure(`There is no folder ${saidBack(argument)}.${meantBy(shown)}`);
}

/** A URL without what stands before its host: a password, or a token instead of a user name. */
function withoutUser(text: string): string {
  return text.replace(/(?<=:\/\/)[^/]*@/g, '');
}

/** What someone most likely meant who wrote the name of a repository, or the URL of one without its scheme. */
function meantBy(argument: string): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(argument)) return ` For a repository on GitHub, write /gh/${argument}.`;
  return /^[\w-]+(?:\.[\w-]+)+\/\S+$/.test(argument) ? ` For a git URL, write https://${argument}.` : '';
}

function pathSource(path: string, shown: string, options: SourceOptions): SourceResult {
  const address = options.as === undefined ? addressOfSource(path) : addressAs(options.as);
  if (!address.ok) return failure(address.error.message);
  const { ref = null } = options;
  return { ok: true, source: { kind: 'path', address: address.address, shown, path, ref } };
}

function addressSource(text: string, shown: string, options: SourceOptions): SourceResult {
  if (options.as !== undefined)
    return failure('Another name (--as) is for paths and git URLs: an address has its name already.');
  const address = withRef(parseAddress(text), options.ref);
  return address.ok
    ? { ok: true, source: { kind: 'address', address: address.address, shown } }
    : failure(address.error.message);
}

function gitSource(url: string, shown: string, options: SourceOptions): SourceResult {
  const misplaced = misplacedUser(url);
  if (misplaced !== null) return failure(misplaced);
  const named = options.as === undefined ? addressOfSource(url) : addressAs(options.as);
  const address = withRef(named, options.ref);
  return address.ok
    ? { ok: true, source: { kind: 'git', address: address.address, shown, url } }
    : failure(address.error.message);
}

function addressAs(name: string) {
  return parseAddress(`/local/${name}`);
}

/** The same repository at a ref; printed and read again, so that the ref is checked like any other. */
function withRef(
  result: ReturnType<typeof parseAddress>,
  ref: string | undefined,
): ReturnType<typeof parseAddress> {
  if (!result.ok || ref === undefined) return result;
  const escaped = (text: string) => text.split('/').map(encodeURIComponent).join('/');
  return parseAddress(`${formatRepository(result.address)}@${escaped(ref)}:${escaped(result.address.path)}`);
}

function failure(message: string): SourceResult {
  return { ok: false, message };
}
