import { defineConfig } from 'tsdown';

// Two bundles: the command (with the server inside it) and the build worker, which must be a file of its own
// because a worker thread starts from a file. The packages are never built one by one: nothing publishes them.
export default defineConfig({
  entry: {
    skillquay: 'apps/cli/src/main.ts',
    'build-worker': 'packages/snapshot/src/build-worker.ts',
  },
  outDir: 'apps/cli/dist',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  sourcemap: true,
  clean: true,
  fixedExtension: false,
  deps: { alwaysBundle: [/^@skillquay\//] },
  logLevel: 'error',
});
