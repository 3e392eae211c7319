// What a process of the registry suite does: it publishes or gets versions of one skill and says what came of each, one
// line of JSON a time.
import type { Backend } from '../src/backend.ts';
import { RegistryConflictError } from '../src/errors.ts';
import { openCaches, openRegistry } from '../src/registry.ts';

/** The variable that holds a Job as JSON: arguments can be seen by anyone, and a target may hold a password. */
export const JOB = 'SKILLQUAY_TEST_JOB';

export interface Job {
  readonly target: string;
  readonly cacheRoot: string;
  readonly act: 'publish' | 'get';
  readonly slug: string;
  /** The version to begin with. */
  readonly first: number;
  /** How many; 0 means without end. */
  readonly count: number;
}

export type Outcome =
  | { readonly kind: 'published' | 'unchanged'; readonly commit: string }
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly message: string };

const VERSIONS = 5;
const FILES = 12;

/** Text by path. Each version has files of its own, files that others have too, and files that others have with another text. */
export function versionOf(slug: string, number: number): Readonly<Record<string, string>> {
  const own = number % VERSIONS;
  const files: Record<string, string> = {
    'SKILL.md': `---\nname: ${slug}\ndescription: Version ${own}\n---\n`,
    [`only/${own}`]: '',
    'same.md': 'same',
  };
  for (let i = 0; i < FILES; i += 1)
    files[`files/${i}.txt`] = `version ${own} of file ${i}\n`.repeat(1 + i * 20);
  return files;
}

export async function work(open: (target: string, cacheRoot: string) => Backend): Promise<void> {
  const job: Job = JSON.parse(process.env[JOB] ?? '');
  const registry = openRegistry({
    backend: open(job.target, job.cacheRoot),
    caches: openCaches(job.cacheRoot),
    limits: { maxFileBytes: 1024 ** 2 },
  });
  const call = { signal: new AbortController().signal };
  for (let i = 0; job.count === 0 || i < job.count; i += 1)
    process.stdout.write(`${JSON.stringify(await once(i))}\n`);

  async function once(i: number): Promise<Outcome> {
    try {
      if (job.act === 'publish')
        return await registry.publish(job.slug, { files: versionOf(job.slug, job.first + i) }, call);
      return await registry.get(job.slug, call);
    } catch (error) {
      if (error instanceof RegistryConflictError) return { kind: 'conflict' };
      return { kind: 'failed', message: String(error) };
    }
  }
}
