// The text of a `browse_repo` result.
import type { BrowseAnswer, BrowseEntry, MountIdentity } from '../answers.ts';
import { lineCost, Sheet } from '../budget.ts';
import { addItems, bareLine, browseEntryLines, described, named, withheldLine } from '../lib/entries.ts';
import {
  addIdentity,
  addState,
  brief,
  countsText,
  nextCall,
  type RenderedPage,
  type RenderOptions,
  showFolder,
} from '../lib/result-text.ts';
import { showPath } from '../show-path.ts';

/** Characters a description may have, tried in this order until all entries of the page fit. */
const DESCRIPTION_CHARACTERS = [240, 120, 60];
const FOLDER_DESCRIPTION_CHARACTERS = 1_024;

const HINT =
  'Hint: load_skill takes the path of a SKILL.md, browse_repo the path of a [folder] or a browsePath, read_repo_file the path of a [document] or [file].';

/** `limit` is the one asked for, null if none was: it goes into the next call. The position is the next entry's number. */
export function renderBrowse(
  identity: MountIdentity,
  answer: BrowseAnswer,
  limit: number | null,
  options: RenderOptions,
): RenderedPage {
  const sheet = new Sheet(options.budget);
  addIdentity(sheet, identity);
  addState(sheet, answer);
  sheet.add(`Folder: ${showFolder(answer.path)}`);

  const next = (position: number): string =>
    nextCall('browse_repo', {
      path: answer.path === identity.path ? null : answer.path,
      limit,
      cursor: options.seal([position]),
    });
  const entriesLine = (shown: number): string =>
    shown === 0
      ? `Entries: ${answer.total === 0 ? 'none' : `none of ${answer.total}`}`
      : `Entries: ${answer.position + 1}–${answer.position + shown} of ${answer.total}`;

  // Set aside what must follow whatever else is shown.
  const [first] = answer.entries;
  const tail = lineCost(next(answer.total)) + lineCost(HINT);
  const counts = lineCost(entriesLine(answer.entries.length));
  if (answer.position === 0) {
    addAbout(sheet, answer, tail + counts + (first === undefined ? 0 : lineCost(bareEntry(first))));
  }

  const entries = new Sheet({ maxBytes: sheet.left - counts, overheadBytes: 0 });
  const shown = addItems(entries, answer.entries, DESCRIPTION_CHARACTERS, browseEntryLines, bareEntry, tail);
  sheet.add(entriesLine(shown));
  if (shown > 0) sheet.add(entries.toString());
  const position = answer.position + shown;
  const more = shown > 0 && position < answer.total;
  if (answer.position === 0 && shown > 0) sheet.add(HINT);
  if (more) sheet.add(next(position));
  return { text: sheet.toString(), next: more ? [position] : null };
}

function addAbout(sheet: Sheet, answer: BrowseAnswer, reserve: number): void {
  const { name, description, language, manifestPath, overview } = answer;
  if (name !== undefined) sheet.offer(named('name', name), reserve);
  if (description !== undefined) {
    sheet.offer(described('description', description, FOLDER_DESCRIPTION_CHARACTERS), reserve);
  }
  if (language !== undefined) sheet.offer(`  language: ${brief(language, 60)}`, reserve);
  if (manifestPath !== undefined) sheet.offer(`  manifestPath: ${showPath(manifestPath)}`, reserve);
  sheet.offer(`  contains: ${countsText(answer.counts)}`, reserve);
  if (overview !== undefined && sheet.offer(`Overview: ${showPath(overview.path)}`, reserve)) {
    // The folder's own lines often come from this file: they are not said twice.
    if (overview.title !== undefined && overview.title !== name)
      sheet.offer(named('title', overview.title), reserve);
    if (overview.summary !== undefined && overview.summary !== description)
      sheet.offer(described('summary', overview.summary, 240), reserve);
  }
}

function bareEntry(entry: BrowseEntry): string {
  return entry.kind === 'withheld' ? withheldLine(entry) : bareLine(entry.kind, entry.path);
}
