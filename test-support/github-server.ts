// A GitHub for tests: the part of its API that registries use, with ETags, private repositories and cut trees, and a
// script that can answer any request otherwise. Source: GitHub docs, REST API, version 2022-11-28.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { GithubRepository, Stored } from './github-repository.ts';

export interface Asked {
  /** `GET /repos/o/r/git/trees/…?recursive=1` */
  readonly line: string;
  readonly authorization: string | undefined;
  readonly etag: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

type Answer = Scripted | 'drop' | 'hang' | undefined;

export interface GithubServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly requests: readonly Asked[];
  /** Logins by token. */
  readonly tokens: Map<string, string>;
  /** Answers in place of the API where it gives something: `drop` cuts the connection, `hang` never answers. */
  script: (asked: Asked) => Answer | Promise<Answer>;
  /** Runs after a request was carried out, before its answer is sent. */
  after: (asked: Asked) => 'drop' | undefined;
  /** Entries of one tree answer. */
  maxEntries: number;
  /** What was asked since the last call of this, as lines without `/repos/<owner>/<repo>`. */
  lines(): string[];
  close(): Promise<void>;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Serves private repositories: `{ 'acme/skills': repository }`. `canary` is the token of `octocat`. */
export async function githubServer(
  repositories: Readonly<Record<string, GithubRepository>>,
  canary: string,
): Promise<GithubServer> {
  const requests: Asked[] = [];
  let seen = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const asked: Asked = {
      line: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      etag: request.headers['if-none-match'],
      headers: request.headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    requests.push(asked);
    const scripted = await server.script(asked);
    if (scripted === 'hang') return;
    if (scripted === 'drop') return void request.socket.destroy();
    const given = scripted ?? carriedOut(asked);
    if (scripted === undefined && server.after(asked) === 'drop') return void request.socket.destroy();
    const { status = 200, headers = {}, body = {} } = given;
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const etag = `W/"${createHash('sha256').update(sent).digest('hex').slice(0, 32)}"`;
    const isKnown = status === 200 && asked.etag === etag;
    response.writeHead(isKnown ? 304 : status, { 'content-type': 'application/json', etag, ...headers });
    response.end(isKnown ? undefined : sent);
  }

  function carriedOut(asked: Asked): Scripted {
    try {
      return api(asked);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, body: { message: error.message, documentation_url: 'https://docs' } };
    }
  }

