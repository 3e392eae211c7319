// The protocol: the SDK's low-level server over one endpoint, a fresh one per request, for both eras of MCP.
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  Server,
} from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { Catalog, Endpoint, EndpointInfo } from './endpoint.ts';

/** How long a client may keep the lists that are the same for every mount: a release is what changes them. */
export const STATIC_TTL_MS = 3_600_000;

/** Nothing of a mount changes within a connection, so no list changes and no subscriptions are declared. */
const CAPABILITIES = { tools: {}, prompts: {}, resources: {} };

/**
 * The identity that every modern result carries: kept minimal, because a tool result's budget counts it.
 * The full one goes out with `initialize` and `server/discover`.
 */
export function resultMeta(info: EndpointInfo): Record<string, { name: string; version: string }> {
  return { [SERVER_INFO_META_KEY]: { name: info.name, version: info.version } };
}

/**
 * The content of a tool result, in the key order the SDK sends it in. `meta` is given in the modern era only.
 */
export function toolResult(text: string, isError: boolean, meta?: Record<string, unknown>) {
  return {
    ...(meta ? { _meta: meta } : undefined),
    content: [{ type: 'text' as const, text }],
    ...(isError ? { isError: true } : undefined),
  };
}

export interface McpOptions {
  readonly catalog: Catalog;
  readonly log: Logger;
}

/** Makes servers for endpoints: `factory(endpoint)` is what the SDK's HTTP and stdio entries call. */
export function createServerFactory({ catalog, log }: McpOptions) {
  const tools = catalog.tools.map((tool) => ({ ...tool }));
  const prompts = catalog.prompts.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] }));
  const toolNames = new Set(tools.map((tool) => tool.name));

  /** No error of ours leaves verbatim: it could name a path, a process or a private repository. */
  const guarded = async <T>(method: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      log.error({ err: error, method }, 'MCP handler failed');
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'This server failed to answer. Try again.');
    }
  };

  return (endpoint: Endpoint) =>
    ({ era }: Pick<McpRequestContext, 'era'>): Server => {
      const info = endpoint.info();
      const cache = endpoint.cache();
      const lists = { ttlMs: STATIC_TTL_MS, cacheScope: cache.cacheScope };
      const meta = era === 'modern' ? resultMeta(info) : undefined;
      const { icons, ...identity } = info;
      const server = new Server(
        {
          ...identity,
          ...(icons ? { icons: icons.map((icon) => ({ ...icon, sizes: [...icon.sizes] })) } : undefined),
        },
        {
          capabilities: CAPABILITIES,
          instructions: endpoint.instructions(),
          cacheHints: {
            'tools/list': lists,
            'prompts/list': lists,
            'resources/list': cache,
            'resources/templates/list': lists,
            'server/discover': cache,
          },
        },
      );

      server.setRequestHandler('tools/list', () => ({ tools }));
      server.setRequestHandler('prompts/list', () => ({ prompts }));
      server.setRequestHandler('resources/list', () => ({ resources: [] }));
      server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
      server.setRequestHandler('resources/read', ({ params }) => {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This mount serves no such resource.', {
          uri: params.uri,
        });
      });
      server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
        guarded('tools/call', async () => {
          if (!toolNames.has(params.name)) {
            throw new ProtocolError(
              ProtocolErrorCode.InvalidParams,
              `There is no tool of this name. The tools are ${[...toolNames].join(', ')}.`,
            );
          }
          const { text, isError } = await endpoint.call(params.name, params.arguments ?? {}, mcpReq.signal);
          return toolResult(text, isError, meta);
        }),
      );
      server.setRequestHandler('prompts/get', ({ params }, { mcpReq }) =>
        guarded('prompts/get', async () => {
          const answer = await endpoint.prompt(params.name, params.arguments ?? {}, mcpReq.signal);
          if ('invalid' in answer) throw new ProtocolError(ProtocolErrorCode.InvalidParams, answer.invalid);
          return {
            ...(meta ? { _meta: meta } : undefined),
            messages: [{ role: 'user' as const, content: { type: 'text' as const, text: answer.text } }],
          };
        }),
      );
      return server;
    };
}

export type ServerFactory = ReturnType<typeof createServerFactory>;

/** The SDK's dual-era entry for one endpoint; it keeps nothing between requests but what is in flight. */
export function handlerFor(factory: ServerFactory, endpoint: Endpoint, log: Logger): McpHttpHandler {
  return createMcpHandler(factory(endpoint), {
    keepAliveMs: 0,
    onerror: (error) => log.debug({ reason: error.message }, 'MCP request refused'),
  });
}
