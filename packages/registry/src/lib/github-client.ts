// Asks GitHub's REST API: one request at a time limit, made again where the host failed or asks to wait, and every
// refusal as a RegistryError that is safe to show.
import { setTimeout as delay } from 'node:timers/promises';
import { cutAt, visibleLine } from '@skillquay/core/text';
import type { CallOptions } from '../backend.ts';
import { RegistryError } from '../errors.ts';
import type { GithubHost } from './github-host.ts';
import { askedFor, limitedFor, type Refusal } from './github-wait.ts';
import { readBounded } from './read-bounded.ts';
import { SharedPause, type Wait } from './shared-pause.ts';

export interface GithubRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Behind the API's URL: `/repos/o/r/git/trees/…?recursive=1` */
  readonly path: string;
  readonly body?: unknown;
  /** Of an answer that is kept: 304 comes back when it still holds. */
  readonly etag?: string | undefined;
  /** Statuses beside success and 304 that the caller reads himself. */
  readonly expect?: readonly number[];
  /** Bytes of the largest answer. */
  readonly maxBytes?: number;
}

export interface GithubAnswer {
  readonly status: number;
  /** As JSON has it; null where there is none. To be checked before use. */
  readonly body: unknown;
  readonly etag: string | null;
  /** What the host says of a refusal, safe to show. */
  readonly reason: string;
}

export interface GithubToken {
  readonly token: string;
  /** Where it was found: `GH_TOKEN`, `gh (/usr/bin/gh)`. */
  readonly from: string;
}

export interface GithubClientOptions {
  readonly host: GithubHost;
  readonly token: GithubToken;
  /** Milliseconds that the host may be silent, beside what it takes to send a request. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to wait; to be given where nobody should wait. */
  readonly wait?: Wait | undefined;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Of the slowest line on which a large file is still sent and read. */
const SLOWEST_BYTES_PER_MS = 64;
/** A recursive tree of 100,000 entries, each with its URL. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
/** Of what is said with a refusal. */
const MAX_ERROR_BYTES = 64 * 1024;
/** The longest wait that a host may ask for. Source: spec, "Conflicts". */
const MAX_WAIT_SECONDS = 60;
const MAX_WAITS = 3;
/** Milliseconds before the second and the third attempt after the host failed, give or take a quarter. */
const RETRY_MS = [500, 1_000];
const MAX_REDIRECTS = 3;
const MAX_REASON_CHARACTERS = 300;
const API_VERSION = '2022-11-28';

type Outcome =
  | { readonly kind: 'response'; readonly answer: GithubAnswer; readonly refusal: Refusal }
  | { readonly kind: 'dropped'; readonly why: string };

export class GithubClient {
  readonly #options: GithubClientOptions;
  readonly #where: string;
  readonly #wait: Wait;
  readonly #pause: SharedPause;

  constructor(options: GithubClientOptions) {
    this.#options = options;
    this.#where = options.host.name;
    this.#wait = options.wait ?? ((time, signal) => delay(time, undefined, { signal }));
    this.#pause = new SharedPause(this.#wait);
  }

  /** Throws RegistryError, and an AbortError when the signal was aborted. */
  async ask(request: GithubRequest, options: CallOptions): Promise<GithubAnswer> {
    let failures = 0;
    let waits = 0;
    for (;;) {
      await this.#pause.passed(options);
      const outcome = await this.#once(request, options.signal);
      const limited = outcome.kind === 'response' ? limitedFor(outcome.refusal) : null;
      if (limited !== null) {
        waits += 1;
        if (limited > MAX_WAIT_SECONDS || waits > MAX_WAITS) throw this.#limited(limited);
        await this.#pause.begin(limited, `${this.#where} limits requests`, options);
        continue;
      }
      if (outcome.kind === 'response' && outcome.answer.status < 500)
        return this.#accepted(request, outcome.answer);
      const seconds = outcome.kind === 'response' ? askedFor(outcome.refusal) : null;
      const pause = RETRY_MS[failures];
      failures += 1;
      if (pause === undefined || (seconds ?? 0) > MAX_WAIT_SECONDS) throw this.#unreachable(outcome, seconds);
      if (seconds !== null) await this.#pause.begin(seconds, `${this.#where} is not available`, options);
      else await this.#wait(pause * (0.75 + Math.random() / 2), options.signal);
    }
  }

  #accepted(request: GithubRequest, answer: GithubAnswer): GithubAnswer {
    const { status } = answer;
    const isFine = (status >= 200 && status < 300) || (status === 304 && request.etag !== undefined);
    if (isFine || request.expect?.includes(status)) return answer;
    throw this.refused(request, answer);
  }

  /** What a refusal is to the caller. */
  refused(request: GithubRequest, answer: GithubAnswer): RegistryError {
    const { status, reason } = answer;
    const said = reason === '' ? '' : `: ${reason}`;
    if (status === 401) return this.tokenRefused(answer);
    // A token that may read and not write is told that there is nothing.
    if (status === 403 || (status === 404 && request.method !== 'GET'))
      return new RegistryError(
        'denied',
        `${this.#where} does not let the token of ${this.#options.token.from} do this (${status})${said}`,
      );
    if (status === 404) return new RegistryError('not_found', `${this.#where} does not have this${said}`);
    if (request.method !== 'GET' && status >= 400)
      return new RegistryError('refused', `${this.#where} refuses the change (${status})${said}`);
    return new RegistryError('bad_data', `${this.#where} answered with the status ${status}${said}`);
  }

