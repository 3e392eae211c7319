// What an agent does with a mount, step by step, and whether what arrived is what git holds.

const MAX_PAGES = 5_000;

/** The literal call that a result names last, or null. What stands inside repository content is never one. */
export function nextCall(text, readContent) {
  const line = /^Next: (\w+) (\{.*\})$/m.exec(text.slice(endOfContent(text, readContent)));
  return line === null ? null : { tool: line[1], args: JSON.parse(line[2]) };
}

/** The index behind the last piece of content: a title line, perhaps a line on the fragment, the text, a line feed. */
function endOfContent(text, readContent) {
  const pieces = readContent(text);
  if (pieces === null)
    throw new Error(`the content of this result cannot be taken out:\n${text.slice(0, 400)}`);
  if (pieces.length === 0) return 0;
  let at = text.search(/^Content: /m);
  const skipLine = () => {
    at = text.indexOf('\n', at) + 1;
  };
  skipLine();
  for (const piece of pieces) {
    skipLine();
    if (piece.from > 0 || piece.to < piece.total) skipLine();
    at += piece.text.length + 1;
  }
  return at;
}

/** A path as a line names it: in quotes, as JSON, where its spaces would not be seen. */
function pathIn(shown) {
  return shown.startsWith('"') ? JSON.parse(shown) : shown;
}

/** Makes a call and every call its results name next, page by page. */
async function* pages(client, tool, args, readContent) {
  let next = { tool, args };
  for (let count = 1; next !== null; count += 1) {
    if (next.tool !== tool) throw new Error(`${tool} went on with ${next.tool}`);
    if (count > MAX_PAGES) throw new Error(`${tool} does not end`);
    const { text, isError } = await client.call(next.tool, next.args);
    if (isError) throw new Error(`${tool} ${JSON.stringify(next.args)}: ${text}`);
    yield text;
    next = nextCall(text, readContent);
  }
}

async function allPages(client, tool, args, readContent) {
  const texts = [];
  for await (const text of pages(client, tool, args, readContent)) texts.push(text);
  return texts;
}

/**
 * Goes from the mounted folder down to a skill, by what listings name. Resolves with the number of calls.
 * `args` go with each, such as a limit.
 */
export async function browseTo(client, skillPath, readContent, args = {}) {
  let calls = 0;
  const step = async (folder) => {
    const where = folder === null ? args : { ...args, path: folder };
    for await (const text of pages(client, 'browse_repo', where, readContent)) {
      calls += 1;
      for (const [, kind, shown] of text.matchAll(/^\[(\w+)\] (.*)$/gm)) {
        if (kind !== 'skill' && kind !== 'folder') continue;
        const path = pathIn(shown);
        if (kind === 'skill' ? path === skillPath : skillPath.startsWith(`${path}/`)) return path;
      }
    }
    throw new Error(`nothing in ${JSON.stringify(folder ?? '')} leads to ${skillPath}`);
  };
  let at = null;
  while (at !== skillPath) at = await step(at);
  return calls;
}

/** Whether searching for these words finds the skill on the first page. */
export async function searchFinds(client, query, skillPath) {
  const { text, isError } = await client.call('search_repo', { query, limit: 25 });
  if (isError) throw new Error(`search_repo ${query}: ${text}`);
  return Array.from(text.matchAll(/^\[skill\] (.*)$/gm), ([, shown]) => pathIn(shown)).includes(skillPath);
}

const FENCE = /(?:^|\n)(?:---|\.\.\.)[ \t]*\r?\n?$/;

/** Whether a part is the body of the file: the end of it, right behind the line that closes its front matter. */
function isBodyOf(text, source) {
  const body = Buffer.from(text);
  const head = source.subarray(0, source.length - body.length);
  return source.subarray(head.length).equals(body) && FENCE.test(head.toString('utf8'));
}

/** What a page says behind its content: whether that was all. */
function completeOf(text, readContent) {
  return /^complete: (true|false)$/m.exec(text.slice(endOfContent(text, readContent)))?.[1];
}

/**
 * Loads a skill to its end. `source(path)` gives the bytes git holds. Resolves with the pages it took, the parts
 * that differ, and whether the skill is complete.
 */
export async function loadWhole(client, skillPath, { readContent, joinContent }, source) {
  const texts = await allPages(client, 'load_skill', { path: skillPath }, readContent);
  const differing = [];
  const parts = joinContent(texts);
  for (const { title, text } of parts) {
    const [, kind, path] = /^(applicable rules|included file): (.*)$/s.exec(title) ?? [
      null,
      title,
      skillPath,
    ];
    const bytes = await source(path);
    const same = kind === 'included file' ? Buffer.from(text).equals(bytes) : isBodyOf(text, bytes);
    if (!same) differing.push(title);
  }
  if (!parts.some(({ title }) => title === 'instructions')) differing.push('no instructions');
  const ends = texts.map((text) => completeOf(text, readContent));
  if (ends.slice(0, -1).includes('true')) differing.push('complete before the end');
  return { pages: texts.length, differing, complete: ends.at(-1) === 'true' };
}

/** Reads a file to its end. Resolves with the pages it took and whether its bytes are those of git. */
export async function readWhole(client, path, { readContent, joinContent }, source) {
  const texts = await allPages(client, 'read_repo_file', { path }, readContent);
  const parts = joinContent(texts);
  const text = parts.map((part) => part.text).join('');
  const ends = texts.map((page) => completeOf(page, readContent));
  const told = ends.at(-1) === 'true' && ends.slice(0, -1).every((end) => end === 'false');
  return {
    pages: texts.length,
    equal: told && parts.length <= 1 && Buffer.from(text).equals(await source(path)),
  };
}
