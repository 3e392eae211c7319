// What git says when a remote does not do what it is asked, as a RegistryError whose words are safe to show.
import { cutAt, visibleLine } from '@skillquay/core/text';
import { GitError } from '@skillquay/git/process';
import { RegistryError, type RegistryErrorCode } from '../errors.ts';

/** Longest reason of a host that is shown, in characters. */
const MAX_REASON = 300;

/** What git quotes, and URLs: they hold names that people chose, which say nothing of what went wrong. */
const NAMES = /'[^'\n]*'|[a-z][a-z0-9+.-]*:\/\/\S+/gi;

/** No connection came about: what else git or ssh print then (a key that is not there) says nothing of the host. */
const NO_CONNECTION =
  /Could not resolve host|Failed to connect|connect to host|Connection (?:refused|timed out)|No route to host|Network is unreachable/i;

/** The sentences of git, and those of hosts on a repository or project. */
const MISSING =
  /^fatal:\s+does not appear to be a git repository|^fatal: repository\s+not found|\breturned error: (?:404|410)\b|\b(?:repository|project)\b.*(?:not found|does not exist|could not be found)/im;

/** The connection broke, or there was none; or the host has an error. */
const PASSING =
  /\breturned error: 5\d\d\b|RPC failed|early EOF|unexpected disconnect|hung up unexpectedly|Connection reset|Empty reply/;

/** Whoever it is that asks, the host knows them. */
const NOT_ALLOWED = /\breturned error: 403\b|access denied|permission denied/i;

