#!/usr/bin/env node
// Starts the bundled server; `npm start` and `npm run build` make the bundle.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/skill-registry-mcp.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  console.error(
    'skill-registry-mcp: The server is not built yet. Run `npm start` or `npm run build` in the checkout first.',
  );
  process.exitCode = 70;
}
