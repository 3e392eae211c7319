// How git reaches a URL that its user gave: with the user's configuration, and no password or token where others see it.
import type { GitOptions } from './process.ts';

export interface UserRemote {
  /** Without password or token. */
  readonly url: string;
  readonly options: Pick<GitOptions, 'config' | 'protocols' | 'secrets' | 'env'>;
}

/** What such a URL may use. Whatever else git knows (`ext::`) runs commands. */
const USER_PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'] as const;
/** A user name this long may be a token. */
const TOKEN_CHARACTERS = 20;
/** How hosts begin their tokens, and names may begin as well. */
const TOKEN_PREFIX = /^(?:gh[a-z]_|github_pat_|gl[a-z]{2,12}-|ATBB|ATCTT|ATATT|hf_|bb[a-z]*_|sk-|pat[-_])/;
/** The tokens that hosts give out, in at least the length that they have. Source: the hosts' own pages on secret scanning. */
const TOKEN =
  /^(?:gh[oprsu]_\w{36}|github_pat_\w{59}|gl(?:cbt|dt|oas|pat|ptt|rt|soat)-[\w.-]{20}|ATBB\w{28}|AT(?:A|C)TT3[\w=-]{60}|BBDC-[\w+/@-]{40}|hf_\w{30})/;
/** Other tokens are letters and digits by chance: so often do they change in one, and hardly ever in a name. */
const TOKEN_CHANGES = 4;
/** What hosts have people write for a password where the user name is a token. */
const NO_PASSWORD = ['', 'x-oauth-basic'];

/** Written for sh, which git has everywhere. Whoever lists processes sees this text and no more. */
const HELPER = `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$SKILLQUAY_GIT_USER" "$SKILLQUAY_GIT_PASSWORD"; }; f`;

/**
 * A password or token in the URL goes to git in its environment: arguments can be seen by anyone. Git asks for it by
 * origin, so a host that sends on to another one does not pass it on (a header would be sent there too).
 */
export function userRemote(url: string): UserRemote {
  const protocols = [...USER_PROTOCOLS];
  const web = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  // Nothing but HTTP takes a password from a URL.
  if (web === null) {
    const plain = url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/:@]*):[^/]*@/i, '$1@');
    return { url: plain, options: { config: 'user', protocols } };
  }
  const { name, password, secret } = userOf(url);
  if (name === '' && password === '') return { url, options: { config: 'user', protocols } };
  web.username = '';
  web.password = '';
  const setting = `credential.${web.origin}`;
  if (secret === null)
    return {
      url: web.href,
      options: { config: 'user', protocols, secrets: { [`${setting}.username`]: name } },
    };
  return {
    url: web.href,
    options: {
      config: 'user',
      protocols,
      // Empty first: none of the user's own helpers is asked, or told to store it.
      secrets: { [`${setting}.helper`]: ['', HELPER] },
      env: { SKILLQUAY_GIT_USER: name, SKILLQUAY_GIT_PASSWORD: password },
    },
  };
}

export interface UrlUser {
  readonly name: string;
  readonly password: string;
  /** Which of the two nobody may see. null where neither is more than the name of somebody. */
  readonly secret: 'name' | 'password' | null;
}

/** The user before the host of an http(s) URL. */
export function userOf(url: string): UrlUser {
  const [, user = ''] = /^https?:\/\/([^/?#]*)@/i.exec(url) ?? [];
  const colon = user.indexOf(':');
  const name = decoded(colon === -1 ? user : user.slice(0, colon));
  const password = colon === -1 ? '' : decoded(user.slice(colon + 1));
  if (!NO_PASSWORD.includes(password)) return { name, password, secret: 'password' };
  // Who writes the colon says that there is no password to be asked for.
  return { name, password, secret: colon !== -1 || isToken(name) ? 'name' : null };
}

/** Nobody may see it, whatever it is used for. */
export function looksLikeToken(name: string): boolean {
  return name.length >= TOKEN_CHARACTERS || TOKEN_PREFIX.test(name);
}

/** It can hardly be the name of somebody, for whom the user's git has the password. */
function isToken(name: string): boolean {
  if (TOKEN.test(name)) return true;
  const changes = name.match(/[a-z](?=[0-9])|[0-9](?=[a-z])/gi) ?? [];
  return name.length >= TOKEN_CHARACTERS && /^[\w+/=.~-]*$/.test(name) && changes.length >= TOKEN_CHANGES;
}

/**
 * Why git would not find the user or the password of a URL where they were meant to be, and would show them; null where
 * they are in their place. It repeats nothing of the URL: any part of one that is written wrong may be a password.
 */
export function misplacedUser(url: string): string | null {
  const [, scheme = '', host = '', rest = ''] = /^([^:]*):\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (/^file$/i.test(scheme))
    return host.includes('@') ? 'A file URL has no user or password. Leave them out.' : null;
  if (rest.includes('@'))
    return 'A git URL has no @ behind its host. In a path write %40 for it; in a password write %2F for /, %3F for ? and %23 for #.';
  if (/^https?$/i.test(scheme) && !URL.canParse(url))
    return 'That is no URL. Check its host and port; in a password write %23 for #.';
  return null;
}

/** What was written, to be said back where it is no source: it may be a URL, or meant for one. */
export function saidBack(text: string): string {
  return text
    .replace(/:\/\/[^\n]*@/g, '://')
    .replace(/(:\/\/[^\s'?]*)\?[^\s']*/g, '$1')
    .replace(/[^\s'/@:]*:(?=\S)[^\n]*@/g, '***@');
}

/** As it was meant; a text that is written wrong is itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