/** The first pattern that fits what git printed decides. */
const SAYINGS: ReadonlyArray<readonly [RegExp, RegistryErrorCode, string]> = [
  [
    /mismatched algorithms|object[- ]format|support algorithm|hash algorithm/,
    'bad_data',
    'names its objects in another way',
  ],
  [/\breturned error: 429\b|\bHTTP 429\b|rate limit/i, 'rate_limited', 'asks for a pause. Try again later'],
  [/\breturned error: 5\d\d\b/, 'unreachable', 'has an error. Try again later'],
  [
    /^error: cannot (?:run|spawn|exec)|unable to fork/m,
    'unreachable',
    'cannot be reached: git did not find a program that it needs for this URL, such as ssh. Install it',
  ],
  [
    /^fatal: (?:detected dubious|unsafe) /m,
    'denied',
    "belongs to another user, whose hooks git does not run. Let git do so by `git config --global --add safe.directory` and the repository's path",
  ],
  [
    /^(?:fatal|error): bad (?:numeric |boolean )?config|^fatal: unable to (?:read|access) .*config/m,
    'config',
    'is not asked: a configuration file of your git cannot be read. Correct it',
  ],
  [NO_CONNECTION, 'unreachable', 'cannot be reached. Check the network and the URL'],
  [/^Host key verification failed/m, 'unreachable', 'has an SSH key that is not known. Connect once by hand'],
  [
    /Permission denied \(|Authentication failed|could not read (?:Username|Password)|\breturned error: 401\b/i,
    'credential',
    'refuses the credential, or there is none. Check with `git ls-remote` that your git may read it',
  ],
  [NOT_ALLOWED, 'denied', 'does not let you do this. Ask its owner for the right to push'],
  [/\breturned error: 413\b/, 'refused', 'refuses the change: it is larger than the host takes'],
  [MISSING, 'not_found', 'does not exist, or you may not see it'],
  [/\breturned error: 4\d\d\b/, 'refused', 'refuses what git asks of it. Check the URL'],
  [/transport .*not allowed/, 'config', 'has a scheme that git registries do not have'],
  [
    /\breturned error: 3\d\d\b|redirect(?:s followed|ion\b)/i,
    'refused',
    'is at another place, which your git does not follow to. Name the URL it has now',
  ],
];

/** As likely of what is kept as of what the host has: told only when it was fetched anew. */
const DAMAGED =
  /in tree entry|bad (?:object|tree)|missing (?:necessary objects|blob|tree|commit|object)|did not (?:send all|receive expected)|\bis corrupt|unable to (?:read tree|parse object)|fsck error|inflate:|possible repository corruption|invalid (?:index-pack|object)|index-pack failed|not our ref/i;

const UNKNOWN = 'cannot be used by your git';
/** What git says last when something has gone wrong before. */
const LAST_WORDS = /Could not read from remote|hung up unexpectedly|early EOF/;
const DENIED = {
  credential: 'does not let this credential read it. Give one that may',
  denied: 'does not let you read it. Ask its owner for the right to',
};

export interface FailureContext {
  /** The registry, as people name it. */
  readonly name: string;
  /** `example.com as ann`: whom a refused credential was for; '' where no host is asked. */
  readonly asked: string;
  /** A credential came with the URL. */
  readonly given: boolean;
  /** What a user without a colon in the URL was taken for, where it may be something else. */
  readonly taken: 'name' | 'token' | null;
  /** The host was asked to take a change; it was asked to be read otherwise. */
  readonly isPush?: boolean;
  /** What must not be shown, whoever says it. */
  readonly secrets: readonly string[];
}

/** Whether git says that there is no repository. */
export function saysMissing(error: unknown): boolean {
  return codeOf(error) === 'not_found';
}

/** The code of what git printed; null where it says nothing that is known. */
export function codeOf(error: unknown): RegistryErrorCode | null {
  if (!(error instanceof GitError) || error.kind !== 'failed') return null;
  return sayingOf(error)?.[1] ?? null;
}

/** The same may go well in a moment. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof GitError) || error.kind !== 'failed') return false;
  const said = error.stderr.replace(NAMES, '');
  if ((codeOf(error) ?? 'unreachable') !== 'unreachable') return false;
  return PASSING.test(said) || NO_CONNECTION.test(said);
}

/** The host has looked at a push and will not have it. */
export function isRefusal(error: GitError): boolean {
  return /^ ! \[remote rejected\]|^ ! \[remote failure\]/m.test(error.stderr);
}

/** The branch was not where the push took it to be, or somebody else was moving it. */
export function isMoved(error: GitError): boolean {
  return /\((?:stale info|fetch first|non-fast-forward)\)|cannot lock ref .*(?:File exists|but expected|already exists)/.test(
    error.stderr,
  );
}

export function refusal(error: GitError, context: FailureContext): RegistryError {
  const reason = reasonOf(error.stderr, context);
  return new RegistryError('refused', `The host of ${context.name} refuses the change: ${reason}`);
}

/** Turns what git threw into a RegistryError; anything else is passed on as it is. */
export function gitFailure(error: unknown, context: FailureContext): unknown {
  if (!(error instanceof GitError)) return error;
  const { name } = context;
  switch (error.kind) {
    case 'missing':
      return new RegistryError('internal', `${error.message}.`);
    case 'timeout':
      return new RegistryError('unreachable', `The host of ${name} did not answer in time. Try again later.`);
    case 'full':
      return new RegistryError('internal', 'The disk of this machine is full. Make room on it.');
    case 'too_large':
    case 'unsupported':
      return new RegistryError('bad_data', `${name} is larger than can be read.`);
    case 'cancelled':
    case 'failed': {
      const [code, words] = wordsOf(error, context);
      const said = remoteLines(error.stderr, context);
      const whom = code === 'credential' && context.asked !== '' ? whomOf(error, context) : '';
      return new RegistryError(
        code,
        `${name} ${words}.${whom}${said === '' ? '' : ` The host says: ${said}`}`,
      );
    }
  }
}

function wordsOf(error: GitError, context: FailureContext): readonly [RegistryErrorCode, string] {
  const [, code, words] = sayingOf(error) ?? [];
  if (code === 'denied' && !context.isPush && NOT_ALLOWED.test(error.stderr.replace(NAMES, ''))) {
    const read = context.given ? 'credential' : 'denied';
    return [read, DENIED[read]];
  }
  const line = ownLine(error.stderr, context);
  const says = line === '' ? '' : `. Git says: ${line}`;
  if (code !== undefined && words !== undefined) return [code, code === 'config' ? `${words}${says}` : words];
  if (DAMAGED.test(error.stderr.replace(NAMES, '')))
    return ['bad_data', `is damaged. Run \`git fsck\` where it is, or ask its owner to${says}`];
  return [
    'unreachable',
    line === '' ? 'cannot be reached. Check the network and the URL' : `${UNKNOWN}${says}`,
  ];
}

/** The last line in which git itself says what is wrong. */
function ownLine(stderr: string, context: FailureContext): string {
  const lines = [...stderr.matchAll(/^(?:fatal|error): (?!remote error)(.*)$/gm)].map(
    ([, line = '']) => line,
  );
  const told = lines.filter((line) => !LAST_WORDS.test(line)).at(-1) ?? '';
  return safe(told, context).replace(/\.+$/, '');
}

const WAYS_OUT = {
  name: 'The user in the URL was taken for a name; if it is a token, write a colon behind it: https://token:@host/path.',
  token:
    "The user in the URL was taken for a token; if it is a name, leave it out and let git's credential helper give both.",
};

/** Whom a credential was for. Another host that the first one sends on to is given none. */
function whomOf({ stderr }: GitError, context: FailureContext): string {
  const [, host = ''] =
    /^fatal: could not read \w+ for '[a-z]+:\/\/(?:[^'/@]*@)?([^'/]+)/m.exec(stderr) ?? [];
  const isOther = host !== '' && hostname(context.asked) !== hostname(host);
  const way = isOther || context.taken === null ? '' : ` ${WAYS_OUT[context.taken]}`;
  const sent = isOther
    ? `, which sends on to ${safe(host, context)}, where no password is sent. Name the URL there`
    : '';
  return ` It was asked at ${context.asked}${sent}.${way}`;
}

function hostname(text: string): string {
  return text.replace(/ .*/, '').replace(/:\d+$/, '').toLowerCase();
}

function sayingOf(error: GitError) {
  const said = error.stderr.replace(NAMES, '');
  return SAYINGS.find(([pattern]) => pattern.test(said));
}

/** The words of the host, and those of git. */
function reasonOf(stderr: string, context: FailureContext): string {
  const status =
    /^ ! \[remote (?:rejected|failure)\].*\((.*)\)$/m.exec(stderr)?.[1] ??
    /^(?:fatal|error): (.*)$/m.exec(stderr)?.[1] ??
    'no reason given';
  const said = remoteLines(stderr, context);
  return said === '' ? safe(status, context) : `${said} (${safe(status, context)})`;
}

function remoteLines(stderr: string, context: FailureContext): string {
  const lines = [...stderr.matchAll(/^(?:remote: |fatal: remote error: )(.*)$/gm)].map(
    ([, line = '']) => line,
  );
  return safe(lines.join(' '), context);
}

/** On one line, without credentials and without characters that nobody sees. */
function safe(text: string, { secrets }: FailureContext): string {
  // Colours and other commands to a terminal.
  const plain = text.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, '').replace(/\/\/[^/@\s]+@/g, '//');
  const hidden = (shown: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), shown);
  // What is taken out of a text can be what kept a secret apart.
  return cutAt(hidden(visibleLine(hidden(plain))), MAX_REASON);
}
