// The fast lane: a plain, well-formed `tools/call`, or request for resources, of either era is answered straight from
// rendered bytes. Whatever is unusual about a request, or wrong with it, is left to the SDK, whose replies these equal
// byte for byte.
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  isJsonContentType,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isToolName } from '@skillquay/core/contract/arguments';
import type { McpRequest } from './adapter.ts';
import type { Endpoint, ResourceAnswer, ResourceRequest, ToolText } from './endpoint.ts';
import type { Reply } from './http.ts';
import { isTooDeep } from './lib/levels.ts';
import { resourceError, resultMeta, toolResult } from './mcp.ts';

const MODERN = '2026-07-28';
const LEGACY: ReadonlySet<string> = new Set(
  SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== MODERN),
);

const MODERN_HEADERS = { 'content-type': 'application/json' };
const LEGACY_HEADERS = {
  'cache-control': 'no-cache, no-transform',
  'content-type': 'text/event-stream',
  'x-accel-buffering': 'no',
};
const EVENT = Buffer.from('event: message\ndata: ');
const EVENT_END = Buffer.from('\n\n');
const RESULT = Buffer.from('{"result":');

type Era = 'modern' | 'legacy';

/** What the lane needs of a request. */
interface Call {
  readonly era: Era;
  readonly id: string | number;
  readonly asked: Asked;
}

type Asked =
  | { readonly method: 'tools/call'; readonly tool: string; readonly args: object }
  | ResourceRequest;

/** The reply, or null when the SDK has to answer. */
export async function throughFastLane(request: McpRequest, endpoint: Endpoint): Promise<Reply | null> {
  try {
    const call = readCall(request);
    if (call === null) return null;
    const { asked, era, id } = call;
    const message =
      asked.method === 'tools/call'
        ? resultMessage(
            [resultBytes(await endpoint.call(asked.tool, asked.args, request.caller), era, endpoint)],
            id,
          )
        : resourceMessage(await endpoint.resources(asked, request.caller), call, endpoint);
    return era === 'modern'
      ? { status: 200, headers: MODERN_HEADERS, body: message }
      : { status: 200, headers: LEGACY_HEADERS, body: [EVENT, ...message, EVENT_END] };
  } catch {
    // The SDK's lane meets the same failure, logs it and words it.
    return null;
  }
}

function resultMessage(result: readonly Buffer[], id: Call['id']): readonly Buffer[] {
  return [RESULT, ...result, Buffer.from(`,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`)];
}

