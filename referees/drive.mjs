// `node drive.mjs <MCP URL> <git dir> [client,client]`: every client against one served repository, as a table.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { clients } from './clients.mjs';
import { browseTo, loadWhole, readWhole, searchFinds } from './walk.mjs';

const [url, gitDir, only] = process.argv.slice(2);
if (!url || !gitDir) {
  console.error('usage: node drive.mjs <MCP URL> <git dir> [client,client]');
  process.exit(64);
}
const SKILLS = 3;
const MAX_SKILL_BYTES = 1_048_576;
const MAX_FILE_BYTES = 2 * 1024 ** 2;

const git = (...args) => execFileSync('git', ['--git-dir', gitDir, ...args], { maxBuffer: 1024 ** 3 });

/** The project's own reader of results, which is TypeScript, bundled in memory. */
async function contentReader() {
  const input = fileURLToPath(new URL('../packages/core/src/contract/content.ts', import.meta.url));
  const { output } = await (await rolldown({ input })).generate({ format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

/** Regular files of a commit, largest first. */
function filesOf(commit) {
  return git('ls-tree', '-r', '-l', '-z', commit)
    .toString()
    .split('\0')
    .flatMap((line) => {
      const [, size, path] = /^100\d{3} blob \w+ +(\d+)\t(.*)$/s.exec(line) ?? [];
      return path === undefined ? [] : [{ path, size: Number(size) }];
    })
    .sort((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1));
}

/** The largest skills and the largest text of a skill that the first client is served. */
async function choose(client, files) {
  const skills = [];
  for (const { path } of files.filter(
    (file) => /(?:^|\/)SKILL\.md$/.test(file.path) && file.size < MAX_SKILL_BYTES,
  )) {
    const { text, isError } = await client.call('load_skill', { path });
    if (isError || text.includes('\nDescribed only: ')) continue;
    const name = /^Skill: (.*)$/m.exec(text)?.[1] ?? '';
    const description = /^Description: (.*)$/m.exec(text)?.[1] ?? '';
    skills.push({ path, query: `${name} ${description}`.slice(0, 300) });
    if (skills.length === SKILLS) break;
  }
  for (const { path } of files.filter(
    (file) => /\.(?:md|txt|json)$/.test(file.path) && file.size < MAX_FILE_BYTES,
  )) {
    const { isError } = await client.call('read_repo_file', { path, limit: 1 });
    if (!isError) return { skills, file: path };
  }
  return { skills, file: null };
}

const reader = await contentReader();
const first = await clients['v2 auto'].connect(url);
let { text } = await first.call('browse_repo', {});
// Each call waits a while itself.
while (/^Status: indexing/m.test(text)) ({ text } = await first.call('browse_repo', {}));
const commit = /^Commit: (\S+)/m.exec(text)?.[1] ?? 'HEAD';
const { skills, file } = await choose(first, filesOf(commit));
await first.close();
console.log(`commit ${commit}`);
for (const skill of skills) console.log(`skill  ${skill.path}`);
console.log(`file   ${file}\n`);

const source = (path) => git('cat-file', 'blob', `${commit}:${path}`);
const rows = [];
for (const [name, { era, connect }] of Object.entries(clients)) {
  if (only && !only.split(',').includes(name)) continue;
  const row = {
    client: name,
    era,
    tools: 0,
    browsed: 0,
    found: 0,
    pages: 0,
    loaded: 0,
    'file pages': 0,
    equal: 'yes',
    ms: 0,
  };
  const started = performance.now();
  const wrong = [];
  try {
    const client = await connect(url);
    row.tools = (await client.tools()).length;
    for (const { path, query } of skills) {
      row.browsed += await browseTo(client, path, reader.readContent, { limit: 200 });
      if (await searchFinds(client, query, path)) row.found += 1;
      const loaded = await loadWhole(client, path, reader, source);
      row.pages += loaded.pages;
      if (loaded.complete) row.loaded += 1;
      wrong.push(...loaded.differing.map((part) => `${path}: ${part}`));
    }
    if (file !== null) {
      const read = await readWhole(client, file, reader, source);
      row['file pages'] = read.pages;
      if (!read.equal) wrong.push(file);
    }
    await client.close();
  } catch (error) {
    wrong.push(error.message);
  }
  if (wrong.length > 0) {
    row.equal = 'no';
    process.exitCode = 1;
    console.error(`${name}: ${wrong.join('; ')}`);
  }
  row.ms = Math.round(performance.now() - started);
  rows.push(row);
}
console.table(rows);
