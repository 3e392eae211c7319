// Finds the skills in a folder of this machine. No link is followed.
import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { isPassedOver } from '@skillquay/registry/passed-over';
import type { PlanItem } from '@skillquay/registry/registry';
import { CommandError, ExitCode } from '../exit-codes.ts';
import { skillNameOf } from './skill-name.ts';

/** A skill that can be published, and where it was found. */
export interface FoundSkill extends PlanItem {
  /** Relative to what was searched; `.` for that itself. */
  readonly place: string;
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
export async function skillsDirectlyBelow(folder: string): Promise<readonly FoundSkill[]> {
  const path = await existing(folder);
  const found: FoundSkill[] = [];
  for (const name of await foldersIn(path))
    if (await isSkill(join(path, name))) found.push(await foundAt(join(path, name), name));
  return found;
}

/** The folder itself when it is a skill, else the skills below it; what lies in a skill is a part of it. */
export async function skillsIn(folder: string): Promise<readonly FoundSkill[]> {
  const root = await existing(folder);
  const found: FoundSkill[] = [];
  const waiting = [{ place: '.', depth: 0 }];
  for (let seen = 0; waiting.length > 0 && seen < MAX_FOLDERS; seen += 1) {
    const next = waiting.shift();
    if (next === undefined) break;
    const { place, depth } = next;
    const path = join(root, place);
    if (await isSkill(path)) found.push(await foundAt(path, place));
    else if (depth < MAX_DEPTH)
      for (const name of await foldersIn(path))
        waiting.push({ place: place === '.' ? name : `${place}/${name}`, depth: depth + 1 });
  }
  return found;
}

async function foundAt(path: string, place: string, name?: string): Promise<FoundSkill> {
  return { place, name: name ?? (await nameAt(path)), source: { localFolder: path } };
}

/** What is wrong with the file is said when it is published. */
async function nameAt(path: string): Promise<string> {
  const handle = await open(join(path, SKILL_FILE), SAFELY).catch(() => null);
  if (handle === null) return basename(path);
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size > MAX_NAMED_BYTES) return basename(path);
    return skillNameOf(await handle.readFile(), basename(path));
  } finally {
    await handle.close();
  }
}

async function isSkill(path: string): Promise<boolean> {
  const facts = await lstat(join(path, SKILL_FILE)).catch(() => null);
  return facts?.isFile() === true;
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return (
    entries
      // A name that is not UTF-8 is read with U+FFFD in it, and cannot be opened by that.
      .filter((entry) => entry.isDirectory() && !isPassedOver(entry.name) && !entry.name.includes('\ufffd'))
      .map(({ name }) => name)
      .sort()
  );
}

async function existing(folder: string): Promise<string> {
  const path = resolve(folder);
  const facts = await lstat(path).catch(() => null);
  if (facts === null) throw new CommandError(ExitCode.usage, `There is no folder ${path}.`);
  if (facts.isSymbolicLink())
    throw new CommandError(ExitCode.usage, `${path} is a link. Name the folder that it leads to.`);
  if (!facts.isDirectory())
    throw new CommandError(ExitCode.usage, `${path} is a file. Name the folder it lies in.`);
  return path;
}