/** Nothing is copied: what an era adds to a result stands before and behind the bytes that are kept of it. */
function resourceMessage(answer: ResourceAnswer, { era, id }: Call, endpoint: Endpoint): readonly Buffer[] {
  if (!answer.ok) {
    return [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: resourceError(answer) }))];
  }
  if (era === 'legacy') return resultMessage([answer.json], id);
  const { ttlMs, cacheScope } = answer.cache;
  const behind = `,"ttlMs":${ttlMs},"cacheScope":"${cacheScope}","resultType":"complete"},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  // In few pieces: each costs the socket as much as hundreds of bytes do.
  return [beginningOf(endpoint), answer.json.subarray(1, -1), Buffer.from(behind)];
}

const beginnings = new WeakMap<Endpoint, Buffer>();

/** Of every modern message with resources. */
function beginningOf(endpoint: Endpoint): Buffer {
  const before = beginnings.get(endpoint);
  if (before !== undefined) return before;
  const made = Buffer.from(`{"result":{"_meta":${JSON.stringify(resultMeta(endpoint.identity))},`);
  beginnings.set(endpoint, made);
  return made;
}

const rendered = new WeakMap<ToolText, { modern?: Buffer; legacy?: Buffer }>();

/** The serialized result, made once for each answer that is kept and each era. */
function resultBytes(answer: ToolText, era: Era, endpoint: Endpoint): Buffer {
  const bytes = rendered.get(answer) ?? {};
  rendered.set(answer, bytes);
  if (era === 'legacy') {
    bytes.legacy ??= Buffer.from(JSON.stringify(toolResult(answer)));
    return bytes.legacy;
  }
  bytes.modern ??= Buffer.from(
    JSON.stringify({
      ...toolResult(answer, resultMeta(endpoint.identity)),
      resultType: 'complete',
    }),
  );
  return bytes.modern;
}

function readCall({ method, headers, json }: McpRequest): Call | null {
  if (method !== 'POST' || !isRecord(json) || !hasOnly(json, REQUEST_KEYS)) return null;
  const { jsonrpc, id, method: called, params = {} } = json;
  if (jsonrpc !== '2.0' || typeof called !== 'string' || !isId(id) || !isRecord(params)) return null;
  const read = readAsked(called, params);
  if (read === null) return null;
  const { asked, name } = read;
  const contentType = headers['content-type'];
  if (contentType !== 'application/json' && !isJsonContentType(contentType ?? null)) return null;
  const version = headers['mcp-protocol-version'];

  if (version === MODERN) {
    if (headers['mcp-method'] !== called || headers['mcp-name'] !== name) return null;
    return isModernMeta(params._meta, json) ? { era: 'modern', id, asked } : null;
  }
  if (version !== undefined && !(typeof version === 'string' && LEGACY.has(version))) return null;
  const accept = headers.accept ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return null;
  return isLegacyMeta(params._meta) ? { era: 'legacy', id, asked } : null;
}

/** `name`: what the header `mcp-name` repeats; undefined where it has no place. */
function readAsked(
  method: string,
  params: Record<string, unknown>,
): { readonly asked: Asked; readonly name: string | undefined } | null {
  switch (method) {
    case 'tools/call': {
      const { name, arguments: args = {} } = params;
      if (!hasOnly(params, CALL_KEYS) || typeof name !== 'string' || !isToolName(name)) return null;
      return isRecord(args) ? { asked: { method, tool: name, args }, name } : null;
    }
    case 'skills/list':
    case 'resources/list': {
      const { cursor } = params;
      if (!hasOnly(params, LIST_KEYS) || !isCursor(cursor)) return null;
      return { asked: { method, cursor: cursor ?? null }, name: undefined };
    }
    case 'skills/get':
    case 'resources/read': {
      const { uri } = params;
      if (!hasOnly(params, URI_KEYS) || typeof uri !== 'string') return null;
      return { asked: { method, uri }, name: method === 'resources/read' ? uri : undefined };
    }
    case 'resources/directory/read': {
      const { uri, cursor } = params;
      if (!hasOnly(params, FOLDER_KEYS) || typeof uri !== 'string' || !isCursor(cursor)) return null;
      return { asked: { method, uri, cursor: cursor ?? null }, name: undefined };
    }
    default:
      return null;
  }
}

function isCursor(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

const REQUEST_KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const CALL_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const LIST_KEYS: ReadonlySet<string> = new Set(['cursor', '_meta']);
const URI_KEYS: ReadonlySet<string> = new Set(['uri', '_meta']);
const FOLDER_KEYS: ReadonlySet<string> = new Set(['uri', 'cursor', '_meta']);
const META_KEYS: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  'progressToken',
]);
const LEGACY_META_KEYS: ReadonlySet<string> = new Set(['progressToken']);

/** Envelopes the SDK has accepted before, as text: a client sends the same one with every request. */
const accepted = new Set<string>();
/** The last of them as it was parsed: comparing takes a fraction of the time that writing it does. */
let last: { readonly info: unknown; readonly capabilities: unknown } | undefined;
const MAX_ACCEPTED = 1_000;
const MAX_ENVELOPE_CHARACTERS = 4_096;

function isModernMeta(meta: unknown, json: Record<string, unknown>): boolean {
  if (!isRecord(meta) || !hasOnly(meta, META_KEYS) || !isToken(meta.progressToken)) return false;
  if (meta[PROTOCOL_VERSION_META_KEY] !== MODERN) return false;
  const { [CLIENT_INFO_META_KEY]: info, [CLIENT_CAPABILITIES_META_KEY]: capabilities } = meta;
  if (last !== undefined && isSame(info, last.info) && isSame(capabilities, last.capabilities)) return true;
  const envelope = JSON.stringify({ info, capabilities });
  if (accepted.has(envelope)) {
    last = { info, capabilities };
    return true;
  }
  if (isTooDeep(meta)) return false;
  const outcome = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: MODERN, body: json });
  if (outcome.kind !== 'modern' || outcome.messageKind !== 'request') return false;
  if (envelope.length <= MAX_ENVELOPE_CHARACTERS) {
    if (accepted.size >= MAX_ACCEPTED) accepted.clear();
    accepted.add(envelope);
  }
  return true;
}

/** Whether two parsed values are the same. As deep as the smaller one is. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  let keys = 0;
  for (const key in one) {
    if (!Object.hasOwn(other, key) || !isSame(one[key], other[key])) return false;
    keys += 1;
  }
  for (const _ in other) keys -= 1;
  return keys === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isLegacyMeta(meta: unknown): boolean {
  return (
    meta === undefined || (isRecord(meta) && hasOnly(meta, LEGACY_META_KEYS) && isToken(meta.progressToken))
  );
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function isToken(value: unknown): boolean {
  return value === undefined || isId(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasOnly(record: Record<string, unknown>, keys: ReadonlySet<string>): boolean {
  for (const key in record) if (!keys.has(key)) return false;
  return true;
}
