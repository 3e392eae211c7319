// A load generator in a thread of its own: keeps a number of connections busy with one request for a while. It writes
// to the socket and looks for no more than the end of each reply, so that it costs little beside what it measures.
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { url, headers, body, connections, seconds } = workerData;
const { hostname, port, host, pathname } = new URL(url);
const lines = [
  `POST ${pathname} HTTP/1.1`,
  `host: ${host}`,
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  `content-length: ${Buffer.byteLength(body)}`,
];
const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

let requests = 0;
let failures = 0;
let received = 0;
const started = performance.now();
const end = started + seconds * 1000;

/** One connection, one request after the other until the time is over. */
function run() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    /** The beginning of a head that came in pieces. */
    let head = null;
    /** Bytes of the body still to come; -1 = the head is not complete, Infinity = until the last chunk. */
    let left = -1;
    let tail = Buffer.alloc(0);
    const next = () => {
      requests += 1;
      head = null;
      left = -1;
      tail = Buffer.alloc(0);
      if (performance.now() < end) socket.write(bytes);
      else socket.end();
    };
    socket.on('data', (data) => {
      received += data.length;
      let chunk = data;
      if (left === -1) {
        if (head !== null) chunk = Buffer.concat([head, chunk]);
        const at = chunk.indexOf(HEAD_END);
        if (at === -1) {
          head = chunk;
          return;
        }
        // Only the head becomes a string: a body is bytes to count.
        const lines = chunk.latin1Slice(0, at);
        if (!lines.startsWith('HTTP/1.1 200')) failures += 1;
        const length = /\r\ncontent-length: *(\d+)/i.exec(lines);
        left = length === null ? Number.POSITIVE_INFINITY : Number(length[1]);
        chunk = chunk.subarray(at + HEAD_END.length);
      }
      if (left === Number.POSITIVE_INFINITY) {
        tail = Buffer.concat([tail.subarray(-LAST_CHUNK.length), chunk]);
        if (tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) next();
      } else {
        left -= chunk.length;
        if (left === 0) next();
      }
    });
    socket.on('error', reject);
    socket.on('close', resolve);
    socket.write(bytes);
  });
}

await Promise.all(Array.from({ length: connections }, run));
parentPort.postMessage({
  perSecond: requests / ((performance.now() - started) / 1000),
  requests,
  failures,
  received,
});
