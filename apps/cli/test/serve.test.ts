import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { gitServer } from '../../../test-support/git-http.ts';
import { repository } from '../../../test-support/repository.ts';
import { BIN, folder, skillquay } from './command.ts';

const skill = (name: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n---\n\n${body}\n`;
const store = () => mkdtempSync(join(tmpdir(), 'skillquay-store-'));

const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  running.clear();
});

interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly mounts: readonly { readonly source: string; readonly address: string; readonly mcp: string }[];
}

async function serve(...args: string[]): Promise<Serving> {
  const all = [BIN, 'serve', ...args, '--port', '0', '--json', '--store', store()];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('close', () => running.delete(child));
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error('ended before it was ready');
}

/** Everything that is printed for a person, so far. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): () => string {
  const child = spawn(process.execPath, [BIN, 'serve', ...args, '--store', store()], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  return () => printed;
}

async function told(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  until: string,
): Promise<string> {
  const output = start(args, env);
  await expect.poll(output, { timeout: 20_000 }).toContain(until);
  return output();
}

async function call(mcp: string, name: string, args: object): Promise<string> {
  const version = '2026-07-28';
  const response = await fetch(mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const { result } = (await response.json()) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
}

describe('skillquay serve', () => {
  it('prints one line that says where each source is served', async () => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const bare = repository({ 'b/SKILL.md': skill('b') });
    const { url, mounts } = await serve(dir, bare.dir);
    const local = (path: string) => `/local/${basename(dirname(path))}/${basename(path)}`;
    expect(mounts).toEqual([
      { source: dir, address: local(dir), mcp: url + local(dir) },
      { source: bare.dir, address: local(bare.dir), mcp: url + local(bare.dir) },
    ]);
    expect(await call(mounts[0]?.mcp ?? '', 'load_skill', { path: 'a/SKILL.md' })).toContain('Do it.');
    expect(await call(mounts[1]?.mcp ?? '', 'search_repo', { query: 'b' })).toContain('b/SKILL.md');
  });

  it('serves a folder as it is now, and a saved change to the next question', async () => {
    const dir = folder({ 'a/SKILL.md': skill('a', 'First words.') });
    const { mounts } = await serve(dir);
    const mcp = mounts[0]?.mcp ?? '';
    const first = await call(mcp, 'load_skill', { path: 'a/SKILL.md' });
    expect(first).toContain('First words.');
    expect(first).toMatch(/^Commit: worktree:[0-9a-f]{40}/m);
    writeFileSync(join(dir, 'a/SKILL.md'), skill('a', 'Second words.'));
    await expect
      .poll(() => call(mcp, 'load_skill', { path: 'a/SKILL.md' }), { timeout: 10_000 })
      .toContain('Second words.');
  });

  it('serves a ref instead, under another name', async () => {
    const bare = repository({ 'a/SKILL.md': skill('a', 'On main.') });
    bare.commit({ 'a/SKILL.md': skill('a', 'On next.') }, { branch: 'next', from: 'refs/heads/main^0' });
    const { mounts } = await serve(bare.dir, '--ref', 'next', '--as', 'acme/library');
    expect(mounts[0]?.address).toBe('/local/acme/library');
    expect(await call(mounts[0]?.mcp ?? '', 'load_skill', { path: 'a/SKILL.md' })).toContain('On next.');
    expect(await call(`${mounts[0]?.mcp}@main`, 'load_skill', { path: 'a/SKILL.md' })).toContain('On main.');
  });

  it('names one of two sources that would have the same address', async () => {
    const same = { 'my/repo/a/SKILL.md': skill('a') };
    const [one, two] = [folder(same), folder(same)];
    const { mounts } = await serve(join(one, 'my/repo'), `your/repo=${join(two, 'my/repo')}`);
    expect(mounts.map(({ address }) => address)).toEqual(['/local/my/repo', '/local/your/repo']);
  });

  it('takes port and host from the environment, and rather from its options', async () => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const env = { PORT: '0', HOST: 'localhost' };
    expect(await told([dir], env, 'Ctrl-C')).toMatch(/http:\/\/localhost:(?!0|4747)\d+\/local\//);
    expect(await told([dir, '--host', '127.0.0.1'], env, 'Ctrl-C')).toMatch(
      /http:\/\/127\.0\.0\.1:\d+\/local/,
    );
    const { code, err } = skillquay(['serve', dir], { env: { ...process.env, PORT: 'many' } });
    expect([code, err]).toEqual([78, expect.stringContaining('PORT must be a whole number')]);
  });

  it('says what a folder holds, and in one line what each saved change comes to', async () => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    execFileSync('git', ['init', '-q', dir]);
    execFileSync('git', ['-C', dir, 'add', '.']);
    const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    execFileSync('git', ['-C', dir, ...person, 'commit', '-q', '-m', 'A skill']);
    const output = start([dir, '--port', '0']);
    await expect
      .poll(output, { timeout: 20_000 })
      .toMatch(/: 1 skill at [0-9a-f]{12}; saved changes are picked up\n/);
    writeFileSync(join(dir, 'a/SKILL.md'), '---\nname: a\n---\n');
    mkdirSync(join(dir, 'b'));
    writeFileSync(join(dir, 'b/SKILL.md'), skill('b'));
    await expect
      .poll(output, { timeout: 20_000 })
      .toMatch(/: read again: 1 skill, 1 error: a\/SKILL\.md The file has no `description`\.\n/);
  });

  it('says that rules above a folder do not reach it when it is served by itself', async () => {
    const dir = join(
      folder({
        "it's/SKILLCDN.md": '---\ndescription: Rules.\n---\nBe kind.\n',
        "it's/team/skills/a/SKILL.md": skill('a'),
      }),
      "it's",
    );
    execFileSync('git', ['init', '-q', dir]);
    const said = await told([join(dir, 'team/skills'), '--port', '0'], {}, 'do not apply');
    expect(said).toContain('the rules in SKILLCDN.md of the repository above do not apply');
    expect(said).toContain(
      `skillquay serve '${dirname(dir)}/it'\\''s', at /local/${basename(dirname(dir))}/it-s/team/skills`,
    );
    expect(await told([dir, '--port', '0'], {}, 'picked up')).not.toContain('do not apply');
  });

  it('tells how other machines reach it when it listens on every interface', async () => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const args = [dir, '--host', '0.0.0.0', '--port', '0'];
    expect(await told(args, {}, 'Ctrl-C')).toMatch(/ALLOWED_HOSTS or PUBLIC_ORIGIN/);
    expect(await told(args, { ALLOWED_HOSTS: 'skills.example' }, 'Ctrl-C')).toMatch(
      /http:\/\/skills\.example:\d+\/local[\s\S]*It answers to skills\.example/,
    );
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops cleanly on %s', async (signal) => {
    const { child, url } = await serve(folder({ 'a/SKILL.md': skill('a') }));
    child.kill(signal);
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('never prints the password of a source', async () => {
    const bare = repository({ 'a/SKILL.md': skill('a') });
    const server = await gitServer({ 'team/library.git': bare.dir });
    server.credentials = 'me:s3cret';
    const url = `${server.url}/team/library.git`;
    const secret = url.replace('://', '://me:s3cret@');
    const { mounts } = await serve(secret);
    expect(mounts).toMatchObject([{ source: url, address: '/local/team/library' }]);
    const greeting = await told([secret, '--port', '0'], {}, '1 skill');
    expect(greeting).toContain(`${url} is served at`);
    expect(greeting).not.toContain('s3cret');
    await server.close();
    for (const command of ['serve', 'mcp']) {
      const { code, err } = skillquay([command, secret, '--store', store()]);
      expect([code, err]).toEqual([69, expect.stringContaining(`${url} cannot be served`)]);
      expect(err).not.toContain('s3cret');
    }
  });

  it.each([0, 40, 80, 120, 160, 200, 240])('stops cleanly %i ms after its first sign of life', async (ms) => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const kept = store();
    const child = spawn(process.execPath, [BIN, 'serve', dir, '--port', '0', '--json', '--store', kept]);
    running.add(child);
    child.once('close', () => running.delete(child));
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    // Its own directory in the store is the first thing it makes that can be seen.
    await expect.poll(() => existsSync(join(kept, 'worktrees')), { interval: 2, timeout: 20_000 }).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect([code, err]).toEqual([0, '']);
  });

  it('stops without a word when nobody reads what it prints', async () => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const child = spawn(process.execPath, [BIN, 'serve', dir, '--port', '0', '--store', store()]);
    running.add(child);
    child.once('close', () => running.delete(child));
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(err).toBe('');
  });

  it('ends with a sentence when a client sends a message over the limit, and without one when it goes', async () => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const said = async (sent: string) => {
      const child = spawn(process.execPath, [BIN, 'mcp', dir, '--store', store()]);
      running.add(child);
      child.once('close', () => running.delete(child));
      let err = '';
      child.stderr.on('data', (chunk: Buffer) => {
        err += chunk.toString();
      });
      // It may be gone before it has read everything.
      child.stdin.on('error', () => {});
      child.stdin.end(sent);
      const [code] = await once(child, 'close');
      return [code, err];
    };
    const refused = 'skillquay: The client sent a message of more than 10485760 bytes, which is not read.\n';
    expect(await said('x'.repeat(10 * 1024 ** 2 + 1))).toEqual([65, refused]);
    expect(await said('no JSON\n')).toEqual([0, '']);
  });

  it('does not serve a repository that git cannot read as if it were a plain folder', () => {
    const dir = folder({ 'secret/SKILL.md': skill('secret') });
    execFileSync('git', ['init', '-q', dir]);
    appendFileSync(join(dir, '.git/info/exclude'), 'secret/\n');
    appendFileSync(join(dir, '.git/config'), '[core');
    for (const command of ['serve', 'mcp', 'check']) {
      const { code, err } = skillquay([command, dir, ...(command === 'check' ? [] : ['--store', store()])]);
      expect([code, err]).toEqual([69, expect.stringMatching(/Git (?:cannot|could not) read /)]);
    }
  });

  it('names the option for a store that cannot be', () => {
    const dir = folder({ 'a/SKILL.md': skill('a'), file: '' });
    const { code, err } = skillquay(['serve', dir, '--port', '0', '--store', join(dir, 'file')]);
    expect(err).toMatch(/a file stands where a directory must.*--store/);
    expect(code).toBe(78);
  });

  it('says at once that a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const { code, err } = skillquay(['serve', dir, '--port', String(port), '--store', store()]);
    taken.close();
    expect(err).toMatch(/port \d+ is taken; choose another with --port/);
    expect(code).toBe(69);
  });

  it.each([
    [['serve', '/does/not/exist'], 64, /There is no folder/],
    [['serve', '--bogus'], 64, /see `skillquay serve --help`/],
    [['registry', 'get', '--bogus'], 64, /see `skillquay registry get --help`/],
    [['serve', 'acme/library'], 64, /write \/gh\/acme\/library/],
    [['serve', '.', '..', '--as', 'a/b'], 64, /--as and --ref are about one source/],
    [['serve', '.', '--port', '99999'], 64, /from 0 to 65535/],
    [['serve', '.', '.', '--port', '0'], 64, /Two sources have the address .*owner\/repo=<source>/],
    [['serve', 'github.com/acme/library'], 64, /write https:\/\/github\.com\/acme\/library/],
    [['mcp', 'file:///does/not/exist.git'], 69, /cannot be served/],
  ])('answers %j with code %i', (args, expected, sentence) => {
    const { code, err, out } = skillquay([...args, '--store', store()]);
    expect(err).toMatch(sentence);
    expect(err).not.toContain('    at ');
    expect(out).toBe('');
    expect(code).toBe(expected);
  });

  it.each([
    [
      ['https://me:hush/s3cr3t@git.example.com/x'],
      /unknown command 'https:\/\/git\.example\.com\/x'[\s\S]*skillquay serve <url>/,
    ],
    [['me:hush@s3cr3t@git.example.com/x'], /skillquay serve <url>/],
    [['https://git.example.com/x?token=s3cr3t'], /skillquay serve <url>/],
    [['registry', 'https://me:s3cr3t@git.example.com/x'], /skillquay registry add <url>/],
    [['registry', 'https://me:s3cr3t@git.example.com/x', '--json'], /skillquay registry add <url>/],
    [['serve', '--port', 'https://me:s3cr3t@git.example.com/x'], /It is a number/],
    [['--https://me:s3cr3t@git.example.com/x'], /unknown option/],
    [['serve', 'https://me:hush/s3cr3t@git.example.com/x'], /%2F/],
    [['mcp', 'https://me:hush/s3cr3t@git.example.com/x'], /%2F/],
    [['check', 'https://me:hush/s3cr3t@git.example.com/x'], /There is no folder/],
    [['registry', 'publish', 'https://me:hush/s3cr3t@git.example.com/x'], /There is no folder/],
  ])('a password in the wrong place is not said back: %j', (args, sentence) => {
    const { code, err, out } = skillquay(args, {
      env: { PATH: process.env.PATH, SKILLS_REGISTRY: 'file:///x.git' },
    });
    expect(err + out).toMatch(sentence);
    expect(err + out).not.toMatch(/s3cr3t|hush/);
    expect(code).toBe(64);
  });
});
