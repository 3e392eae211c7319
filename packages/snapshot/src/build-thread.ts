// Runs a whole build in a thread of its own, so that a server's event loop never waits for it.
import { Worker } from 'node:worker_threads';
import { BuildError, fromPlainError, UNEXPECTED } from './lib/build-error.ts';
import type { BuilderMessage, BuilderWorkerData } from './lib/build-thread-main.ts';
import { type BuildSummary, buildToFile, type FileBuild } from './lib/build-to-file.ts';
import type { Builder } from './snapshots.ts';

export { type BuildSummary, buildToFile, type FileBuild } from './lib/build-to-file.ts';

export interface ThreadOptions {
  /** The bundled `build-worker` file. */
  readonly workerUrl: URL;
  /** Reading threads beside the one that leads the build; 0 = it reads by itself. */
  readonly workers: number;
}

/** Builds an index into a file without blocking this thread. Throws BuildError. */
export async function buildInThread(build: FileBuild & { readonly workerUrl: URL }): Promise<BuildSummary> {
  const { signal, onProgress, workerUrl, ...rest } = build;
  const { identity, git, tree, limits, serving, rawUrl, workers, previousFile, resultFile } = rest;
  const plain = { identity, git, tree, limits, serving, rawUrl, workers, previousFile, resultFile };
  const data: BuilderWorkerData = { role: 'build', ...plain, workerUrl: workerUrl.href };
  if (signal?.aborted) throw new BuildError('indexer.cancelled', 'Indexing was cancelled.');
  const worker = new Worker(workerUrl, { workerData: data });
  const cancel = () => worker.postMessage('cancel');
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await new Promise<BuildSummary>((resolve, reject) => {
      worker.on('message', (message: BuilderMessage) => {
        if (message.type === 'progress') onProgress?.(message.progress);
        else if (message.type === 'done') resolve(message.report);
        else reject(fromPlainError(message.error));
      });
      const failed = (cause: unknown) => reject(new BuildError('indexer.failed', UNEXPECTED, { cause }));
      worker.on('error', failed);
      worker.on('exit', (code) => failed(new Error(`The build thread ended with code ${code}.`)));
    });
  } finally {
    signal?.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

/** How a server builds. */
export function threadBuilder(options: ThreadOptions): Builder {
  return (job) => buildInThread({ ...job, ...options });
}

/** How a short-lived command builds: in its own thread, which has nothing else to do. */
export function localBuilder(options: { readonly workerUrl: URL | null; readonly workers: number }): Builder {
  return (job) => buildToFile({ ...job, ...options });
}
