// The skills extension against the SDK's own: `resources/read` under load, and from a process start with a warm store to
// the last page of `skills/list`. Usage: node bench/extension/main.mjs <git directory>
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, CONNECTIONS, compare, figures, median, requestOf, start } from '../lib/load.mjs';

const READ_BAR = 6;
/** From the start of the process; and the walk alone. */
const LIST_BARS = { start: 10, walk: 3 };
const STARTS = 3;
const WALKS = 5;

const HERE = dirname(fileURLToPath(import.meta.url));
const COMMAND = join(HERE, '..', '..', 'apps/cli/bin/skillquay.js');
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function post(url, { headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const CURSOR = Buffer.from('"nextCursor":"');
const SKILL = Buffer.from('"frontmatter":');

/** Walks `skills/list` to its end, parsing no more of a page than where the next one begins. */
async function walk(url) {
  const pages = [];
  for (let params = {}; ; ) {
    const page = await post(url, requestOf('modern', 'skills/list', params));
    pages.push(page);
    const at = page.lastIndexOf(CURSOR);
    if (at === -1) break;
    const from = at + CURSOR.length;
    params = { cursor: page.toString('latin1', from, page.indexOf('"', from)) };
  }
  return pages;
}

function skillsOf(pages) {
  let skills = 0;
  for (const page of pages)
    for (let at = page.indexOf(SKILL); at !== -1; at = page.indexOf(SKILL, at + 1)) skills += 1;
  return skills;
}

const since = (began) => performance.now() - began;

/** Milliseconds to the last page from a process start, and of walks after that. */
async function timeListing(args, urlOf) {
  const starts = [];
  const walks = [];
  let pages = [];
  for (let run = 0; run < STARTS; run += 1) {
    const began = performance.now();
    const { child, line } = await start(args);
    const url = urlOf(line);
    try {
      pages = await walk(url);
      starts.push(since(began));
      for (let again = 0; again < WALKS; again += 1) {
        const walked = performance.now();
        await walk(url);
        walks.push(since(walked));
      }
    } finally {
      child.kill();
      await once(child, 'close');
    }
  }
  return { start: median(starts), walk: median(walks), pages: pages.length, skills: skillsOf(pages) };
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
  const args = [COMMAND, 'serve', folder, '--port', '0', '--json', '--store', join(work, 'store')];
  const ourUrl = (line) => JSON.parse(line).mounts[0].mcp;

  const first = await start(args);
  // Each list waits a while for the index, which is in the store from then on.
  while (skillsOf(await walk(ourUrl(first.line))) === 0);
  first.child.kill();
  await once(first.child, 'close');

  const ours = await timeListing(args, ourUrl);
  const peer = await timeListing(
    [join(HERE, 'list-peer.mjs'), folder],
    (port) => `http://127.0.0.1:${port}/`,
  );
  console.log(
    `skills/list of the same folder: skillquay ${ours.skills} skills in ${ours.pages} pages, SDK ${peer.skills} in ${peer.pages}`,
  );
  for (const [name, bar] of Object.entries(LIST_BARS)) {
    const ratio = peer[name] / ours[name];
    if (ratio < bar) missed += 1;
    const what = name === 'start' ? 'process start to the last page' : 'the walk alone';
    console.log(
      `${what.padEnd(30)} skillquay ${ours[name].toFixed(0)} ms  SDK ${peer[name].toFixed(0)} ms  ratio ${ratio.toFixed(1)} (bar ${bar})`,
    );
  }
  missed += await timeReads(args);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
