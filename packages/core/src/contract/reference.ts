// The reference of the MCP surface, written from the definitions and renderers themselves.
import {
  MAX_CONTEXT_BYTES,
  MAX_PATH_LIST_BYTES,
  MAX_RESULT_BYTES,
  MAX_SKILL_HEADER_BYTES,
} from '../budget.ts';
import { sealCursor } from '../cursor.ts';
import { BROWSE, CONTEXT, FILE, IDENTITY, OVERVIEW, SEARCH, SKILL } from '../lib/reference-sample.ts';
import type { RenderOptions } from '../lib/result-text.ts';
import { validateArguments } from './arguments.ts';
import { renderBrowse } from './browse.ts';
import { isRenderedFile, renderFile } from './file.ts';
import { renderInstructions } from './instructions.ts';
import { renderSearch } from './search.ts';
import { serverInfo } from './server-info.ts';
import { renderSkill, SKILL_START } from './skill.ts';
import { cursorError, renderError, renderFailed, renderIndexing } from './status.ts';
import {
  type IntegerProperty,
  type TextProperty,
  TOOLS,
  type ToolDefinition,
  USE_SKILL_PROMPT,
} from './tools.ts';

const OPTIONS: RenderOptions = {
  budget: { maxBytes: MAX_RESULT_BYTES, overheadBytes: 40 },
  seal: (position) => sealCursor(exampleMac, EXAMPLE_BINDING, position),
};
const EXAMPLE_BINDING = {
  snapshot: '',
  rules: '',
  policy: '',
  mount: '',
  operation: '',
  scope: '',
  subject: '',
};

/** `docs/reference/tools.md`. */
export function toolsReference(): string {
  return `${sections().join('\n\n')}\n`;
}

