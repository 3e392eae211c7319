// One skill in ever other versions, for tests that kill who keeps it.
import { createHash } from 'node:crypto';
import type { RegistryEntry } from '../src/backend.ts';
import { blobId } from '../src/git-id.ts';
import type { SkillTree } from '../src/skill-cache.ts';

const FILES = 12;
const VERSIONS = 3;

export interface Version {
  readonly tree: SkillTree;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Each version has files of its own, files that others have too, and files that others have with another text. */
export function version(number: number): Version {
  const own = number % VERSIONS;
  const files: Record<string, string> = {
    'SKILL.md': `version ${own}`,
    [`only/${own}`]: '',
    'same.md': 'same',
  };
  for (let i = 0; i < FILES; i += 1) files[`files/${i}.txt`] = `version ${own} of file ${i}\n`.repeat(i * 50);
  const blobs = new Map<string, Uint8Array>();
  const entries = Object.entries(files).map(([path, text]): RegistryEntry => {
    const bytes = Buffer.from(text);
    const oid = blobId(bytes);
    blobs.set(oid, bytes);
    return { path, mode: '100644', oid, size: null };
  });
  const id = createHash('sha1').update(`tree ${own}`).digest('hex');
  return { tree: { slug: 'kept', repo: 'o/r', tree: id, entries }, blobs, files };
}
