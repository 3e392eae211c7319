// The arguments of a tool call: checked against the contract, and typed. Source: contract, Inputs.
import type { AnswerError } from '../answers.ts';
import { MAX_CURSOR_CHARACTERS } from '../cursor.ts';
import { checkRepositoryPath } from '../paths.ts';
import { codePointLength, cutAtWord, oneLine } from '../text.ts';
import {
  MAX_BROWSE_LIMIT,
  MAX_FILE_CHARACTERS,
  MAX_QUERY_CHARACTERS,
  MAX_SEARCH_LIMIT,
  TOOL_NAMES,
  type ToolName,
} from './tools.ts';

/** A `path` of null is the mounted folder; a `limit` of null is the tool's default. */
export interface BrowseArguments {
  readonly tool: 'browse_repo';
  readonly path: string | null;
  readonly cursor: string | null;
  readonly limit: number | null;
}

export interface SearchArguments {
  readonly tool: 'search_repo';
  readonly query: string;
  readonly path: string | null;
  readonly cursor: string | null;
  readonly limit: number | null;
}

export interface LoadArguments {
  readonly tool: 'load_skill';
  readonly path: string;
  readonly cursor: string | null;
}

export interface ReadArguments {
  readonly tool: 'read_repo_file';
  readonly path: string;
  readonly offset: number;
  readonly limit: number | null;
}

export type ToolArguments = BrowseArguments | SearchArguments | LoadArguments | ReadArguments;

export type ValidArguments = { readonly ok: true; readonly arguments: ToolArguments } | ArgumentsFailure;
export type ArgumentsFailure = { readonly ok: false; readonly error: AnswerError['error'] };

export function isToolName(name: string): name is ToolName {
  return TOOL_NAMES.some((known) => known === name);
}

/** Checks the arguments of a call. An error is one sentence that states what is allowed. */
export function validateArguments(tool: ToolName, args: unknown): ValidArguments {
  const given = asRecord(args ?? {});
  if (given === null) return invalid(`The arguments of ${tool} are an object.`);
  const known = ARGUMENTS[tool];
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      return invalid(
        `${tool} has no argument ${JSON.stringify(cutAtWord(oneLine(name), 60))}; it has ${listed(known)}.`,
      );
    }
  }
  const reader = new Reader(tool, given);
  const read = readArguments(tool, reader);
  return reader.failure ?? { ok: true, arguments: read };
}

const ARGUMENTS: Readonly<Record<ToolName, readonly string[]>> = {
  browse_repo: ['path', 'cursor', 'limit'],
  search_repo: ['query', 'path', 'cursor', 'limit'],
  load_skill: ['path', 'cursor'],
  read_repo_file: ['path', 'offset', 'limit'],
};

function readArguments(tool: ToolName, reader: Reader): ToolArguments {
  switch (tool) {
    case 'browse_repo':
      return { tool, path: reader.folder(), cursor: reader.cursor(), limit: reader.limit(MAX_BROWSE_LIMIT) };
    case 'search_repo':
      return {
        tool,
        query: reader.query(),
        path: reader.folder(),
        cursor: reader.cursor(),
        limit: reader.limit(MAX_SEARCH_LIMIT),
      };
    case 'load_skill':
      return { tool, path: reader.skillPath(), cursor: reader.cursor() };
    case 'read_repo_file':
      return {
        tool,
        path: reader.filePath(),
        offset: reader.integer('offset', 0, Number.MAX_SAFE_INTEGER) ?? 0,
        limit: reader.limit(MAX_FILE_CHARACTERS),
      };
  }
}

/** Reads one argument after the other and keeps the first failure. */
class Reader {
  readonly #tool: ToolName;
  readonly #given: Readonly<Record<string, unknown>>;
  failure: ArgumentsFailure | null = null;

  constructor(tool: ToolName, given: Readonly<Record<string, unknown>>) {
    this.#tool = tool;
    this.#given = given;
  }

  query(): string {
    const query = this.#text('query') ?? '';
    if (query.trim() === '')
      this.#fail(`query is required and not blank: 1 to ${MAX_QUERY_CHARACTERS} characters.`);
    else if (codePointLength(query) > MAX_QUERY_CHARACTERS) {
      this.#fail(`query has at most ${MAX_QUERY_CHARACTERS} characters.`);
    }
    return query;
  }

  folder(): string | null {
    const path = this.#text('path');
    if (path === undefined) return null;
    this.#checkPath(path, true);
    return path;
  }

  filePath(): string {
    const path = this.#text('path');
    if (path === undefined)
      this.#fail(
        'path is required: the exact path of a file from the repository root, such as docs/guide.md.',
      );
    else this.#checkPath(path, false);
    return path ?? '';
  }

  skillPath(): string {
    const path = this.filePath();
    if (this.failure === null && !/(?:^|\/)SKILL\.md$/.test(path)) {
      this.#fail(
        'path is the exact path of a SKILL.md, such as marketing/skills/ad-copy/SKILL.md, not a name or a folder; browse_repo and search_repo show it.',
        'path.invalid',
      );
    }
    return path;
  }

  cursor(): string | null {
    const cursor = this.#text('cursor');
    if (cursor === undefined) return null;
    if (cursor === '' || cursor.length > MAX_CURSOR_CHARACTERS) {
      this.#fail(
        'cursor is one that a Next line gave; start again from the first page by making the call without it.',
      );
    }
    return cursor;
  }

  limit(maximum: number): number | null {
    return this.integer('limit', 1, maximum);
  }

  integer(name: string, minimum: number, maximum: number): number | null {
    const value = this.#given[name];
    if (value === undefined) return null;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum) {
      const range = maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
      const given = typeof value === 'string' ? ', given as a number, not text' : '';
      this.#fail(`${name} is a whole number, ${range}${given}.`);
      return null;
    }
    return value;
  }

  #text(name: string): string | undefined {
    const value = this.#given[name];
    if (value === undefined || typeof value === 'string') return value;
    this.#fail(`${name} is text.`);
    return undefined;
  }

  #checkPath(path: string, root: boolean): void {
    const wrong = checkRepositoryPath(path, { root });
    if (wrong === null) return;
    const right = correctedPath(path);
    this.#fail(
      right === null ? wrong : `${wrong} Here it would be ${JSON.stringify(right)}.`,
      'path.invalid',
    );
  }

  #fail(message: string, code: 'request.invalid' | 'path.invalid' = 'request.invalid'): void {
    this.failure ??= { ok: false, error: { code, message: `${this.#tool}: ${message}` } };
  }
}

/** The path without slashes and dots that say nothing; null where more than that is wrong with it. */
export function correctedPath(path: string): string | null {
  const parts = path.replaceAll('\\', '/').split('/');
  const right = parts.filter((part) => part !== '' && part !== '.').join('/');
  return checkRepositoryPath(right) === null ? right : null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function invalid(message: string): ArgumentsFailure {
  return { ok: false, error: { code: 'request.invalid', message } };
}
