// Somebody else's GitHub, on this machine, behind a door that mends what it is known to do otherwise than GitHub.
import { createServer, request as forward } from 'node:http';
import { createServer as createSocket } from 'node:net';
import { createEmulator } from 'emulate';

/** A port that nobody has now. */
async function freePort() {
  const socket = createSocket();
  await new Promise((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise((resolve) => socket.close(resolve));
  return port;
}

/** `tokens`: logins by token; each is a user. */
export async function emulateGithub(tokens) {
  const port = await freePort();
  const logins = [...new Set(Object.values(tokens))];
  const emulator = await createEmulator({
    service: 'github',
    port,
    seed: {
      tokens: Object.fromEntries(
        Object.entries(tokens).map(([token, login]) => [token, { login, scopes: ['repo'] }]),
      ),
      github: { users: logins.map((login) => ({ login })) },
    },
  });

  const pass = (method, path, headers, body = '') =>
    new Promise((resolve, reject) => {
      const sent = forward({ host: '127.0.0.1', port, method, path, headers }, async (answer) => {
        const chunks = [];
        for await (const chunk of answer) chunks.push(chunk);
        resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const refusal = (status, message) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });

  async function mended({ method, url, headers }, body) {
    const { host, connection, ...kept } = headers;
    const token = headers.authorization?.replace(/^(?:Bearer|token) /, '');
    // It takes an unknown token for its first user's.
    if (!Object.hasOwn(tokens, token ?? '')) return refusal(401, 'Bad credentials');
    const answer = await pass(method, url, kept, body);
    const repository = /^\/repos\/[^/?]+\/[^/?]+/.exec(url)?.[0];
    if (repository === undefined || method !== 'GET' || answer.status < 400) return answer;
    const { authorization } = headers;
    const there = await pass('GET', repository, { authorization });
    // It says that there is a private repository to who may not know.
    if (there.status >= 400) return refusal(404, 'Not Found');
    const branches = await pass('GET', `${repository}/branches`, { authorization });
    // It has no word for a repository without commits.
    return branches.body.toString() === '[]' ? refusal(409, 'Git Repository is empty.') : answer;
  }

  const door = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { status, headers, body } = await mended(request, Buffer.concat(chunks));
    const { connection, 'transfer-encoding': coding, 'content-length': length, ...kept } = headers;
    response.writeHead(status, kept);
    response.end(body);
  });
  // A connection is as old as the slowest thing that is done in this process.
  door.keepAliveTimeout = 0;
  await new Promise((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${door.address().port}`,
    async close() {
      door.close();
      door.closeAllConnections();
      await emulator.close();
    },
  };
}
