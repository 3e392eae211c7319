// How git reaches a URL: anonymously at a known host, or as the user at a URL they gave.
import type { Transport } from './pack-store.ts';

/** What a URL given on a command line may use. Whatever else git knows (`ext::`) runs commands. */
const USER_PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'] as const;
/** A user name this long is a token. */
const TOKEN_CHARACTERS = 20;

/** A repository of a host key: no configuration, no credentials, one protocol. */
export function webTransport(url: string): Transport {
  return { url, options: { config: 'anonymous', protocols: [new URL(url).protocol.slice(0, -1)] } };
}

/** A URL as given. A password or token in it goes to git in its environment: arguments can be seen by anyone. */
export function userTransport(url: string): Transport {
  const protocols = [...USER_PROTOCOLS];
  const web = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (web === null || (web.username === '' && web.password === ''))
    return { url, options: { config: 'user', protocols } };
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
