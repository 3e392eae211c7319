// The edge of the process: node:http with its bounds, and a reply that the rest of the server works with.
import { createServer, type OutgoingHttpHeader, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import { type HttpRequest, IncomingRequest } from './incoming-request.ts';

/** Time a client has to send its header lines, and its whole request. */
export const HEADERS_TIMEOUT_MS = 15_000;
export const REQUEST_TIMEOUT_MS = 60_000;
/** Time an idle connection is kept; longer than the usual 60 s of a proxy in front. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Bytes of all header lines of a request. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Requests that may wait for the one before them on their connection. */
const MAX_AHEAD = 100;

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces where joining them would copy what is kept. */
  readonly body: Buffer | string | readonly Buffer[];
}

export type HttpHandler = (request: HttpRequest) => Promise<Reply> | Reply;

export interface HttpOptions {
  readonly maxBodyBytes: number;
  readonly maxConcurrentRequests: number;
  /** Paths that are answered however much is in flight. */
  readonly probes: ReadonlySet<string>;
  readonly log: Logger;
}

export interface HttpServer {
  /** Resolves with the port that was taken. Rejects when the address cannot be listened on. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no new connection, lets requests in flight finish, and ends the rest after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** What the log says in place of a status where nobody was there to be answered. */
const CLIENT_GONE = 499;

const TOO_MANY: Reply = jsonReply(
  503,
  { error: { code: 'request.overloaded', message: 'This server is busy. Try again in a second.' } },
  { 'retry-after': '1' },
);
const FAILED: Reply = jsonReply(500, {
  error: {
    code: 'internal',
    message: 'This server failed to answer. The request id names the failure in its log.',
  },
});

export function jsonReply(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

export function createHttpServer(handle: HttpHandler, options: HttpOptions): HttpServer {
  const { log } = options;
  let inFlight = 0;
  let closing = false;
  const connections = new Map<Socket, Connection>();
  /** Once for each request, whichever is heard of first: the end of its reply, or that of its connection. */
  const end = (socket: Socket, request: IncomingRequest, finished: boolean) => {
    const connection = connections.get(socket);
    if (connection?.requests.delete(request) !== true) return;
    if (request.inFlight) inFlight -= 1;
    request.closed(finished);
    if (!socket.destroyed) connection.waiting.shift()?.();
    if (closing && connection.requests.size === 0) socket.destroySoon();
  };

  /** Replies that are ready, in the order they became so. */
  let ready: (() => void)[] = [];
  /**
   * Lets a reply leave once all that has arrived was heard, so that replies leave one behind the other. A reader on this
   * machine, such as a proxy in front, is then woken once for many of them: being woken costs more than a reply does.
   */
  const afterOthersHeard = (leave: () => void) => {
    if (ready.push(leave) > 1) return;
    setImmediate(() => {
      const leaving = ready;
      ready = [];
      for (const leave of leaving) leave();
    });
  };

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    (incoming, outgoing) => {
      const started = performance.now();
      const request = new IncomingRequest(incoming, options.maxBodyBytes);
      const { socket } = incoming;
      const connection = connections.get(socket);
      // It closed before what it had sent was heard.
      if (connection === undefined) return;
      connection.requests.add(request);
      outgoing.once('close', () => end(socket, request, outgoing.writableFinished));
      const leave = (reply: Reply) => {
        try {
          send(outgoing, request, reply, closing && connection.requests.size === 1);
        } catch (error) {
          log.fatal({ req: request.id, err: error }, 'could not send a reply');
          outgoing.destroy();
        }
        log.info(
          {
            req: request.id,
            method: request.method,
            path: request.path,
            status: request.gone ? CLIENT_GONE : reply.status,
            ms: since(started),
          },
          'request',
        );
      };
      const begin = () => {
        inFlight += 1;
        request.inFlight = true;
        // It does not reject.
        void answer(request).then((reply) => afterOthersHeard(() => leave(reply)));
      };
      const ahead = connection.requests.size - 1;
      if (ahead === 0) begin();
      else if (ahead <= MAX_AHEAD) connection.waiting.push(begin);
      else leave(TOO_MANY);
    },
  );

  server.on('connection', (socket: Socket) => {
    const connection: Connection = { requests: new Set(), waiting: [] };
    connections.set(socket, connection);
    socket.once('close', () => {
      // A reply that waits for the one before it has no connection yet, and never hears that it is gone.
      for (const request of connection.requests) end(socket, request, false);
      connections.delete(socket);
    });
  });

  async function answer(request: IncomingRequest): Promise<Reply> {
    if (inFlight > options.maxConcurrentRequests && !options.probes.has(request.path)) return TOO_MANY;
    try {
      return await handle(request);
    } catch (error) {
      if (!request.gone) log.error({ req: request.id, err: error }, 'request failed');
      return FAILED;
    }
  }

  return {
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: (graceMs) =>
      new Promise((resolve) => {
        closing = true;
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        // To node a connection on which no whole request ever came is not idle; browsers open such ahead of need.
        for (const [socket, { requests }] of connections) if (requests.size === 0) socket.destroySoon();
      }),
  };
}

/** What a client sent over one connection and has no reply to: more than one where it does not wait for replies. */
interface Connection {
  readonly requests: Set<IncomingRequest>;
  /** Begins the requests behind the one that is being answered, in order. Replies leave in order anyway. */
  readonly waiting: (() => void)[];
}

/** `last`: nothing more is answered on this connection. */
function send(outgoing: ServerResponse, request: IncomingRequest, reply: Reply, last: boolean): void {
  if (outgoing.destroyed || request.gone) return;
  const { body } = reply;
  const length =
    typeof body === 'string'
      ? Buffer.byteLength(body)
      : Buffer.isBuffer(body)
        ? body.length
        : body.reduce((sum, piece) => sum + piece.length, 0);
  // A list, which node writes as it stands: an object of its own shape for each reply took 12 µs to make and to read.
  const lines: OutgoingHttpHeader[] = ['x-request-id', request.id];
  for (const name in reply.headers) lines.push(name, reply.headers[name] ?? '');
  if (reply.status !== 204 && reply.status !== 304) lines.push('content-length', length);
  if (last || request.unread) lines.push('connection', 'close');
  outgoing.writeHead(reply.status, lines);
  // Give a client that is still sending the reply before the connection goes.
  if (request.unread) outgoing.once('finish', () => setTimeout(() => outgoing.destroy(), 500).unref());
  if (request.method === 'HEAD') outgoing.end();
  else if (typeof body === 'string' || Buffer.isBuffer(body)) outgoing.end(body);
  else {
    // One write for all of them: `end` opens the cork.
    outgoing.cork();
    for (const piece of body) outgoing.write(piece);
    outgoing.end();
  }
}

function since(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10;
}
