import { expect, it } from 'vitest';
import { forwardingRules, isNetwork } from './client-address.ts';
import { createRateLimit } from './rate-limit.ts';

const heard = (remoteAddress: string, forwarded?: string, proto?: string) => ({
  remoteAddress,
  headers: {
    ...(forwarded === undefined ? undefined : { 'x-forwarded-for': forwarded }),
    ...(proto === undefined ? undefined : { 'x-forwarded-proto': proto }),
  },
});

it.each([
  ['a direct client', [], heard('198.51.100.1'), '198.51.100.1', 'http'],
  [
    'a client that makes up headers',
    [],
    heard('198.51.100.1', '203.0.113.9', 'https'),
    '198.51.100.1',
    'http',
  ],
  [
    'a client behind a trusted proxy',
    ['10.0.0.0/8'],
    heard('10.1.2.3', '203.0.113.9', 'https'),
    '203.0.113.9',
    'https',
  ],
  [
    'a client that makes up a first hop',
    ['10.0.0.0/8'],
    heard('10.1.2.3', '1.1.1.1, 203.0.113.9'),
    '203.0.113.9',
    'http',
  ],
  [
    'two trusted proxies',
    ['10.0.0.0/8', '192.0.2.1'],
    heard('10.1.2.3', '203.0.113.9, 192.0.2.1'),
    '203.0.113.9',
    'http',
  ],
  ['nonsense behind a proxy', ['10.0.0.0/8'], heard('10.1.2.3', 'unknown'), '10.1.2.3', 'http'],
  ['a mapped address', ['10.0.0.0/8'], heard('::ffff:10.1.2.3', '2001:db8::1'), '2001:db8::1', 'http'],
  ['a proxy by IPv6', ['2001:db8::/32'], heard('2001:db8::5', '203.0.113.9'), '203.0.113.9', 'http'],
] as const)('%s', (_name, proxies, connection, address, scheme) => {
  const rules = forwardingRules(proxies);
  expect([rules.addressOf(connection), rules.schemeOf(connection)]).toEqual([address, scheme]);
});

it.each([
  ['10.0.0.1', true],
  ['10.0.0.0/8', true],
  ['::1', true],
  ['2001:db8::/32', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8/8', false],
  ['proxy.example', false],
  ['', false],
])('%s is a network: %s', (text, network) => {
  expect(isNetwork(text)).toBe(network);
});

it('a client may ask at its rate, with a burst, and others are not held up by it', () => {
  let time = 0;
  const limit = createRateLimit(60, () => time);
  for (let i = 0; i < 60; i += 1) expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1);
  expect(limit.take('b')).toBe(0);
  time = 999;
  expect(limit.take('a')).toBe(1);
  time = 1_000;
  expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1);
  time = 3_600_000;
  for (let i = 0; i < 60; i += 1) expect(limit.take('a')).toBe(0);
  expect(limit.take('a')).toBe(1);
});

it('a client that asks seldom is told how long to wait', () => {
  const limit = createRateLimit(2, () => 0);
  expect([limit.take('a'), limit.take('a'), limit.take('a')]).toEqual([0, 0, 30]);
});
