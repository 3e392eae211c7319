// Reads every SKILLCDN.md of a commit: policy must be complete before anything else is looked at.
import { decodeUtf8 } from '@skillquay/core/decode';
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic } from '@skillquay/core/facts';
import { MAX_MANIFEST_BYTES, type ReadingLimits } from '@skillquay/core/limits';
import { closedScope, MANIFEST_FILE, readManifest } from '@skillquay/core/manifest-file';
import { readMarkdown } from '@skillquay/core/markdown';
import { streamObjects, UNKNOWN_SIZE } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import type { ManifestReading } from '../policy.ts';
import { RowMode } from '../tables.ts';
import { bodyLine } from './body-line.ts';
import { BuildError } from './build-error.ts';
import { type Listing, missingContent, oidsOf } from './build-listing.ts';
import { contextPart } from './context-part.ts';

export interface ManifestFile extends ManifestReading {
  readonly links: readonly string[];
  readonly size: number;
  /** It has a body: rules for the skills below. */
  readonly hasRules: boolean;
  /** The line on which the body begins. */
  readonly bodyLine: number;
}

/** One reading for each entry of that name. Throws BuildError when there are more than the limit. */
export async function readManifests(
  git: GitRepository,
  listing: Listing,
  limits: ReadingLimits,
  signal: AbortSignal,
): Promise<ManifestFile[]> {
  const entries: number[] = [];
  for (let i = 0; i < listing.count; i += 1) {
    const path = listing.path[i] ?? '';
    if (path.endsWith(MANIFEST_FILE) && (path === MANIFEST_FILE || path.endsWith(`/${MANIFEST_FILE}`)))
      entries.push(i);
  }
  if (entries.length > limits.manifests) {
    throw new BuildError(
      'indexer.tree_truncated',
      `The repository has ${entries.length.toLocaleString('en-US')} SKILLCDN.md files; at most ${limits.manifests.toLocaleString('en-US')} are read, and with some of them unread nobody can say what is published.`,
    );
  }
  const files: ManifestFile[] = [];
  const readable = entries.filter((entry) => {
    const mode = listing.mode[entry];
    if (mode === RowMode.file || mode === RowMode.executable) return true;
    const path = listing.path[entry] ?? '';
    files.push(
      closed(entry, diagnostic(mode === RowMode.symlink ? 'symlink' : 'submodule', { path }), path, 0),
    );
    return false;
  });
  await streamObjects(
    git,
    oidsOf(listing, readable),
    (i, content, size) => {
      const entry = readable[i] ?? 0;
      files.push(readOne(listing, entry, content, size));
    },
    { signal, maxBytes: MAX_MANIFEST_BYTES },
  );
  return files.sort((a, b) => a.entry - b.entry);
}

function readOne(listing: Listing, entry: number, content: Uint8Array | null, size: number): ManifestFile {
  const path = listing.path[entry] ?? '';
  if (content === null) {
    const why =
      size === UNKNOWN_SIZE
        ? missingContent(listing, entry)
        : diagnostic('too_large', { path, size, limit: MAX_MANIFEST_BYTES });
    return closed(entry, why, path, size);
  }
  const decoded = decodeUtf8(content);
  if (!decoded.ok) {
    const why = diagnostic('not_utf8', { path, format: decoded.looksLike, ...decoded.at });
    return closed(entry, why, path, size);
  }
  const { value, diagnostics, bodyOffset } = readManifest(decoded.text, path);
  if (value === null) return { entry, value, diagnostics, links: [], size, hasRules: false, bodyLine: 1 };
  const body = readMarkdown(decoded.text, path, { title: false, bodyOffset });
  return {
    entry,
    value,
    diagnostics: [...diagnostics, ...body.diagnostics],
    links: body.value.links,
    size,
    hasRules: contextPart('rules', path, decoded.text) !== null,
    bodyLine: bodyLine(decoded.text, bodyOffset),
  };
}

function closed(entry: number, why: Diagnostic, path: string, size: number): ManifestFile {
  return { entry, ...closedScope(path, why), links: [], size, hasRules: false, bodyLine: 1 };
}
