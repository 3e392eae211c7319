import { defineConfig, type UserConfig } from 'tsdown';

const common: UserConfig = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  dts: false,
  sourcemap: true,
  clean: true,
  fixedExtension: false,
  deps: { alwaysBundle: [/^@skillquay\//] },
  logLevel: 'error',
};

// The command (with the endpoint inside it), its command line as a module, which tests run in a process of theirs, and its
// build worker, which must be a file of its own because a worker thread starts from a file; and the server of a registry, which its client starts and which loads nothing else. The
// packages are never built one by one: nothing publishes them.
export default defineConfig([
  {
    ...common,
    entry: {
      skillquay: 'apps/cli/src/main.ts',
      'command-line': 'apps/cli/src/command-line.ts',
      'build-worker': 'packages/snapshot/src/build-worker.ts',
    },
    outDir: 'apps/cli/dist',
  },
  { ...common, entry: { 'skill-registry-mcp': 'apps/registry/src/main.ts' }, outDir: 'apps/registry/dist' },
]);
