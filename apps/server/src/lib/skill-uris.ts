// The URIs of one mount's files and folders, both ways. Source: spec, Addresses, "As OAuth resource, as skill URI".
import { type Address, repositoryKey } from '@skillquay/core/address';
import { parseSkillUri, skillUriWriter } from '@skillquay/core/skill-uri';

export interface SkillUris {
  /** The URI of a repository-root path; '' = the repository itself. */
  of(path: string): string;
  /** The path that a URI names here, '' = the repository itself; null for one of another repository or of none. */
  pathOf(uri: string): string | null;
}

/** `rootName`: the name before every path, where the root of the repository is a listed skill. */
export function skillUris(address: Address, rootName: string | null): SkillUris {
  const repository = repositoryKey(address);
  const write = skillUriWriter(address);
  const named = (path: string) => (rootName === null ? path : path === '' ? rootName : `${rootName}/${path}`);
  return {
    of: (path) => write(named(path)),
    pathOf(uri) {
      const parsed = parseSkillUri(uri);
      if (!parsed.ok || repositoryKey(parsed.uri) !== repository) return null;
      const { path } = parsed.uri;
      if (rootName === null) return path;
      if (path === rootName) return '';
      return path.startsWith(`${rootName}/`) ? path.slice(rootName.length + 1) : null;
    },
  };
}
