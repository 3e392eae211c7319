// A server under load: one request again and again over a few connections, and what it costs the server's process.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

export const CONNECTIONS = 8;
/** Until both servers run what was compiled for speed, which takes seconds where the load has the other core. */
const WARM_UP_SECONDS = 6;
const SECONDS = 3;
const ROUNDS = 3;
const MODERN = '2026-07-28';
const ACCEPT = 'application/json, text/event-stream';

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Headers and body of a request in an era. `name` is what the header `mcp-name` repeats, if the method has it. */
export function requestOf(era, method, params, name) {
  const headers = { 'content-type': 'application/json', accept: ACCEPT };
  const message = (sent) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: sent });
  if (era === 'legacy') {
    return { headers: { ...headers, 'mcp-protocol-version': '2025-11-25' }, body: message(params) };
  }
  return {
    headers: {
      ...headers,
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: message({
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    }),
  };
}

/** The result of one request. */
export async function ask(url, request) {
  const response = await fetch(url, { method: 'POST', ...request });
  const text = await response.text();
  const { result, error } = JSON.parse(text.startsWith('event:') ? /^data: (.*)$/m.exec(text)[1] : text);
  if (error !== undefined) throw new Error(error.message);
  return result;
}

/** Starts a process and gives it with the first line it prints. */
export async function start(args, input = '') {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  for await (const line of createInterface({ input: child.stdout })) return { child, line };
  throw new Error(`${args[0]} ended before it said anything`);
}

/** CPU seconds a process has used, with those it started and saw end; 0 where the system does not say. Steadier than a rate on a busy machine. */
export function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

/** Loads two servers by turns; gives requests per second and µs of CPU a request, each the median of the rounds. */
export async function compare(ours, peer, request) {
  const seen = [ours, peer].map((server) => ({ ...server, rates: [], cpu: [] }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { url, pid, rates, cpu } of seen) {
      const before = cpuSeconds(pid);
      const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS;
      const { perSecond, requests, failures } = await load({ url, ...request, seconds });
      if (failures > 0) throw new Error(`${failures} requests to ${url} failed`);
      if (round === 0) continue;
      rates.push(perSecond);
      cpu.push(((cpuSeconds(pid) - before) * 1e6) / requests);
    }
  }
  const [our, their] = seen.map(({ rates, cpu }) => ({ rate: median(rates), cpu: median(cpu) }));
  return { ours: our, peer: their, ratio: our.rate / their.rate };
}

function load(work) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('load-worker.mjs', import.meta.url), {
      workerData: { ...work, connections: CONNECTIONS },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** `9000 req/s (90 µs CPU)` */
export const figures = ({ rate, cpu }) => `${rate.toFixed(0)} req/s (${cpu.toFixed(0)} µs CPU)`;
