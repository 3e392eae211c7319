import { defineConfig } from 'tsdown';

// Benchmarks of the packages run from a bundle, like what they measure.
export default defineConfig({
  entry: {
    search: 'search/main.ts',
    accounting: 'accounting.ts',
    licences: 'licences.ts',
    build: 'build/main.ts',
    registry: 'registry/main.ts',
    'registry-git': 'registry/git.ts',
    'build-worker': '../packages/snapshot/src/build-worker.ts',
  },
  outDir: 'dist/bundle',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  clean: true,
  fixedExtension: false,
  deps: {
    alwaysBundle: [/^@skillquay\//, 'lru-cache', 'markdown-it', 'spdx-expression-parse', 'yaml'],
    neverBundle: ['libsql'],
  },
  logLevel: 'error',
});
