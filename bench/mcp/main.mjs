// `tools/call load_skill` over HTTP with 8 connections: the built server against the SDK's default stack, which
// returns the same text. Usage: node bench/mcp/main.mjs [repository] [path of a SKILL.md]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, CONNECTIONS, compare, figures, requestOf, start } from '../lib/load.mjs';

const BARS = { modern: 6, legacy: 1.5 };

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, '..', '..');

const callOf = (era, name, args) => requestOf(era, 'tools/call', { name, arguments: args }, name);

const [source = join(ROOT, 'examples', 'library'), wanted] = process.argv.slice(2);
const store = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
const command = join(ROOT, 'apps/cli/bin/skillquay.js');
const ours = await start([command, 'serve', source, '--port', '0', '--store', store, '--json']);
let peer;
let missed = 0;
try {
  const url = JSON.parse(ours.line).mounts[0].mcp;
  const textOf = async (name, args) => (await ask(url, callOf('modern', name, args))).content[0].text;
  const path = wanted ?? /[^\s`"]*SKILL\.md/.exec(await textOf('search_repo', { query: 'the a to use' }))[0];
  const text = await textOf('load_skill', { path });
  peer = await start([join(HERE, 'peer.mjs')], text);

  console.log(
    `tools/call load_skill ${path}, ${Buffer.byteLength(text)} bytes of text, ${CONNECTIONS} connections`,
  );
  for (const [era, bar] of Object.entries(BARS)) {
    const seen = await compare(
      { url, pid: ours.child.pid },
      { url: `http://127.0.0.1:${peer.line}/`, pid: peer.child.pid },
      callOf(era, 'load_skill', { path }),
    );
    if (seen.ratio < bar) missed += 1;
    console.log(
      `${era.padEnd(7)} skillquay ${figures(seen.ours)}  SDK default ${figures(seen.peer)}  ratio ${seen.ratio.toFixed(1)} (bar ${bar})`,
    );
  }
} finally {
  ours.child.kill();
  peer?.child.kill();
  rmSync(store, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;
