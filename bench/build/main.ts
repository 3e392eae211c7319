// Building an index: a commit from nothing against reading it with git, and the next commit from the one before.
// Usage: build <git directory> [--verify], which also builds each next commit from nothing and compares the bytes.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { buildInThread } from '@skillquay/snapshot/build-thread';
import { watchMemory } from '../lib/memory.mjs';

/** A small repository is built at most so many times slower than git reads it; every next commit within so many ms. */
const FLOOR_BAR = 8;
const NEXT_BAR_MS = 3_000;
const RULES = 'bench';

const [source = '', ...options] = process.argv.slice(2);
const verify = options.includes('--verify');
const work = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
const gitDir = join(work, 'repo.git');

function git(args: readonly string[], input: string | Uint8Array = ''): string {
  return execFileSync('git', ['--git-dir', gitDir, ...args], { input, maxBuffer: 1024 ** 3 })
    .toString()
    .trim();
}

/** A repository of our own that borrows the objects, so that commits can be added to it. */
function borrow(): string {
  const objects = execFileSync('git', ['--git-dir', resolve(source), 'rev-parse', '--git-path', 'objects']);
  const head = execFileSync('git', ['--git-dir', resolve(source), 'rev-parse', 'HEAD'])
    .toString()
    .trim();
  execFileSync('git', ['init', '--quiet', '--bare', gitDir]);
  mkdirSync(join(gitDir, 'objects/info'), { recursive: true });
  writeFileSync(join(gitDir, 'objects/info/alternates'), `${resolve(objects.toString().trim())}\n`);
  git(['update-ref', 'refs/heads/main', head]);
  return head;
}

/** A commit on top of `from` with these changes; null removes a path. */
function commit(from: string, files: Readonly<Record<string, string | null>>): string {
  const changes = Object.entries(files).map(([path, text]) =>
    text === null
      ? `D ${JSON.stringify(path)}\n`
      : `M 100644 inline ${JSON.stringify(path)}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const head = `commit refs/heads/next\ncommitter Bench <bench@example.com> 1767225600 +0000\ndata 4\nnext\nfrom ${from}\n`;
  git(['fast-import', '--quiet', '--force'], head + changes.join(''));
  return git(['rev-parse', 'refs/heads/next']);
}

/** Brings the objects into the memory of the machine, so that who reads them first does not pay for the disk. */
function warmUp(): void {
  const args = ['--git-dir', gitDir, 'cat-file', '--batch-all-objects', '--batch', '--buffer', '--unordered'];
  execFileSync('git', args, { stdio: 'ignore' });
}

/** What git alone needs to list a commit and to give every byte of it to a process that throws them away. */
async function floor(head: string): Promise<number> {
  const started = performance.now();
  const listing = execFileSync('git', ['--git-dir', gitDir, 'ls-tree', '-r', '-z', head], {
    maxBuffer: 1024 ** 3,
  });
  const ids = listing
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '' && !line.startsWith('160000'))
    .map((line) => line.slice(12, 52));
  const child = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch', '--buffer']);
  child.stdin.end(`${ids.join('\n')}\n`);
  for await (const _ of child.stdout);
  return performance.now() - started;
}

let number = 0;
async function build(commitId: string, previousFile: string | null, workers: number) {
  const resultFile = join(work, `${++number}.idx`);
  const memory = watchMemory(process.pid);
  const started = performance.now();
  const report = await buildInThread({
    identity: { repository: 'bench', commit: commitId, rules: RULES },
    git: { gitDir, env: {} },
    tree: `${commitId}^{tree}`,
    limits: DEFAULT_LIMITS,
    serving: 'licensed',
    workers,
    workerUrl: new URL('./build-worker.js', import.meta.url),
    previousFile,
    resultFile,
  });
  const ms = performance.now() - started;
  return { ms, report, resultFile, peak: memory.stop() };
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const row = (name: string, text: string) => console.log(`${name.padEnd(22)} ${text}`);
let missed = 0;

try {
  const head = borrow();
  const threads = availableParallelism();
  warmUp();
  const cold = await build(head, null, threads);
  // After the build: what this leaves behind in memory is not the build's.
  const floorMs = await floor(head);
  const { entries, skill } = cold.report.counts;
  row('the commit', `${entries} files, ${skill} skills`);
  row('git alone', `${seconds(floorMs)} (ls-tree + cat-file of everything)`);
  const ratio = cold.ms / floorMs;
  const isSmall = entries < 10_000;
  if (isSmall && ratio > FLOOR_BAR) missed += 1;
  row(
    'from nothing',
    `${seconds(cold.ms)}, ratio ${ratio.toFixed(1)}${isSmall ? ` (bar ${FLOOR_BAR})` : ''}, all processes ${megabytes(cold.peak)}, index ${megabytes(readFileSync(cold.resultFile).length)}`,
  );
  rmSync(cold.resultFile);

  const skillPath =
    git(['ls-tree', '-r', '--name-only', head])
      .split('\n')
      .filter((path) => path.endsWith('/SKILL.md'))[Math.floor(skill / 2)] ?? '';
  const text = execFileSync('git', ['--git-dir', gitDir, 'show', `${head}:${skillPath}`]).toString();
  const manifest = (words: string) => `---\nname: Bench\ndescription: ${words}\n---\n\n${words}\n`;
  const base = commit(head, { 'SKILLCDN.md': manifest('Rules for all.') });
  const before = await build(base, null, threads);
  const fresh = '---\nname: added-here\ndescription: A skill that was added.\n---\n\nDo it.\n';
  const changes: Record<string, Record<string, string | null>> = {
    'one file modified': { [skillPath]: `${text}\nOne more line about zeppelins.\n` },
    added: { [skillPath.replace(/[^/]+\/SKILL\.md$/, 'added-here/SKILL.md')]: fresh },
    deleted: { [skillPath]: null },
    renamed: { [skillPath]: null, [skillPath.replace(/\/SKILL\.md$/, '-renamed/SKILL.md')]: text },
    'a manifest changed': { 'SKILLCDN.md': manifest('Other rules for all.') },
  };
  for (const [name, files] of Object.entries(changes)) {
    const id = commit(base, files);
    const next = await build(id, before.resultFile, threads);
    let verdict = '';
    if (verify) {
      for (const workers of [1, 2]) {
        const again = await build(id, null, workers);
        const same = readFileSync(again.resultFile).equals(readFileSync(next.resultFile));
        verdict += `, ${same ? 'same bytes as' : 'NOT THE BYTES OF'} a build from nothing with ${workers} thread${workers === 1 ? '' : 's'}`;
        if (!same) missed += 1;
        rmSync(again.resultFile);
      }
    }
    if (next.ms > NEXT_BAR_MS) missed += 1;
    row(
      name,
      `${seconds(next.ms)} (bar ${seconds(NEXT_BAR_MS)}), ${next.report.filesRead} files read, ${(before.ms / next.ms).toFixed(0)} × faster than from nothing${verdict}`,
    );
    rmSync(next.resultFile);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
