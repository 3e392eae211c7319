// What a reading thread does: answers one request after the other.
import { parentPort } from 'node:worker_threads';
import { toPlainError } from './build-error.ts';
import type { ReaderWorkerData, WorkerReply, WorkerRequest } from './build-pool.ts';
import { createReader } from './build-read.ts';

export function serveReads(data: ReaderWorkerData): void {
  const port = parentPort;
  if (port === null) throw new Error('A reading thread is started by a build.');
  const reader = createReader(data.setup, new AbortController().signal);
  const answer = async (request: WorkerRequest): Promise<WorkerReply> => {
    try {
      if (request.type === 'finish') return { type: 'pieces', pieces: await reader.finish() };
      if (request.type === 'assemble')
        return { type: 'documents', result: await reader.assemble(request.task) };
      return { type: 'result', result: await reader.read(request.task) };
    } catch (error) {
      return { type: 'error', error: toPlainError(error) };
    }
  };
  port.on('message', async (request: WorkerRequest) => {
    const reply = await answer(request);
    port.postMessage(reply, buffersOf(reply));
  });
}

/** Segment bytes move to the other thread instead of being copied. */
function buffersOf(reply: WorkerReply): ArrayBuffer[] {
  const pieces = reply.type === 'pieces' ? reply.pieces : reply.type === 'result' ? reply.result.pieces : [];
  const buffers = new Set<ArrayBuffer>();
  for (const { bytes } of pieces) if (bytes.buffer instanceof ArrayBuffer) buffers.add(bytes.buffer);
  return [...buffers];
}
