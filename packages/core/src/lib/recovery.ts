// Reads front matter that YAML rejects where its meaning is plain: lines of `key: value` with indented continuations.
import { findForbidden, isBlank } from './characters.ts';
import { type CertainKey, lostKeys } from './lost-keys.ts';
import { readYaml, type Value } from './yaml-tree.ts';

export interface Recovered {
  readonly fields: ReadonlyMap<string, Value>;
  /** Keys whose value was not certain; one that is not in `fields` could not be read at all. */
  readonly uncertain: ReadonlySet<string>;
}

/** One key with the lines that belong to it. */
interface Segment {
  readonly key: string;
  /** Offset of the key in the source. */
  readonly at: number;
  /** Offset of what follows the colon. */
  readonly valueAt: number;
  end: number;
  /** A line at the margin follows that is neither a key nor anything YAML would take for part of the value. */
  stray: boolean;
}

const KEY = /^([\p{L}_][\p{L}\p{N}_.-]*)[ \t]*:(?=[ \t\r]|$)/u;

/**
 * The fields of a front matter source whose YAML has a syntax error, or null where the meaning is not plain: a key
 * stands twice, a character cannot be seen, or a value uses what front matter must not use.
 * Every key is first read as YAML of its own, so that one bad line spoils no other. Source: spec, improvement 1.
 */
export function recoverFields(source: string, base: number): Recovered | null {
  if (findForbidden(source.replaceAll('\r\n', '\n')) !== null) return null;
  const segments = split(source);
  if (segments === null) return null;
  const fields = new Map<string, Value>();
  const uncertain = new Set<string>();
  const certain = new Map<string, CertainKey>();
  for (const segment of segments) {
    const { key } = segment;
    if (segment.stray) uncertain.add(key);
    const tree = segment.stray ? null : readYaml(source.slice(segment.at, segment.end), base + segment.at);
    if (tree?.ok === true) {
      const value = tree.root.entries.get(key);
      if (value !== undefined) fields.set(key, value);
      const blank = value?.kind === 'text' && isBlank(value.text);
      // `license: # Proprietary` has no value, and something to say.
      if (value === undefined || (blank && value.cut)) uncertain.add(key);
      else certain.set(key, { at: segment.at, end: segment.end, isBlank: blank });
      continue;
    }
    if (tree !== null && tree.problem.kind !== 'syntax') return null;
    uncertain.add(key);
    if (!segment.stray) fields.set(key, plainText(source, segment, base));
  }
  for (const key of lostKeys(source, certain)) uncertain.add(key);
  // A line at the margin that says nobody knows what may be one about the licence, whatever it begins with.
  if (certain.get('license')?.isBlank !== false && segments.some(({ stray }) => stray))
    uncertain.add('license');
  return { fields, uncertain };
}

function split(source: string): Segment[] | null {
  const segments: Segment[] = [];
  const seen = new Set<string>();
  let current: Segment | undefined;
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf('\n', start);
    const end = newline === -1 ? source.length : newline + 1;
    const line = source.slice(start, end).trimEnd();
    const key = KEY.exec(line);
    if (key?.[1] !== undefined) {
      if (seen.has(key[1])) return null;
      seen.add(key[1]);
      current = { key: key[1], at: start, valueAt: start + key[0].length, end, stray: false };
      segments.push(current);
    } else if (current !== undefined) {
      current.end = end;
      if (!belongs(line)) current.stray = true;
    } else if (line !== '' && !line.startsWith('#')) {
      return null;
    }
    start = end;
  }
  return segments;
}

/** Whether a line that is no key belongs to the value above it: blank, indented, a list item, or a comment. */
function belongs(line: string): boolean {
  return line === '' || /^(?:[ \t#]|- |-$|[\]}])/.test(line);
}

/** The value as it was typed, folded as YAML folds it; behind a lone `|` line by line. */
function plainText(source: string, segment: Segment, base: number): Value {
  const [first = '', ...rest] = source.slice(segment.valueAt, segment.end).split('\n');
  const header = /^[ \t]*([|>])[+-]?\d?[+-]?[ \t\r]*$/.exec(first)?.[1];
  const lines = (header === undefined ? [first, ...rest] : rest).map((line) => line.trim());
  const text = (header === '|' ? lines.join('\n') : fold(lines)).trim();
  const blanks = first.length - first.trimStart().length;
  return { kind: 'text', text, at: base + segment.valueAt + blanks, cut: false };
}

function fold(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) {
    const joint = text === '' || text.endsWith('\n') ? '' : line === '' ? '\n' : ' ';
    text += joint + line;
  }
  return text;
}
