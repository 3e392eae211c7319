// What a git process is told: an environment without the caller's accidents, settings that run nothing.

export type ConfigMode = 'anonymous' | 'user';
/** Value by name, or several values in their order. */
export type SecretSettings = Readonly<Record<string, string | readonly string[]>>;

/** All that an anonymous git needs of the caller's environment: where programs, proxies and certificates are. */
const ANONYMOUS_VARIABLES =
  /^(PATH|PATHEXT|SYSTEMROOT|TMPDIR|TEMP|TMP|LD_LIBRARY_PATH|GIT_EXEC_PATH|(HTTPS?|ALL|NO)_PROXY|SSL_CERT_(FILE|DIR)|CURL_CA_BUNDLE|GIT_SSL_(CAINFO|CAPATH))$/i;

/** Variables that would point git at another repository, or make it print to places we read. */
const NEVER_INHERITED =
  /^GIT_(DIR|COMMON_DIR|WORK_TREE|PREFIX|NAMESPACE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|GRAFT_FILE|SHALLOW_FILE|CEILING_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|EXTERNAL_DIFF|PAGER|EDITOR|REPLACE_REF_BASE|QUARANTINE_PATH|INTERNAL_.*|TRACE.*|(LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS)$/;

export function baseEnvironment(
  mode: ConfigMode,
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value === undefined || NEVER_INHERITED.test(name)) continue;
    if (mode === 'user' || ANONYMOUS_VARIABLES.test(name)) env[name] = value;
  }
  Object.assign(env, {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    // Empty, not absent: absent falls back to SSH_ASKPASS.
    GIT_ASKPASS: '',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ATTR_NOSYSTEM: '1',
  });
  if (mode === 'anonymous') {
    // A home that does not exist: curl would read ~/.netrc, git ~/.config/git/attributes.
    Object.assign(env, { HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' });
  }
  return env;
}

/** Settings for every run, as `-c` arguments. They outrank whatever a repository's own configuration says. */
export function hardening(mode: ConfigMode, protocols: readonly string[]): string[] {
  const settings = [
    'protocol.allow=never',
    ...protocols.map((protocol) => `protocol.${protocol}.allow=always`),
    // A user's own URL may have moved; an address never leads to another host.
    ...(mode === 'anonymous' ? ['http.followRedirects=false'] : []),
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.askPass=',
    'gc.auto=0',
    'maintenance.auto=false',
    'submodule.recurse=false',
    'fetch.recurseSubmodules=false',
    // Read in place whoever owns it: nothing it configures is run.
    'safe.directory=*',
    // Windows into packs rather than packs as a whole, which would count as the memory of each git that reads.
    'core.packedGitWindowSize=1m',
    'core.packedGitLimit=64m',
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Settings handed over in variables, after those the user has set the same way. */
export function secretSettings(
  base: Readonly<Record<string, string>>,
  secrets: SecretSettings,
): Record<string, string> {
  const pairs = Object.entries(secrets).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  if (pairs.length === 0) return {};
  let count = Number(base.GIT_CONFIG_COUNT ?? 0) || 0;
  const env: Record<string, string> = {};
  for (const [name, value] of pairs) {
    env[`GIT_CONFIG_KEY_${count}`] = name;
    env[`GIT_CONFIG_VALUE_${count}`] = value;
    count++;
  }
  return { ...env, GIT_CONFIG_COUNT: String(count) };
}
