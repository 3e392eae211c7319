// Turns what a Markdown link says into the repository-root path it may mean. Source: format, section 5.
import { checkRepositoryPath, dirname } from '../paths.ts';

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * The path of the Markdown file that a destination names, seen from the file at `from`; null for everything else:
 * other sites, other kinds of file, what leaves the repository, and what no path may be. It need not exist.
 */
export function resolveLink(destination: string, from: string): string | null {
  if (SCHEME.test(destination) || destination.startsWith('//')) return null;
  const written = destination.split('#', 1)[0]?.split('?', 1)[0] ?? '';
  const segments = dirname(from) === '' || written.startsWith('/') ? [] : dirname(from).split('/');
  for (const part of (written.startsWith('/') ? written.slice(1) : written).split('/')) {
    const segment = decodeOnce(part);
    // A separator that was escaped is part of a name, and no name holds one.
    if (segment === null || segment.includes('/')) return null;
    if (segment === '..') {
      if (segments.pop() === undefined) return null;
    } else if (segment !== '.') segments.push(segment);
  }
  const path = segments.join('/');
  return /\.md$/i.test(path) && checkRepositoryPath(path) === null ? path : null;
}

function decodeOnce(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The characters `.md`, or what can decode to one of them: an escape or a character reference. */
const MARKDOWN_TARGET = /\.md|%(?:2e|4d|6d|44|64)|&(?:#|period;|percnt;)/i;

/** Whether a text holds anything that a link to a Markdown file must hold. */
export function mayNameMarkdown(text: string): boolean {
  return MARKDOWN_TARGET.test(text);
}
