// Where a person finds a file at its host: its page, and its bytes.
import { fileUrl } from '@skillquay/core/file-url';
import { localCommand } from '@skillquay/core/local-command';
import type { SourceLinks } from './host.ts';

/** How a host lays out the URLs of its files. */
export type LinkStyle = 'github' | 'gitlab' | 'forgejo';

const LAYOUT: Readonly<Record<LinkStyle, { readonly page: string; readonly raw: string }>> = {
  github: { page: 'blob', raw: 'raw' },
  gitlab: { page: '-/blob', raw: '-/raw' },
  forgejo: { page: 'src/commit', raw: 'raw/commit' },
};

/** What is on this machine only: no host has a page for it. */
export const NO_LINKS: SourceLinks = { raw: () => null, page: () => null };

/** `repository` is the URL of its page, without a trailing slash. */
export function hostLinks(style: LinkStyle, repository: string): SourceLinks {
  const pageUrl = `${repository}/${LAYOUT[style].page}/{commit}/{path}`;
  const rawUrl = `${repository}/${LAYOUT[style].raw}/{commit}/{path}`;
  return {
    page: (commit, path) => fileUrl(pageUrl, commit, path),
    raw: (commit, path) => fileUrl(rawUrl, commit, path),
    rawUrl,
  };
}

/** Of a folder within a local repository, whose paths git knows by longer names. `prefix` ends with a slash. */
export function folderLinks(prefix: string): SourceLinks {
  return { page: () => null, raw: (commit, path) => localCommand(commit, `${prefix}${path}`) };
}
