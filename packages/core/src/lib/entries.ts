// How one entry of a listing or search is written: a line that names it by its path, then what it says about itself.
import type {
  BrowseEntry,
  FileEntry,
  FolderEntry,
  SearchHit,
  SkillEntry,
  WithheldEntry,
} from '../answers.ts';
import { lineCost, type Sheet } from '../budget.ts';
import { showPath } from '../show-path.ts';
import { brief, countsText, showFolder, unbroken } from './result-text.ts';

const MAX_NAME_CHARACTERS = 200;
const MAX_LICENSE_CHARACTERS = 100;

/** Lines of an entry; descriptions and summaries are cut to so many characters. */
export type Lines = readonly string[];

export function browseEntryLines(entry: BrowseEntry, characters: number): Lines {
  switch (entry.kind) {
    case 'folder':
      return folderLines(entry, characters);
    case 'skill':
      return skillLines(entry, characters);
    case 'document':
    case 'file':
      return fileLines(entry, characters);
    case 'withheld':
      return [withheldLine(entry)];
  }
}

export function searchHitLines(hit: SearchHit, characters: number): Lines {
  if (hit.kind === 'document') {
    const file: FileEntry = { ...hit, role: 'document' };
    return fileLines(file, characters);
  }
  const more = hit.moreFiles > 0 ? [`  more matching files: ${hit.moreFiles}`] : [];
  return [
    ...skillLines(hit.skill, characters),
    ...hit.files.map((path) => `  matching file: ${showPath(path)}`),
    ...more,
  ];
}

/** Names an entry and nothing more: what a page shows when even one whole entry does not fit. */
export function bareLine(kind: string, path: string): string {
  return `[${kind}] ${kind === 'folder' ? showFolder(path) : showPath(path)}`;
}

function folderLines(folder: FolderEntry, characters: number): Lines {
  const lines = [bareLine('folder', folder.path)];
  if (folder.withheld !== undefined) return [...lines, `  withheld: ${unbroken(folder.withheld)}`];
  lines.push(`  contains: ${countsText(folder)}`);
  if (folder.name !== undefined) lines.push(named('name', folder.name));
  if (folder.description !== undefined) lines.push(described('description', folder.description, characters));
  if (folder.manifestPath !== undefined) lines.push(`  manifestPath: ${showPath(folder.manifestPath)}`);
  if (folder.overviewPath !== undefined) lines.push(`  overviewPath: ${showPath(folder.overviewPath)}`);
  if (folder.skill !== undefined) {
    lines.push(`  skill: ${showPath(folder.skill.path)}`);
    lines.push(named('skill name', folder.skill.name));
    lines.push(described('skill description', folder.skill.description, characters));
    lines.push(...skillMarks(folder.skill));
  }
  return lines;
}

function skillLines(skill: SkillEntry, characters: number): Lines {
  return [
    bareLine('skill', skill.path),
    named('name', skill.name),
    described('description', skill.description, characters),
    ...skillMarks(skill),
    `  browsePath: ${showFolder(skill.browsePath)}`,
  ];
}

function skillMarks(skill: SkillEntry): Lines {
  const marks: string[] = [];
  if (skill.describedOnly !== undefined) {
    marks.push(`  described only (license: ${brief(skill.describedOnly, MAX_LICENSE_CHARACTERS)})`);
  }
  if (skill.undiscoverable !== undefined)
    marks.push(`  not listed or searched: ${unbroken(skill.undiscoverable)}`);
  return marks;
}

function fileLines(file: FileEntry, characters: number): Lines {
  const lines = [bareLine(file.kind, file.path)];
  if (file.role !== 'document') lines.push(`  role: ${file.role}`);
  if (file.title !== undefined) lines.push(named('title', file.title));
  if (file.summary !== undefined) lines.push(described('summary', file.summary, characters));
  return lines;
}

export function withheldLine(entry: WithheldEntry): string {
  const licence = entry.licence === undefined ? '' : `: ${brief(entry.licence, MAX_LICENSE_CHARACTERS)}`;
  const size = entry.size === undefined ? '' : `, ${entry.size} bytes`;
  return `[withheld] ${showPath(entry.path)} (${entry.reason}${licence}${size})`;
}

export function named(label: string, name: string): string {
  return `  ${label}: ${brief(name, MAX_NAME_CHARACTERS)}`;
}

export function described(label: string, text: string, characters: number): string {
  return `  ${label}: ${brief(text, characters)}`;
}

/**
 * Adds as many items as fit. Descriptions are as long as the first of `lengths` with which all items fit; where they
 * never all fit, the last is used and the page ends early. At least one item is added, bare if it must be.
 */
export function addItems<Item>(
  sheet: Sheet,
  items: readonly Item[],
  lengths: readonly number[],
  lines: (item: Item, characters: number) => Lines,
  bare: (item: Item) => string,
  reserve: number,
): number {
  const room = sheet.left - reserve;
  let fitting: Lines[] = [];
  for (const characters of lengths) {
    fitting = [];
    let cost = 0;
    for (const item of items) {
      const itemLines = lines(item, characters);
      cost += itemLines.reduce((sum, line) => sum + lineCost(line), 0);
      if (cost > room) break;
      fitting.push(itemLines);
    }
    if (fitting.length === items.length) break;
  }
  for (const itemLines of fitting) sheet.add(...itemLines);
  const [first] = items;
  if (fitting.length > 0 || first === undefined) return fitting.length;
  sheet.add(bare(first));
  return 1;
}
