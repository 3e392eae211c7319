// What the refs of a repository name: its branches, its tags, its default branch. Source: spec, "What may be served".
import { isCommitHash } from '@skillquay/core/address';

export interface Refs {
  /** What HEAD names; `branch` is null when it is detached. Null when it names nothing. */
  readonly head: { readonly commit: string; readonly branch: string | null } | null;
  /** Full hashes of commits by short name. */
  readonly branches: ReadonlyMap<string, string>;
  /** The same, annotated tags peeled. */
  readonly tags: ReadonlyMap<string, string>;
}

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';
const PEELED = '^{}';
const SYMBOLIC = 'ref: ';

/**
 * Reads what `ls-remote --symref` prints, and `show-ref --head --dereference` after a line `ref: <name>\tHEAD`.
 * Other namespaces (pull request heads) do not exist here.
 */
export function parseRefs(text: string): Refs {
  const branches = new Map<string, string>();
  const tags = new Map<string, string>();
  let commit: string | null = null;
  let branch: string | null = null;
  for (const line of text.split('\n')) {
    const tab = line.search(line.startsWith(SYMBOLIC) ? /\t/ : /[\t ]/);
    const [value, name] = [line.slice(0, tab), line.slice(tab + 1)];
    if (value.startsWith(SYMBOLIC)) {
      const target = value.slice(SYMBOLIC.length);
      if (name === 'HEAD' && target.startsWith(BRANCH)) branch = target.slice(BRANCH.length);
    } else if (!isCommitHash(value)) continue;
    else if (name === 'HEAD') commit = value;
    else if (name.startsWith(BRANCH)) branches.set(name.slice(BRANCH.length), value);
    else if (name.startsWith(TAG)) {
      // The peeled line follows the tag's own, and replaces it.
      const tag = name.slice(TAG.length);
      tags.set(tag.endsWith(PEELED) ? tag.slice(0, -PEELED.length) : tag, value);
    }
  }
  if (commit === null && branch !== null) commit = branches.get(branch) ?? null;
  return { head: commit === null ? null : { commit, branch }, branches, tags };
}

export interface FoundRef {
  readonly commit: string;
  /** Its short name when it is a branch. */
  readonly branch: string | null;
}

/** Branches first, then tags; `heads/…`, `tags/…` and their `refs/` forms choose. */
export function findRef(refs: Refs, name: string): FoundRef | null {
  const asBranch = (short: string): FoundRef | null => {
    const commit = refs.branches.get(short);
    return commit === undefined ? null : { commit, branch: short };
  };
  const asTag = (short: string): FoundRef | null => {
    const commit = refs.tags.get(short);
    return commit === undefined ? null : { commit, branch: null };
  };
  const plain = asBranch(name) ?? asTag(name);
  if (plain !== null) return plain;
  const chosen = /^(?:refs\/)?(heads|tags)\/(.+)$/s.exec(name);
  if (chosen?.[2] === undefined) return null;
  return chosen[1] === 'heads' ? asBranch(chosen[2]) : asTag(chosen[2]);
}
