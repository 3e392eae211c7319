// `tools/call load_skill` over HTTP with 8 connections: the built server against the SDK's default stack, which
// returns the same text. Usage: node bench/mcp/main.mjs [repository] [path of a SKILL.md]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

const CONNECTIONS = 8;
const WARM_UP_SECONDS = 1;
const SECONDS = 3;
const ROUNDS = 3;
const BARS = { modern: 6, legacy: 1.5 };

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');
const MODERN = '2026-07-28';

const ERAS = {
  modern: (params) => ({
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': MODERN,
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
  legacy: (params) => ({
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    params,
  }),
};

function requestOf(era, params) {
  const { headers, params: sent } = ERAS[era](params);
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: sent }) };
}

/** Starts a process and gives it with the first line it prints. */
async function start(args, input) {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: HERE });
  child.stdin.end(input);
  for await (const line of createInterface({ input: child.stdout })) return { child, line };
  throw new Error(`${args[0]} ended before it said anything`);
}

async function call(url, era, name, args) {
  const { headers, body } = requestOf(era, { name, arguments: args });
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  const { result } = JSON.parse(text.startsWith('event:') ? /^data: (.*)$/m.exec(text)[1] : text);
  return result.content[0].text;
}

function load(url, era, path, seconds) {
  const workerData = {
    url,
    ...requestOf(era, { name: 'load_skill', arguments: { path } }),
    connections: CONNECTIONS,
    seconds,
  };
  return new Promise((resolve, reject) => {
    const worker = new Worker(join(HERE, 'load.mjs'), { workerData });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** CPU seconds a process has used; 0 where the system does not say. Steadier than a rate on a busy machine. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const [source = join(ROOT, 'examples', 'library'), wanted] = process.argv.slice(2);
const store = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
const ours = await start([
  join(ROOT, 'apps/cli/bin/skillquay.js'),
  'serve',
  source,
  '--port',
  '0',
  '--store',
  store,
  '--json',
]);
let peer;
let missed = 0;
try {
  const url = JSON.parse(ours.line).mounts[0].mcp;
  const path =
    wanted ??
    /[^\s`"]*SKILL\.md/.exec(await call(url, 'modern', 'search_repo', { query: 'the a to use' }))[0];
  const text = await call(url, 'modern', 'load_skill', { path });
  peer = await start([join(HERE, 'peer.mjs')], text);
  const peerUrl = `http://127.0.0.1:${peer.line}/`;

  console.log(
    `tools/call load_skill ${path}, ${Buffer.byteLength(text)} bytes of text, ${CONNECTIONS} connections`,
  );
  for (const era of Object.keys(ERAS)) {
    const seen = { ours: { rates: [], cpu: [] }, peer: { rates: [], cpu: [] } };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS;
      for (const [name, to, { pid }] of [
        ['ours', url, ours.child],
        ['peer', peerUrl, peer.child],
      ]) {
        const before = cpuSeconds(pid);
        const { perSecond, requests, failures } = await load(to, era, path, seconds);
        if (failures > 0) throw new Error(`${failures} requests to ${name} failed`);
        if (round === 0) continue;
        seen[name].rates.push(perSecond);
        seen[name].cpu.push(((cpuSeconds(pid) - before) * 1e6) / requests);
      }
    }
    const [rate, peerRate] = [median(seen.ours.rates), median(seen.peer.rates)];
    const ratio = rate / peerRate;
    if (ratio < BARS[era]) missed += 1;
    const figures = (of) => `${median(of.rates).toFixed(0)} req/s (${median(of.cpu).toFixed(0)} µs CPU)`;
    console.log(
      `${era.padEnd(7)} skillquay ${figures(seen.ours)}  SDK default ${figures(seen.peer)}  ratio ${ratio.toFixed(1)} (bar ${BARS[era]})`,
    );
  }
} finally {
  ours.child.kill();
  peer?.child.kill();
  rmSync(store, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
