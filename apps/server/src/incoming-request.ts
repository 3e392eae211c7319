// A request as it comes in from node: named, with its body read once, and aborted when its client goes away.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

export interface HttpRequest {
  /** Names the request in the logs and in `x-request-id`. */
  readonly id: string;
  readonly method: string;
  /** The request target as it stood on the wire, undecoded. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** IP address of the other end of the connection. */
  readonly remoteAddress: string;
  /** Aborted when the client goes away before it was answered. */
  readonly signal: AbortSignal;
  /** The whole body, read once; null when it is larger than the limit. */
  body(): Promise<Buffer | null>;
}

export class IncomingRequest implements HttpRequest {
  readonly id = randomUUID();
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  gone = false;
  /** It was begun, and counts for as long as it has not ended. */
  inFlight = false;
  /** The body was not read to its end: the connection cannot be used again. */
  unread = false;
  readonly #incoming: IncomingMessage;
  readonly #maxBodyBytes: number;
  #abort: AbortController | undefined;

  constructor(incoming: IncomingMessage, maxBodyBytes: number) {
    this.method = incoming.method ?? 'GET';
    this.target = incoming.url ?? '/';
    this.headers = incoming.headers;
    this.remoteAddress = incoming.socket.remoteAddress ?? '';
    this.#incoming = incoming;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Without the query, which can hold what someone searched for. */
  get path(): string {
    const end = this.target.indexOf('?');
    return end < 0 ? this.target : this.target.slice(0, end);
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.gone) this.#abort.abort();
    return this.#abort.signal;
  }

  closed(finished: boolean): void {
    if (finished) return;
    this.gone = true;
    this.#abort?.abort();
  }

  body(): Promise<Buffer | null> {
    if (Number(this.headers['content-length'] ?? 0) > this.#maxBodyBytes) {
      this.unread = true;
      return Promise.resolve(null);
    }
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      this.#incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= this.#maxBodyBytes) {
          chunks.push(chunk);
          return;
        }
        this.unread = true;
        this.#incoming.pause();
        resolve(null);
      });
      this.#incoming.once('end', () =>
        resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
      );
      this.#incoming.once('error', reject);
    });
  }
}
