// What a thread of a build runs. It is a file of its own because a thread starts from a file.
import { workerData } from 'node:worker_threads';
import type { ReaderWorkerData } from './lib/build-pool.ts';
import { type BuilderWorkerData, serveBuild } from './lib/build-thread-main.ts';
import { serveReads } from './lib/build-worker-loop.ts';

const data: ReaderWorkerData | BuilderWorkerData = workerData;
if (data.role === 'read') serveReads(data);
else serveBuild(data);
