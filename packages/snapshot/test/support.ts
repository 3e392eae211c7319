// Builds indexes of test repositories in this thread.
import { isAnswerError } from '@skillquay/core/answers';
import { DEFAULT_LIMITS, type ReadingLimits } from '@skillquay/core/limits';
import type { TestRepository } from '../../../test-support/repository.ts';
import { type BuildReport, type BuildRequest, buildIndex } from '../src/build.ts';
import type { Index } from '../src/index.ts';
import { openIndex } from '../src/index-file.ts';
import { type Mount, openSnapshot } from '../src/reader.ts';
import { type DiagnosticRecord, RowClass, WITHHELD_REASONS } from '../src/tables.ts';

export interface TestBuild {
  readonly index: Index;
  readonly bytes: Buffer;
  readonly report: BuildReport;
}

export interface TestBuildOptions extends Partial<Omit<BuildRequest, 'limits'>> {
  readonly commit?: string;
  readonly limits?: Partial<ReadingLimits>;
}

export async function build(repo: TestRepository, options: TestBuildOptions = {}): Promise<TestBuild> {
  const { commit = repo.head, limits, serving = 'licensed', ...more } = options;
  const { chunks, report } = await buildIndex({
    identity: {
      repository: 'gh/acme/library',
      commit,
      rules: `1-${JSON.stringify(limits ?? {})}-${serving}`,
    },
    git: { gitDir: repo.dir, env: {} },
    tree: commit,
    limits: { ...DEFAULT_LIMITS, ...limits },
    serving,
    workers: 0,
    workerUrl: null,
    ...more,
  });
  const bytes = Buffer.concat(chunks);
  return { index: openIndex(bytes), bytes, report };
}

/** A mount of an index whose objects are all lost, at a host without pages. */
export function mountOf(index: Index, path = ''): Mount {
  const nowhere = { raw: () => null, page: () => null };
  const mount = openSnapshot(index, { read: async () => null }, nowhere).mount(path);
  if (mount === null) throw new Error(`There is no mount at "${path}".`);
  return mount;
}

/** `kind path`, and the reason where it is withheld, of the entries of a folder. */
export function entriesOf(index: Index, path = ''): string[] {
  const answer = mountOf(index).browse({ path, position: 0, limit: 100 });
  if (isAnswerError(answer)) throw new Error(answer.error.message);
  return answer.entries.map((entry) =>
    [entry.kind, entry.path, ...('reason' in entry ? [entry.reason] : [])].join(' '),
  );
}

const CLASS_NAMES = new Map<number, string>(Object.entries(RowClass).map(([name, number]) => [number, name]));

/** The class of a path, with the reason where it is withheld; `none` without a row. */
export function classOf(index: Index, path: string): string {
  const row = index.rowOf(path);
  if (row === -1) return 'none';
  const name = CLASS_NAMES.get(index.class[row] ?? 0) ?? '?';
  return name === 'withheld' ? `withheld ${WITHHELD_REASONS[index.withheld[row] ?? 0]}` : name;
}

/** Every row's path and class. */
export function classesOf(index: Index): Record<string, string> {
  const classes: Record<string, string> = {};
  for (let row = 0; row < index.rowCount; row += 1)
    classes[index.path(row)] = classOf(index, index.path(row));
  return classes;
}

export function diagnosticsOf(index: Index): DiagnosticRecord[] {
  return Array.from({ length: index.diagnosticCount }, (_, i) => index.diagnostic(i));
}

/** `path code` of every diagnostic. */
export function codesOf(index: Index): string[] {
  return diagnosticsOf(index).map(({ path, code }) => `${path} ${code}`);
}

export function skill(name: string, more = '', body = 'Do the work.'): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}\n`;
}

export function manifest(more = '', body = 'Rules.'): string {
  return `---\ndescription: An area.\n${more}---\n${body}\n`;
}