  /** A refusal of whoever asks, whatever he asks for. */
  tokenRefused({ reason }: GithubAnswer): RegistryError {
    const said = reason === '' ? '' : `: ${reason}`;
    return new RegistryError(
      'credential',
      `${this.#where} refuses the token of ${this.#options.token.from}${said}`,
    );
  }

  /** An answer that is not what it is to be. */
  badData(what: string): RegistryError {
    return new RegistryError('bad_data', `${this.#where} answered with ${what}. Try again.`);
  }

  async #once(request: GithubRequest, signal: AbortSignal): Promise<Outcome> {
    signal.throwIfAborted();
    const { timeoutMs: answerMs = REQUEST_TIMEOUT_MS, host } = this.#options;
    const body = request.body === undefined ? null : JSON.stringify(request.body);
    const max = request.maxBytes ?? MAX_ANSWER_BYTES;
    const silenceMs = answerMs + Math.ceil((body?.length ?? 0) / SLOWEST_BYTES_PER_MS);
    const silence = new AbortController();
    const silent = setTimeout(() => silence.abort(), silenceMs);
    const tooLong = AbortSignal.timeout(silenceMs + Math.ceil(max / SLOWEST_BYTES_PER_MS));
    const ended = AbortSignal.any([signal, silence.signal, tooLong]);
    try {
      const response = await this.#send(request, body, new URL(host.api + request.path), ended);
      const { status, headers } = response;
      const bytes = await readBounded(response, status < 400 ? max : MAX_ERROR_BYTES, () => silent.refresh());
      const parsed = this.#parsed(status, bytes);
      const reason = status < 400 ? '' : this.#reason(parsed);
      const answer = { status, body: parsed, etag: headers.get('etag'), reason };
      return { kind: 'response', answer, refusal: { status, headers, reason } };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RegistryError) throw error;
      const why = silence.signal.aborted
        ? `did not answer within ${Math.ceil(silenceMs / 1_000)} seconds`
        : tooLong.aborted
          ? 'answered too slowly'
          : reasonOf(error);
      return { kind: 'dropped', why };
    } finally {
      clearTimeout(silent);
    }
  }

  /** Follows the host to where it has moved something, on the same origin only: nobody else gets the token. */
  async #send(
    { method, etag }: GithubRequest,
    body: string | null,
    begin: URL,
    signal: AbortSignal,
  ): Promise<Response> {
    let url = begin;
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        signal,
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${this.#options.token.token}`,
          'user-agent': 'skillquay',
          'x-github-api-version': API_VERSION,
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        body,
      });
      const location = [301, 302, 307, 308].includes(response.status)
        ? response.headers.get('location')
        : null;
      if (location === null) return response;
      await response.body?.cancel();
      const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
      if (next?.origin !== begin.origin)
        throw new RegistryError(
          'unreachable',
          `${this.#where} sends on to another host, which is not followed. Correct GH_HOST or GITHUB_API_URL.`,
        );
      if (redirects >= MAX_REDIRECTS)
        throw new RegistryError('unreachable', `${this.#where} sends on without end.`);
      url = next;
    }
  }

  #parsed(status: number, bytes: Uint8Array | null): unknown {
    if (bytes === null) {
      if (status >= 400) return null;
      throw this.badData('more than can be read');
    }
    if (bytes.length === 0) return null;
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      if (status >= 400) return null;
      throw this.badData('what is no JSON');
    }
  }

  /** What the host says, on one line, without what nobody sees, without the token, cut. */
  #reason(body: unknown): string {
    const text = visibleLine(messageOf(body)).replaceAll(this.#options.token.token, '[token]');
    return cutAt(text, MAX_REASON_CHARACTERS);
  }

  #limited(seconds: number): RegistryError {
    const time = new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
    return new RegistryError(
      'rate_limited',
      `${this.#where} limits requests until ${time} UTC, in ${shownSeconds(seconds)}. Try again then.`,
      seconds,
    );
  }

  #unreachable(outcome: Outcome, seconds: number | null): RegistryError {
    const why =
      outcome.kind === 'dropped'
        ? outcome.why
        : `answered with the status ${outcome.answer.status}, again and again`;
    return new RegistryError('unreachable', `${this.#where} ${why}. Try again later.`, seconds ?? undefined);
  }
}

/** `message`, and what its `errors` add. */
function messageOf(body: unknown): string {
  if (typeof body !== 'object' || body === null || !('message' in body) || typeof body.message !== 'string')
    return '';
  const errors = 'errors' in body && Array.isArray(body.errors) ? body.errors : [];
  const more = errors.flatMap((error: unknown) => {
    if (typeof error === 'string') return [error];
    const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : null;
    return typeof message === 'string' ? [message] : [];
  });
  return [body.message, ...more].join(' ');
}

/** Of what went wrong below HTTP: the code alone, since messages name addresses and files. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be found by name';
  if (code === 'ECONNREFUSED') return 'takes no connection';
  if (/CERT|SSL|TLS|SELF_SIGNED/.test(code)) return `has a certificate that is not trusted (${code})`;
  return `closed the connection${/^[A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : ''}`;
}

function shownSeconds(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
