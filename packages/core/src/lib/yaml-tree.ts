// Reads the small part of YAML that front matter may use: maps, lists and texts, nothing typed, nothing shared.
import {
  Composer,
  CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  Schema,
} from 'yaml';
import { findForbidden, nameOf } from './characters.ts';
import { readPlainLines } from './plain-lines.ts';

export interface TextValue {
  readonly kind: 'text';
  readonly text: string;
  /** UTF-16 offset at which the value begins. */
  readonly at: number;
  /** An unquoted value that a ` #` on its line ended. */
  readonly cut: boolean;
}

export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
  readonly at: number;
}

export interface MapValue {
  readonly kind: 'map';
  /** In the order written. A Map, so that no key can reach a prototype. */
  readonly entries: ReadonlyMap<string, Value>;
  readonly at: number;
}

export type Value = TextValue | ListValue | MapValue;

export type YamlProblem =
  /** The parser does not understand the text: the one kind that recovery may look at. */
  | { readonly kind: 'syntax'; readonly reason: string; readonly at: number }
  | { readonly kind: 'feature'; readonly feature: string; readonly at: number }
  | { readonly kind: 'duplicate'; readonly key: string; readonly at: number }
  | { readonly kind: 'character'; readonly character: string; readonly key: string; readonly at: number };

export type YamlTree =
  | { readonly ok: true; readonly root: MapValue }
  | { readonly ok: false; readonly problem: YamlProblem };

/** Collections within collections. Deep input would otherwise cost stack and time. */
export const MAX_YAML_DEPTH = 32;

const OPTIONS = {
  schema: new Schema({ schema: 'failsafe', resolveKnownTags: false, merge: false }),
  version: '1.2',
  strict: true,
  // A quadratic check; the walk below has its own.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Reads a text as one map. Offsets in the result and in problems count from `base`. */
export function readYaml(source: string, base: number): YamlTree {
  const plain = readPlainLines(source, base);
  return plain === null ? readAnyYaml(source, base) : { ok: true, root: plain };
}

/** As `readYaml`, by way of the YAML parser whatever the text. */
export function readAnyYaml(source: string, base: number): YamlTree {
  const parsed = parse(source);
  if (!parsed.ok) return { ok: false, problem: moved(parsed.problem, base) };
  try {
    const root =
      parsed.contents === null ? emptyMap(base) : new Walk(source, base).value(parsed.contents, '', 0, 0);
    if (root.kind === 'map') return { ok: true, root };
    if (root.kind === 'text' && root.text === '') return { ok: true, root: emptyMap(base) };
    return fail({ kind: 'syntax', reason: 'it holds no `key: value` lines', at: root.at });
  } catch (error) {
    if (error instanceof Refusal) return fail(error.problem);
    throw error;
  }
}

function emptyMap(at: number): MapValue {
  return { kind: 'map', entries: new Map(), at };
}

function fail(problem: YamlProblem): YamlTree {
  return { ok: false, problem };
}

function moved(problem: YamlProblem, base: number): YamlProblem {
  return { ...problem, at: problem.at + base };
}

type Parsed =
  | { readonly ok: true; readonly contents: Node | null }
  | { readonly ok: false; readonly problem: YamlProblem };

/** Lexes, parses and composes in steps, so that depth is seen before anything recurses. */
function parse(source: string): Parsed {
  const scan = new Scan(source);
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(source)) {
    scan.lexeme(lexeme, parser.offset);
    for (const token of parser.next(lexeme)) tokens.push(token);
    // A compact nested collection puts a list and a map on the stack, under one document.
    if (parser.stack.length > 2 * MAX_YAML_DEPTH) {
      return refuse({ kind: 'feature', feature: 'deeply nested values', at: parser.offset });
    }
  }
  for (const token of parser.end()) tokens.push(token);
  const forbidden = scan.forbidden();
  if (forbidden !== null) return refuse(forbidden);
  const documents: Document.Parsed[] = [];
  for (const document of new Composer(OPTIONS).compose(tokens)) documents.push(document);
  const error = documents.flatMap((document) => document.errors)[0];
  const misread = scan.misread();
  if (misread !== null && (error === undefined || isOneLine(source, misread.at, error.pos[0])))
    return refuse(misread);
  if (error !== undefined) {
    return refuse({ kind: 'syntax', reason: reasonOf(error.code, error.message), at: error.pos[0] });
  }
  return { ok: true, contents: documents[0]?.contents ?? null };
}

function isOneLine(source: string, from: number, to: number): boolean {
  return from <= to && !source.slice(from, to).includes('\n');
}

function refuse(problem: YamlProblem): Parsed {
  return { ok: false, problem };
}

/** What the lexer saw, whether or not the text parses. */
class Scan {
  private tag = -1;
  private anchor = -1;
  private alias = -1;
  private boundary = -1;
  private atScalar = false;
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  lexeme(lexeme: string, at: number): void {
    if (this.atScalar) {
      this.atScalar = false;
      return;
    }
    switch (CST.tokenType(lexeme)) {
      case 'scalar':
        this.atScalar = true;
        break;
      case 'tag':
        // `![](image.png)` is Markdown: a tag ends at white space.
        if (this.tag === -1 && this.endsAt(at + lexeme.length)) this.tag = at;
        break;
      case 'anchor':
        // A lone `&` names nothing that an alias could mean.
        if (this.anchor === -1 && lexeme.length > 1) this.anchor = at;
        break;
      case 'alias':
        if (this.alias === -1) this.alias = at;
        break;
      case 'doc-start':
      case 'doc-end':
        if (this.boundary === -1) this.boundary = at;
        break;
      default:
    }
  }

