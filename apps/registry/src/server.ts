// The protocol: the SDK's low-level server over one registry, for both eras of MCP.
import {
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { type StdioServerHandle, serveStdio } from '@modelcontextprotocol/server/stdio';
import { RegistryConflictError, RegistryError } from '@skillquay/registry/errors';
import type { Registry } from '@skillquay/registry/registry';
import { EndingSubscriptions } from '@skillquay/server/ending-subscriptions';
import { readArguments } from './arguments.ts';
import { instructions, SERVER_NAME, TOOL_NAMES, TOOLS, type ToolName } from './definitions.ts';
import { withProgress } from './progress.ts';
import { runTool } from './tools.ts';
import { VERSION } from './version.ts';

/** Where notes about a result stand, beside its text. */
const NOTES_META_KEY = 'skillquay/notes';

const INFO = { name: SERVER_NAME, version: VERSION };

export interface ServerOptions {
  readonly registry: Registry;
  /** Told of what should not happen, once each time. */
  readonly onFault: (error: unknown) => void;
  readonly transport: Transport;
}

/** A server over a pipe. */
export interface Serving {
  /** Settles when the client has closed its end and nothing is under way any more. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export function serveRegistry({ registry, onFault, transport }: ServerOptions): Serving {
  const underway = new Set<Promise<unknown>>();
  const wire = new EndingSubscriptions(transport, INFO);
  const closed = new Promise<void>((resolve) => {
    wire.ended = () => resolve();
  });
  const factory = (_context: McpRequestContext) => createServer(registry, onFault, underway);
  const handle: StdioServerHandle = serveStdio(factory, { transport: wire });
  return {
    ended: closed.then(async () => {
      await Promise.allSettled(underway);
    }),
    close: () => handle.close(),
  };
}

function createServer(
  registry: Registry,
  onFault: (error: unknown) => void,
  underway: Set<Promise<unknown>>,
): Server {
  const server = new Server(INFO, {
    capabilities: { tools: {} },
    instructions: instructions(registry.name),
  });
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOLS] }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const { name } = params;
    if (!isToolName(name))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool of this name. The tools are ${TOOL_NAMES.join(', ')}.`,
      );
    const call = answerCall(registry, name, params.arguments ?? {}, mcpReq, onFault);
    underway.add(call);
    const over = () => underway.delete(call);
    call.then(over, over);
    return call;
  });
  return server;
}

async function answerCall(
  registry: Registry,
  tool: ToolName,
  given: Readonly<Record<string, unknown>>,
  mcpReq: ServerContext['mcpReq'],
  onFault: (error: unknown) => void,
) {
  try {
    const call = readArguments(tool, given);
    const { text, notes } = await withProgress(mcpReq, (options) => runTool(registry, call, options));
    const meta = notes.length === 0 ? {} : { _meta: { [NOTES_META_KEY]: notes } };
    return { ...meta, content: [{ type: 'text' as const, text }] };
  } catch (error) {
    // Who gave up hears nothing of it, and what was broken off then is no failure.
    if (!mcpReq.signal.aborted && !(error instanceof RegistryError)) onFault(error);
    return { content: [{ type: 'text' as const, text: reason(error) }], isError: true };
  }
}

/** No error but those made to be shown leaves verbatim: it could name what is nobody's business. */
function reason(error: unknown): string {
  // By its name, because an agent may wait and try again then.
  if (error instanceof RegistryConflictError) return `${error.name}: ${error.message}`;
  if (error instanceof RegistryError) return error.message;
  return 'Something went wrong in the server of the registry that should not. Try again.';
}

function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}
