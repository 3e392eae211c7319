// A load generator in a thread of its own: keeps a number of connections busy with one request for a while.
import { parentPort, workerData } from 'node:worker_threads';
import { Connection, requestBytes } from './connection.mjs';

const { url, headers, body, connections, seconds } = workerData;
const bytes = requestBytes(url, { headers, body });

let requests = 0;
let failures = 0;
const started = performance.now();
const end = started + seconds * 1000;

/** One connection, one request after the other until the time is over. No promise for each: it would be felt. */
function run() {
  return new Promise((resolve, reject) => {
    const connection = new Connection(url);
    connection.onError = reject;
    connection.onReply = ({ ok }) => {
      requests += 1;
      if (!ok) failures += 1;
      if (performance.now() < end) return connection.send(bytes);
      connection.close();
      resolve();
    };
    connection.send(bytes);
  });
}

await Promise.all(Array.from({ length: connections }, run));
parentPort.postMessage({ perSecond: requests / ((performance.now() - started) / 1000), requests, failures });
