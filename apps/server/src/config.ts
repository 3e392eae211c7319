// The configuration of a deployment: environment variables, read once through their schema.
import type { ReadingLimits } from '@skillquay/core/limits';
import { type LogLevel, type Name, VARIABLES } from './config-variables.ts';
import type { Variable } from './lib/variable.ts';

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

export type ConfigReading =
  | { readonly ok: true; readonly config: Config }
  /** One sentence a problem: the variable and its rule, never the value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Bytes of each part of a store that may hold so many. Both can be made again, repositories at a host's expense. */
export function storeShares(bytes: number): { readonly indexes: number; readonly repositories: number } {
  const indexes = Math.floor(bytes / 2);
  return { indexes, repositories: bytes - indexes };
}

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
      readFileBytes: value('READ_MAX_FILE_BYTES', VARIABLES.READ_MAX_FILE_BYTES),
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
