// The configuration of a deployment: environment variables, read once through a schema. Source: spec, Running it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseAddress } from '@skillquay/core/address';
import { DEFAULT_LIMITS, type ReadingLimits } from '@skillquay/core/limits';
import { z } from 'zod';
import { isNetwork } from './lib/client-address.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** `https://skills.example.com`, without a trailing slash; null = made from the Host of each request. */
  readonly publicOrigin: string | null;
  /** Host names this deployment answers to, besides that of the public origin. */
  readonly allowedHosts: readonly string[];
  readonly refTtlSeconds: number;
  readonly indexWaitMs: number;
  readonly indexConcurrency: number;
  readonly snapshotStore: string;
  readonly snapshotStoreBytes: number;
  readonly indexMemoryBytes: number;
  readonly resultCacheBytes: number;
  readonly shutdownGraceSeconds: number;
  readonly maxBodyBytes: number;
  readonly maxConcurrentRequests: number;
  /** Requests of one client; 0 = as many as it likes; null = by where the process listens. */
  readonly rateLimitPerMinute: number | null;
  /** Addresses and networks whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly limits: ReadingLimits;
  /** Base URL for each host key. */
  readonly hosts: { readonly gh: string; readonly gl: string; readonly cb: string };
  /** Repositories the operator vouches for, e.g. `gh/acme/library`. */
  readonly verified: readonly string[];
  readonly logLevel: LogLevel;
  /** Signs cursors; null = one is made and kept in the snapshot store. */
  readonly cursorKey: string | null;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type ConfigReading =
  | { readonly ok: true; readonly config: Config }
  /** One sentence a problem: the variable and its rule, never the value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Bytes of each part of a store that may hold so many. Both can be made again, repositories at a host's expense. */
export function storeShares(bytes: number): { readonly indexes: number; readonly repositories: number } {
  const indexes = Math.floor(bytes / 2);
  return { indexes, repositories: bytes - indexes };
}

export const MIN_CURSOR_KEY_CHARACTERS = 32;
export const DEFAULT_RATE_LIMIT_PER_MINUTE = 600;
const KIB = 1024;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** A variable: what it is for, the rule a value must meet, and what stands in its place when it is not set. */
interface Variable<T> {
  readonly about: string;
  readonly rule: string;
  readonly schema: z.ZodType<T, string>;
  readonly fallback: T;
  /** How `.env.example` writes the fallback. */
  readonly shown: string;
  /** May come from a file named by `<NAME>_FILE`. */
  readonly secret?: true;
}

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));
}

function integer(about: string, min: number, max: number, fallback: number): Variable<number> {
  return {
    about,
    rule: `must be a whole number from ${min} to ${max}`,
    schema: wholeNumber(min, max),
    fallback,
    shown: String(fallback),
  };
}

function baseUrl(about: string, fallback: string): Variable<string> {
  return {
    about,
    rule: 'must be an http:// or https:// URL without user name, password, query or fragment',
    schema: z
      .string()
      .refine((text) => isWebUrl(text))
      .transform((text) => text.replace(/\/+$/, '')),
    fallback,
    shown: fallback,
  };
}

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !url.search && !url.hash
  );
}

/** Items parted by commas or white space. */
function list(about: string, rule: string, isItem: (text: string) => boolean): Variable<readonly string[]> {
  return {
    about,
    rule: `must be ${rule}, parted by commas or spaces`,
    schema: z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
      .pipe(z.array(z.string().refine(isItem))),
    fallback: [],
    shown: '',
  };
}

/** A repository as its address without the first slash. */
function isRepository(text: string): boolean {
  const parsed = parseAddress(`/${text}`);
  return parsed.ok && parsed.address.ref === null && parsed.address.path === '';
}

const variable = <T>(v: Variable<T>): Variable<T> => v;

