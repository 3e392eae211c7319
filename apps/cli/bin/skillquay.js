#!/usr/bin/env node
// Starts the bundled command; `npm start` and `npm run build` make the bundle.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/skillquay.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  console.error('The command is not built yet. Run `npm start` or `npm run build` in the checkout first.');
  process.exitCode = 78;
}
