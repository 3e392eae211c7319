// Finds the scripts that a Markdown text asks to run by a path that can only lie beside it or in its repository.
import { basename } from '../paths.ts';
import { type Block, CodeBlocks, type LinePart, lineAround, spanAt } from './code-blocks.ts';

export interface ScriptMention {
  /** As written, without a leading `./`. */
  readonly path: string;
  /** UTF-16 offset in the text. */
  readonly at: number;
}

/** Endings of files that something runs. */
const ENDING = /\.(?:py|sh|bash|mjs|cjs|js|ts|rb|pl|ps1)(?![\w-]|\.\w)/g;
const MAX_PATH_CHARACTERS = 200;
/** Endings that are looked at in one text: more are no instructions. */
const MAX_ENDINGS = 2_000;

/** Every script that the text asks to run, from a UTF-16 offset on, each path once. Work is linear in its length. */
export function findScripts(text: string, from: number): ScriptMention[] {
  const asked = new Map<string, number>();
  const made = new Set<string>();
  const blocks = new CodeBlocks(text, from);
  let cloned: number | null = null;
  ENDING.lastIndex = from;
  for (let left = MAX_ENDINGS; left > 0; left -= 1) {
    const found = ENDING.exec(text);
    if (found === null) break;
    const at = startOfPath(text, found.index);
    const written = text.slice(at, found.index + found[0].length);
    const path = written.replace(/^(?:\.\/)+/, '');
    if (!isInScriptFolder(path) && !/\.(?:sh|bash)$/.test(path)) continue;
    const line = lineAround(text, at);
    const before = line.text.slice(0, at - line.start);
    // A download leaves a file of that name where it is run.
    if (isMade(before)) made.add(path).add(basename(path));
    // Who gets another repository runs what lies there.
    cloned ??= text.search(CLONE);
    if (cloned !== -1 && cloned < at) break;
    if (!isRelativeFile(path) || !isWholePath(text, at)) continue;
    if (asked.has(path) || !(written.startsWith('./') ? isShellFile(path) : isInScriptFolder(path))) continue;
    const block = blocks.blockAt(at);
    if (
      block === null ? isAskedInProse(text, line, at, written) : isRunInBlock(text, block, line, at, written)
    )
      asked.set(path, at);
  }
  return [...asked].filter(([path]) => !made.has(path)).map(([path, at]) => ({ path, at }));
}

function startOfPath(text: string, dot: number): number {
  let at = dot;
  while (at > 0 && dot - at < MAX_PATH_CHARACTERS && isPathCharacter(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Letters, digits, and `_ . / -` of ASCII: other letters are taken for the words before a path. */
function isPathCharacter(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x2d && code <= 0x39) ||
    code === 0x5f
  );
}

/** Names that stand for another name. */
const PLACEHOLDER =
  /(?:^|[/_.-])(?:your|my|our|example|sample|foo|bar|baz|xxx+|path|some|script|name|file|filename)(?=[/_.-]|$)|(?:^|\/)[xn]\.\w+$/i;

function isRelativeFile(path: string): boolean {
  return /^[A-Za-z0-9_.]/.test(path) && !/(?:^|\/)(?:\.\.?)?\/|\.\.\./.test(path) && !PLACEHOLDER.test(path);
}

/** Whether the path begins where it seems to: nothing before it says that it is the end of another. */
function isWholePath(text: string, at: number): boolean {
  return at === 0 || /[\s`"'(，。：、（]/.test(text[at - 1] ?? '') || text.charCodeAt(at - 1) >= 0x2e80;
}

/** Folders in which skills and repositories keep what they run. Elsewhere lie programs of others, and the user's own. */
const SCRIPT_FOLDERS = /(?:^|\/)(?:scripts?|tools)\//;

function isInScriptFolder(path: string): boolean {
  return SCRIPT_FOLDERS.test(path) && !path.includes('node_modules/');
}

/** What every project calls its own. */
const USUAL_NAME = /^(?:build|deploy|run|test|bootstrap)\.sh$/;

function isShellFile(path: string): boolean {
  return isInScriptFolder(path) || (/^[^/]+\.(?:sh|bash)$/.test(path) && !USUAL_NAME.test(path));
}

/** Whether what stands before a path on its line says that the text makes it, or that it may not be there. */
function isMade(before: string): boolean {
  return /\b(?:creat\w*|writ(?:e|es|ing)|sav(?:e|es|ed|ing)|add(?:s|ing)?|generat\w*|scaffold\w*|touch|new|cp|copy|mv|curl|wget|tee|if|exists?|missing|optional)\b|\s-[efx]\s+$|>{1,2}\s*$|^\s*(?:#|\/\/)\s*$/i.test(
    before,
  );
}

const RUNNERS: ReadonlySet<string> = new Set(
  'python python2 python3 py node bash sh zsh ruby perl deno bun tsx ts-node pwsh powershell source . run -File'.split(
    ' ',
  ),
);
/** Shells keep commands apart with these. */
const COMMAND_END = /&&|\|\||[;|(]/;

/** Whether the words before a path on a command line run it. `null`: nothing stands there. */
function isRun(before: string): boolean | null {
  const command = before.split(COMMAND_END).at(-1) ?? '';
  const words = command
    .replace(/["']$/, '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '$');
  if (words.length === 0) return null;
  while (words.length > 0) {
    const word = words.pop() ?? '';
    if (RUNNERS.has(word)) return true;
    if (!word.startsWith('-')) return /^[A-Z_][A-Z0-9_]*=/.test(word) && words.length === 0 ? null : false;
  }
  return false;
}

const CLONE = /\b(?:git|gh repo) clone\b/;
/** Who goes to another folder runs what lies there. */
const ELSEWHERE = /(?:^|[\s`;&(])(?:cd|pushd)\s/;
const SHELL_INFO = /^(?:$|(?:(?:ba|z)?sh|shell|console|terminal|text|txt|powershell|ps1|cmd)\b)/;

function isRunInBlock(text: string, block: Block, line: LinePart, at: number, written: string): boolean {
  const before = line.text.slice(0, at - line.start);
  if (/^\s*(?:#|\/\/|--)/.test(before)) return false;
  const run = isRun(before);
  if (run === false || !SHELL_INFO.test(block.info)) return false;
  // A path alone, where nothing says that this is a shell, may be one of a list.
  const isListed =
    run === null && block.info === '' && line.text.trim() === written && !written.startsWith('./');
  if (isListed) return false;
  return !ELSEWHERE.test(text.slice(Math.max(block.start, at - MAX_BLOCK_CHARACTERS), at));
}

/** Characters of a block before a path in which it may go elsewhere. */
const MAX_BLOCK_CHARACTERS = 2_000;

/** In prose: a command in a code span, a path in one behind a word that asks to run it, or a link to it. */
function isAskedInProse(text: string, line: LinePart, at: number, written: string): boolean {
  if (text.startsWith('](', at - 2)) return text[at + written.length] === ')';
  const span = spanAt(line, at);
  if (span === null) return false;
  const before = span.text.slice(0, at - span.start);
  if (ELSEWHERE.test(before)) return false;
  return isRun(before) ?? ASKS_TO_RUN.test(line.text.slice(0, span.start - line.start));
}

const ASKS_TO_RUN = /\b(?:run|execute|invoke|launch)(?:\s+(?:the|this|script|command|it))*:?\s*`+$/i;
