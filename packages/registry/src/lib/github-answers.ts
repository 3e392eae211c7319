// What GitHub's answers have to be, field by field. Each reader gives null for an answer that is not that.
import type { RegistryEntry } from '../backend.ts';
import { isGitId } from '../git-id.ts';

export interface CommitAnswer {
  readonly commit: string;
  readonly tree: string;
}

export interface TreeEntry {
  /** Relative to the tree that was asked for. */
  readonly path: string;
  readonly mode: RegistryEntry['mode'] | '040000';
  readonly oid: string;
  readonly size: number | null;
}

export interface TreeAnswer {
  /** Folders are among them. */
  readonly entries: readonly TreeEntry[];
  /** The host has left some out. */
  readonly truncated: boolean;
}

/** Of `commits/<ref>`: `{ sha, commit: { tree: { sha } } }` */
export function readCommit(body: unknown): CommitAnswer | null {
  const { sha, commit } = record(body);
  const tree = record(record(commit).tree).sha;
  return isId(sha) && isId(tree) ? { commit: sha, tree } : null;
}

/** Of a file put into an empty repository: `{ commit: { sha, tree: { sha } } }` */
export function readFirstCommit(body: unknown): CommitAnswer | null {
  const { sha, tree } = record(record(body).commit);
  const treeId = record(tree).sha;
  return isId(sha) && isId(treeId) ? { commit: sha, tree: treeId } : null;
}

/** Of a refusal: there is no commit yet. A 409 may have other reasons. */
export function isOfEmpty({ status, reason }: { readonly status: number; readonly reason: string }): boolean {
  return status === 409 && /\bempty\b/i.test(reason);
}

/** Of `git/ref/…`: `{ object: { sha } }` */
export function readRef(body: unknown): string | null {
  const { sha } = record(record(body).object);
  return isId(sha) ? sha : null;
}

/** Of anything that was made: `{ sha }` */
export function readId(body: unknown): string | null {
  const { sha } = record(body);
  return isId(sha) ? sha : null;
}

/** Of `git/blobs/…`: `{ encoding: 'base64', content }` */
export function readBlob(body: unknown): Uint8Array | null {
  const { encoding, content } = record(body);
  return encoding === 'base64' && typeof content === 'string' ? Buffer.from(content, 'base64') : null;
}

/** Of the repository: `{ default_branch }` */
export function readDefaultBranch(body: unknown): string | null {
  return text(record(body).default_branch);
}

/** Of the user: `{ login }` */
export function readLogin(body: unknown): string | null {
  const login = text(record(body).login);
  return login !== null && /^[\w[\].-]{1,100}$/.test(login) ? login : null;
}

/** Of `git/trees/…`: `{ tree: [{ path, mode, sha, size? }], truncated }` */
export function readTree(body: unknown): TreeAnswer | null {
  const { tree, truncated } = record(body);
  if (!Array.isArray(tree) || (typeof truncated !== 'boolean' && truncated !== undefined)) return null;
  const entries: TreeEntry[] = [];
  for (const given of tree) {
    const entry = readTreeEntry(given);
    if (entry === null) return null;
    entries.push(entry);
  }
  return { entries, truncated: truncated === true };
}

function readTreeEntry(given: unknown): TreeEntry | null {
  const { path, mode, sha, size } = record(given);
  // What could lead out of a folder is in no tree that git takes.
  const isPath = typeof path === 'string' && !path.includes('\0') && path.split('/').every(isName);
  if (!isPath || !isId(sha)) return null;
  const known = knownMode(mode);
  return known === null ? null : { path, mode: known, oid: sha, size: isSize(size) ? size : null };
}

function isName(segment: string): boolean {
  return segment !== '' && segment !== '.' && segment !== '..';
}

/** As git writes modes today; what old versions wrote means a plain file. */
function knownMode(mode: unknown): TreeEntry['mode'] | null {
  switch (mode) {
    case '040000':
    case '100644':
    case '100755':
    case '120000':
    case '160000':
      return mode;
    case '100664':
      return '100644';
    default:
      return null;
  }
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && isGitId(value);
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The fields of an object, none of which is known; those of anything else are missing. */
function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
