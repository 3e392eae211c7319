// Finds the skills in a folder of this machine. No link is followed.
import { constants } from 'node:fs';
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { saidBack } from '@skillquay/git/user-remote';
import { isPassedOver } from '@skillquay/registry/passed-over';
import type { PlanItem } from '@skillquay/registry/registry';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { skillNameOf } from './skill-name.ts';
import { includedFromElsewhere, rulesAbove } from './stays-behind.ts';
import { isSearched, isVisible } from './where-skills-are.ts';

/** A skill that can be published, and where it was found. */
export interface FoundSkill extends PlanItem {
  /** Relative to what was searched; `.` for that itself. */
  readonly place: string;
  /** The name of the folder it is. */
  readonly folder: string;
  /** Paths that are no part of what is published. */
  readonly leftOut: readonly string[];
  /** Paths outside of it that an agent is given with it where it lies: rules above it, and files it includes. */
  readonly staysBehind: readonly string[];
}

export interface FoundSkills {
  readonly skills: readonly FoundSkill[];
  /** Sentences about what was not looked at. */
  readonly notes: readonly string[];
}

const MAX_DEPTH = 6;
const MAX_FOLDERS = 20_000;
// Both flags are missing on Windows.
const SAFELY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** The largest SKILL.md of which the name is read. */
const MAX_NAMED_BYTES = 2 * 1024 ** 2;

/** The skill that a folder is. Throws CommandError `usage` where there is no folder. */
export async function localSkill(folder: string, name?: string): Promise<FoundSkill> {
  const path = await existing(folder);
  return foundAt(path, '.', name);
}

/** The folders directly below that hold a SKILL.md, in the order of their names. */
export async function skillsDirectlyBelow(folder: string): Promise<FoundSkills> {
  const path = await existing(folder);
  const skills: FoundSkill[] = [];
  const notes: string[] = [];
  for (const name of await foldersIn(path, (name) => !isPassedOver(name))) {
    const below = join(path, name);
    if (await isSkill(below)) skills.push(await foundAt(below, name));
    else notes.push(...(await mainNotes(below)));
  }
  return { skills, notes: [...notes, ...(await linkNotes(path))] };
}

/**
 * The folder itself when it is a skill, else the skills below it; what lies in a skill is a part of it. Hidden folders
 * count only where no other has a skill.
 */
export async function skillsIn(folder: string): Promise<FoundSkills> {
  const root = await existing(folder);
  const visible = await search(root, (name) => isSearched(name) && isVisible(name));
  return visible.skills.length > 0 ? visible : search(root, isSearched);
}

async function search(root: string, isWanted: (name: string) => boolean): Promise<FoundSkills> {
  const skills: FoundSkill[] = [];
  const notes: string[] = [];
  const waiting = [{ place: '.', depth: 0 }];
  for (let seen = 0; ; seen += 1) {
    const next = waiting.shift();
    if (next === undefined) break;
    if (seen === MAX_FOLDERS) {
      notes.push(`The search ended after ${MAX_FOLDERS} folders. Name a folder that holds fewer.`);
      break;
    }
    const { place, depth } = next;
    const path = join(root, place);
    if (await isSkill(path)) {
      skills.push(await withRules(await foundAt(path, place), root));
      continue;
    }
    notes.push(...(await mainNotes(path)));
    const below = await foldersIn(path, isWanted);
    if (depth === MAX_DEPTH && below.length > 0)
      notes.push(
        `${place} was not looked into: it lies ${MAX_DEPTH} folders deep. Name a folder nearer to it.`,
      );
    else
      for (const name of below)
        waiting.push({ place: place === '.' ? name : `${place}/${name}`, depth: depth + 1 });
    notes.push(...(await linkNotes(path)));
  }
  return { skills, notes };
}

/** Of a folder that would be a skill if its SKILL.md were no link. */
async function mainNotes(path: string): Promise<string[]> {
  const main = join(path, SKILL_FILE);
  const isLink = (await lstat(main).catch(() => null))?.isSymbolicLink() === true;
  return isLink ? [`${main} is a link, and its folder was passed over. Put the file itself there.`] : [];
}

/** Whoever sees a skill there wonders why it is not published. */
async function linkNotes(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const notes: string[] = [];
  for (const { name } of entries.filter((entry) => entry.isSymbolicLink()).sort(byName)) {
    const target = join(path, name);
    if ((await stat(join(target, SKILL_FILE)).catch(() => null)) === null) continue;
    const where = await realpath(target).catch(() => null);
    if (where !== null)
      notes.push(`${target} is a link and was passed over. Name the folder it leads to: ${where}`);
  }
  return notes;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}

async function foundAt(path: string, place: string, name?: string): Promise<FoundSkill> {
  const folder = basename(path);
  const main = await mainOf(path);
  return {
    place,
    folder,
    name: name ?? (main === null ? folder : skillNameOf(main, folder)),
    source: { localFolder: path },
    leftOut: [],
    staysBehind: main === null ? [] : includedFromElsewhere(main, place === '.' ? folder : place),
  };
}

async function withRules(skill: FoundSkill, root: string): Promise<FoundSkill> {
  const rules: string[] = [];
  for (const path of rulesAbove(skill.place === '.' ? '' : skill.place))
    if ((await lstat(join(root, path)).catch(() => null))?.isFile() === true) rules.push(path);
  return { ...skill, staysBehind: [...rules, ...skill.staysBehind] };
}

/** null where it cannot be read: what is wrong with it is said when it is published. */
async function mainOf(path: string): Promise<Uint8Array | null> {
  const handle = await open(join(path, SKILL_FILE), SAFELY).catch(() => null);
  if (handle === null) return null;
  try {
    const facts = await handle.stat();
    return facts.isFile() && facts.size <= MAX_NAMED_BYTES ? await handle.readFile() : null;
  } finally {
    await handle.close();
  }
}

/** Whether it holds a SKILL.md that is a file. */
export async function isSkill(path: string): Promise<boolean> {
  const facts = await lstat(join(path, SKILL_FILE)).catch(() => null);
  return facts?.isFile() === true;
}

async function foldersIn(path: string, isWanted: (name: string) => boolean): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return (
    entries
      // A name that is not UTF-8 is read with U+FFFD in it, and cannot be opened by that.
      .filter((entry) => entry.isDirectory() && isWanted(entry.name) && !entry.name.includes('\ufffd'))
      .map(({ name }) => name)
      .sort()
  );
}

async function existing(folder: string): Promise<string> {
  const path = resolve(folder);
  const facts = await lstat(path).catch(() => null);
  if (facts === null) throw new CommandError(ExitCode.usage, `There is no folder ${saidBack(path)}.`);
  if (facts.isSymbolicLink())
    throw new CommandError(ExitCode.usage, `${path} is a link. Name the folder that it leads to.`);
  if (!facts.isDirectory())
    throw new CommandError(ExitCode.usage, `${path} is a file. Name the folder it lies in.`);
  return path;
}
