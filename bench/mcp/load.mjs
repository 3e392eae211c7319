// A load generator in a thread of its own: keeps a number of connections busy with one request for a while.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { url, headers, body, connections, seconds } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const bytes = Buffer.from(body);
const { hostname, port, pathname } = new URL(url);
const options = {
  agent,
  hostname,
  port,
  path: pathname,
  method: 'POST',
  headers: { ...headers, 'content-length': bytes.length },
};

let requests = 0;
let failures = 0;
let received = 0;

function once() {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      if (response.statusCode !== 200) failures += 1;
      response.on('data', (chunk) => {
        received += chunk.length;
      });
      response.on('end', resolve);
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

const started = performance.now();
const end = started + seconds * 1000;
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (performance.now() < end) {
      await once();
      requests += 1;
    }
  }),
);
agent.destroy();
parentPort.postMessage({
  perSecond: requests / ((performance.now() - started) / 1000),
  requests,
  failures,
  received,
});
