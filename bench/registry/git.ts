// A registry in a git repository against a clone each time: requests and transfers of listing it cold, again, and after
// one skill has changed. Usage: registry-git
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openGitBackend } from '@skillquay/registry/git-backend';
import { openCaches, openRegistry } from '@skillquay/registry/registry';
import { gitServer } from '../../test-support/git-http.ts';
import { repository } from '../../test-support/repository.ts';

const SKILLS = 500;

const root = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
const skill = (version: number) =>
  `---\nname: a skill\ndescription: Version ${version}\n---\n${'Body.\n'.repeat(100)}`;
const repo = repository(
  Object.fromEntries(Array.from({ length: SKILLS }, (_, i) => [`skill-${i}/SKILL.md`, `${skill(0)}${i}\n`])),
);
const server = await gitServer({ 'o/r.git': repo.dir });
const url = `${server.url}/o/r.git`;
let sent = 0;
server.beforePiece = async (bytes) => {
  sent += bytes;
};

/** Memory of its own, as a process begins with. */
async function list(): Promise<void> {
  const registry = openRegistry({
    backend: openGitBackend({ kind: 'git', url, branch: null, dir: '' }, { cacheRoot: root }),
    caches: openCaches(root),
    limits: { maxFileBytes: 2 * 1024 ** 2 },
  });
  const { skills } = await registry.list({ signal: new AbortController().signal });
  if (skills.length !== SKILLS) throw new Error(`${skills.length} skills are listed, not ${SKILLS}`);
}

let clones = 0;
async function clone(): Promise<void> {
  clones += 1;
  await promisify(execFile)('git', ['clone', '--quiet', '--depth=1', url, join(root, `clone-${clones}`)]);
}

async function measured(work: () => Promise<void>) {
  const [requests, bytes, began] = [server.requests.length, sent, performance.now()];
  await work();
  return {
    requests: server.requests.length - requests,
    bytes: sent - bytes,
    ms: performance.now() - began,
  };
}

/** What is listed, and the most requests that are allowed. */
const ROWS = [
  { work: 'cold', bar: 5 },
  { work: 'unchanged', bar: 2 },
  { work: 'one changed', bar: 5 },
];

let missed = 0;
try {
  for (const { work, bar } of ROWS) {
    if (work === 'one changed') repo.commit({ 'skill-0/SKILL.md': skill(1) });
    const [us, them] = [await measured(list), await measured(clone)];
    if (us.requests > bar) missed += 1;
    console.log(
      `${`list ${SKILLS} skills by git, ${work}`.padEnd(36)} ${us.requests} requests (bar ${bar}), ${us.bytes} bytes, ${us.ms.toFixed(0)} ms; a clone ${them.requests}, ${them.bytes} bytes, ${them.ms.toFixed(0)} ms`,
    );
  }
} finally {
  await server.close();
  repo.remove();
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