const VARIABLES = {
  PORT: integer('Port to listen on; 0 takes a free one.', 0, 65_535, 4747),
  HOST: variable<string>({
    about: 'Address to listen on. On a loopback address only loopback names are answered.',
    rule: 'must be an IP address or a host name',
    schema: z.string().regex(/^[A-Za-z0-9.:_-]{1,253}$/),
    fallback: '127.0.0.1',
    shown: '127.0.0.1',
  }),
  PUBLIC_ORIGIN: variable<string | null>({
    about: 'Where people reach this deployment, e.g. https://skills.example.com.',
    rule: 'must be an http:// or https:// origin without a path',
    schema: z
      .string()
      .refine((text) => isWebUrl(text) && new URL(text).pathname === '/')
      .transform((text): string | null => new URL(text).origin),
    fallback: null,
    shown: '',
  }),
  ALLOWED_HOSTS: list(
    'More host names to answer to, besides that of PUBLIC_ORIGIN.',
    'host names without port',
    (text) => /^[A-Za-z0-9._-]{1,253}$|^\[[0-9A-Fa-f:.]+\]$/.test(text),
  ),
  REF_TTL_SECONDS: integer('Seconds for which a branch or tag is not asked for again.', 1, 3_600, 60),
  INDEX_WAIT_MS: integer(
    'Milliseconds a tool call waits for an index before it answers "indexing".',
    0,
    60_000,
    10_000,
  ),
  INDEX_CONCURRENCY: integer('Commits indexed at the same time; 0 only serves what is indexed.', 0, 64, 2),
  SNAPSHOT_STORE: variable<string>({
    about: 'Directory for indexes and fetched repositories. Everything in it can be made again.',
    rule: 'must be a path of a directory',
    schema: z.string().refine((text) => text.trim() !== '' && !/^[a-z0-9+.-]+:\/\//i.test(text)),
    fallback: join(homedir(), '.cache', 'skillquay'),
    shown: '~/.cache/skillquay',
  }),
  SNAPSHOT_STORE_BYTES: integer(
    'Bytes the store may hold, indexes and fetched repositories half each; the least recently used is removed first.',
    64 * MIB,
    2 ** 50,
    20 * GIB,
  ),
  INDEX_MEMORY_BYTES: integer('Bytes of indexes kept in memory.', 16 * MIB, 2 ** 40, 512 * MIB),
  RESULT_CACHE_BYTES: integer(
    'Bytes of rendered tool results kept in memory; 0 keeps none.',
    0,
    2 ** 40,
    64 * MIB,
  ),
  SHUTDOWN_GRACE_SECONDS: integer(
    'Seconds that requests in flight get when the process is stopped.',
    0,
    600,
    20,
  ),
  MAX_BODY_BYTES: integer('Bytes of the largest request body.', KIB, 64 * MIB, MIB),
  MAX_CONCURRENT_REQUESTS: integer('Requests answered at the same time; more get 503.', 1, 100_000, 1_000),
  RATE_LIMIT_PER_MINUTE: variable<number | null>({
    about: `Requests one client may make in a minute, and at once; 0 does not count. Not counted on a loopback HOST unless set.`,
    rule: 'must be a whole number from 0 to 1000000',
    schema: wholeNumber(0, 1_000_000).transform((number): number | null => number),
    fallback: null,
    shown: String(DEFAULT_RATE_LIMIT_PER_MINUTE),
  }),
  TRUSTED_PROXIES: list(
    'Proxies in front of this process, whose X-Forwarded-For and X-Forwarded-Proto are believed.',
    'IP addresses or networks such as 10.0.0.0/8',
    isNetwork,
  ),
  LIMIT_TREE_ENTRIES: integer('Tree entries kept of one commit.', 1, 5_000_000, DEFAULT_LIMITS.treeEntries),
  LIMIT_MANIFESTS: integer('Manifests of one commit; more fail it.', 1, 100_000, DEFAULT_LIMITS.manifests),
  LIMIT_INDEXED_FILES: integer(
    'Files of one commit that are searched.',
    0,
    5_000_000,
    DEFAULT_LIMITS.indexedFiles,
  ),
  LIMIT_INDEXED_BYTES_PER_FILE: integer(
    'Bytes of one file that are searched.',
    KIB,
    64 * MIB,
    DEFAULT_LIMITS.indexedBytesPerFile,
  ),
  LIMIT_INDEXED_BYTES: integer(
    'Bytes of one commit that are searched.',
    0,
    2 ** 40,
    DEFAULT_LIMITS.indexedBytes,
  ),
  LIMIT_READ_FILE_BYTES: integer(
    'Bytes of the largest file that is served.',
    KIB,
    64 * MIB,
    DEFAULT_LIMITS.readFileBytes,
  ),
  LIMIT_BLOB_BYTES: integer(
    'Bytes of content read from one commit while it is indexed.',
    MIB,
    2 ** 40,
    DEFAULT_LIMITS.blobBytes,
  ),
  GH_URL: baseUrl('Git base URL of the host key gh.', 'https://github.com'),
  GL_URL: baseUrl('Git base URL of the host key gl.', 'https://gitlab.com'),
  CB_URL: baseUrl('Git base URL of the host key cb.', 'https://codeberg.org'),
  VERIFIED: list(
    'Repositories you vouch for; their default branch is served without a provenance notice.',
    'repositories such as gh/acme/library or gl/group~team/recipes',
    isRepository,
  ),
  LOG_LEVEL: variable<LogLevel>({
    about: `One of ${LOG_LEVELS.join(', ')}. Logs are JSON lines on standard error.`,
    rule: `must be one of ${LOG_LEVELS.join(', ')}`,
    schema: z.enum(LOG_LEVELS),
    fallback: 'info',
    shown: 'info',
  }),
  CURSOR_KEY: variable<string | null>({
    about:
      'Signs the cursors of paged results; the same on every process of a deployment. Made and kept in the store when not set.',
    rule: `must have at least ${MIN_CURSOR_KEY_CHARACTERS} characters`,
    schema: z
      .string()
      .min(MIN_CURSOR_KEY_CHARACTERS)
      .transform((text): string | null => text),
    fallback: null,
    shown: '',
    secret: true,
  }),
};

type Name = keyof typeof VARIABLES;

/** The part of the file system that `<NAME>_FILE` needs: the text of a file, or a throw. */
export type ReadText = (path: string) => string;

/**
 * Reads the configuration. A variable that is empty counts as not set, so that `.env` files can leave lines open.
 * Every problem is reported at once; a problem names the variable and its rule and never the value.
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  readText: ReadText,
): ConfigReading {
  const problems: string[] = [];

  const text = (name: Name, secret: boolean): string | undefined => {
    const direct = env[name] || undefined;
    const file = secret ? env[`${name}_FILE`] || undefined : undefined;
    if (file === undefined) return direct;
    if (direct !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set: set one of them`);
      return undefined;
    }
    try {
      return readText(file).trim();
    } catch {
      problems.push(`${name}_FILE must name a file that can be read`);
      return undefined;
    }
  };
  const value = <T>(name: Name, variable: Variable<T>): T => {
    const given = text(name, variable.secret === true);
    if (given === undefined) return variable.fallback;
    const parsed = variable.schema.safeParse(given);
    if (parsed.success) return parsed.data;
    problems.push(`${name} ${variable.rule}`);
    return variable.fallback;
  };

  const config: Config = {
    port: value('PORT', VARIABLES.PORT),
    host: value('HOST', VARIABLES.HOST),
    publicOrigin: value('PUBLIC_ORIGIN', VARIABLES.PUBLIC_ORIGIN),
    allowedHosts: value('ALLOWED_HOSTS', VARIABLES.ALLOWED_HOSTS),
    refTtlSeconds: value('REF_TTL_SECONDS', VARIABLES.REF_TTL_SECONDS),
    indexWaitMs: value('INDEX_WAIT_MS', VARIABLES.INDEX_WAIT_MS),
    indexConcurrency: value('INDEX_CONCURRENCY', VARIABLES.INDEX_CONCURRENCY),
    snapshotStore: value('SNAPSHOT_STORE', VARIABLES.SNAPSHOT_STORE),
    snapshotStoreBytes: value('SNAPSHOT_STORE_BYTES', VARIABLES.SNAPSHOT_STORE_BYTES),
    indexMemoryBytes: value('INDEX_MEMORY_BYTES', VARIABLES.INDEX_MEMORY_BYTES),
    resultCacheBytes: value('RESULT_CACHE_BYTES', VARIABLES.RESULT_CACHE_BYTES),
    shutdownGraceSeconds: value('SHUTDOWN_GRACE_SECONDS', VARIABLES.SHUTDOWN_GRACE_SECONDS),
    maxBodyBytes: value('MAX_BODY_BYTES', VARIABLES.MAX_BODY_BYTES),
    maxConcurrentRequests: value('MAX_CONCURRENT_REQUESTS', VARIABLES.MAX_CONCURRENT_REQUESTS),
    rateLimitPerMinute: value('RATE_LIMIT_PER_MINUTE', VARIABLES.RATE_LIMIT_PER_MINUTE),
    trustedProxies: value('TRUSTED_PROXIES', VARIABLES.TRUSTED_PROXIES),
    limits: {
      treeEntries: value('LIMIT_TREE_ENTRIES', VARIABLES.LIMIT_TREE_ENTRIES),
      manifests: value('LIMIT_MANIFESTS', VARIABLES.LIMIT_MANIFESTS),
      indexedFiles: value('LIMIT_INDEXED_FILES', VARIABLES.LIMIT_INDEXED_FILES),
      indexedBytesPerFile: value('LIMIT_INDEXED_BYTES_PER_FILE', VARIABLES.LIMIT_INDEXED_BYTES_PER_FILE),
      indexedBytes: value('LIMIT_INDEXED_BYTES', VARIABLES.LIMIT_INDEXED_BYTES),
      readFileBytes: value('LIMIT_READ_FILE_BYTES', VARIABLES.LIMIT_READ_FILE_BYTES),
      blobBytes: value('LIMIT_BLOB_BYTES', VARIABLES.LIMIT_BLOB_BYTES),
    },
    hosts: {
      gh: value('GH_URL', VARIABLES.GH_URL),
      gl: value('GL_URL', VARIABLES.GL_URL),
      cb: value('CB_URL', VARIABLES.CB_URL),
    },
    verified: value('VERIFIED', VARIABLES.VERIFIED),
    logLevel: value('LOG_LEVEL', VARIABLES.LOG_LEVEL),
    cursorKey: value('CURSOR_KEY', VARIABLES.CURSOR_KEY),
  };
  return problems.length === 0 ? { ok: true, config } : { ok: false, problems };
}

/** The text of `.env.example`: every variable with what it is for and what stands in its place. */
export function envExample(): string {
  const lines = [
    '# Every variable with its default. None is required. Generated from the schema in apps/server/src/config.ts.',
  ];
  for (const [name, { about, shown, secret }] of Object.entries(VARIABLES)) {
    lines.push('', `# ${about}`);
    if (secret) lines.push(`# Or ${name}_FILE, the path of a file that holds it.`);
    lines.push(`# ${name}=${shown}`);
  }
  return `${lines.join('\n')}\n`;
}
