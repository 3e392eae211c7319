// The text of a `search_repo` result.
import type { MountIdentity, SearchAnswer, SearchHit } from '../answers.ts';
import { lineCost, Sheet } from '../budget.ts';
import { addItems, bareLine, searchHitLines } from '../lib/entries.ts';
import {
  addIdentity,
  addState,
  nextCall,
  type RenderedPage,
  type RenderOptions,
  showFolder,
} from '../lib/result-text.ts';

/** Characters a description may have, tried in this order until all hits of the page fit. */
const DESCRIPTION_CHARACTERS = [480, 240, 120, 60];

const NO_WORDS = 'Hint: the query has no word to search for; write words the content would use.';
const NO_HITS =
  'Hint: nothing here has any of these words. Try other words in the language of the content, search without path, or look around with browse_repo.';
const FIRST_PAGE =
  'Hint: load_skill takes the path of a SKILL.md, read_repo_file the path of a [document] or of a matching file.';

/**
 * `first` says whether this is the first page; `limit` is the one asked for, null if none was. The position is the
 * score and group of the last hit shown.
 */
export function renderSearch(
  identity: MountIdentity,
  answer: SearchAnswer,
  request: { readonly first: boolean; readonly limit: number | null },
  options: RenderOptions,
): RenderedPage {
  const sheet = new Sheet(options.budget);
  addIdentity(sheet, identity);
  addState(sheet, answer);
  sheet.add(`Query: ${JSON.stringify(answer.query)}`);
  if (answer.path !== identity.path) sheet.add(`Folder: ${showFolder(answer.path)}`);

  const next = (hits: number): string | null => {
    const position = answer.positions[hits - 1];
    if (position === undefined) return null;
    return nextCall('search_repo', {
      query: answer.query,
      path: answer.path === identity.path ? null : answer.path,
      limit: request.limit,
      cursor: options.seal([position.score, position.group]),
    });
  };

  if (answer.hits.length === 0) {
    sheet.add(`Results: ${request.first ? 'none' : 'no more'}`);
    if (request.first) sheet.add(answer.nothingToSearch ? NO_WORDS : NO_HITS);
    return { text: sheet.toString(), next: null };
  }

  // A cursor grows by a few characters with the numbers in it; no other line of the tail depends on what is shown.
  const tail = lineCost(next(answer.hits.length) ?? '') + CURSOR_GROWTH_BYTES + lineCost(FIRST_PAGE);
  const counts = lineCost(resultsLine(answer.hits.length, true));
  const hits = new Sheet({ maxBytes: sheet.left - counts, overheadBytes: 0 });
  const shown = addItems(hits, answer.hits, DESCRIPTION_CHARACTERS, searchHitLines, bareHit, tail);
  const more = shown < answer.hits.length || answer.more;
  sheet.add(resultsLine(shown, more), hits.toString());
  if (request.first) sheet.add(FIRST_PAGE);
  const line = more ? next(shown) : null;
  const end = answer.positions[shown - 1];
  if (line === null || end === undefined) return { text: sheet.toString(), next: null };
  sheet.add(line);
  return { text: sheet.toString(), next: [end.score, end.group] };
}

/** What two integers of a position can add to a cursor at most, as base64url. */
const CURSOR_GROWTH_BYTES = 24;

function resultsLine(shown: number, more: boolean): string {
  return `Results: ${shown}${more ? ', more exist' : ''}`;
}

function bareHit(hit: SearchHit): string {
  return hit.kind === 'skill' ? bareLine('skill', hit.skill.path) : bareLine('document', hit.path);
}
