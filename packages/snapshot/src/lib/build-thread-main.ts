// A build in a thread of its own, from the side of that thread: it builds once and says how it goes.
import { parentPort } from 'node:worker_threads';
import type { BuildProgress } from '../build.ts';
import { type PlainBuildError, toPlainError } from './build-error.ts';
import { type BuildSummary, buildToFile, type FileBuild } from './build-to-file.ts';

/** What can be handed to a thread. */
export interface BuilderWorkerData extends Omit<FileBuild, 'signal' | 'onProgress' | 'workerUrl'> {
  readonly role: 'build';
  readonly workerUrl: string;
}

export type BuilderMessage =
  | { readonly type: 'progress'; readonly progress: BuildProgress }
  | { readonly type: 'done'; readonly report: BuildSummary }
  | { readonly type: 'failed'; readonly error: PlainBuildError };

/** Any message from the other side cancels the build. */
export function serveBuild(data: BuilderWorkerData): void {
  const port = parentPort;
  if (port === null) throw new Error('A build thread is started by a process that waits for it.');
  const cancelled = new AbortController();
  port.once('message', () => cancelled.abort());
  const tell = (message: BuilderMessage) => port.postMessage(message);
  buildToFile({
    ...data,
    workerUrl: new URL(data.workerUrl),
    signal: cancelled.signal,
    onProgress: (progress) => tell({ type: 'progress', progress }),
  })
    .then(
      (report) => tell({ type: 'done', report }),
      (error: unknown) => tell({ type: 'failed', error: toPlainError(error) }),
    )
    .finally(() => port.close());
}
