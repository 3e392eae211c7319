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

export async function buildToFile(build: FileBuild): Promise<BuildReport> {
  const previous = build.previousFile === null ? null : await openIfWhole(build.previousFile);
  const { chunks, report } = await buildIndex({ ...build, previous });
  await writeDurably(build.resultFile, chunks);
  return report;
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
