// Who asks, and by which scheme: from the connection, and from forwarding headers only where a trusted proxy set them.
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';

export interface Connection {
  readonly remoteAddress: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ForwardingRules {
  /** The client's IP address. */
  addressOf(connection: Connection): string;
  /** The scheme by which the client reached the first trusted proxy, or this process. */
  schemeOf(connection: Connection): 'http' | 'https';
}

/** An IP address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= (version === 4 ? 32 : 128));
}

/** `proxies` are addresses and networks that `isNetwork` accepts. */
export function forwardingRules(proxies: readonly string[]): ForwardingRules {
  // Every request asks, and looking an address up in an empty list costs as much as in a long one.
  if (proxies.length === 0)
    return { addressOf: ({ remoteAddress }) => plain(remoteAddress), schemeOf: () => 'http' };

  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', length] = proxy.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    trusted.addSubnet(
      address,
      length === undefined ? (family === 'ipv6' ? 128 : 32) : Number(length),
      family,
    );
  }
  const isTrusted = (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };

  return {
    addressOf({ remoteAddress, headers }) {
      const nearest = plain(remoteAddress);
      if (!isTrusted(nearest)) return nearest;
      // Each proxy adds whom it heard; what stands before the first that is not trusted could be made up.
      const heard = String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .map((part) => plain(part.trim()))
        .reverse();
      return heard.find((address) => !isTrusted(address) && isIP(address) !== 0) ?? nearest;
    },
    schemeOf({ remoteAddress, headers }) {
      const forwarded = isTrusted(plain(remoteAddress)) && headers['x-forwarded-proto'] === 'https';
      return forwarded ? 'https' : 'http';
    },
  };
}

/** `::ffff:10.0.0.1` is 10.0.0.1 heard over IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}
