// Reads from a Markdown text how it introduces itself and which Markdown files it links to. Source: format, sections 2 and 5.
import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { diagnostic } from './diagnostics.ts';
import type { Diagnostic, MarkdownFacts, Reading } from './facts.ts';
import { type Fields, type FrontMatter, readFrontMatter } from './front-matter.ts';
import { mayNameMarkdown, resolveLink } from './lib/links.ts';
import { summaryText } from './lib/summary.ts';
import { MAX_LINK_CHARACTERS, MAX_LINK_TARGETS } from './limits.ts';
import { advance } from './text.ts';

export interface MarkdownOptions {
  /** Read title and summary too, from front matter or from the text. */
  readonly title: boolean;
  /** UTF-16 offset at which the text begins where front matter was read before; else it is looked for. */
  readonly bodyOffset?: number;
}

export interface MarkdownReading extends Reading<MarkdownFacts> {
  readonly value: MarkdownFacts;
}

/** Every opening bracket costs a search for its end; a file that holds more than these is no prose. */
const MAX_BRACKETS = 20_000;

// HTML is recognised so that it is passed over; destinations are wanted as typed, whatever their scheme.
const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false });
markdown.normalizeLink = (destination) => destination;
markdown.validateLink = () => true;

/** Reads the Markdown text of the file at a repository-root path. Total, and bounded in work. */
export function readMarkdown(text: string, path: string, options: MarkdownOptions): MarkdownReading {
  const front = options.bodyOffset === undefined ? readFrontMatter(text, path) : null;
  const start = options.bodyOffset ?? bodyOf(text, front);
  const end =
    text.length - start <= MAX_LINK_CHARACTERS ? text.length : advance(text, start, MAX_LINK_CHARACTERS);
  const body = text.slice(start, end);
  const seeksLinks = mayContainLocalLink(body);
  const diagnostics: Diagnostic[] = [];
  if (end < text.length && mayContainLocalLink(text.slice(end))) {
    diagnostics.push(diagnostic('link_text_limit', { path, limit: MAX_LINK_CHARACTERS }));
  }
  if (!options.title && !seeksLinks) return { value: { links: [] }, diagnostics };
  const document = new ParsedDocument(body, path);
  const links = seeksLinks ? findLinks(document, diagnostics) : [];
  if (!options.title) return { value: { links }, diagnostics };
  return {
    value: { ...introduce(document, front?.kind === 'read' ? front.fields : null), links },
    diagnostics,
  };
}

/** A document may begin with a rule; front matter that cannot be read is passed over only if it is meant as such. */
function bodyOf(text: string, front: FrontMatter | null): number {
  const isMeant = /^\ufeff?---[^\n]*\n\s*["'\w-]+[ \t]*:/.test(text);
  if (front !== null && (front.kind === 'read' || isMeant)) return front.bodyOffset;
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

/** A text taken apart into blocks; what stands inside a block is parsed when it is asked for, once. */
class ParsedDocument {
  readonly path: string;
  readonly blocks: Token[] = [];
  private readonly env: Env = {};
  private readonly parsed = new Map<Token, Token[]>();
  private brackets = MAX_BRACKETS;

  constructor(body: string, path: string) {
    this.path = path;
    markdown.block.parse(normalize(body), markdown, this.env, this.blocks);
  }

  /** The destinations that reference-style links can have. */
  destinations(): string[] {
    return Object.values(this.env.references ?? {}).map(({ href }) => href);
  }

  inline(block: Token): readonly Token[] {
    let tokens = this.parsed.get(block);
    if (tokens === undefined) {
      tokens = [];
      markdown.inline.parse(this.withinBrackets(block.content), markdown, this.env, tokens);
      this.parsed.set(block, tokens);
    }
    return tokens;
  }

  /** Whether some of the text was not looked at because too many brackets stood before it. */
  get exhausted(): boolean {
    return this.brackets < 0;
  }

  private withinBrackets(content: string): string {
    for (let at = content.indexOf('['); at !== -1; at = content.indexOf('[', at + 1)) {
      this.brackets -= 1;
      if (this.brackets < 0) return content.slice(0, at);
    }
    return content;
  }
}

function normalize(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.includes('\0') ? lines.replaceAll('\0', '\ufffd') : lines;
}

function findLinks(document: ParsedDocument, diagnostics: Diagnostic[]): string[] {
  const { path } = document;
  const byReference = document.destinations().some((destination) => resolveLink(destination, path) !== null);
  const links = new Set<string>();
  for (const block of document.blocks) {
    if (block.type !== 'inline') continue;
    const { content } = block;
    const inline = content.includes('](') && mayNameMarkdown(content);
    if (!inline && !(byReference && content.includes(']'))) continue;
    for (const token of document.inline(block)) {
      if (token.type !== 'link_open') continue;
      const target = resolveLink(String(token.attrGet('href') ?? ''), path);
      if (target === null || links.has(target)) continue;
      if (links.size === MAX_LINK_TARGETS) {
        diagnostics.push(diagnostic('link_target_limit', { path, limit: MAX_LINK_TARGETS }));
        return [...links];
      }
      links.add(target);
    }
  }
  if (document.exhausted) diagnostics.push(diagnostic('link_work_limit', { path, limit: MAX_BRACKETS }));
  return [...links];
}

function introduce(
  document: ParsedDocument,
  fields: Fields | null,
): Pick<MarkdownFacts, 'title' | 'summary'> {
  const { blocks } = document;
  const heading = blocks.findIndex(
    (block) => block.type === 'heading_open' && block.tag === 'h1' && block.level === 0,
  );
  const title = fieldText(fields, 'title') ?? (heading === -1 ? '' : words(document, blocks[heading + 1]));
  const summary =
    fieldText(fields, 'description') ?? (firstProse(document, heading + 1) || firstProse(document, 0));
  return { ...(title === '' ? {} : { title }), ...(summary === '' ? {} : { summary }) };
}

function fieldText(fields: Fields | null, key: string): string | null {
  const value = fields?.get(key);
  const text = value?.kind === 'text' ? summaryText(value.text) : '';
  return text === '' ? null : text;
}

/** The first paragraph of words at the margin, from a block on; '' if there is none. */
function firstProse(document: ParsedDocument, from: number): string {
  const { blocks, path } = document;
  for (let i = from; i < blocks.length; i += 1) {
    const block = blocks[i];
    if (block?.type !== 'paragraph_open' || block.level !== 0) continue;
    const content = blocks[i + 1]?.content ?? '';
    if (path.endsWith('.mdx') && /^(?:import|export)\s/.test(content)) continue;
    const text = words(document, blocks[i + 1]);
    if (text !== '') return text;
  }
  return '';
}

/** What a reader reads of an inline block: links as their words, no images, no HTML. */
function words(document: ParsedDocument, block: Token | undefined): string {
  if (block?.type !== 'inline') return '';
  let text = '';
  for (const token of document.inline(block)) {
    if (token.type === 'text' || token.type === 'text_special' || token.type === 'code_inline')
      text += token.content;
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += ' ';
  }
  return summaryText(text);
}

/**
 * A cheap test that a text cannot fail if the parser finds a link to a local Markdown file in it.
 * It looks for the joint of a link or of a definition, and behind that for something that can spell `.md`.
 */
export function mayContainLocalLink(text: string): boolean {
  const inline = text.indexOf('](');
  const definition = text.indexOf(']:');
  const from =
    inline === -1 || definition === -1 ? Math.max(inline, definition) : Math.min(inline, definition);
  return from !== -1 && mayNameMarkdown(text.slice(from));
}
