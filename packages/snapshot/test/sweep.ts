// Sweeps what a mount lists, reads and shows against each other: an entry holds exactly what a read returns and what
// walking its directory finds.
import { createHash } from 'node:crypto';
import { isAnswerError } from '@skillquay/core/answers';
import { expect } from 'vitest';
import type { ListedSkill, Mount } from '../src/reader.ts';

/** Every listed skill of a mount, a few at a time. */
export function allListed(mount: Mount, limit = 3): ListedSkill[] {
  const all: ListedSkill[] = [];
  for (let at = 0; at < mount.listedCount; at += limit) all.push(...mount.listed(at, limit));
  return all;
}

/** Every file that walking a folder finds, null where there is no such folder. */
export function filesBelow(mount: Mount, folder: string): string[] | null {
  const children = mount.children(folder);
  if (children === null) return null;
  return children.flatMap(({ path, kind }) => (kind === 'file' ? [path] : (filesBelow(mount, path) ?? [])));
}

/** Checks every entry, and every path given against `resource`. Returns digests by path, of listed skills only. */
export async function sweep(mount: Mount, paths: readonly string[]): Promise<Map<string, string>> {
  const skills = allListed(mount);
  expect(skills).toHaveLength(mount.listedCount);
  const digests = new Map<string, string>();
  for (const skill of skills) {
    expect(mount.listedAt(skill.path)).toEqual(skill);
    const named = skill.resources.map(({ path }) => path);
    expect(named).toContain(skill.path);
    expect([...(filesBelow(mount, skill.directory) ?? [])].sort()).toEqual([...named].sort());
    for (const { path, digest, size } of skill.resources) {
      const answer = await mount.resource(path);
      if (isAnswerError(answer)) throw new Error(`${path}: ${answer.error.message}`);
      expect(`sha256:${createHash('sha256').update(answer.bytes).digest('hex')}`, path).toBe(digest);
      expect(answer.bytes.length, path).toBe(size);
      expect(digests.get(path) ?? digest).toBe(digest);
      digests.set(path, digest);
    }
  }
  const shown = new Set(filesBelow(mount, mount.path));
  for (const path of paths)
    expect([path, !isAnswerError(await mount.resource(path))]).toEqual([path, shown.has(path)]);
  return digests;
}
