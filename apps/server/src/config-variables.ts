// Every environment variable of a deployment: what it is for, its rule, and its default. Source: spec, Running it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseAddress } from '@skillquay/core/address';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { z } from 'zod';
import { isNetwork } from './lib/client-address.ts';
import { baseUrl, integer, isWebUrl, list, variable, wholeNumber } from './lib/variable.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const MIN_CURSOR_KEY_CHARACTERS = 32;
export const DEFAULT_RATE_LIMIT_PER_MINUTE = 600;
const KIB = 1024;
const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** A repository as its address without the first slash. */
function isRepository(text: string): boolean {
  const parsed = parseAddress(`/${text}`);
  return parsed.ok && parsed.address.ref === null && parsed.address.path === '';
}

export const VARIABLES = {
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
    'Bytes of answers kept in memory, half of them for the skills extension; 0 keeps none.',
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
  READ_MAX_FILE_BYTES: integer(
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
    'Repositories you vouch for; their default branch is served whole, whatever its licenses say, and without a provenance notice.',
    'repositories such as gh/acme/library or gl/group~team/recipes',
    isRepository,
  ),
  LOG_LEVEL: variable<LogLevel>({
    about: `One of ${LOG_LEVELS.join(', ')}. Logs are JSON lines on standard error; requests are logged at info.`,
    rule: `must be one of ${LOG_LEVELS.join(', ')}`,
    schema: z.enum(LOG_LEVELS),
    fallback: 'error',
    shown: 'error',
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

export type Name = keyof typeof VARIABLES;

/** The text of `.env.example`: every variable with what it is for and what stands in its place. */
export function envExample(): string {
  const lines = [
    '# Every variable with its default. None is required. Generated from the table in apps/server/src/config-variables.ts.',
  ];
  for (const [name, { about, shown, secret }] of Object.entries(VARIABLES)) {
    lines.push('', `# ${about}`);
    if (secret) lines.push(`# Or ${name}_FILE, the path of a file that holds it.`);
    lines.push(`# ${name}=${shown}`);
  }
  return `${lines.join('\n')}\n`;
}
