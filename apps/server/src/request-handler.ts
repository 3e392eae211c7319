// The life of a request, top to bottom: whose name it asks for, which address, which mount, page or protocol.
import type { Address } from '@skillquay/core/address';
import type { Logger } from 'pino';
import { mcpRequest, throughSdk } from './adapter.ts';
import { type Config, DEFAULT_RATE_LIMIT_PER_MINUTE } from './config.ts';
import { connectLines, serverNameFor } from './connect-lines.ts';
import { accountPage, errorPage, homePage, mountPage, type PageState } from './connect-page.ts';
import type { Endpoint } from './endpoint.ts';
import { throughFastLane } from './fast-lane.ts';
import { type HttpHandler, type HttpRequest, jsonReply, type Reply } from './http.ts';
import { iconReply } from './icon.ts';
import { allowedHosts, isOwnOrigin } from './lib/allowed-hosts.ts';
import { forwardingRules } from './lib/client-address.ts';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from './lib/cors.ts';
import { isLoopback } from './lib/loopback.ts';
import { createRateLimit } from './lib/rate-limit.ts';
import { httpHandler } from './mcp.ts';
import type { MountFailure, MountState, Mounts, OpenMount } from './mounts.ts';

const PROVENANCE = 'This content comes from the repository’s author; nobody here has vouched for it.';
/** Folders named on a page. */
const MAX_PAGE_FOLDERS = 50;

/** A mount whose folder is there, as far as is known. */
export type PresentState = Exclude<MountState, { status: 'absent' }>;

