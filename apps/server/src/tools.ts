// The four tools over one mount: arguments in, one text for a model out. An answer is a function of the snapshot, the
// serving policy, the mount and the request, and is kept under those. Nothing of a protocol era is here.
import type { AnswerError, MountIdentity } from '@skillquay/core/answers';
import { isAnswerError } from '@skillquay/core/answers';
import { MAX_PATH_LIST_BYTES, MAX_PATH_LIST_ITEMS, type ResultBudget } from '@skillquay/core/budget';
import type { ToolArguments } from '@skillquay/core/contract/arguments';
import { renderBrowse } from '@skillquay/core/contract/browse';
import { isRenderedFile, renderFile } from '@skillquay/core/contract/file';
import { renderSearch } from '@skillquay/core/contract/search';
import { renderSkill, SKILL_START } from '@skillquay/core/contract/skill';
import { cursorError, renderError } from '@skillquay/core/contract/status';
import { DEFAULT_BROWSE_LIMIT, DEFAULT_SEARCH_LIMIT } from '@skillquay/core/contract/tools';
import type { Mount } from '@skillquay/snapshot/reader';
import type { ToolText } from './endpoint.ts';
import { type PageContext, pageOf } from './page.ts';

/** What an answer depends on besides the arguments. */
export interface ToolContext extends PageContext {
  readonly mount: Mount;
  readonly budget: ResultBudget;
}

/** Answers a call whose arguments were checked. */
export function runTool(context: ToolContext, args: ToolArguments): ToolText | Promise<ToolText> {
  switch (args.tool) {
    case 'browse_repo':
      return browse(context, args);
    case 'search_repo':
      return search(context, args);
    case 'load_skill':
      return loadSkill(context, args);
    case 'read_repo_file':
      return readFile(context, args);
  }
}

type ArgumentsOf<T extends ToolArguments['tool']> = Extract<ToolArguments, { tool: T }>;

function browse(context: ToolContext, { path, cursor, limit }: ArgumentsOf<'browse_repo'>): ToolText {
  const page = pageOf(context, 'browse_repo', path ?? context.mount.path, '', cursor);
  if (page === null) return errorText(context.identity, cursorError());
  const answer = context.mount.browse({
    path: path ?? undefined,
    position: page.position[0] ?? 0,
    limit: limit ?? DEFAULT_BROWSE_LIMIT,
  });
  if (isAnswerError(answer)) return errorText(context.identity, answer);
  return text(
    renderBrowse(context.identity, answer, limit, { budget: context.budget, seal: page.seal }).text,
  );
}

function search(context: ToolContext, args: ArgumentsOf<'search_repo'>): ToolText {
  const { query, path, cursor, limit } = args;
  const page = pageOf(context, 'search_repo', path ?? context.mount.path, query, cursor);
  if (page === null) return errorText(context.identity, cursorError());
  const [score, group] = page.position;
  const answer = context.mount.search({
    query,
    path: path ?? undefined,
    after: score === undefined || group === undefined ? null : { score, group },
    limit: limit ?? DEFAULT_SEARCH_LIMIT,
  });
  if (isAnswerError(answer)) return errorText(context.identity, answer);
  const options = { budget: context.budget, seal: page.seal };
  return text(renderSearch(context.identity, answer, { first: cursor === null, limit }, options).text);
}

async function loadSkill(
  context: ToolContext,
  { path, cursor }: ArgumentsOf<'load_skill'>,
): Promise<ToolText> {
  const place = pageOf(context, 'load_skill', '', path, cursor);
  if (place === null) return errorText(context.identity, cursorError());
  const skill = context.mount.skill(path, {
    maxPaths: MAX_PATH_LIST_ITEMS,
    maxPathBytes: MAX_PATH_LIST_BYTES,
  });
  if (isAnswerError(skill)) return errorText(context.identity, skill);
  const read = await context.mount.context(path);
  if (isAnswerError(read)) return errorText(context.identity, read);
  const [part, offset] = place.position;
  const start = part === undefined || offset === undefined ? SKILL_START : { part, offset };
  const options = { budget: context.budget, seal: place.seal };
  const page = text(renderSkill(context.identity, skill, read, start, options).text);
  return read.unread ? { ...page, passing: true } : page;
}

async function readFile(context: ToolContext, args: ArgumentsOf<'read_repo_file'>): Promise<ToolText> {
  const { path, offset, limit } = args;
  const file = await context.mount.file(path);
  if (isAnswerError(file)) return errorText(context.identity, file);
  const page = renderFile(context.identity, file, { offset, limit }, { budget: context.budget });
  return isRenderedFile(page) ? text(page.text) : errorText(context.identity, page);
}

function text(rendered: string): ToolText {
  return { text: rendered, isError: false };
}

/** An error result that a model can act on. */
export function errorText(identity: MountIdentity, error: AnswerError): ToolText {
  const isPassing = error.error.code === 'file.unavailable';
  return {
    text: renderError(identity, error),
    isError: true,
    error: error.error,
    ...(isPassing ? { passing: true } : {}),
  };
}
