// Reads the front matter of a file: where it lies, and its fields. Source: format, section 2.
import { type DiagnosticPlace, diagnostic } from './diagnostics.ts';
import type { Diagnostic } from './facts.ts';
import { positionAt } from './lib/position.ts';
import { recoverFields } from './lib/recovery.ts';
import { hintFor, type MapValue, readYaml, type YamlProblem } from './lib/yaml-tree.ts';
import { MAX_FRONT_MATTER_CHARACTERS } from './limits.ts';
import { codePointLength } from './text.ts';

export type { ListValue, MapValue, TextValue, Value } from './lib/yaml-tree.ts';

export type Fields = MapValue['entries'];

export type FrontMatter =
  | {
      readonly kind: 'read';
      readonly fields: Fields;
      /** UTF-16 offset behind the closing line. */
      readonly bodyOffset: number;
    }
  | {
      readonly kind: 'recovered';
      readonly fields: Fields;
      readonly bodyOffset: number;
      /** Keys whose value is not certain; those that are not in `fields` could not be read at all. */
      readonly uncertain: ReadonlySet<string>;
      /** Why the YAML could not be read: an error, of which `warning` tells. */
      readonly error: Diagnostic;
      readonly warning: Diagnostic;
    }
  | {
      readonly kind: 'invalid';
      /** Behind the closing line if there is one, else where the text begins. */
      readonly bodyOffset: number;
      readonly error: Diagnostic;
    };

export interface FrontMatterRules {
  /** Read the plain lines of front matter whose YAML has a syntax error. Never for what decides policy. */
  readonly recover?: boolean;
}

/** Reads the front matter of a text, which may begin with a byte order mark. Total: every text has an answer. */
export function readFrontMatter(text: string, path: string, rules: FrontMatterRules = {}): FrontMatter {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const opened = endOfFence(text, start);
  if (opened === -1 || text[start] !== '-') {
    return { kind: 'invalid', bodyOffset: start, error: diagnostic('no_front_matter', { path, line: 1 }) };
  }
  const closing = findClosingLine(text, opened);
  if (closing === null) {
    return {
      kind: 'invalid',
      bodyOffset: start,
      error: diagnostic('unterminated_front_matter', { path, line: 1 }),
    };
  }
  const bodyOffset = closing.end;
  const source = text.slice(opened, closing.start);
  if (isTooLong(source)) {
    return { kind: 'invalid', bodyOffset, error: diagnostic('front_matter_too_long', { path, line: 1 }) };
  }
  const tree = readYaml(source, opened);
  if (tree.ok) return { kind: 'read', fields: tree.root.entries, bodyOffset };
  const place = { path, ...positionAt(text, tree.problem.at) };
  const error = describe(tree.problem, place);
  if (tree.problem.kind === 'syntax' && rules.recover === true) {
    const recovered = recoverFields(source, opened);
    if (recovered !== null) {
      const { reason } = tree.problem;
      const warning = withHint(diagnostic('recovered_front_matter', { ...place, reason }), reason);
      return { kind: 'recovered', ...recovered, bodyOffset, error, warning };
    }
  }
  return { kind: 'invalid', bodyOffset, error };
}

/** Where the body of a text begins: the `bodyOffset` of `readFrontMatter`, without reading the fields. */
export function bodyOffsetOf(text: string): number {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const opened = endOfFence(text, start);
  if (opened === -1 || text[start] !== '-') return start;
  return findClosingLine(text, opened)?.end ?? start;
}

function describe(problem: YamlProblem, place: DiagnosticPlace): Diagnostic {
  switch (problem.kind) {
    case 'syntax':
      return withHint(
        diagnostic('invalid_front_matter', { ...place, reason: problem.reason }),
        problem.reason,
      );
    case 'feature':
      return diagnostic('unsupported_yaml', { ...place, feature: problem.feature });
    case 'duplicate':
      return diagnostic('duplicate_key', { ...place, key: problem.key });
    case 'character':
      return diagnostic('forbidden_character', { ...place, character: problem.character, key: problem.key });
  }
}

/** Most syntax errors want quotes, as the table says; some want something else. */
function withHint(found: Diagnostic, reason: string): Diagnostic {
  return { ...found, hint: hintFor(reason) ?? found.hint };
}

function isTooLong(source: string): boolean {
  return source.length > MAX_FRONT_MATTER_CHARACTERS && codePointLength(source) > MAX_FRONT_MATTER_CHARACTERS;
}

/** The offset behind a line that holds three equal marks and nothing but blanks, or -1. */
function endOfFence(text: string, start: number): number {
  const mark = text[start];
  if ((mark !== '-' && mark !== '.') || text[start + 1] !== mark || text[start + 2] !== mark) return -1;
  let at = start + 3;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  if (text[at] === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)) at += 1;
  if (at === text.length) return at;
  return text[at] === '\n' ? at + 1 : -1;
}

/** The first line from `from` on that closes front matter. */
function findClosingLine(
  text: string,
  from: number,
): { readonly start: number; readonly end: number } | null {
  // `from` is behind the opening line, so it is the start of a line.
  for (let start = from; start < text.length; ) {
    const end = endOfFence(text, start);
    if (end !== -1) return { start, end };
    const newline = text.indexOf('\n', start);
    if (newline === -1) return null;
    start = newline + 1;
  }
  return null;
}
