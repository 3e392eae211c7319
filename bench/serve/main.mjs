// The process from the outside: how soon it answers with a warm store, what it weighs, and 50 first requests at once.
// Usage: node bench/serve/main.mjs <git directory>
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentBytes, watchMemory } from '../lib/memory.mjs';
import { call, callWhenReady, serve } from '../lib/serve.mjs';

const STARTS = 5;
const AT_ONCE = 50;
/** Up to so many skills, so many ms and bytes (the sizes that the figures are promised for). */
const BARS = [
  { skills: 5_000, ms: 1_000, bytes: 200e6 },
  { skills: Number.POSITIVE_INFINITY, ms: 1_200, bytes: 450e6 },
];

const [source = ''] = process.argv.slice(2);
const store = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
const row = (name, text) => console.log(`${name.padEnd(22)} ${text}`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
let missed = 0;
try {
  const first = await serve(source, store);
  const memory = watchMemory(first.pid);
  const started = performance.now();
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => callWhenReady(first.mcp, 'browse_repo', {})),
  );
  const ms = performance.now() - started;
  const built = readdirSync(join(store, 'index')).length;
  const right = answers.filter((text) => text === answers[0] && /^Entries: /m.test(text)).length;
  if (built !== 1 || right !== AT_ONCE) missed += 1;
  row(
    'first requests',
    `${AT_ONCE} at once for an unseen commit: ${built} index, ${right} equal answers, ${(ms / 1000).toFixed(1)} s, all processes ${(memory.stop() / 1e6).toFixed(0)} MB`,
  );
  await first.stop();

  const skills = execFileSync('git', ['--git-dir', source, 'ls-tree', '-r', '--name-only', '-z', 'HEAD'], {
    maxBuffer: 1024 ** 3,
  })
    .toString()
    .split('\0')
    .filter((path) => /(^|\/)SKILL\.md$/.test(path)).length;
  const bar = BARS.find((candidate) => skills <= candidate.skills);
  const times = [];
  let bytes = 0;
  for (let start = 0; start < STARTS; start += 1) {
    const began = performance.now();
    const served = await serve(source, store);
    await call(served.mcp, 'browse_repo', {});
    times.push(performance.now() - began);
    bytes = Math.max(bytes, residentBytes(served.pid));
    await served.stop();
  }
  if (median(times) > bar.ms || bytes > bar.bytes) missed += 1;
  row(
    'warm start',
    `${skills} skills: first browse_repo after ${median(times).toFixed(0)} ms (bar ${bar.ms}), ${(bytes / 1e6).toFixed(0)} MB (bar ${bar.bytes / 1e6})`,
  );
} finally {
  rmSync(store, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
