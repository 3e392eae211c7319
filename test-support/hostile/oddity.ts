// The shape of one oddity: what to commit, and how the format says it is answered.
import type { Entry } from '../repository.ts';

/** The class of the judged path; `none` has no row (excluded, or nothing the format knows). */
export type ExpectedClass =
  | 'skill'
  | 'supporting'
  | 'document'
  | 'manifest'
  | 'overview'
  | 'reference'
  | 'invalidSkill'
  | 'withheld'
  | 'none';

export interface Expectation {
  readonly class: ExpectedClass;
  /** A diagnostic that must stand at the path. */
  readonly code?: string;
  /** Where that diagnostic stands, if not at the path itself. */
  readonly codeAt?: string;
  /** Why the path is withheld. */
  readonly withheld?: string;
}

export interface Oddity {
  /** The oddity as a fact, for the name of a test. */
  readonly what: string;
  /** The path that is judged. */
  readonly path: string | Uint8Array;
  readonly files: ReadonlyArray<readonly [Uint8Array | string, Entry]>;
  readonly expect: Expectation;
}

/** A SKILL.md with these front matter lines, which need not be valid. */
export function skillText(name: string, body = 'Do the work.', description = 'Does one thing.'): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;
}

/** One file that is odd by itself. */
export function odd(what: string, path: string | Uint8Array, entry: Entry, expect: Expectation): Oddity {
  return { what, path, files: [[path, entry]], expect };
}

/** A path that is odd because of what stands around it; `files` holds the path itself too. */
export function oddAmong(
  what: string,
  path: string | Uint8Array,
  files: Readonly<Record<string, Entry>>,
  expect: Expectation,
): Oddity {
  return { what, path, files: Object.entries(files), expect };
}
