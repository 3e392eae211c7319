// What sets the files that are given apart from those that a folder of a registry holds.
import type { RegistryEntry } from '../backend.ts';
import { blobId, kindOfId } from '../git-id.ts';
import type { SkillFile } from '../skill-files.ts';

/** Paths relative to the skill, in the order in which they were given. */
export interface Differences {
  readonly added: readonly string[];
  /** In content or mode. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export function differences(files: readonly SkillFile[], entries: readonly RegistryEntry[]): Differences {
  const there = new Map(entries.map((entry) => [entry.path, entry]));
  const given = new Set(files.map(({ path }) => path));
  const added: string[] = [];
  const changed: string[] = [];
  for (const { path, mode, bytes } of files) {
    const entry = there.get(path);
    if (entry === undefined) added.push(path);
    else if (entry.mode !== mode || entry.oid !== blobId(bytes, kindOfId(entry.oid))) changed.push(path);
  }
  return { added, changed, removed: entries.map(({ path }) => path).filter((path) => !given.has(path)) };
}

export function isNone({ added, changed, removed }: Differences): boolean {
  return added.length + changed.length + removed.length === 0;
}
