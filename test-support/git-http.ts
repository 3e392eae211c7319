// A git host for tests: smart HTTP by `git http-backend`, which can be switched off, slowed and made to refuse.
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** `down` cuts each connection, `silent` never answers, a number is the HTTP status of every answer. */
export type GitServerMode = 'up' | 'down' | 'silent' | number;

export interface GitServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** What was asked for, in order: method, path, and the credentials sent. */
  readonly requests: ReadonlyArray<{ readonly line: string; readonly authorization: string | undefined }>;
  mode: GitServerMode;
  /** Called before each pack is sent; the answer waits for it. */
  beforePack: (() => Promise<void>) | undefined;
  /** Called before each piece of an answer is sent, which waits for it. */
  beforePiece: ((bytes: number) => Promise<void>) | undefined;
  /** Speaks protocol version 0 alone, as servers before git 2.18 do. */
  old: boolean;
  /** The one `user:password` that is let in; everyone is without. */
  credentials: string | undefined;
  /** Takes pushes. */
  writable: boolean;
  /** Where a request is sent on to: a URL by path and query. */
  redirect: ((asked: string) => string | undefined) | undefined;
  /** Cuts the connection when a push is done, before it says so. */
  mute: boolean;
  close(): Promise<void>;
}

/** Serves bare repositories: `{ 'acme/library.git': repo.dir }`. */
export async function gitServer(repositories: Readonly<Record<string, string>>): Promise<GitServer> {
  const requests: Array<{ line: string; authorization: string | undefined }> = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://host');
    const { authorization } = request.headers;
    requests.push({ line: `${request.method} ${url.pathname}`, authorization });
    if (host.mode === 'down') return void request.socket.destroy();
    if (host.mode === 'silent') return;
    if (typeof host.mode === 'number') {
      response.writeHead(host.mode, { location: `${host.url}/moved${url.pathname}`, 'x-secret': 'inner' });
      return void response.end('a page of the host\n');
    }
    const location = host.redirect?.(request.url ?? '/');
    if (location !== undefined) return void response.writeHead(302, { location }).end();
    if (
      host.credentials !== undefined &&
      authorization !== `Basic ${Buffer.from(host.credentials).toString('base64')}`
    ) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' });
      return void response.end();
    }
    const [path, dir] =
      Object.entries(repositories).find(([path]) => url.pathname.startsWith(`/${path}/`)) ?? [];
    if (path === undefined || dir === undefined) return void response.writeHead(404).end();
    if (url.pathname.endsWith('/git-upload-pack')) await host.beforePack?.();
    if (host.old) delete request.headers['git-protocol'];
    const isPush = request.method === 'POST' && url.pathname.endsWith('/git-receive-pack');
    await backend(
      request,
      response,
      dir + url.pathname.slice(path.length + 1),
      url.search.slice(1),
      host.writable,
      async (bytes) => {
        if (isPush && host.mute) request.socket.destroy();
        await host.beforePiece?.(bytes);
      },
    );
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  const host: GitServer = {
    url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    requests,
    mode: 'up',
    beforePack: undefined,
    beforePiece: undefined,
    old: false,
    credentials: undefined,
    writable: false,
    redirect: undefined,
    mute: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return host;
}

/** Runs the CGI program that comes with git. */
async function backend(
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
  query: string,
  writable: boolean,
  beforePiece: (bytes: number) => Promise<void>,
): Promise<void> {
  const { headers } = request;
  const settings = ['-c', 'safe.directory=*', '-c', `http.receivepack=${writable}`];
  const git = spawn('git', [...settings, 'http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_TRANSLATED: file,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(git.stdin);
  git.stdin.on('error', () => {});
  let head = Buffer.alloc(0);
  let sent = false;
  for await (const chunk of git.stdout) {
    if (sent) {
      await beforePiece(chunk.length);
      response.write(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) continue;
    sent = true;
    await beforePiece(head.length - end - 4);
    let status = 200;
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/s);
      if (name === 'Status') status = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.writeHead(status);
    response.write(head.subarray(end + 4));
  }
  response.end();
}
