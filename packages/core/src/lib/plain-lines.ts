// A short cut for the front matter that most files have: `key: value` lines with at most one level of maps below.
import { findForbidden } from './characters.ts';
import type { MapValue, TextValue, Value } from './yaml-tree.ts';

/**
 * One line: indentation, key, and a value that no rule of YAML can read in another way. Either a text in quotes
 * without escapes, or plain words that begin with a letter, a digit or one of a few harmless marks.
 */
const LINE =
  /( *)([A-Za-z_][\w-]{0,99}):(?: +(?:"([^"\\\n\t]*)"|'([^'\n\t]*)'|([A-Za-z0-9(/\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3][^\n\t]*)) *)?(?:\n|$)/y;

/**
 * Reads a source if every line is of the simplest kind; null hands it on to the YAML parser.
 * Property: where it answers, the answer is the parser's.
 */
export function readPlainLines(source: string, base: number): MapValue | null {
  if (source.includes('\r') || findForbidden(source) !== null) return null;
  const root = new Map<string, Value>();
  let nested: Map<string, Value> | null = null;
  let nestedIndent = 0;
  let lastKey = '';
  let lastIsEmpty = false;
  let rootAt = -1;
  for (let at = 0; at < source.length; at = LINE.lastIndex) {
    LINE.lastIndex = at;
    const line = LINE.exec(source);
    const key = line?.[2];
    if (line === null || key === undefined) return null;
    const indent = line[1]?.length ?? 0;
    if (indent === 0) {
      const value = lineValue(line, at, base);
      if (value === null || root.has(key)) return null;
      if (rootAt === -1) rootAt = base + at;
      root.set(key, value);
      nested = null;
      lastKey = key;
      lastIsEmpty = value.text === '' && line[3] === undefined && line[4] === undefined;
      continue;
    }
    if (nested === null) {
      if (!lastIsEmpty) return null;
      nested = new Map();
      nestedIndent = indent;
      root.set(lastKey, { kind: 'map', entries: nested, at: base + at + indent });
    }
    const value = lineValue(line, at, base);
    if (indent !== nestedIndent || value === null || nested.has(key)) return null;
    nested.set(key, value);
  }
  return root.size === 0 ? null : { kind: 'map', entries: root, at: rootAt };
}

function lineValue(line: RegExpExecArray, lineAt: number, base: number): TextValue | null {
  const colonAt = lineAt + (line[1]?.length ?? 0) + (line[2]?.length ?? 0);
  const quoted = line[3] ?? line[4];
  const plain = line[5];
  if (quoted === undefined && plain === undefined) {
    return { kind: 'text', text: '', at: base + colonAt + 1, cut: false };
  }
  const at = base + firstOf(line[0], colonAt + 1 - lineAt) + lineAt;
  if (quoted !== undefined) return { kind: 'text', text: quoted, at, cut: false };
  const text = withoutFinalBlanks(plain ?? '');
  if (text.includes(': ') || text.includes(' #') || text.endsWith(':')) return null;
  return { kind: 'text', text, at, cut: false };
}

function firstOf(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ') at += 1;
  return at;
}

/** Only spaces end a value in YAML; other white space belongs to it. */
function withoutFinalBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
