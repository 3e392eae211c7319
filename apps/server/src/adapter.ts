// The way of a request through the SDK: a body that was read and parsed once in, a reply that is written at once out.
import type { IncomingHttpHeaders } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Caller } from '@skillquay/core/caller';
import { jsonReply, type Reply } from './http.ts';
import { isTooDeep, MAX_LEVELS } from './lib/levels.ts';

/** A request to an endpoint as both lanes see it. */
export interface McpRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text; '' without one. */
  readonly text: string;
  /** The body parsed; undefined when it is not JSON. */
  readonly json: unknown;
  readonly caller: Caller;
}

/** The SDK never looks at the URL, and the public one is not what `Host` says. */
const URL_OF_ANY_ENDPOINT = 'http://endpoint.invalid/';
/** Belongs to the connection, which is ours, or is set for every reply. */
const NOT_PASSED_ON = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

const TOO_DEEP = jsonReply(400, {
  jsonrpc: '2.0',
  error: { code: -32600, message: `Bad Request: nested in more than ${MAX_LEVELS} levels` },
  id: null,
});

export function mcpRequest(
  method: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  caller: Caller,
): McpRequest {
  const text = body.toString('utf8', hasByteOrderMark(body) ? 3 : 0);
  let json: unknown;
  try {
    json = text === '' ? undefined : JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { method, headers, text, json, caller };
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
}

/** Answers through the SDK. A stream is collected: nothing here sends more than one answer to a request. */
export async function throughSdk(handler: McpHttpHandler, request: McpRequest): Promise<Reply> {
  if (isTooDeep(request.json)) return TOO_DEEP;
  const parsed = request.json !== undefined;
  // The SDK hears of those who go, and does not ask whether they have gone already.
  const { signal } = request.caller;
  signal.throwIfAborted();
  const web = new Request(URL_OF_ANY_ENDPOINT, {
    method: request.method,
    headers: webHeaders(request.headers),
    signal,
    // The SDK words the refusal of a body that is not JSON.
    ...(parsed || request.text === '' ? undefined : { body: request.text }),
  });
  const response = await handler.fetch(web, parsed ? { parsedBody: request.json } : undefined);
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) if (!NOT_PASSED_ON.has(name)) headers[name] = value;
  return { status: response.status, headers, body: await response.text() };
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || NOT_PASSED_ON.has(name)) continue;
    web.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  return web;
}
