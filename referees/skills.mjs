// `node skills.mjs <git dir>…`: the official SkillsClient lists, gets, reads and verifies every file of every skill that
// each repository lists, and a table says which it does not list, by reason.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';

const COMMAND = fileURLToPath(new URL('../apps/cli/bin/skillquay.js', import.meta.url));
const ME = { name: 'skillquay-referee', version: '1.0.0' };
/** Requests on their way at once. */
const AT_ONCE = 8;

/** Runs `work` over all items, a few at once. */
async function each(items, work) {
  const rest = items.values();
  const run = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
}

/** Connects, `mode` 'legacy' or 'auto', which comes to the current revision here. */
async function connect(url, mode) {
  const client = new Client(ME, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

/**
 * Walks everything the extension serves at `url`. Throws for an entry that the client refuses, a file whose bytes are not
 * those of its entry, and a folder that does not lead to the files of its skill.
 */
export async function verifySkills(url, mode = 'auto') {
  const client = await connect(url, mode);
  try {
    const host = new SkillsClient(client);
    if (!host.directoryRead) throw new Error('the extension is not declared with directoryRead');
    const { skills } = await host.list();
    let files = 0;
    let bytes = 0;
    await each(skills, async (listed) => {
      const { skill } = await host.get(listed.uri);
      if (JSON.stringify(skill) !== JSON.stringify(listed))
        throw new Error(`skills/get of ${listed.uri} is not its entry in skills/list`);
      for (const { uri } of skill.resources) {
        const file = await host.read(skill, uri);
        if (!file.verified) throw new Error(`${uri} could not be verified`);
        files += 1;
        bytes += file.bytes.length;
      }
    });
    const { resources } = await client.listResources();
    const manifests = new Set(resources.map(({ uri }) => uri));
    if (manifests.size !== skills.length || !skills.every(({ uri }) => manifests.has(uri)))
      throw new Error('resources/list does not name exactly the SKILL.md of each listed skill');
    return { skills, files, bytes };
  } finally {
    await client.close();
  }
}

/** The files below a folder, found by `resources/directory/read` alone. */
export async function filesBelow(url, folder, mode = 'auto') {
  const client = await connect(url, mode);
  try {
    const host = new SkillsClient(client);
    const found = [];
    const look = async (uri) => {
      const { resources } = await host.readDirectory(uri);
      for (const child of resources) {
        if (child.mimeType === 'inode/directory') await look(child.uri);
        else found.push(child.uri);
      }
    };
    await look(folder);
    return found;
  } finally {
    await client.close();
  }
}

/** Starts the built command over a bare repository and gives its MCP URL. */
async function serve(gitDir, store) {
  const child = spawn(
    process.execPath,
    [COMMAND, 'serve', gitDir, '--port', '0', '--json', '--store', store],
    {
      env: { PATH: process.env.PATH, HOME: store, RATE_LIMIT_PER_MINUTE: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const stop = () =>
      new Promise((done) => {
        child.once('exit', done);
        child.kill('SIGTERM');
      });
    return { url: JSON.parse(line).mounts[0].mcp, stop };
  }
  throw new Error(`${gitDir} could not be served`);
}

/** Waits until the index is there: every call waits a while itself. */
async function indexed(client) {
  for (;;) {
    const { content } = await client.callTool({ name: 'browse_repo', arguments: { limit: 1 } });
    if (!/^Status: indexing/m.test(content[0].text)) return;
  }
}

/** Why a skill is not listed, as the tools say it. */
async function reasonOf(client, path) {
  const { content } = await client.callTool({ name: 'load_skill', arguments: { path } });
  const { text } = content[0];
  const code = /^Code: (.*)$/m.exec(text)?.[1];
  if (code !== undefined) return code;
  if (/^Described only: /m.test(text)) return 'described_only';
  const reasons =
    /^- \w+ not_listed .*\(([a-z_]+)\)/m.exec(text) ?? /^- \w+ (name_directory_mismatch) /m.exec(text);
  return reasons?.[1] ?? 'no reason given';
}

/** Every SKILL.md of the default branch that is a regular file. */
function skillFilesOf(gitDir) {
  const entries = execFileSync('git', ['--git-dir', gitDir, 'ls-tree', '-r', '-z', 'HEAD'], {
    maxBuffer: 1024 ** 3,
  });
  return entries
    .toString()
    .split('\0')
    .flatMap((entry) => /^100\d{3} blob \w+\t((?:.*\/)?SKILL\.md)$/s.exec(entry)?.[1] ?? []);
}

async function judge(gitDir, store) {
  const { url, stop } = await serve(gitDir, store);
  try {
    const client = await connect(url, 'auto');
    await indexed(client);
    const { skills, files, bytes } = await verifySkills(url);
    const prefix = `skill:/${new URL(url).pathname}/`;
    const paths = new Set(skillFilesOf(gitDir));
    // A skill at the root has its name before every path.
    const pathOf = (uri) => {
      const named = decodeURIComponent(uri.slice(prefix.length));
      return paths.has(named) ? named : named.slice(named.indexOf('/') + 1);
    };
    const listed = new Set(skills.map(({ uri }) => pathOf(uri)));
    const reasons = {};
    await each(
      [...paths].filter((path) => !listed.has(path)),
      async (path) => {
        const reason = await reasonOf(client, path);
        reasons[reason] = (reasons[reason] ?? 0) + 1;
      },
    );
    await client.close();
    return {
      'SKILL.md': paths.size,
      listed: skills.length,
      files,
      MB: Math.round(bytes / 1e5) / 10,
      reasons,
    };
  } finally {
    await stop();
  }
}

async function main(gitDirs) {
  if (gitDirs.length === 0) {
    console.error('usage: node skills.mjs <git dir>…');
    process.exit(64);
  }
  console.log('| repository | SKILL.md | listed | files verified | MB | not listed, by reason |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const gitDir of gitDirs.map((dir) => resolve(dir))) {
    const store = mkdtempSync(join(tmpdir(), 'skillquay-skills-'));
    const name = basename(gitDir) === 'repo' ? basename(dirname(gitDir)) : basename(gitDir);
    try {
      const { reasons, ...figures } = await judge(gitDir, store);
      const why = Object.entries(reasons)
        .sort(([, a], [, b]) => b - a)
        .map(([reason, count]) => `${reason} ${count}`)
        .join(', ');
      console.log(`| ${[name, ...Object.values(figures), why].join(' | ')} |`);
    } catch (error) {
      process.exitCode = 1;
      console.log(`| ${name} | ${error.message.split('\n').slice(0, 3).join(' ')} |`);
    } finally {
      rmSync(store, { recursive: true, force: true });
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