function sections(): string[] {
  return [
    '# Tools, results and instructions over MCP',
    'Written from the source by a test (`UPDATE_REFERENCE=1`); edit the source, not this page. Once released, what is here changes by addition only.',
    'A mounted address offers four tools and one prompt. All of them only read, and the same call gives the same answer at the same commit. Paths always start at the repository root. A character is a Unicode code point.',
    ...TOOLS.flatMap(toolSection),
    `## Prompt: ${USE_SKILL_PROMPT.name}`,
    `${USE_SKILL_PROMPT.description} It takes \`path\`, as \`load_skill\` does, and answers one user message: the first page of that skill, with its \`Next:\` line when there is more.`,
    '## The text of a result',
    `A result is one text block and nothing else, at most ${bytes(MAX_RESULT_BYTES)} as serialized JSON, its envelope and \`_meta\` included. It is made of labelled lines; a line that has nothing to say is left out.`,
    list([
      '`Repository:`, `Mount:`, `Commit:` always come first and say where the content is from. `Commit:` names the ref as it was asked for.',
      '`Notice:` stands where nobody here vouches for the repository.',
      '`Status:`, `Partial:`, `Diagnostics:` say that the host of the repository does not answer and since when, what is not ready, what a limit left out, and what is wrong in the repository (ten lines at most, then how many more).',
      'Then comes what the tool has to say.',
      '`Next:` is the last line and the literal call for what follows: a tool name and its arguments as JSON. Without it there is no more. In an error it is the call that was probably meant, or one that shows what there is.',
    ]),
    'Text of the repository in a line of ours (a name, a description, a title) is put on one line, so it can begin no line. Text of a file stands in a frame that says how long it is. A path that begins or ends with a space, or has two in a row, or begins with a quotation mark, stands in quotes as JSON; otherwise it stands as it is.',
    '### The frame around file text',
    'The `Content:` line comes before any text of a file and counts, in characters, every piece that follows on this page: a number for a whole text, `shown of total` for a part of one. Each piece is a line that names the source, a `fragment:` line if it is a part, then exactly that many characters as stored (line ends and byte order marks included), then one line feed that is no part of it.',
    'To put a text together again: find the first line that starts with `Content: `; for each count read the `--- … ---` line, the `fragment:` line if the count says `of`, then so many characters; join the pieces of one source in order. Nothing inside a text can look like the end of it: after a text there is always a line of ours. `readContent` and `joinContent` in `packages/core/src/contract/content.ts` do this.',
    '### browse_repo',
    'Entries are folders first, then files, each in byte order. An entry is a line with its kind and its path, then what it says about itself. Descriptions are shortened, and a page ends early, to fit the budget; no entry is left out of the sequence of pages.',
    '`contains:` counts what can be discovered below a folder; where that is nothing, it says what is there instead: `4 files of scale-recipe`, `1 copy`, `2 hidden skills`, `1 skill with errors`. `Diagnostics:` holds the faults of the folder and of what lies directly in it, and counts the errors further down.',
    example(
      renderBrowse(
        IDENTITY,
        { ...BROWSE, diagnostics: [], moreDiagnostics: 1, moreBelow: 'marketing/skills/broken' },
        null,
        OPTIONS,
      ).text,
    ),
    '### search_repo',
    'Results are in order of relevance. A skill stands for its files: those that match are named below it, five at most.',
    example(renderSearch(IDENTITY, SEARCH, { first: true, limit: null }, OPTIONS).text),
    '### load_skill',
    `The header lines (\`Skill\` to \`Warnings\`) take at most ${bytes(MAX_SKILL_HEADER_BYTES)}; \`Cut:\` names those that were shortened. \`Files:\` and \`References:\` name at most ${bytes(MAX_PATH_LIST_BYTES)} of paths each, then how many more and how to see them; a file whose text is part of the context is marked. \`Hint:\` says from where the text of a skill names its files. A page carries at most ${bytes(MAX_CONTEXT_BYTES)} of context. Later pages repeat \`Skill:\` and \`Path:\`, not the rest of the header and not the lists.`,
    'The context is every applicable `SKILLCDN.md` body from the root down, the body of the skill, then the files it includes. `complete: true` says that all of it has been given. `complete: false` with a `Next:` line: make that call. Without one, required content is missing and no page has it; the lines above say why.',
    example(renderSkill(IDENTITY, SKILL, CONTEXT, SKILL_START, OPTIONS).text),
    'A page that ends inside a text, and the one after it:',
    example(skillPage(0)),
    example(skillPage(1)),
    '### read_repo_file',
    'The text as stored. `limit` bounds the characters of a page; the budget can end it sooner. `complete: true` says that the file was given to its end; `complete: false` stands before the `Next:` line.',
    example(filePage(0, null)),
    example(filePage(12, 20)),
    '## When there is no content',
    'A commit whose index is being made is no error; the same call is worth repeating:',
    example(
      renderIndexing(
        IDENTITY,
        { filesRead: 1_200, filesKnown: 4_000, retryAfterSeconds: 5 },
        { tool: 'search_repo', arguments: { query: 'write ad copy' } },
      ),
    ),
    'Everything below is an error result (`isError: true`). A commit that could not be indexed:',
    example(
      renderFailed(IDENTITY, {
        code: 'indexer.tree_truncated',
        reason: 'The repository has more than 1,000 manifests.',
        retryAfterSeconds: 60,
      }),
    ),
    'A cursor of another request, of another mount, or from before the repository changed:',
    example(renderError(IDENTITY, cursorError())),
    'An argument that the contract does not allow; the message states what it does:',
    example(argumentError()),
    'A path that is not here, where exactly one that is ends like it:',
    example(
      renderError(IDENTITY, {
        error: {
          code: 'file.not_found',
          message:
            'There is no file "references/headlines.md" to read here. Did you mean "marketing/skills/ad-copy/references/headlines.md"?',
          next: {
            tool: 'read_repo_file',
            arguments: { path: 'marketing/skills/ad-copy/references/headlines.md' },
          },
        },
      }),
    ),
    'A file that this surface cannot carry:',
    example(
      renderError(IDENTITY, {
        error: {
          code: 'file.not_text',
          message:
            'docs/logo.png is not UTF-8 text, so read_repo_file cannot give it; its bytes are at the source.',
          sourceUrl: `https://raw.githubusercontent.com/acme/library/${IDENTITY.commit}/docs/logo.png`,
        },
      }),
    ),
    '## Instructions',
    'At most 2,000 characters. Where all skills fit, each is named; otherwise folders are listed as far as they fit.',
    example(renderInstructions(IDENTITY, { kind: 'ready', overview: OVERVIEW, rootName: null })),
    'A mount of few skills:',
    example(
      renderInstructions(
        { ...IDENTITY, path: 'marketing' },
        {
          kind: 'ready',
          overview: {
            path: 'marketing',
            name: 'Marketing',
            description: 'Copy, campaigns and the voice of the brand.',
            counts: { skills: 1, documents: 0 },
            folders: [],
            skills: SEARCH.hits.flatMap((hit) => (hit.kind === 'skill' ? [hit.skill] : [])),
            diagnostics: [],
            partial: null,
          },
          rootName: null,
        },
      ),
    ),
    'While the commit is being indexed:',
    example(
      renderInstructions(IDENTITY, {
        kind: 'indexing',
        status: { filesRead: 0, filesKnown: null, retryAfterSeconds: 5 },
      }),
    ),
    '## Server info',
    `\`\`\`json\n${JSON.stringify(serverInfo(IDENTITY, { version: '0.1.0', origin: 'https://skills.example', overview: OVERVIEW }), null, 2)}\n\`\`\``,
  ];
}

