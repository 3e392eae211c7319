// Shares reading out: to worker threads for a large repository, to this thread for a small one.
import { Worker } from 'node:worker_threads';
import type { DocumentResult, DocumentTask } from './build-assembled.ts';
import { fromPlainError, type PlainBuildError } from './build-error.ts';
import type { Reader, ReaderSetup, ReadResult, ReadTask, SegmentPiece } from './build-read.ts';
import { createReader } from './build-read.ts';

export interface Pool {
  /** Reads all tasks, in their order per reader; results come in any order. */
  run(tasks: readonly ReadTask[], onResult: (task: ReadTask, result: ReadResult) => void): Promise<void>;
  /** Makes all documents; results come in any order. */
  assemble(
    tasks: Iterable<DocumentTask>,
    onResult: (task: DocumentTask, result: DocumentResult) => void,
  ): Promise<void>;
  /** Ends the segment pieces that are being built. Documents of later tasks go into others. */
  finish(): Promise<SegmentPiece[]>;
  close(): Promise<void>;
}

export type WorkerRequest =
  | { readonly type: 'read'; readonly task: ReadTask }
  | { readonly type: 'assemble'; readonly task: DocumentTask }
  | { readonly type: 'finish' };

export type WorkerReply =
  | { readonly type: 'result'; readonly result: ReadResult }
  | { readonly type: 'documents'; readonly result: DocumentResult }
  | { readonly type: 'pieces'; readonly pieces: readonly SegmentPiece[] }
  | { readonly type: 'error'; readonly error: PlainBuildError };

/** What a worker thread is started with; `role` tells the two apart that share a file. */
export interface ReaderWorkerData {
  readonly role: 'read';
  readonly setup: ReaderSetup;
}

export function openPool(
  setup: ReaderSetup,
  workers: number,
  workerUrl: URL | null,
  signal: AbortSignal,
): Pool {
  const readers: Reader[] = [];
  if (workers < 1 || workerUrl === null) readers.push(createReader(setup, signal));
  else for (let i = 0; i < workers; i += 1) readers.push(workerReader(setup, workerUrl, signal));
  /** Each reader takes the next task when it has done one. */
  const share = async <Task>(
    tasks: Iterable<Task>,
    work: (task: Task, reader: Reader) => Promise<void>,
  ): Promise<void> => {
    const left = tasks[Symbol.iterator]();
    const serve = async (reader: Reader) => {
      for (let next = left.next(); next.done !== true; next = left.next()) {
        signal.throwIfAborted();
        await work(next.value, reader);
      }
    };
    await Promise.all(readers.map(serve));
  };
  return {
    run: (tasks, onResult) => share(tasks, async (task, reader) => onResult(task, await reader.read(task))),
    assemble: (tasks, onResult) =>
      share(tasks, async (task, reader) => onResult(task, await reader.assemble(task))),
    async finish() {
      return (await Promise.all(readers.map((reader) => reader.finish()))).flat();
    },
    async close() {
      await Promise.all(readers.map((reader) => reader.close()));
    },
  };
}

function unexpected(reply: WorkerReply): Error {
  return reply.type === 'error'
    ? fromPlainError(reply.error)
    : new Error(`A reading thread gave ${reply.type} that nobody asked for.`);
}

/** A reader in a thread of its own, started with its first task. */
function workerReader(setup: ReaderSetup, url: URL, signal: AbortSignal): Reader {
  let worker: Worker | null = null;
  let waiting: { resolve: (reply: WorkerReply) => void; reject: (error: unknown) => void } | null = null;

  const start = (): Worker => {
    const data: ReaderWorkerData = { role: 'read', setup };
    const started = new Worker(url, { workerData: data });
    started.on('message', (reply: WorkerReply) => waiting?.resolve(reply));
    started.on('error', (error) => waiting?.reject(error));
    started.on('exit', () => waiting?.reject(new Error('A reading thread ended.')));
    return started;
  };

  const ask = (request: WorkerRequest, transfer: readonly ArrayBuffer[] = []): Promise<WorkerReply> => {
    worker ??= start();
    const asked = worker;
    return new Promise<WorkerReply>((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) {
        stop();
        return;
      }
      signal.addEventListener('abort', stop, { once: true });
      const done = () => {
        signal.removeEventListener('abort', stop);
        waiting = null;
      };
      waiting = {
        resolve: (reply) => {
          done();
          resolve(reply);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      asked.postMessage(request, [...transfer]);
    });
  };

  return {
    async read(task) {
      const reply = await ask({ type: 'read', task });
      if (reply.type === 'result') return reply.result;
      throw unexpected(reply);
    },
    async assemble(task) {
      const reply = await ask({ type: 'assemble', task });
      if (reply.type === 'documents') return reply.result;
      throw unexpected(reply);
    },
    async finish() {
      if (worker === null) return [];
      const reply = await ask({ type: 'finish' });
      if (reply.type === 'pieces') return reply.pieces;
      throw unexpected(reply);
    },
    async close() {
      await worker?.terminate();
    },
  };
}
