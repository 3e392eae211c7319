// The life of a request, top to bottom: whose name it asks for, which address, which mount, page or protocol.
import { type Address, formatAddress } from '@skillquay/core/address';
import { PROVENANCE } from '@skillquay/core/provenance';
import type { Logger } from 'pino';
import { mcpRequest, throughSdk } from './adapter.ts';
import type { Config } from './config.ts';
import { DEFAULT_RATE_LIMIT_PER_MINUTE } from './config-variables.ts';
import { connectLines, serverNameFor } from './connect-lines.ts';
import { mountPage, type PageState } from './connect-page.ts';
import type { Endpoint } from './endpoint.ts';
import { throughFastLane } from './fast-lane.ts';
import { type HttpHandler, jsonReply, type Reply } from './http.ts';
import { iconReply } from './icon.ts';
import type { HttpRequest } from './incoming-request.ts';
import { allowedHosts, isOwnOrigin } from './lib/allowed-hosts.ts';
import { forwardingRules } from './lib/client-address.ts';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from './lib/cors.ts';
import { isLoopback } from './lib/loopback.ts';
import { createRateLimit } from './lib/rate-limit.ts';
import { httpHandler } from './mcp.ts';
import type { MountFailure, MountState, Mounts, OpenMount } from './mounts.ts';
import { accountPage, errorPage, homePage, type Site } from './site-pages.ts';

/** They come by IP address, however much there is to do, and say nothing that is worth protecting. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Folders, skills and problems named on a page. */
const MAX_PAGE_FOLDERS = 50;
const MAX_PAGE_SKILLS = 50;
const MAX_PAGE_PROBLEMS = 20;

/** A mount whose folder is there, as far as is known. */
export type PresentState = Exclude<MountState, { status: 'absent' }>;

export interface HandlerOptions {
  readonly config: Config;
  readonly mounts: Mounts;
  readonly endpointOf: (mount: OpenMount, state: PresentState, origin: string) => Endpoint;
  /** What the process was started with, for pages that are shown to no other website. */
  readonly site: Site;
  /** Whether requests should come here: false from the moment the process is told to stop. */
  readonly ready: () => boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

export function createRequestHandler(options: HandlerOptions): HttpHandler {
  const { config, mounts, log, site } = options;
  const isAllowedHost = allowedHosts(config);
  const forwarding = forwardingRules(config.trustedProxies);
  const perMinute =
    config.rateLimitPerMinute ?? (isLoopback(config.host) ? 0 : DEFAULT_RATE_LIMIT_PER_MINUTE);
  const rate = perMinute === 0 ? null : createRateLimit(perMinute, options.now);

  return async (request) => {
    const mark = request.target.indexOf('?');
    const path = mark < 0 ? request.target : request.target.slice(0, mark);

    if (path === '/healthz') return health(true);
    if (path === '/readyz') return health(options.ready());

    if (!isAllowedHost(request.headers.host)) return refuse(403, HOST_NOT_ALLOWED);
    const wait = rate?.take(forwarding.addressOf(request)) ?? 0;
    if (wait > 0) return path.startsWith('/local/') ? tooOften(wait) : open(tooOften(wait));
    if (path === '/icon.png' || path === '/favicon.ico' || path.startsWith('/icon/'))
      return open(get(request, iconReply));
    if (path === '/robots.txt') return open(get(request, robotsReply));
    // It names what this process was started with, which no other website needs to know.
    if (path === '/') return get(request, () => homePage(site));

    const parsed = mounts.parse(path);
    const isLocal = parsed.ok ? parsed.address.host === 'local' : path.startsWith('/local/');
    if (isLocal && isForeign(request)) return refuse(403, ORIGIN_NOT_ALLOWED);
    const share = isLocal ? unshared : open;
    return parsed.ok
      ? atAddress(request, parsed.address, share)
      : share(notAnAddress(request, path, parsed.failure));
  };

  function notAnAddress(request: HttpRequest, path: string, failure: MountFailure): Reply {
    if (request.method === 'OPTIONS') return { status: 204, headers: ALLOW, body: '' };
    if (!wantsPage(request)) return mountError(failure);
    if (failure.code === 'address.account') return accountPage(path, servedBelow(path));
    return withoutSlash(path) ?? pageOf(failure, []);
  }

  /** A person who types a slash too many is sent on; a client has a spelling to mend. */
  function withoutSlash(path: string): Reply | null {
    const shorter = path.replace(/\/+$/, '');
    if (shorter === path) return null;
    const parsed = mounts.parse(shorter);
    if (parsed.ok) return movedTo(formatAddress(parsed.address));
    return parsed.failure.code === 'address.account' ? movedTo(shorter) : null;
  }

  /** What the process was started with of an account of this machine. */
  function servedBelow(account: string): readonly string[] {
    return account.startsWith('/local/')
      ? site.addresses.filter((address) => address.startsWith(`${account}/`))
      : [];
  }

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

    let mount = mounts.known(address);
    if (mount === null) {
      const opened = await mounts.open(address, request);
      if (!opened.ok) {
        const served = address.host === 'local' ? site.addresses : [];
        return share(asPage ? pageOf(opened.failure, served) : mountError(opened.failure));
      }
      mount = opened.mount;
    }
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
    const state = mount.kept() ?? (await mount.state(0, request));
    if (state.status === 'absent') return asPage ? pageOf(absent(mount), []) : mountError(absent(mount));

    const origin = config.publicOrigin ?? `${forwarding.schemeOf(request)}://${request.headers.host}`;
    if (asPage) return connectPage(mount, state, origin);
    const endpoint = options.endpointOf(mount, state, origin);
    const mcp = mcpRequest(request.method, request.headers, body, request);
    return (await throughFastLane(mcp, endpoint)) ?? (await throughSdk(httpHandler(endpoint, log), mcp));
  }

  function connectPage(mount: OpenMount, state: PresentState, origin: string): Reply {
    const { identity, address } = mount;
    const url = origin + identity.address;
    return mountPage({
      address,
      identity,
      url,
      canonical: origin + identity.repository,
      state: pageState(state),
      notice: identity.verified ? null : `Notice: ${PROVENANCE}`,
      clients: connectLines(serverNameFor(address), url),
    });
  }
}

function pageState(state: PresentState): PageState {
  switch (state.status) {
    case 'ready':
      return {
        status: 'ready',
        overview: state.mount.overview(MAX_PAGE_FOLDERS, MAX_PAGE_SKILLS),
        problems: state.mount.problems(MAX_PAGE_PROBLEMS),
      };
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

/** Nothing local, and of a repository only what stands for its default branch. */
const ROBOTS = 'User-agent: *\nDisallow: /local/\nDisallow: /*@\nAllow: /\n';

function robotsReply(): Reply {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: ROBOTS };
}

/** `address` begins with the key of a host, so it names no other origin. */
function movedTo(address: string): Reply {
  return { status: 308, headers: { location: address }, body: '' };
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

function pageOf({ status, message, retryAfter }: MountFailure, served: readonly string[]): Reply {
  return errorPage(
    status,
    message,
    served,
    retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
  );
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
