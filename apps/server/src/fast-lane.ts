// The fast lane: a plain, well-formed `tools/call` of either era is answered straight from rendered bytes. Whatever
// is unusual about a request, or wrong with it, is left to the SDK, whose replies these equal byte for byte.
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
import type { Endpoint, ToolText } from './endpoint.ts';
import type { Reply } from './http.ts';
import { resultMeta, toolResult } from './mcp.ts';

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
const RESULT = Buffer.from('{"result":');
const EVENT_RESULT = Buffer.from('event: message\ndata: {"result":');

/** What the lane needs of a `tools/call`. */
interface Call {
  readonly era: 'modern' | 'legacy';
  readonly id: string | number;
  readonly tool: string;
  readonly args: object;
}

/** The reply, or null when the SDK has to answer. */
export async function throughFastLane(request: McpRequest, endpoint: Endpoint): Promise<Reply | null> {
  const call = readCall(request);
  if (call === null) return null;
  let answer: ToolText;
  try {
    answer = await endpoint.call(call.tool, call.args, request.signal);
  } catch {
    // The SDK's lane meets the same failure, logs it and words it.
    return null;
  }
  const result = resultBytes(answer, call.era, endpoint);
  const tail = `,"jsonrpc":"2.0","id":${JSON.stringify(call.id)}}`;
  return call.era === 'modern'
    ? { status: 200, headers: MODERN_HEADERS, body: [RESULT, result, Buffer.from(tail)] }
    : {
        status: 200,
        headers: LEGACY_HEADERS,
        body: [EVENT_RESULT, result, Buffer.from(`${tail}\n\n`)],
      };
}

const rendered = new WeakMap<ToolText, { modern?: Buffer; legacy?: Buffer }>();

/** The serialized result, made once for each answer that is kept and each era. */
function resultBytes(answer: ToolText, era: Call['era'], endpoint: Endpoint): Buffer {
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
  const { jsonrpc, id, method: called, params } = json;
  if (jsonrpc !== '2.0' || called !== 'tools/call' || !isId(id)) return null;
  if (!isRecord(params) || !hasOnly(params, PARAMS_KEYS)) return null;
  const { name, arguments: args = {}, _meta: meta } = params;
  if (typeof name !== 'string' || !isToolName(name) || !isRecord(args)) return null;
  const contentType = headers['content-type'];
  if (contentType !== 'application/json' && !isJsonContentType(contentType ?? null)) return null;
  const version = headers['mcp-protocol-version'];

  if (version === MODERN) {
    if (headers['mcp-method'] !== 'tools/call' || headers['mcp-name'] !== name) return null;
    return isModernMeta(meta, json) ? { era: 'modern', id, tool: name, args } : null;
  }
  if (version !== undefined && !(typeof version === 'string' && LEGACY.has(version))) return null;
  const accept = headers.accept ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return null;
  return isLegacyMeta(meta) ? { era: 'legacy', id, tool: name, args } : null;
}

const REQUEST_KEYS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS_KEYS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const META_KEYS: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  'progressToken',
]);
const LEGACY_META_KEYS: ReadonlySet<string> = new Set(['progressToken']);

/** Envelopes the SDK has accepted before, as text: a client sends the same one with every request. */
const accepted = new Set<string>();
const MAX_ACCEPTED = 1_000;
const MAX_ENVELOPE_CHARACTERS = 4_096;

function isModernMeta(meta: unknown, json: Record<string, unknown>): boolean {
  if (!isRecord(meta) || !hasOnly(meta, META_KEYS) || !isToken(meta.progressToken)) return false;
  if (meta[PROTOCOL_VERSION_META_KEY] !== MODERN) return false;
  const envelope = JSON.stringify([meta[CLIENT_INFO_META_KEY], meta[CLIENT_CAPABILITIES_META_KEY]]);
  if (accepted.has(envelope)) return true;
  const outcome = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: MODERN, body: json });
  if (outcome.kind !== 'modern' || outcome.messageKind !== 'request') return false;
  if (envelope.length <= MAX_ENVELOPE_CHARACTERS) {
    if (accepted.size >= MAX_ACCEPTED) accepted.clear();
    accepted.add(envelope);
  }
  return true;
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
