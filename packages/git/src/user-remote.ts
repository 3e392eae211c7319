// How git reaches a URL that its user gave: with the user's configuration, and no password or token where others see it.
import type { GitOptions } from './process.ts';

export interface UserRemote {
  /** Without password or token. */
  readonly url: string;
  readonly options: Pick<GitOptions, 'config' | 'protocols' | 'secrets' | 'env'>;
}

/** What such a URL may use. Whatever else git knows (`ext::`) runs commands. */
const USER_PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'] as const;
/** A user name this long is a token. */
export const TOKEN_CHARACTERS = 20;

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
  if (web.username === '' && web.password === '') return { url, options: { config: 'user', protocols } };
  const [name, password] = [decoded(web.username), decoded(web.password)];
  web.username = '';
  web.password = '';
  const setting = `credential.${web.origin}`;
  if (password === '' && name.length < TOKEN_CHARACTERS)
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

/** As it was meant; a text that is written wrong is itself. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
