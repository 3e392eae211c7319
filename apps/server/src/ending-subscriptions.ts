// A pipe to a client on which subscriptions end at once, because nothing is ever sent on one.
import {
  type JSONRPCMessage,
  type RequestId,
  SERVER_INFO_META_KEY,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from '@modelcontextprotocol/server';
import type { EndpointIdentity } from './endpoint.ts';

/**
 * A transport that ends a subscription as soon as it is acknowledged. The SDK does so over HTTP when nothing is
 * honored, and keeps it open over stdio; nothing is ever sent on one here.
 */
export class EndingSubscriptions implements Transport {
  readonly #wire: Transport;
  readonly #info: EndpointIdentity;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Called last, with the reason where it was not the client that ended. */
  ended: (reason: Error | null) => void = () => {};

  constructor(wire: Transport, info: EndpointIdentity) {
    this.#wire = wire;
    this.#info = info;
  }

  async start(): Promise<void> {
    this.#wire.onmessage = (message, extra) => this.onmessage?.(message, extra);
    let reason: Error | null = null;
    this.#wire.onerror = (error) => {
      // A wire that fails is closed at once; with any other error it goes on.
      reason = error;
      queueMicrotask(() => {
        reason = null;
      });
      this.onerror?.(error);
    };
    this.#wire.onclose = () => {
      const why = reason;
      this.onclose?.();
      this.ended(why);
    };
    await this.#wire.start();
  }

  async send(message: JSONRPCMessage, options?: Parameters<Transport['send']>[1]): Promise<void> {
    await this.#wire.send(message, options);
    const id = acknowledged(message);
    if (id === null) return;
    await this.#wire.send({
      jsonrpc: '2.0',
      id,
      result: {
        resultType: 'complete',
        _meta: {
          [SUBSCRIPTION_ID_META_KEY]: id,
          [SERVER_INFO_META_KEY]: { name: this.#info.name, version: this.#info.version },
        },
      },
    });
    // Said to the SDK as if by the client: it then forgets the subscription.
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  }

  close(): Promise<void> {
    return this.#wire.close();
  }
}

/** The request whose subscription this message acknowledges, if it does. */
function acknowledged(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || message.method !== 'notifications/subscriptions/acknowledged') return null;
  const meta: unknown = message.params?._meta;
  if (typeof meta !== 'object' || meta === null || !(SUBSCRIPTION_ID_META_KEY in meta)) return null;
  const id = meta[SUBSCRIPTION_ID_META_KEY];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
