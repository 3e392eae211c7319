// The skills extension against the SDK's own: `resources/read` under load, and from a process start with a warm store to
// the last page of `skills/list`. Usage: node bench/extension/main.mjs <git directory>
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bodyOf, Connection, requestBytes } from '../lib/connection.mjs';
import { ask, CONNECTIONS, compare, cpuSeconds, figures, median, requestOf, start } from '../lib/load.mjs';

const READ_BAR = 6;
/** From the start of the process to the last page; and the walk alone. */
const LIST_BARS = { starts: 10, walks: 3 };
const STARTS = 5;
const WALKS = 5;

const HERE = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(HERE, '..', '..', 'apps/cli/bin/skillquay.js');
const CURSOR = Buffer.from('"nextCursor":"');
const SKILL = Buffer.from('"frontmatter":');

/** Walks `skills/list` to its end over one connection, reading no more of a page than where the next one begins. */
async function walk(url) {
  const connection = new Connection(url);
  const pages = [];
  for (let params = {}; ; ) {
    const reply = await connection.exchange(requestBytes(url, requestOf('modern', 'skills/list', params)));
    if (!reply.ok) throw new Error(`${url} refused a page`);
    const page = bodyOf(reply);
    pages.push(page);
    const at = page.lastIndexOf(CURSOR);
    if (at === -1) break;
    const from = at + CURSOR.length;
    params = { cursor: page.toString('latin1', from, page.indexOf('"', from)) };
  }
  connection.close();
  return pages;
}

function skillsOf(pages) {
  let skills = 0;
  for (const page of pages)
    for (let at = page.indexOf(SKILL); at !== -1; at = page.indexOf(SKILL, at + 1)) skills += 1;
  return skills;
}

const since = (began) => performance.now() - began;

/** A server whose listing is timed: milliseconds to the last page from its start, and of walks after that. */
function listing(name, args, urlOf) {
  return { name, args, urlOf, starts: [], cpu: [], walks: [], pages: [] };
}

async function timeOnce(server) {
  const began = performance.now();
  const { child, line } = await start(server.args);
  const url = server.urlOf(line);
  try {
    server.pages = await walk(url);
    server.starts.push(since(began));
    server.cpu.push(cpuSeconds(child.pid) * 1000);
    for (let again = 0; again < WALKS; again += 1) {
      const walked = performance.now();
      await walk(url);
      server.walks.push(since(walked));
    }
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

async function timeReads(args) {
  const ours = await start(args);
  let peer;
  try {
    const url = JSON.parse(ours.line).mounts[0].mcp;
    const { skills } = await ask(url, requestOf('modern', 'skills/list', {}));
    const { uri } = skills[0];
    const readOf = (era) => requestOf(era, 'resources/read', { uri }, uri);
    const [contents] = (await ask(url, readOf('modern'))).contents;
    peer = await start([join(HERE, 'read-peer.mjs')], JSON.stringify(contents));
    console.log(
      `resources/read ${uri}, ${Buffer.byteLength(contents.text)} bytes, ${CONNECTIONS} connections`,
    );
    let missed = 0;
    for (const era of ['modern', 'legacy']) {
      const seen = await compare(
        { url, pid: ours.child.pid },
        { url: `http://127.0.0.1:${peer.line}/`, pid: peer.child.pid },
        readOf(era),
      );
      // The bar is one of the current revision; of the earlier one the figure is printed.
      const isMissed = era === 'modern' && seen.ratio < READ_BAR;
      if (isMissed) missed += 1;
      console.log(
        `${era.padEnd(7)} skillquay ${figures(seen.ours)}  SDK default ${figures(seen.peer)}  ratio ${seen.ratio.toFixed(1)}${era === 'modern' ? ` (bar ${READ_BAR})` : ''}`,
      );
    }
    return missed;
  } finally {
    ours.child.kill();
    peer?.child.kill();
  }
}

const [source = ''] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
let missed = 0;
try {
  const folder = join(work, 'folder');
  execFileSync('git', ['clone', '--quiet', source, folder]);
  const commandOf = (of) => [COMMAND, 'serve', of, '--port', '0', '--json', '--store', join(work, 'store')];
  const urlOf = (line) => JSON.parse(line).mounts[0].mcp;
  const ours = listing('skillquay', commandOf(source), urlOf);
  const watched = listing('skillquay, folder', commandOf(folder), urlOf);
  const peer = listing('SDK', [join(HERE, 'list-peer.mjs'), folder], (port) => `http://127.0.0.1:${port}/`);

  for (const { args } of [ours, watched]) {
    const { child, line } = await start(args);
    // Each list waits a while for the index, which is in the store from then on.
    while (skillsOf(await walk(urlOf(line))) === 0);
    child.kill();
    await once(child, 'close');
  }
  // By turns: a machine that is busy for a while is so for all.
  for (let run = 0; run < STARTS; run += 1)
    for (const server of [ours, watched, peer]) await timeOnce(server);

  for (const { name, pages, starts, cpu, walks } of [ours, watched, peer])
    console.log(
      `${name.padEnd(17)} skills/list: ${skillsOf(pages)} skills in ${pages.length} pages, ${median(starts).toFixed(0)} ms (${median(cpu).toFixed(0)} ms CPU) from process start to the last, ${median(walks).toFixed(0)} ms the walk alone`,
    );
  for (const [what, bar] of Object.entries(LIST_BARS)) {
    const ratio = median(peer[what]) / median(ours[what]);
    if (ratio < bar) missed += 1;
    console.log(
      `${what.padEnd(7)} ratio to the SDK ${ratio.toFixed(1)} (bar ${bar}); of the folder, which is watched for changes, ${(median(peer[what]) / median(watched[what])).toFixed(1)}`,
    );
  }
  missed += await timeReads(commandOf(source));
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
