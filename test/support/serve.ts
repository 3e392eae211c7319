// Starts the built command as a user would, and asks it as a bare client of the current protocol revision.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../apps/cli/bin/skillquay.js', import.meta.url));
/** Long enough for a busy machine; a server that is up in half a second is not slowed by it. */
const READY_MS = 30_000;
const STOP_MS = 10_000;

export interface Served {
  readonly url: string;
  readonly mounts: ReadonlyArray<{ readonly source: string; readonly address: string; readonly mcp: string }>;
  /** The MCP URL of the first source. */
  readonly mcp: string;
  /** Ends the process and resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Serves sources on a free port, with a store of its own, and waits until they are indexed. */
export async function serve(sources: readonly string[], args: readonly string[] = []): Promise<Served> {
  const home = mkdtempSync(join(tmpdir(), 'skillquay-served-'));
  const child = spawn(
    process.execPath,
    [COMMAND, 'serve', ...sources, '--port', '0', '--json', '--store', join(home, 'store'), ...args],
    { env: { PATH: process.env.PATH, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const stop = async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const code = await ended;
    clearTimeout(late);
    rmSync(home, { recursive: true, force: true });
    return code;
  };
  const late = setTimeout(() => child.kill('SIGKILL'), READY_MS);
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)),
    ended.then((code) => Promise.reject(new Error(`serve ended with ${code}: ${complaints}`))),
  ]);
  clearTimeout(late);
  const ready: Pick<Served, 'url' | 'mounts'> = JSON.parse(line);
  for (const { mcp } of ready.mounts) await indexed(mcp);
  return { ...ready, mcp: ready.mounts[0]?.mcp ?? '', stop };
}

/** Waits until a mount answers from its index; each call waits a while itself. */
async function indexed(mcp: string): Promise<void> {
  for (let tries = 0; tries < 6; tries += 1) {
    const { text } = await call(mcp, 'browse_repo', { limit: 1 });
    if (!/^Status: indexing/m.test(text)) return;
  }
  throw new Error(`${mcp} is still being indexed`);
}

export interface Answer {
  readonly status: number;
  /** The text block of a tool result; '' for a protocol error. */
  readonly text: string;
  readonly isError: boolean;
  /** Code of a protocol error. */
  readonly code?: number;
  /** The response body as it came. */
  readonly raw: string;
}

const P = 'io.modelcontextprotocol/';

/** One request of the revision 2026-07-28, with nothing between it and the wire. */
export async function request(
  mcp: string,
  method: string,
  params: Record<string, unknown> = {},
  name?: string,
) {
  const response = await fetch(mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          [`${P}protocolVersion`]: '2026-07-28',
          [`${P}clientInfo`]: { name: 'test', version: '1' },
          [`${P}clientCapabilities`]: {},
        },
      },
    }),
  });
  return { status: response.status, raw: await response.text() };
}

export async function call(mcp: string, tool: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { status, raw } = await request(mcp, 'tools/call', { name: tool, arguments: args }, tool);
  const body = JSON.parse(raw);
  return {
    status,
    text: body.result?.content?.[0]?.text ?? '',
    isError: body.result?.isError === true,
    ...(body.error ? { code: body.error.code } : {}),
    raw,
  };
}
