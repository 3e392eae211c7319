import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from './http.ts';

let server: HttpServer;
afterEach(() => server.close(100));

/** The status, or the code of what became of the connection. */
function statusOf(port: number, path: string): Promise<number | string | undefined> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
  });
}

test('a reply that cannot be sent takes no other with it, and no place for good', async () => {
  const asked = ['/', '/bad', '/', '/bad', '/bad', '/'];
  const logged: string[] = [];
  /** All are answered when the last of them has come. */
  const waiting: (() => void)[] = [];
  const all = () =>
    new Promise<void>((resolve) => {
      if (waiting.push(resolve) === asked.length) for (const answer of waiting.splice(0)) answer();
    });
  server = createHttpServer(
    async ({ target }) => {
      await all();
      return { status: 200, headers: { 'x-name': target === '/bad' ? 'two\nlines' : 'one' }, body: 'fine' };
    },
    {
      maxBodyBytes: 0,
      maxConcurrentRequests: 6,
      probes: new Set(),
      log: pino({ level: 'fatal' }, { write: (line) => logged.push(JSON.parse(line).msg) }),
    },
  );
  const port = await server.listen(0, '127.0.0.1');
  for (let round = 0; round < 4; round += 1) {
    const seen = await Promise.all(asked.map((path) => statusOf(port, path)));
    expect(seen).toEqual([200, 'ECONNRESET', 200, 'ECONNRESET', 'ECONNRESET', 200]);
  }
  expect(logged).toEqual(Array.from({ length: 12 }, () => 'could not send a reply'));
});

describe('requests that are sent without waiting for replies', () => {
  const REQUEST = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  /** Answered by the test, in the order they were begun. */
  let begun: { target: string; answer: () => void }[];
  let port: number;
  let socket: Socket;
  let received: string;

  beforeEach(async () => {
    begun = [];
    received = '';
    server = createHttpServer(
      ({ target }) =>
        new Promise((resolve) => {
          const answer = () => resolve({ status: 200, headers: {}, body: target });
          begun.push({ target, answer });
        }),
      { maxBodyBytes: 0, maxConcurrentRequests: 1, probes: new Set(), log: pino({ level: 'silent' }) },
    );
    port = await server.listen(0, '127.0.0.1');
    socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
  });
  afterEach(() => void socket.destroy());

  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const bodies = () => [...received.matchAll(/\r\n\r\n(\/[a-z]+)/g)].map(([, body]) => body);
  const answerNext = async (target: string) => {
    await expect.poll(() => begun.map((request) => request.target)).toEqual([target]);
    begun.shift()?.answer();
  };

  test('are answered one after the other, and take one place', async () => {
    socket.write(['/one', '/two', '/three'].map(REQUEST).join(''));
    for (const target of ['/one', '/two', '/three']) await answerNext(target);
    await expect.poll(bodies).toEqual(['/one', '/two', '/three']);
    expect(statuses()).toEqual(['200', '200', '200']);
  });

  test('are refused behind a hundred', async () => {
    socket.write(REQUEST('/x').repeat(103));
    for (let i = 0; i < 101; i += 1) await answerNext('/x');
    await expect.poll(statuses).toEqual([...Array(101).fill('200'), '503', '503']);
    socket.write(REQUEST('/again'));
    await answerNext('/again');
    await expect.poll(() => statuses().at(-1)).toBe('200');
  });

  test('are begun no more once their connection is gone', async () => {
    socket.write(['/one', '/two'].map(REQUEST).join(''));
    await expect.poll(() => begun.length).toBe(1);
    socket.resetAndDestroy();
    // The place is free, and was not taken by what nobody waits for.
    const other = connect(port, '127.0.0.1').resume();
    await expect
      .poll(() => {
        other.write(REQUEST('/other'));
        return begun.map(({ target }) => target);
      })
      .toEqual(['/one', '/other']);
    other.destroy();
  });

  test('are all answered before a server that was told to stop ends their connection', async () => {
    socket.write(['/one', '/two', '/three'].map(REQUEST).join(''));
    await expect.poll(() => begun.length).toBe(1);
    const closed = server.close(10_000);
    for (const target of ['/one', '/two', '/three']) await answerNext(target);
    await closed;
    await expect.poll(bodies).toEqual(['/one', '/two', '/three']);
    expect(received.match(/connection: close/gi)).toHaveLength(1);
    expect(received.slice(received.lastIndexOf('HTTP/1.1'))).toMatch(/connection: close/i);
  });
});