  function api({ line, authorization, body }: Asked): Scripted {
    const [method = '', target = ''] = line.split(' ');
    const login = server.tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
    if (login === undefined) throw new Refused(401, 'Bad credentials');
    const [path = '', query = ''] = target.split('?');
    if (path === '/user') return { body: { login } };
    const [, owner = '', name = '', ...rest] = path.slice(1).split('/').map(decodeURIComponent);
    const repo = repositories[`${owner}/${name}`];
    if (repo === undefined || login === 'stranger') throw new Refused(404, 'Not Found');
    const route = `${method} ${rest.slice(0, 2).join('/')}`;
    const last = rest.slice(2).join('/');
    if (rest.length === 0) return { body: { default_branch: repo.defaultBranch, private: true } };
    const isEmpty = repo.branches.size === 0;
    if (method === 'PUT' && rest[0] === 'contents') return contents(repo, rest.slice(1).join('/'), body);
    if (isEmpty) throw new Refused(409, 'Git Repository is empty.');
    if (method === 'GET' && rest[0] === 'commits') {
      const ref = rest.slice(1).join('/');
      const branch = ref === 'HEAD' ? repo.defaultBranch : ref.replace(/^heads\//, '');
      const commit = repo.branches.get(branch);
      if (commit === undefined) throw new Refused(422, `No commit found for SHA: ${ref}`);
      return { body: { sha: commit, commit: { tree: { sha: repo.treeOf(commit) } }, files: [] } };
    }
    switch (route) {
      case 'GET git/ref': {
        const commit = repo.branches.get(last.replace(/^heads\//, ''));
        if (commit === undefined) throw new Refused(404, 'Not Found');
        return { body: { ref: `refs/${last}`, object: { type: 'commit', sha: commit } } };
      }
      case 'GET git/trees':
        return treeAnswer(repo, last, query.includes('recursive=1'));
      case 'GET git/blobs': {
        const bytes = repo.blobs.get(last);
        if (bytes === undefined) throw new Refused(404, 'Not Found');
        // GitHub breaks lines after 60 characters.
        const content = bytes.toString('base64').replace(/.{60}/g, '$&\n');
        return { body: { sha: last, size: bytes.length, encoding: 'base64', content } };
      }
      case 'POST git/blobs':
        return { status: 201, body: { sha: repo.blob(Buffer.from(String(body.content), 'base64')) } };
      case 'POST git/trees':
        return { status: 201, body: { sha: newTree(repo, body) } };
      case 'POST git/commits': {
        const { message, tree, parents } = body;
        if (typeof tree !== 'string' || !repo.hasTree(tree))
          throw new Refused(422, 'Tree SHA does not exist');
        const of = Array.isArray(parents) ? parents.map(String) : [];
        return { status: 201, body: { sha: repo.commit({ message: String(message), tree, parents: of }) } };
      }
      case 'PATCH git/refs': {
        const branch = last.replace(/^heads\//, '');
        const [from, to] = [repo.branches.get(branch), String(body.sha)];
        if (from === undefined) throw new Refused(422, 'Reference does not exist');
        if (!repo.commits.has(to)) throw new Refused(422, 'Object does not exist');
        if (!repo.descends(to, from)) throw new Refused(422, 'Update is not a fast forward');
        repo.branches.set(branch, to);
        return { body: { ref: `refs/${last}`, object: { type: 'commit', sha: to } } };
      }
      default:
        throw new Refused(404, 'Not Found');
    }
  }

  function treeAnswer(repo: GithubRepository, oid: string, recursive: boolean): Scripted {
    if (!repo.hasTree(oid)) throw new Refused(404, 'Not Found');
    const rows = [...repo.rows(oid, recursive)];
    const tree = rows.slice(0, server.maxEntries).map(({ path, mode, oid: sha, type }) => {
      const size = repo.blobs.get(sha)?.length;
      return { path, mode, type, sha, ...(size === undefined ? {} : { size }) };
    });
    return { body: { sha: oid, tree, truncated: rows.length > tree.length } };
  }

  const server: GithubServer = {
    url: '',
    requests,
    tokens: new Map([
      [canary, 'octocat'],
      ['token-of-a-stranger', 'stranger'],
    ]),
    script: () => undefined,
    after: () => undefined,
    maxEntries: 100_000,
    lines() {
      const lines = requests.slice(seen).map(({ line }) => line.replace(/\/repos\/[^/]+\/[^/ ?]+/, ''));
      seen = requests.length;
      return lines;
    },
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  const http = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const bound = http.address();
  return Object.assign(server, { url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}` });
}

/** A file into an empty repository, or on top of its branch. */
function contents(repo: GithubRepository, path: string, body: Asked['body']): Scripted {
  const branch = typeof body.branch === 'string' ? body.branch : repo.defaultBranch;
  const at = repo.branches.get(branch);
  if (at === undefined && repo.branches.size > 0) throw new Refused(404, `Branch ${branch} not found`);
  if (at !== undefined && repo.flat(repo.treeOf(at)).has(path))
    throw new Refused(422, `"sha" wasn't supplied.`);
  const commit = repo.put(
    { [path]: Buffer.from(String(body.content), 'base64') },
    branch,
    String(body.message),
  );
  return { status: 201, body: { content: {}, commit: { sha: commit, tree: { sha: repo.treeOf(commit) } } } };
}

function newTree(repo: GithubRepository, { base_tree: base, tree }: Asked['body']): string {
  if (base !== undefined && (typeof base !== 'string' || !repo.hasTree(base)))
    throw new Refused(422, 'base_tree is not a valid tree oid');
  const entries = Array.isArray(tree) ? tree : [];
  // Which of the two would be done first nobody has promised.
  if (hasFileAsFolder(entries.map(({ path }) => path)))
    throw new Refused(422, 'tree.path is in another entry');
  const paths = typeof base === 'string' ? repo.flat(base) : new Map<string, Stored>();
  for (const { path, mode, sha, content } of entries) {
    if (sha === null && mode === '040000') {
      const below = [...paths.keys()].filter((other) => other.startsWith(`${path}/`));
      if (below.length === 0) throw new Refused(422, 'GitRPC::BadObjectState');
      for (const other of below) paths.delete(other);
    } else if (sha === null) {
      // U+FFFD stands for bytes that are no text, which no JSON names.
      if (path.includes('\ufffd') || !paths.delete(path)) throw new Refused(422, 'GitRPC::BadObjectState');
    } else if (mode === '040000') {
      for (const other of [...paths.keys()]) if (other.startsWith(`${path}/`)) paths.delete(other);
      for (const [below, stored] of repo.flat(sha)) paths.set(`${path}/${below}`, stored);
    } else if (sha !== undefined && !repo.blobs.has(sha)) {
      throw new Refused(422, `tree.sha ${sha} is not a valid blob`);
    } else {
      paths.set(path, { mode, oid: sha ?? repo.blob(Buffer.from(String(content))) });
    }
  }
  if (hasFileAsFolder([...paths.keys()]))
    throw new Refused(422, 'tree contains a file and a folder of one name');
  return repo.tree(paths);
}

function hasFileAsFolder(paths: readonly string[]): boolean {
  const all = new Set(paths);
  return paths.some((path) => {
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
      if (all.has(path.slice(0, at))) return true;
    return false;
  });
}
