// The licence files of repositories: what each is taken for, and the processor time that takes.
// `licences <git dir>[#<tree>] …` prints a row per distinct file; exit code 1 if a matching time misses its bar.
import { spawnSync } from 'node:child_process';
import { isLicenceFileName, MAX_LICENCE_BYTES } from '@skillquay/core/licence-file';
import { loadLicenceMatcher } from '@skillquay/core/licence-text';

/** Milliseconds of processor time a text. Source: figures of licence matching. */
const MAX_P95_MS = 2;
const MAX_MS = 5;
/**
 * All texts are read so often, one after the other, and of each the median counts: one run in between is the
 * collector's, not ours. What the first round takes is printed apart: most of it is compiling.
 */
const ROUNDS = 9;

function git(gitDir: string, args: readonly string[]): Buffer {
  const run = spawnSync('git', ['--git-dir', gitDir, ...args], { maxBuffer: 1024 ** 3 });
  if (run.status !== 0) throw new Error(run.stderr.toString());
  return run.stdout;
}

/** Paths of the licence files of a tree, by object. */
function licenceFiles(gitDir: string, tree: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of git(gitDir, ['ls-tree', '-r', '-z', tree]).toString('utf8').split('\0')) {
    const [head = '', path = ''] = line.split('\t', 2);
    const [mode = '', , oid = ''] = head.split(' ');
    if (!mode.startsWith('100') || !isLicenceFileName(path.split('/').at(-1) ?? '')) continue;
    found.set(oid, [...(found.get(oid) ?? []), path]);
  }
  return found;
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1_000;
}

const texts = new Map<string, { readonly text: string; readonly paths: string[]; readonly bytes: number }>();
for (const argument of process.argv.slice(2)) {
  const [gitDir = '', tree = 'HEAD'] = argument.split('#', 2);
  for (const [oid, paths] of licenceFiles(gitDir, tree)) {
    const known = texts.get(oid);
    if (known !== undefined) known.paths.push(...paths);
    else {
      const blob = git(gitDir, ['cat-file', 'blob', oid]);
      texts.set(oid, { text: blob.toString('utf8'), bytes: blob.length, paths: [...paths] });
    }
  }
}

const loading = process.cpuUsage();
const read = await loadLicenceMatcher();
const loaded = process.cpuUsage(loading);

const sums = new Map<string, { texts: number; files: number }>();
const first: number[] = [];
const rounds = new Map<string, number[]>();
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [oid, { text }] of texts) {
    const spent = processorMs(() => read(text));
    if (round === 0) first.push(spent);
    else rounds.set(oid, [...(rounds.get(oid) ?? []), spent]);
  }
}
for (const [oid, { text, paths, bytes }] of [...texts].sort(
  (a, b) => b[1].paths.length - a[1].paths.length,
)) {
  const { kind, label } =
    bytes > MAX_LICENCE_BYTES ? { kind: 'restrictive', label: 'too large' } : read(text);
  const name = `${kind} ${label}`;
  const sum = sums.get(name) ?? { texts: 0, files: 0 };
  sums.set(name, { texts: sum.texts + 1, files: sum.files + paths.length });
  console.log(`  ${oid.slice(0, 10)} ${String(paths.length).padStart(4)} ×  ${name.padEnd(36)} ${paths[0]}`);
}

console.log('\n  texts  files  identified');
for (const [name, sum] of [...sums].sort((a, b) => b[1].files - a[1].files)) {
  console.log(`  ${String(sum.texts).padStart(5)}  ${String(sum.files).padStart(5)}  ${name}`);
}
const times = [...rounds.values()].map((spent) => spent.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0);
times.sort((a, b) => a - b);
const p95 = times[Math.ceil(times.length * 0.95) - 1] ?? 0;
const most = times.at(-1) ?? 0;
console.log(
  `\n  loading ${((loaded.user + loaded.system) / 1_000).toFixed(1)} ms; the first round ${first.reduce((sum, ms) => sum + ms, 0).toFixed(0)} ms; a text, processor time: median ${(times[times.length >> 1] ?? 0).toFixed(2)} ms, ` +
    `p95 ${p95.toFixed(2)} ms (≤ ${MAX_P95_MS}), most ${most.toFixed(2)} ms (≤ ${MAX_MS})`,
);
process.exitCode = p95 <= MAX_P95_MS && most <= MAX_MS ? 0 : 1;