function toolSection(tool: ToolDefinition): string[] {
  const required = tool.inputSchema.required ?? [];
  const rows = Object.entries(tool.inputSchema.properties).map(
    ([name, property]) =>
      `| \`${name}\` | ${required.includes(name) ? 'yes' : ''} | ${rule(property)} | ${property.description} |`,
  );
  return [
    `## ${tool.name}`,
    tool.description,
    ['| argument | required | rule | meaning |', '|---|---|---|---|', ...rows].join('\n'),
  ];
}

function rule(property: TextProperty | IntegerProperty): string {
  if (property.type === 'string') return `text, at most ${grouped(property.maxLength)} characters`;
  const range =
    property.maximum === undefined
      ? `${property.minimum} or more`
      : `${property.minimum} to ${grouped(property.maximum)}`;
  return `integer, ${range}; default ${grouped(property.default)}`;
}

/** A page of the sample with its instructions made long. */
function skillPage(page: number): string {
  const parts = CONTEXT.parts.map((part) =>
    part.kind === 'instructions' ? { ...part, text: part.text.repeat(6) } : part,
  );
  const small = { ...OPTIONS, budget: { maxBytes: 1_900, overheadBytes: 40 } };
  let start = SKILL_START;
  let rendered = renderSkill(IDENTITY, BARE_SKILL, { parts, missing: [] }, start, small);
  for (let i = 0; i < page; i += 1) {
    const [part = 0, offset = 0] = rendered.next ?? [];
    start = { part, offset };
    rendered = renderSkill(IDENTITY, BARE_SKILL, { parts, missing: [] }, start, small);
  }
  return rendered.text;
}

const BARE_SKILL = { ...SKILL, warnings: [], files: [], fileCount: 0, references: [], leftOut: [] };

function filePage(offset: number, limit: number | null): string {
  const page = renderFile(IDENTITY, FILE, { offset, limit }, OPTIONS);
  return isRenderedFile(page) ? page.text : renderError(IDENTITY, page);
}

function argumentError(): string {
  const checked = validateArguments('browse_repo', { limit: 500 });
  return checked.ok ? '' : renderError(IDENTITY, { error: checked.error });
}

/** Not a keyed hash: the cursors of the examples open nothing. */
function exampleMac(message: Uint8Array): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => (message.length * 31 + i * 97) & 0xff);
}

function example(text: string): string {
  return `\`\`\`\`text\n${text}\n\`\`\`\``;
}

function list(items: readonly string[]): string {
  return items.map((item) => `* ${item}`).join('\n');
}

function bytes(count: number): string {
  return `${grouped(count)} bytes`;
}

/** 24576 → 24,576 */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