  private endsAt(at: number): boolean {
    return at >= this.source.length || /[\s,\]}]/.test(this.source[at] ?? '');
  }

  /** What is refused even where the text does not parse. */
  forbidden(): YamlProblem | null {
    if (this.tag !== -1) return { kind: 'feature', feature: 'an explicit tag (`!`)', at: this.tag };
    if (this.alias !== -1 && this.anchor !== -1) {
      return {
        kind: 'feature',
        feature: 'anchors and aliases (`&`, `*`)',
        at: Math.min(this.alias, this.anchor),
      };
    }
    if (this.boundary !== -1) return { kind: 'feature', feature: 'a second document', at: this.boundary };
    return null;
  }

  /** An anchor that nothing refers to, or an alias of nothing, is a text that merely begins that way. */
  misread(): YamlProblem | null {
    const at = Math.max(this.anchor, this.alias);
    if (at === -1) return null;
    const mark = this.anchor === -1 ? '*' : '&';
    return { kind: 'syntax', reason: `a value that is not in quotes begins with \`${mark}\``, at };
  }
}

class Refusal extends Error {
  readonly problem: YamlProblem;
  constructor(problem: YamlProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** Turns the parser's nodes into values and refuses what front matter must not hold. */
class Walk {
  private readonly source: string;
  private readonly base: number;

  constructor(source: string, base: number) {
    this.source = source;
    this.base = base;
  }

  value(node: unknown, key: string, keyAt: number, depth: number): Value {
    if (isScalar(node)) return this.text(node.value, node, key);
    if (node === null) return { kind: 'text', text: '', at: this.base + keyAt, cut: false };
    const at = this.base + startOf(node);
    if (depth >= MAX_YAML_DEPTH) throw new Refusal({ kind: 'feature', feature: 'deeply nested values', at });
    if (isSeq(node))
      return { kind: 'list', items: node.items.map((item) => this.value(item, key, keyAt, depth + 1)), at };
    if (!isMap(node)) {
      const feature = isAlias(node)
        ? 'anchors and aliases (`&`, `*`)'
        : 'a value that is neither text, list nor map';
      throw new Refusal({ kind: 'feature', feature, at });
    }
    const entries = new Map<string, Value>();
    for (const pair of node.items) {
      const name = this.key(pair.key);
      if (entries.has(name))
        throw new Refusal({ kind: 'duplicate', key: name, at: this.base + startOf(pair.key) });
      entries.set(name, this.value(pair.value, name, startOf(pair.key), depth + 1));
    }
    return { kind: 'map', entries, at };
  }

  private key(node: unknown): string {
    if (!isScalar(node) || typeof node.value !== 'string' || isEmpty(node)) {
      throw new Refusal({
        kind: 'feature',
        feature: 'a key that is not a text',
        at: this.base + startOf(node),
      });
    }
    return this.text(node.value, node, node.value).text;
  }

  private text(value: unknown, node: Node, key: string): TextValue {
    const text = typeof value === 'string' ? value : '';
    const start = startOf(node);
    const found = findForbidden(text);
    if (found !== null) {
      // An escape shows the character only in the value; then the place is where the value begins.
      const raw = this.source.slice(start, node.range?.[1] ?? start).indexOf(found.character);
      const at = this.base + start + Math.max(raw, 0);
      throw new Refusal({ kind: 'character', character: nameOf(found.character), key, at });
    }
    return { kind: 'text', text, at: this.base + start, cut: isScalar(node) && this.isCut(node) };
  }

  private isCut(node: Node & { type?: string | undefined }): boolean {
    if (node.type !== 'PLAIN') return false;
    let at = node.range?.[1] ?? this.source.length;
    while (this.source[at] === ' ' || this.source[at] === '\t') at += 1;
    return this.source[at] === '#';
  }
}

function startOf(node: unknown): number {
  return isNodeLike(node) ? (node.range?.[0] ?? 0) : 0;
}

function isNodeLike(node: unknown): node is Node {
  return typeof node === 'object' && node !== null && 'range' in node;
}

function isEmpty(node: Node): boolean {
  return node.range !== undefined && node.range !== null && node.range[0] === node.range[1];
}

const TAB = 'a line is indented with a tab';
const INDENTATION = 'the indentation of a line does not fit';
const OPEN_QUOTE = 'a quotation mark is not closed';

/** What to do about a syntax error, where that is not the quotes that most of them need; null for those. */
export function hintFor(reason: string): string | null {
  switch (reason) {
    case TAB:
      return 'Indent with spaces.';
    case INDENTATION:
      return 'Indent what belongs together by the same number of spaces.';
    case OPEN_QUOTE:
      return 'Close the quotation mark, or leave it out.';
    default:
      return null;
  }
}

function reasonOf(code: string, message: string): string {
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'BLOCK_IN_FLOW':
      return 'a value that is not in quotes holds `: `';
    case 'BAD_SCALAR_START':
      return 'a value that is not in quotes begins with a reserved character';
    case 'BAD_ALIAS':
    case 'ALIAS_PROPS':
    case 'MULTIPLE_ANCHORS':
      return 'a value that is not in quotes begins with `*` or `&`';
    case 'TAB_AS_INDENT':
      return TAB;
    case 'BAD_DQ_ESCAPE':
      return 'a value in double quotes holds a backslash that escapes nothing';
    case 'BAD_INDENT':
      return INDENTATION;
    case 'MULTILINE_IMPLICIT_KEY':
      return 'a line is neither `key: value` nor an indented continuation';
    case 'MISSING_CHAR':
      return /quote/.test(message)
        ? OPEN_QUOTE
        : /implicit map/i.test(message)
          ? 'a line is neither `key: value` nor an indented continuation'
          : 'a bracket, quotation mark or space is missing';
    case 'UNEXPECTED_TOKEN':
      return 'text follows where a value has ended';
    default:
      return 'the parser does not understand it';
  }
}
