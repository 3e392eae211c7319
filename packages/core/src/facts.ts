// What reading one file gives, in plain data. The readers of the format return these; a snapshot stores them.

export type Severity = 'error' | 'warning' | 'info';

/** Something an author should know. The sentence and the hint come from the table in `diagnostics.ts`. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  /** Repository-root path of the file or folder it is about; '' is the repository. */
  readonly path: string;
  /** 1-based, when known. */
  readonly line?: number;
  readonly column?: number;
  /** One sentence that says what is wrong. */
  readonly message: string;
  /** One sentence that says what to do. */
  readonly hint: string;
}

export interface Translation {
  readonly title?: string;
  readonly name?: string;
  readonly description?: string;
}

/**
 * What a valid SKILL.md says in its front matter, and what its body asks for. Optional fields that could not be used are
 * absent and diagnosed.
 */
export interface SkillFacts {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly allowedTools?: string;
  /** Text to text, in the order written. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Repository-root paths named by `skillcdn.include`, resolved, in declaration order, not yet judged. */
  readonly include?: readonly string[];
  readonly translations?: Readonly<Record<string, Translation>>;
  /** The front matter was recovered and `skillcdn` could not be read with certainty. */
  readonly incomplete?: true;
  /** `license` was there and could not be read: unrecognised, not absent. */
  readonly licenseUnreadable?: true;
  /** What its body asks to run; whether it is there can only be seen from outside. */
  readonly scripts?: readonly AskedScript[];
}

export interface AskedScript {
  /** As written: relative, without a leading `./`. */
  readonly path: string;
  /** 1-based; column in UTF-16 units. */
  readonly line: number;
  readonly column: number;
}

/** The front matter of a valid SKILLCDN.md; paths are resolved to the repository root. */
export interface ManifestFacts {
  readonly name?: string;
  readonly description: string;
  /** Directories whose Markdown and JSON are documents ('' = the repository root); absent = the default `docs`. */
  readonly documents?: readonly string[];
  /** Files and directories that are not published. */
  readonly exclude: readonly string[];
  readonly language?: string;
  readonly image?: string;
  readonly license?: string;
  /** `license` was there and is not a text: unrecognised, not absent. */
  readonly licenseUnreadable?: true;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly translations?: Readonly<Record<string, Translation>>;
}

/** What a Markdown text says about itself and where it points. */
export interface MarkdownFacts {
  readonly title?: string;
  readonly summary?: string;
  /** Candidate repository-root paths ending in `.md`, in order of appearance, each once. They need not exist. */
  readonly links: readonly string[];
}

/** A value, or the reasons why there is none; warnings may stand beside a value. */
export interface Reading<T> {
  readonly value: T | null;
  readonly diagnostics: readonly Diagnostic[];
}
