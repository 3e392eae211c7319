// What the endpoint offers: four tools and one prompt, as a client lists them. Source: contract, Inputs.
import { MAX_CURSOR_CHARACTERS } from '../cursor.ts';
import { MAX_PATH_CHARACTERS } from '../paths.ts';
import { DEFAULT_FILE_CHARACTERS } from './file.ts';

export const TOOL_NAMES = ['browse_repo', 'search_repo', 'load_skill', 'read_repo_file'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export const DEFAULT_BROWSE_LIMIT = 20;
export const MAX_BROWSE_LIMIT = 200;
export const DEFAULT_SEARCH_LIMIT = 5;
export const MAX_SEARCH_LIMIT = 25;
export const MAX_QUERY_CHARACTERS = 500;
export const MAX_FILE_CHARACTERS = 100_000;

export interface TextProperty {
  readonly type: 'string';
  readonly description: string;
  readonly minLength?: number;
  readonly maxLength: number;
  readonly pattern?: string;
}

export interface IntegerProperty {
  readonly type: 'integer';
  readonly description: string;
  readonly minimum: number;
  readonly maximum?: number;
  readonly default: number;
}

export interface ToolDefinition {
  readonly name: ToolName;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, TextProperty | IntegerProperty>>;
    readonly required?: string[];
    readonly additionalProperties: false;
  };
  readonly annotations: {
    readonly title: string;
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: false;
  };
}

function folderPath(description: string): TextProperty {
  return { type: 'string', description, maxLength: MAX_PATH_CHARACTERS };
}

function cursor(of: string): TextProperty {
  return {
    type: 'string',
    description: `The cursor on the Next line of the preceding page of ${of}. Leave it out for the first page.`,
    minLength: 1,
    maxLength: MAX_CURSOR_CHARACTERS,
  };
}

function limit(description: string, maximum: number, standard: number): IntegerProperty {
  return { type: 'integer', description, minimum: 1, maximum, default: standard };
}

function tool(
  name: ToolName,
  title: string,
  description: string,
  properties: ToolDefinition['inputSchema']['properties'],
  required: string[] = [],
): ToolDefinition {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

export const TOOLS: readonly ToolDefinition[] = [
  tool(
    'browse_repo',
    'Browse the skill repository',
    'Lists the folders, skills and documents directly inside one folder of this repository of agent skills, with what each is for and how much lies below it. Start here: call it without arguments, go deeper with the path of a [folder], then load_skill the path of a SKILL.md or read_repo_file the path of a [document]. When you know what you need, search_repo is quicker. A Next line is the call for the rest.',
    {
      path: folderPath(
        'Folder to list, from the repository root, such as marketing/skills. "" is the repository root. Leave it out for the mounted folder.',
      ),
      cursor: cursor('this listing'),
      limit: limit('Most entries on a page.', MAX_BROWSE_LIMIT, DEFAULT_BROWSE_LIMIT),
    },
  ),
  tool(
    'search_repo',
    'Search the skill repository',
    'Finds skills and documents of this repository by words; any word may match, and the best come first. It matches words, not meaning: use words the content would use, in its language, usually English. Then load_skill the path of a [skill], or read_repo_file the path of a [document].',
    {
      query: {
        type: 'string',
        description: 'Words to look for, such as: write ad copy.',
        minLength: 1,
        maxLength: MAX_QUERY_CHARACTERS,
        pattern: '\\S',
      },
      path: folderPath(
        'Search only below this folder, from the repository root. Leave it out for the mounted folder.',
      ),
      cursor: cursor('the same search'),
      limit: limit('Most results on a page.', MAX_SEARCH_LIMIT, DEFAULT_SEARCH_LIMIT),
    },
    ['query'],
  ),
  tool(
    'load_skill',
    'Load a skill',
    'Gives everything needed to use one skill: the rules that apply to it, its instructions and the files it includes; then the names of its other files. A long skill takes several pages: while a page says complete: false and has a Next line, make that call, and use the skill only when a page says complete: true.',
    {
      path: {
        type: 'string',
        description:
          'Exact path of a SKILL.md from the repository root, such as marketing/skills/ad-copy/SKILL.md. Not a name and not a folder.',
        minLength: 1,
        maxLength: MAX_PATH_CHARACTERS,
        pattern: '(^|/)SKILL\\.md$',
      },
      cursor: cursor('the same skill'),
    },
    ['path'],
  ),
  tool(
    'read_repo_file',
    'Read a file',
    'Reads one text file of this repository as it is stored: a file or reference that load_skill names, a document, a README. To use a skill, load_skill its SKILL.md instead: this tool leaves out the rules that apply to it. A Next line is the call for the rest of a long file.',
    {
      path: {
        type: 'string',
        description:
          'Exact path of a file from the repository root, such as docs/guide.md. Folders: browse_repo.',
        minLength: 1,
        maxLength: MAX_PATH_CHARACTERS,
      },
      offset: {
        type: 'integer',
        description: 'Characters to pass over.',
        minimum: 0,
        default: 0,
      },
      limit: limit(
        'Most characters on a page; a page may end sooner.',
        MAX_FILE_CHARACTERS,
        DEFAULT_FILE_CHARACTERS,
      ),
    },
    ['path'],
  ),
];

export interface PromptDefinition {
  readonly name: 'use_skill';
  readonly title: string;
  readonly description: string;
  readonly arguments: { readonly name: string; readonly description: string; readonly required: boolean }[];
}

export const USE_SKILL_PROMPT: PromptDefinition = {
  name: 'use_skill',
  title: 'Use a skill',
  description: 'Starts loading one skill of this repository by its exact path.',
  arguments: [
    {
      name: 'path',
      description:
        'Exact path of a SKILL.md from the repository root, such as marketing/skills/ad-copy/SKILL.md.',
      required: true,
    },
  ],
};
