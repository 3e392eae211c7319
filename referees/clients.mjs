// Foreign MCP clients behind one small face: `const client = await clients['v2 auto'].connect(url)`.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk-v1/client/index.js';
import { StdioClientTransport as StdioTransportV1 } from '@modelcontextprotocol/sdk-v1/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk-v1/client/streamableHttp.js';

export const MODERN = '2026-07-28';
const ME = { name: 'skillquay-referee', version: '1.0.0' };

/** The one text block a tool result must be; anything else is a breach of the contract. */
function answerOf(result) {
  const blocks = result.content ?? [];
  if (blocks.length !== 1 || blocks[0].type !== 'text')
    throw new Error(`a result is one text block, not ${JSON.stringify(blocks.map((block) => block.type))}`);
  if (result.structuredContent !== undefined) throw new Error('a result has no structured copy');
  return { text: blocks[0].text, isError: result.isError === true };
}

/** The official client of the second SDK. `mode`: 'legacy', 'auto' or { pin }. */
function v2(mode, transport = (url) => new StreamableHTTPClientTransport(new URL(url))) {
  return async (target) => {
    const client = new Client(ME, { versionNegotiation: { mode } });
    await client.connect(transport(target));
    return faceOf(client);
  };
}

function v1(transport = (url) => new TransportV1(new URL(url))) {
  return async (target) => {
    const client = new ClientV1(ME);
    await client.connect(transport(target));
    return faceOf(client);
  };
}

function faceOf(client) {
  return {
    instructions: client.getInstructions() ?? '',
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

/** A client that was not built on either SDK. */
async function aiSdk(url) {
  const client = await createMCPClient({ transport: { type: 'http', url } });
  const tools = await client.tools();
  return {
    instructions: client.instructions ?? '',
    tools: async () => Object.keys(tools),
    call: async (name, args) =>
      answerOf(await tools[name].execute(args, { toolCallId: 'one', messages: [] })),
    close: () => client.close(),
  };
}

const inspectorEntry = fileURLToPath(
  new URL('./clients/launcher/build/index.js', manifestOf('@modelcontextprotocol/inspector')),
);

function manifestOf(name) {
  return new URL(`file://${createRequire(import.meta.url).resolve(`${name}/package.json`)}`);
}

/** Runs the Inspector's command line once. Resolves with its exit code and what it printed. */
export function inspect(url, era, args) {
  return runInspector([url, '--transport', 'http'], era, args);
}

/** The same with a server that it starts itself. */
export function inspectStdio({ command, args: argv, env }, era, args) {
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return runInspector([command, ...argv, '--transport', 'stdio', ...variables], era, args);
}

async function runInspector(target, era, args) {
  const home = mkdtempSync(join(tmpdir(), 'skillquay-inspector-'));
  const argv = [inspectorEntry, '--cli', ...target, '--protocol-era', era, '--format', 'json'];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...argv, ...args], {
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
      maxBuffer: 16 * 1024 ** 2,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    if (typeof error.code !== 'number') throw error;
    return { code: error.code, stdout: error.stdout, stderr: error.stderr };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const EXIT_TOOL_ERROR = 5;

/** The Inspector starts a process for each request: one walk with it takes seconds. */
function inspector(era, run = inspect) {
  return async (target) => {
    const ask = async (...args) => {
      const { code, stdout, stderr } = await run(target, era, args);
      if (code !== 0 && code !== EXIT_TOOL_ERROR)
        throw new Error(`the Inspector ended with ${code}: ${stderr}`);
      const printed = JSON.parse(stdout);
      return printed.result ?? printed;
    };
    return {
      instructions: (await ask('--method', 'initialize')).instructions ?? '',
      tools: async () => (await ask('--method', 'tools/list')).tools.map((tool) => tool.name),
      call: async (name, args) =>
        answerOf(
          await ask('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)),
        ),
      close: async () => {},
    };
  };
}

/** By name, with the protocol era each speaks. */
export const clients = {
  'v2 legacy': { era: 'legacy', connect: v2('legacy') },
  'v2 auto': { era: 'modern', connect: v2('auto') },
  'v2 pinned': { era: 'modern', connect: v2({ pin: MODERN }) },
  v1: { era: 'legacy', connect: v1() },
  'ai-sdk': { era: 'legacy', connect: aiSdk },
  'inspector legacy': { era: 'legacy', connect: inspector('legacy') },
  'inspector modern': { era: 'modern', connect: inspector('modern') },
};

const started = ({ command, args, env }) => new StdioClientTransport({ command, args, env });
const startedV1 = ({ command, args, env }) => new StdioTransportV1({ command, args, env });

/** The same for a server that its client starts: `connect({ command, args, env })`. */
export const stdioClients = {
  'v2 legacy': { era: 'legacy', connect: v2('legacy', started) },
  'v2 auto': { era: 'modern', connect: v2('auto', started) },
  'v2 pinned': { era: 'modern', connect: v2({ pin: MODERN }, started) },
  v1: { era: 'legacy', connect: v1(startedV1) },
  'inspector legacy': { era: 'legacy', connect: inspector('legacy', inspectStdio) },
  'inspector modern': { era: 'modern', connect: inspector('modern', inspectStdio) },
};
