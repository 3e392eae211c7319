// Which parts of a Markdown text are code: fenced blocks, and spans within a line.

/** Fenced blocks of a text, asked for at ascending offsets. Each line that could be a fence is looked at once. */
export class CodeBlocks {
  readonly #text: string;
  /** Offset from which fences are looked for. */
  #at: number;
  #block: Block | null = null;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  /** The block that holds this offset, or null. */
  blockAt(offset: number): Block | null {
    while (this.#at <= offset) {
      const fence = fenceOfLine(this.#text, this.#at);
      this.#block = fence === null ? null : blockOf(this.#text, fence);
      this.#at = this.#block?.next ?? nextLine(this.#text, this.#at);
    }
    const block = this.#block;
    return block !== null && offset >= block.start && offset < block.end ? block : null;
  }
}

export interface Block {
  /** Offsets of its first line and behind its last. */
  readonly start: number;
  readonly end: number;
  /** Where the text goes on behind the closing fence. */
  readonly next: number;
  /** What stands behind the opening fence, in lower case. */
  readonly info: string;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly lineEnd: number;
  readonly info: string;
}

/** Characters that may stand before a fence: indentation, and the marks of lists and quotations. */
const BEFORE_FENCE = ' \t>-*+.0123456789';
const MAX_BEFORE_FENCE = 40;

function fenceOfLine(text: string, lineStart: number): Fence | null {
  let at = lineStart;
  while (at - lineStart < MAX_BEFORE_FENCE && at < text.length && BEFORE_FENCE.includes(text[at] ?? '\n'))
    at += 1;
  const mark = text[at] ?? '';
  if ((mark !== '`' && mark !== '~') || text[at + 1] !== mark || text[at + 2] !== mark) return null;
  let end = at + 3;
  while (text[end] === mark) end += 1;
  const lineEnd = nextLine(text, end);
  const info = text.slice(end, lineEnd).trim();
  // A span that is closed on its line opens no block.
  if (mark === '`' && info.includes('`')) return null;
  return { mark, length: end - at, lineEnd, info: info.toLowerCase() };
}

function blockOf(text: string, { lineEnd: start, mark, length, info }: Fence): Block {
  for (let at = start; at < text.length; at = nextLine(text, at)) {
    const fence = fenceOfLine(text, at);
    if (fence?.mark === mark && fence.length >= length && fence.info === '')
      return { start, end: at, next: fence.lineEnd, info };
  }
  return { start, end: text.length, next: text.length + 1, info };
}

/** The offset behind the next end of a line; behind the end of the text there is one as well. */
function nextLine(text: string, from: number): number {
  const newline = text.indexOf('\n', from);
  return newline === -1 ? text.length + 1 : newline + 1;
}

/** Characters of a line that are looked at before an offset, and behind it. */
const MAX_LINE_CHARACTERS = 500;

export interface LinePart {
  readonly text: string;
  /** Of the text, in the whole. */
  readonly start: number;
}

/** The line around an offset, as far as it is looked at. */
export function lineAround(text: string, offset: number): LinePart {
  const first = Math.max(0, offset - MAX_LINE_CHARACTERS);
  const start = first + text.slice(first, offset).lastIndexOf('\n') + 1;
  const end = text.slice(offset, offset + MAX_LINE_CHARACTERS).indexOf('\n');
  return { text: text.slice(start, end === -1 ? offset + MAX_LINE_CHARACTERS : offset + end), start };
}

/** The content of the code span that holds an offset of a line, or null. */
export function spanAt({ text, start }: LinePart, offset: number): LinePart | null {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ at: index, length: ticks.length }));
  for (let i = 0; i < runs.length; i += 1) {
    const opening = runs[i];
    if (opening === undefined || start + opening.at >= offset) return null;
    const close = runs.findIndex(({ length }, j) => j > i && length === opening.length);
    const closing = runs[close];
    if (closing === undefined) continue;
    const from = opening.at + opening.length;
    if (offset < start + closing.at)
      return offset < start + from ? null : { text: text.slice(from, closing.at), start: start + from };
    i = close;
  }
  return null;
}
