// `npm run bench [-- name…] [-- git directory…]`: every table, or the named ones, over repositories you have, or a made-up one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCorpus } from '../bench/lib/corpus.mjs';
import { build, checkMachine, install, ROOT, run } from './lib/setup.mjs';

const MADE_UP_SKILLS = 5_000;
const TABLES = {
  accounting: (dir) => [['bench/dist/bundle/accounting.js', dir]],
  build: (dir) => [['bench/dist/bundle/build.js', dir]],
  licences: (dir) => [['bench/dist/bundle/licences.js', dir]],
  search: (dir) => [['bench/dist/bundle/search.js', dir]],
  serve: (dir) => [['bench/serve/main.mjs', dir]],
  mcp: (dir) => [['bench/mcp/main.mjs', dir]],
  extension: (dir) => [['bench/extension/main.mjs', dir]],
  registry: () => [['bench/dist/bundle/registry.js'], ['bench/dist/bundle/registry-git.js']],
};

checkMachine();
install();
install(join(ROOT, 'bench'));
build();
run('npx', ['tsdown', '--config', 'bench/tsdown.config.ts']);

const args = process.argv.slice(2).filter((argument) => argument !== '--');
const named = args.filter((argument) => Object.hasOwn(TABLES, argument));
const given = args.filter((argument) => !named.includes(argument));
const missing = given.filter((dir) => !existsSync(dir));
if (missing.length > 0) {
  console.error(
    `There is no ${missing.join(', ')}. Tables: ${Object.keys(TABLES).join(', ')}; anything else is a git directory.`,
  );
  process.exit(64);
}

const work = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
let missed = 0;
try {
  const directories = given.length > 0 ? given : [makeCorpus(work, MADE_UP_SKILLS)];
  for (const dir of directories) {
    for (const name of named.length > 0 ? named : Object.keys(TABLES)) {
      for (const command of TABLES[name](dir)) {
        console.log(`\n${name}: ${dir}`);
        if (spawnSync(process.execPath, command, { cwd: ROOT, stdio: 'inherit' }).status !== 0) missed += 1;
      }
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (missed > 0) console.log(`\n${missed} tables miss a bar.`);
process.exitCode = missed === 0 ? 0 : 1;
