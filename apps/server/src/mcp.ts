// The protocol: the SDK's low-level server over one endpoint, a fresh one per request, for both eras of MCP.
import {
  GetSkillRequestParamsSchema,
  ListSkillsRequestParamsSchema,
  ReadResourceDirectoryRequestParamsSchema,
} from '@modelcontextprotocol/core/ext/skills';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
} from '@modelcontextprotocol/server';
import type { Caller } from '@skillquay/core/caller';
import { isToolName } from '@skillquay/core/contract/arguments';
import { TOOL_NAMES, TOOLS, USE_SKILL_PROMPT } from '@skillquay/core/contract/tools';
import type { Logger } from 'pino';
import type { Endpoint, EndpointIdentity, ResourceAnswer, ResourceRequest, ToolText } from './endpoint.ts';
import { SKILLS_EXTENSION } from './skills-extension.ts';

/** How long a client may keep the lists that are the same for every mount: a release is what changes them. */
export const STATIC_TTL_MS = 3_600_000;

/** Nothing of a mount changes within a connection, so no list changes and no subscriptions are declared. */
const CAPABILITIES = {
  tools: {},
  prompts: {},
  resources: {},
  extensions: { [SKILLS_EXTENSION]: { directoryRead: true } },
};
const TOOL_LIST = TOOLS.map((tool) => ({
  ...tool,
  inputSchema: {
    ...tool.inputSchema,
    properties: Object.fromEntries(
      Object.entries(tool.inputSchema.properties).map(([name, property]) => [name, { ...property }]),
    ),
  },
}));
const PROMPT_LIST = [USE_SKILL_PROMPT];

/** The parts of a message around its result, in either era, and a long request id. */
const MESSAGE_FRAME_BYTES = 128;

/** What every modern result says of its server. `initialize` and `server/discover` say everything. */
export function resultMeta({ name, version }: EndpointIdentity): Record<string, EndpointIdentity> {
  return { [SERVER_INFO_META_KEY]: { name, version } };
}

/** A tool result, in the key order the SDK sends it in. `meta` is given in the modern era only. */
export function toolResult({ text, isError }: ToolText, meta?: Record<string, unknown>) {
  return {
    ...(meta ? { _meta: meta } : undefined),
    content: [{ type: 'text' as const, text }],
    ...(isError ? { isError: true } : undefined),
  };
}

/** The error of a message, as both lanes send it. */
export function resourceError({ kind, message, uri }: RefusedResource) {
  const code = kind === 'invalid' ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return { code, message, ...(uri === undefined ? undefined : { data: { uri } }) };
}

type RefusedResource = Extract<ResourceAnswer, { ok: false }>;

/** Bytes of a message whose text is empty, in the era and the form that takes the most. */
export function resultOverheadBytes(identity: EndpointIdentity): number {
  const empty = { ...toolResult({ text: '', isError: true }, resultMeta(identity)), resultType: 'complete' };
  return Buffer.byteLength(JSON.stringify(empty)) + MESSAGE_FRAME_BYTES;
}

/** Makes the server of one request (over stdio: of one connection). */
export function serverFactory(endpoint: Endpoint, log: Logger): (context: { era: Era }) => Server {
  return ({ era }) => createServer(endpoint, era, log);
}

type Era = McpRequestContext['era'];

function createServer(endpoint: Endpoint, era: Era, log: Logger): Server {
  const { cacheScope } = endpoint.cache;
  const lists = { ttlMs: STATIC_TTL_MS, cacheScope };
  // Asked for each time: over stdio a server lives as long as its connection.
  const introduction = {
    get ttlMs() {
      return endpoint.cache.ttlMs;
    },
    cacheScope,
  };
  const meta = era === 'modern' ? resultMeta(endpoint.identity) : undefined;
  const server = new Server(endpoint.info(), {
    capabilities: CAPABILITIES,
    instructions: endpoint.instructions(),
    cacheHints: {
      'tools/list': lists,
      'prompts/list': lists,
      'resources/templates/list': lists,
      'server/discover': introduction,
    },
  });
  server.setRequestHandler('tools/list', () => ({ tools: TOOL_LIST }));
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPT_LIST }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  const resources = (request: ResourceRequest, caller: Caller) =>
    guarded(log, caller, async () => {
      const answer = await endpoint.resources(request, caller);
      if (!answer.ok) {
        const { code, message, data } = resourceError(answer);
        throw new ProtocolError(code, message, data);
      }
      const result: Record<string, unknown> = JSON.parse(answer.json.toString());
      return meta ? { _meta: meta, ...result, ...answer.cache } : result;
    });
  for (const method of ['skills/list', 'resources/list'] as const) {
    server.setRequestHandler(method, { params: ListSkillsRequestParamsSchema }, ({ cursor }, { mcpReq }) =>
      resources({ method, cursor: cursor ?? null }, mcpReq),
    );
  }
  for (const method of ['skills/get', 'resources/read'] as const) {
    server.setRequestHandler(method, { params: GetSkillRequestParamsSchema }, ({ uri }, { mcpReq }) =>
      resources({ method, uri }, mcpReq),
    );
  }
  server.setRequestHandler(
    'resources/directory/read',
    { params: ReadResourceDirectoryRequestParamsSchema },
    ({ uri, cursor }, { mcpReq }) =>
      resources({ method: 'resources/directory/read', uri, cursor: cursor ?? null }, mcpReq),
  );
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    guarded(log, mcpReq, async () => {
      if (!isToolName(params.name)) {
        const message = `There is no tool of this name. The tools are ${TOOL_NAMES.join(', ')}.`;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
      }
      return toolResult(await endpoint.call(params.name, params.arguments ?? {}, mcpReq), meta);
    }),
  );
  server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) =>
    guarded(log, mcpReq, async () => {
      const answer = await endpoint.prompt(params.name, params.arguments ?? {}, mcpReq);
      if ('invalid' in answer) throw new ProtocolError(ProtocolErrorCode.InvalidParams, answer.invalid);
      return {
        ...(meta ? { _meta: meta } : undefined),
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: answer.text } }],
      };
    }),
  );
  return server;
}

/** No error of ours leaves verbatim: it could name a path, a process or a private repository. */
async function guarded<T>(log: Logger, caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    // Who gave up hears nothing of it, and what was broken off then is no failure.
    if (!caller.signal.aborted) log.error({ err: error }, 'an MCP request failed');
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'This server failed to answer. Try again.');
  }
}

/** The SDK's dual-era entry for one endpoint; it keeps nothing between requests but what is in flight. */
export function httpHandler(endpoint: Endpoint, log: Logger): McpHttpHandler {
  return createMcpHandler(serverFactory(endpoint, log), {
    keepAliveMs: 0,
    onerror: (error) => log.debug({ reason: error.message }, 'MCP request refused'),
  });
}
