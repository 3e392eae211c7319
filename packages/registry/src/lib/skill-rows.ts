// What a list says of each skill. Nothing in a registry makes it fail: a skill that cannot be read stays in the list,
// under the name of its folder. Source: spec, The personal registry, "list_skills".
import { diagnostic } from '@skillquay/core/diagnostics';
import { MAX_SKILL_FILE_BYTES } from '@skillquay/core/limits';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import type { Listing, RegistryEntry } from '../backend.ts';
import { RegistryError } from '../errors.ts';
import { batches } from './batches.ts';
import { isText, skillFiles, treeOf } from './listing.ts';
import { readMain } from './read-main.ts';
import type { FetchBlobs } from './skill-folder.ts';

export interface SkillSummary {
  readonly slug: string;
  /** The slug where the front matter cannot be read. */
  readonly name: string;
  /** `(unreadable front matter: …)` where it cannot be read. */
  readonly description: string;
  /** Whether the endpoint would serve it. */
  readonly readable: boolean;
  /** Relative to the registry's folder. */
  readonly path: string;
  /** Id of the folder's tree. */
  readonly tree: string;
}

type Facts = Pick<SkillSummary, 'name' | 'description' | 'readable'>;

/** By slug, in byte order. Throws what `fetch` throws, but for what the host does not give whole. */
export async function skillRows(listing: Listing, fetch: FetchBlobs): Promise<readonly SkillSummary[]> {
  const skills = [...skillFiles(listing)].map(([slug, file]) => ({
    ...{ slug, file, size: file.size, fault: faultOf(slug, file) },
  }));
  const facts = new Map<string, Facts>();
  for (const batch of batches(skills.filter(({ fault }) => fault === null))) {
    const blobs = await whatComes(
      batch.map(({ file }) => file.oid),
      fetch,
    );
    for (const { slug, file } of batch) facts.set(slug, factsOf(slug, blobs.get(file.oid)));
  }
  return skills.map(({ slug, fault }) => ({
    ...(facts.get(slug) ?? unreadable(slug, fault ?? '')),
    slug,
    path: slug,
    tree: treeOf(listing, slug),
  }));
}

/** Why a SKILL.md is not even fetched, or null. */
function faultOf(slug: string, { mode, size }: RegistryEntry): string | null {
  if (!isText(slug)) return 'the name of its folder is not UTF-8';
  if (mode === '120000') return 'SKILL.md is a link';
  if (size === null || size <= MAX_SKILL_FILE_BYTES) return null;
  return sentence(diagnostic('too_large', { path: SKILL_FILE, size, limit: MAX_SKILL_FILE_BYTES }).message);
}

/** Of one that does not come whole the others do not go without. */
async function whatComes(
  oids: readonly string[],
  fetch: FetchBlobs,
): Promise<ReadonlyMap<string, Uint8Array>> {
  try {
    return await fetch(oids);
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'bad_data') throw error;
    if (oids.length < 2) return new Map();
    const half = oids.length >> 1;
    const first = await whatComes(oids.slice(0, half), fetch);
    return new Map([...first, ...(await whatComes(oids.slice(half), fetch))]);
  }
}

function factsOf(slug: string, bytes: Uint8Array | undefined): Facts {
  if (bytes === undefined) return unreadable(slug, 'SKILL.md could not be fetched');
  const read = readMain(bytes, `${slug}/${SKILL_FILE}`);
  if (read.ok) return { name: read.facts.name, description: read.facts.description, readable: true };
  const { line, message } = read.problem;
  return unreadable(slug, `line ${line}: ${sentence(message)}`);
}

function unreadable(slug: string, why: string): Facts {
  return { name: slug, description: `(unreadable front matter: ${why})`, readable: false };
}

function sentence(message: string): string {
  return message.replace(/\.$/, '');
}
