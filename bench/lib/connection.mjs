// One connection to a server, one request after the other. It writes to the socket and looks for no more than the end of
// each reply, so that it costs little beside what it measures.
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');

/** The bytes of a request, made once however often it is sent. */
export function requestBytes(url, { headers, body }) {
  const { host, pathname } = new URL(url);
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    `host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

export class Connection {
  #socket;
  /** Called with each reply: whether its status was 200, and its body in the pieces and the framing it came in. */
  onReply = () => {};
  onError = () => {};
  #ok = false;
  /** The beginning of a head that came in pieces. */
  #head = null;
  /** Bytes of the body still to come; -1 = the head is not complete, Infinity = until the last chunk. */
  #left = -1;
  #pieces = [];

  constructor(url) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.setNoDelay(true);
    this.#socket.on('data', (data) => this.#read(data));
    this.#socket.on('error', (error) => this.onError(error));
    this.#socket.on('close', () => this.onError(new Error('the connection was closed')));
  }

  send(bytes) {
    this.#socket.write(bytes);
  }

  /** Resolves with `{ ok, chunked, pieces }`. */
  exchange(bytes) {
    return new Promise((resolve, reject) => {
      this.onReply = resolve;
      this.onError = reject;
      this.send(bytes);
    });
  }

  close() {
    this.onError = () => {};
    this.#socket.end();
  }

  #read(data) {
    let chunk = data;
    if (this.#left === -1) {
      if (this.#head !== null) chunk = Buffer.concat([this.#head, chunk]);
      const at = chunk.indexOf(HEAD_END);
      if (at === -1) {
        this.#head = chunk;
        return;
      }
      // Only the head becomes a string: a body is bytes.
      const lines = chunk.latin1Slice(0, at);
      this.#ok = lines.startsWith('HTTP/1.1 200');
      const length = /\r\ncontent-length: *(\d+)/i.exec(lines);
      this.#left = length === null ? Number.POSITIVE_INFINITY : Number(length[1]);
      chunk = chunk.subarray(at + HEAD_END.length);
    }
    if (chunk.length > 0) this.#pieces.push(chunk);
    const chunked = this.#left === Number.POSITIVE_INFINITY;
    if (!chunked) this.#left -= chunk.length;
    if (chunked ? this.#endsWithLastChunk() : this.#left === 0) {
      const reply = { ok: this.#ok, chunked, pieces: this.#pieces };
      this.#head = null;
      this.#left = -1;
      this.#pieces = [];
      this.onReply(reply);
    }
  }

  #endsWithLastChunk() {
    let tail = this.#pieces.at(-1) ?? Buffer.alloc(0);
    if (tail.length < LAST_CHUNK.length) tail = Buffer.concat(this.#pieces).subarray(-LAST_CHUNK.length);
    return tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  }
}

/** The body of a reply, without its framing. */
export function bodyOf({ chunked, pieces }) {
  const whole = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
  if (!chunked) return whole;
  const parts = [];
  for (let at = 0; ; ) {
    const end = whole.indexOf('\r\n', at);
    const size = Number.parseInt(whole.latin1Slice(at, end), 16);
    if (size === 0) break;
    parts.push(whole.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}