export interface HandlerOptions {
  readonly config: Config;
  readonly mounts: Mounts;
  readonly endpointOf: (mount: OpenMount, state: PresentState, origin: string) => Endpoint;
  /** Addresses the process was started with, for its home page. */
  readonly addresses: readonly string[];
  /** Whether requests should come here: false from the moment the process is told to stop. */
  readonly ready: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

export function createRequestHandler(options: HandlerOptions): HttpHandler {
  const { config, mounts, log } = options;
  const isAllowedHost = allowedHosts(config);
  const forwarding = forwardingRules(config.trustedProxies);
  const perMinute =
    config.rateLimitPerMinute ?? (isLoopback(config.host) ? 0 : DEFAULT_RATE_LIMIT_PER_MINUTE);
  const rate = perMinute === 0 ? null : createRateLimit(perMinute, options.now);

  return async (request) => {
    const mark = request.target.indexOf('?');
    const path = mark < 0 ? request.target : request.target.slice(0, mark);

    // Probes come by IP address and say nothing that is worth protecting.
    if (path === '/healthz') return health(true);
    if (path === '/readyz') return health(options.ready());

    if (!isAllowedHost(request.headers.host)) return refuse(403, HOST_NOT_ALLOWED);
    const wait = rate?.take(forwarding.addressOf(request)) ?? 0;
    if (wait > 0) return open(tooOften(wait));
    if (path === '/icon.png' || path.startsWith('/icon/')) return open(get(request, iconReply));
    // It names what this process was started with, which no other website needs to know.
    if (path === '/') return get(request, () => homePage(options.addresses));

    const parsed = mounts.parse(path);
    if (!parsed.ok) return open(notAnAddress(request, path, parsed.failure));
    if (parsed.address.host !== 'local') return atAddress(request, parsed.address, open);
    return isForeign(request)
      ? refuse(403, ORIGIN_NOT_ALLOWED)
      : atAddress(request, parsed.address, unshared);
  };

  function isForeign({ headers: { origin, host } }: HttpRequest): boolean {
    return !isOwnOrigin(origin, host, config.publicOrigin);
  }

  /** `share` gives a reply to other origins, or does not. */
  async function atAddress(request: HttpRequest, address: Address, share: Share): Promise<Reply> {
    if (request.method === 'OPTIONS') return share({ status: 204, headers: ALLOW, body: '' });
    const asPage = wantsPage(request);
    // The SDK refuses these without looking at the mount, so nothing is resolved for them.
    if (!asPage && request.method !== 'POST') return share(methodNotAllowed());

    const body = request.method === 'POST' ? await request.body() : EMPTY;
    if (body === null) return share(tooLarge(config.maxBodyBytes));

    const opened = await mounts.open(address, request.signal);
    if (!opened.ok) return share(failed(opened.failure, asPage));
    const { mount } = opened;
    const isPrivate = mount.resolution.scope === 'private';
    // What only this user may read, a website they happen to visit may not: it gets no CORS, and not even an answer.
    if (isPrivate && isForeign(request)) return refuse(403, ORIGIN_NOT_ALLOWED);
    const reply = await answer(request, mount, asPage, body);
    return isPrivate ? reply : share(reply);
  }

  async function answer(
    request: HttpRequest,
    mount: OpenMount,
    asPage: boolean,
    body: Buffer,
  ): Promise<Reply> {
    const state = await mount.state(0, request.signal);
    if (state.status === 'absent') return failed(absent(mount), asPage);

    const origin = config.publicOrigin ?? `${forwarding.schemeOf(request)}://${request.headers.host}`;
    if (asPage) return connectPage(mount, state, origin);
    const endpoint = options.endpointOf(mount, state, origin);
    const mcp = mcpRequest(request.method, request.headers, body, request.signal);
    return (await throughFastLane(mcp, endpoint)) ?? (await throughSdk(httpHandler(endpoint, log), mcp));
  }

  function connectPage(mount: OpenMount, state: PresentState, origin: string): Reply {
    const { identity, address } = mount;
    const url = origin + identity.address;
    return mountPage({
      identity,
      url,
      canonical: origin + identity.repository,
      state: pageState(state),
      notice: identity.verified ? null : PROVENANCE,
      clients: connectLines(serverNameFor(address), url),
    });
  }
}

function pageState(state: PresentState): PageState {
  switch (state.status) {
    case 'ready':
      return { status: 'ready', overview: state.mount.overview(MAX_PAGE_FOLDERS) };
    case 'indexing': {
      const { read, known } = state.progress;
      const far = known === 0 ? '' : `: ${read} of ${known} files read`;
      return { status: 'indexing', sentence: `Being indexed${far}. This page looks again by itself.` };
    }
    case 'failed':
      return { status: 'failed', sentence: state.reason };
  }
}

const EMPTY = Buffer.alloc(0);
const ALLOW = { allow: 'GET, HEAD, POST, OPTIONS' };

const HOST_NOT_ALLOWED = {
  code: 'request.host_not_allowed',
  message: 'This server does not answer to that host name. Its operator adds names with ALLOWED_HOSTS.',
};
const ORIGIN_NOT_ALLOWED = {
  code: 'request.origin_not_allowed',
  message: 'Local and private repositories are not served to web pages of other origins.',
};

function absent(mount: OpenMount): MountFailure {
  return {
    status: 404,
    code: 'mount.path_not_found',
    message: `Commit ${mount.identity.commit} has no folder with content to serve at ${mount.identity.path}. The whole repository is ${mount.identity.repository}.`,
  };
}

type Share = (reply: Reply) => Reply;

const unshared: Share = (reply) => reply;

/** Readable by every origin, and answering the preflight that asks so. */
function open(reply: Reply): Reply {
  const preflight = reply.headers === ALLOW;
  return { ...reply, headers: { ...reply.headers, ...(preflight ? PREFLIGHT_HEADERS : CORS_HEADERS) } };
}

function notAnAddress(request: HttpRequest, path: string, failure: MountFailure): Reply {
  if (request.method === 'OPTIONS') return { status: 204, headers: ALLOW, body: '' };
  const asPage = wantsPage(request);
  return asPage && failure.code === 'address.account' ? accountPage(path) : failed(failure, asPage);
}

function failed(failure: MountFailure, asPage: boolean): Reply {
  return asPage ? pageOf(failure) : mountError(failure);
}

function wantsPage({ method, headers }: HttpRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const accept = headers.accept ?? '';
  return !accept.includes('application/json') && !accept.includes('text/event-stream');
}

function get(request: HttpRequest, reply: () => Reply): Reply {
  if (request.method === 'OPTIONS') return { status: 204, headers: ALLOW, body: '' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return jsonReply(
      405,
      { error: { code: 'request.method', message: 'Only GET is answered here.' } },
      { allow: 'GET, HEAD' },
    );
  }
  return reply();
}

function health(fine: boolean): Reply {
  return jsonReply(fine ? 200 : 503, { status: fine ? 'ok' : 'stopping' }, { 'cache-control': 'no-store' });
}

function refuse(status: number, error: { readonly code: string; readonly message: string }): Reply {
  return jsonReply(status, { error });
}

function mountError({ status, code, message, retryAfter }: MountFailure): Reply {
  return jsonReply(
    status,
    { error: { code, message } },
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  );
}

function pageOf({ status, message, retryAfter }: MountFailure): Reply {
  return errorPage(status, message, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
}

/** The words of the SDK for a method that its legacy era had and this server does not need. */
function methodNotAllowed(): Reply {
  return jsonReply(
    405,
    { jsonrpc: '2.0', error: { code: -32000, message: 'Method not allowed.' }, id: null },
    { allow: 'POST' },
  );
}

function tooOften(seconds: number): Reply {
  return jsonReply(
    429,
    {
      error: {
        code: 'request.rate_limited',
        message: `Too many requests from here. Ask again in ${seconds} s.`,
      },
    },
    { 'retry-after': String(seconds) },
  );
}

function tooLarge(maxBytes: number): Reply {
  return jsonReply(413, {
    jsonrpc: '2.0',
    error: { code: -32000, message: `Payload Too Large: Request body must not exceed ${maxBytes} bytes` },
    id: null,
  });
}
