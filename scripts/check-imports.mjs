// Imports point up one list of packages, never down it or sideways. Exits 1 with every import that does not.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ROOT } from './lib/setup.mjs';

// From what means things to what runs; each may import what stands before it.
const ORDER = [
  ['@skillquay/core', 'packages/core'],
  ['@skillquay/git', 'packages/git'],
  ['@skillquay/registry', 'packages/registry'],
  ['@skillquay/search', 'packages/search'],
  ['@skillquay/snapshot', 'packages/snapshot'],
  ['@skillquay/hosts', 'packages/hosts'],
  ['@skillquay/server', 'apps/server'],
  ['@skillquay/registry-mcp', 'apps/registry'],
  ['skillquay', 'apps/cli'],
];
// `core` is pure: it runs in a browser, so nothing of Node may be in it.
const PURE = 'packages/core';

const problems = [];

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

for (const [rank, [name, folder]] of ORDER.entries()) {
  for (const file of sources(join(ROOT, folder, 'src'))) {
    const text = readFileSync(file, 'utf8');
    for (const [, specifier] of text.matchAll(/(?:from|import\(|import)\s*\(?'([^']+)'/g)) {
      const where = `${relative(ROOT, file)}: ${specifier}`;
      if (specifier.startsWith('.')) {
        const target = relative(ROOT, resolve(dirname(file), specifier))
          .split(sep)
          .join('/');
        if (!target.startsWith(`${folder}/`))
          problems.push(`${where} — leaves its package; import it by the package's name`);
        continue;
      }
      if (folder === PURE && specifier.startsWith('node:')) problems.push(`${where} — ${name} does no I/O`);
      const other = ORDER.findIndex(([known]) => specifier === known || specifier.startsWith(`${known}/`));
      if (other > rank) problems.push(`${where} — ${name} may not know ${ORDER[other][0]}`);
    }
  }
}

if (problems.length > 0) {
  console.error(`${problems.length} imports point the wrong way:\n${problems.join('\n')}`);
  process.exit(1);
}
console.log('Imports point up.');
