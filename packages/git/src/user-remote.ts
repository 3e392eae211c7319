// How git reaches a URL that its user gave: with the user's configuration, and no password or token where others see it.
import type { GitOptions } from './process.ts';

export interface UserRemote {
  /** Without password or token. */
  readonly url: string;
  readonly options: Pick<GitOptions, 'config' | 'protocols' | 'secrets'>;
}

/** What such a URL may use. Whatever else git knows (`ext::`) runs commands. */
const USER_PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'] as const;
/** A user name this long is a token. */
export const TOKEN_CHARACTERS = 20;

/** A password or token in the URL goes to git in its environment: arguments can be seen by anyone. */
export function userRemote(url: string): UserRemote {
  const protocols = [...USER_PROTOCOLS];
  const web = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  // No ssh takes a password from a URL.
  if (web === null)
    return { url: url.replace(/^(ssh:\/\/[^/:@]*):[^/]*@/i, '$1@'), options: { config: 'user', protocols } };
  if (web.username === '' && web.password === '') return { url, options: { config: 'user', protocols } };
  const [name, password] = [decode(web.username), decode(web.password)];
  web.username = '';
  web.password = '';
  const header = `Authorization: Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  const secrets =
    password !== '' || name.length >= TOKEN_CHARACTERS
      ? { [`http.${web.href}.extraHeader`]: header }
      : { [`credential.${web.origin}.username`]: name };
  return { url: web.href, options: { config: 'user', protocols, secrets } };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
