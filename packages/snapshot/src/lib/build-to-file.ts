// Builds an index into a file, starting from the file of another.
import { readFile } from 'node:fs/promises';
import { type BuildReport, type BuildRequest, buildIndex } from '../build.ts';
import type { Index } from '../index.ts';
import { IndexFileError, openIndex } from '../index-file.ts';
import { writeDurably } from './build-file.ts';

export interface FileBuild extends Omit<BuildRequest, 'previous'> {
  /** Used if it is still there, whole, and of the same repository and rules. */
  readonly previousFile: string | null;
  /** Must not exist; complete and on the disk when the promise resolves. */
  readonly resultFile: string;
}

/** Without the diagnostics: they stand in the index, and there can be very many. */
export type BuildSummary = Omit<BuildReport, 'diagnostics'>;

export async function buildToFile(build: FileBuild): Promise<BuildSummary> {
  const previous = build.previousFile === null ? null : openIfWhole(build.previousFile);
  const { chunks, report } = await buildIndex({ ...build, previous });
  await writeDurably(build.resultFile, chunks);
  const { counts, partial, excluded, withheld, unaddressable, filesRead } = report;
  return { counts, partial, excluded, withheld, unaddressable, filesRead };
}

async function openIfWhole(path: string): Promise<Index | null> {
  try {
    return openIndex(await readFile(path));
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isGone || error instanceof IndexFileError) return null;
    throw error;
  }
}
