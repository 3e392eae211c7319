// A whole app over real git repositories: a host that knows them by name, and the calls that tests make to it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryKey } from '@skillquay/core/address';
import { type Host, HostError, type Resolution } from '@skillquay/hosts/host';
import { localBuilder } from '@skillquay/snapshot/build-thread';
import type { Builder } from '@skillquay/snapshot/snapshots';
import pino from 'pino';
import type { TestRepository } from '../../../../test-support/repository.ts';
import { type App, createApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';

export const builder: Builder = localBuilder({ workerUrl: null, workers: 0 });

/** Serves repositories as `/gh/…` by their key, e.g. `gh/acme/library`. Any ref that git can read exists. */
export function hostOf(
  repositories: Readonly<Record<string, TestRepository>>,
  resolved: (resolution: Resolution) => Resolution = (resolution) => resolution,
): Host {
  /** By repository key. */
  const defaults = new Map<string, Resolution>();
  return {
    async resolve(address): Promise<Resolution> {
      const repository = repositoryKey(address);
      const found = repositories[repository];
      if (found === undefined) throw new HostError('mount.repo_not_found', 'There is no such repository.');
      let commit: string;
      try {
        commit = found.git('rev-parse', '--verify', '--quiet', `${address.ref ?? 'main'}^{commit}`);
      } catch {
        throw new HostError('mount.ref_not_found', 'There is no such branch, tag or commit.');
      }
      const resolution = resolved({
        repository,
        commit,
        tree: `${commit}^{tree}`,
        ref: address.ref,
        pinned: address.pinned,
        isDefaultBranch: address.ref === null,
        defaultBranch: 'main',
        expiresAt: Date.now() + 60_000,
        worktree: false,
        scope: 'public',
      });
      if (address.ref === null) defaults.set(repository, resolution);
      return resolution;
    },
    // As real hosts: until its time is over, or what it names has moved.
    known(address) {
      const repository = repositoryKey(address);
      const before = address.ref === null ? defaults.get(repository) : undefined;
      if (before === undefined || before.expiresAt <= Date.now()) return null;
      if (resolved(before).staleSince !== undefined) return null;
      return repositories[repository]?.git('rev-parse', 'main') === before.commit ? before : null;
    },
    async bring(resolution) {
      const found = repositories[resolution.repository];
      if (found === undefined) throw new HostError('mount.unavailable', 'The host does not answer.');
      return { gitDir: found.dir, env: {} };
    },
    links: (address) => ({
      raw: (commit, path) => `https://raw.example/${repositoryKey(address)}/${commit}/${path}`,
      page: (commit, path) => `https://page.example/${repositoryKey(address)}/${commit}/${path}`,
    }),
    close: async () => {},
  };
}

export interface Served {
  readonly app: App;
  readonly origin: string;
  readonly store: string;
  call(address: string, tool: string, args?: object): Promise<Called>;
  /** The same call in the earlier era. */
  callLegacy(address: string, tool: string, args?: object): Promise<Called>;
  /** Any request of the current era: the message, and the bytes of the body. */
  request(address: string, method: string, params?: object): Promise<Message>;
  /** Any request of the earlier era. */
  requestLegacy(address: string, method: string, params?: object): Promise<Message>;
  stop(): Promise<void>;
}

export interface Called {
  readonly text: string;
  readonly isError: boolean;
  /** Bytes of the result, and of the body it came in. */
  readonly resultBytes: number;
  readonly bodyBytes: number;
  readonly status: number;
}

export interface Message {
  readonly status: number;
  readonly body: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

const MODERN = '2026-07-28';
const JSON_AND_EVENTS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export async function serve(
  repositories: Readonly<Record<string, TestRepository>>,
  options: {
    env?: Record<string, string>;
    build?: Builder;
    store?: string;
    resolved?: (resolution: Resolution) => Resolution;
  } = {},
): Promise<Served> {
  const store = options.store ?? mkdtempSync(join(tmpdir(), 'skillquay-server-'));
  const reading = readConfig({ PORT: '0', SNAPSHOT_STORE: store, ...options.env }, () => '');
  if (!reading.ok) throw new Error(reading.problems.join());
  const config: Config = reading.config;
  const app = await createApp({
    config,
    hosts: new Map([['gh', hostOf(repositories, options.resolved)]]),
    build: options.build ?? builder,
    log: pino({ level: 'silent' }),
  });
  const origin = `http://127.0.0.1:${await app.listen()}`;

  const post = async (
    address: string,
    headers: Record<string, string>,
    message: object,
  ): Promise<Message> => {
    const response = await fetch(origin + address, {
      method: 'POST',
      headers: { ...JSON_AND_EVENTS, ...headers },
      body: JSON.stringify(message),
    });
    const body = await response.text();
    const json = body.startsWith('event:') ? (/^data: (.*)$/m.exec(body)?.[1] ?? '') : body;
    return { ...JSON.parse(json), status: response.status, body };
  };
  const called = (message: Message): Called => {
    const { content, isError } = message.result ?? {};
    if (!Array.isArray(content)) throw new Error(`no result: ${message.body.slice(0, 500)}`);
    return {
      text: content[0].text,
      isError: isError === true,
      resultBytes: Buffer.byteLength(JSON.stringify(message.result)),
      bodyBytes: Buffer.byteLength(message.body),
      status: message.status,
    };
  };
  const request: Served['request'] = (address, method, params = {}) => {
    const name =
      'name' in params
        ? String(params.name)
        : method === 'resources/read' && 'uri' in params
          ? String(params.uri)
          : undefined;
    return post(
      address,
      { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name ? { 'mcp-name': name } : undefined) },
      {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': MODERN,
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      },
    );
  };
  const requestLegacy: Served['requestLegacy'] = (address, method, params = {}) =>
    post(address, { 'mcp-protocol-version': '2025-11-25' }, { jsonrpc: '2.0', id: 1, method, params });
  return {
    app,
    origin,
    store,
    request,
    requestLegacy,
    call: async (address, name, args = {}) =>
      called(await request(address, 'tools/call', { name, arguments: args })),
    callLegacy: async (address, name, args = {}) =>
      called(await requestLegacy(address, 'tools/call', { name, arguments: args })),
    stop: async () => {
      await app.close();
      if (options.store === undefined) rmSync(store, { recursive: true, force: true });
    },
  };
}

/** The literal call on the last line, if it is a `Next:` line. */
export function nextOf(text: string): { tool: string; args: Record<string, unknown> } | null {
  const match = /^Next: (\w+) (\{.*\})$/.exec(text.split('\n').at(-1) ?? '');
  return match ? { tool: match[1] ?? '', args: JSON.parse(match[2] ?? '{}') } : null;
}
