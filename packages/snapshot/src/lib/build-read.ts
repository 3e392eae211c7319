// Reads blobs and says what each holds: facts, introductions, links, search documents. One reader per thread.
import { decodeUtf8 } from '@skillquay/core/decode';
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic, SkillFacts } from '@skillquay/core/facts';
import { isJsonPath } from '@skillquay/core/file-kind';
import { readJsonIntroduction } from '@skillquay/core/json-document';
import { readLfsPointer } from '@skillquay/core/lfs';
import { readMarkdown } from '@skillquay/core/markdown';
import { readSkillFile } from '@skillquay/core/skill-file';
import { utf8Length } from '@skillquay/core/text';
import { textSignals } from '@skillquay/core/trust-signals';
import { streamObjects } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import { SegmentBuilder } from '@skillquay/search/build';
import { SHA256_BYTES } from '../tables.ts';
import { bodyLine } from './body-line.ts';
import { type DocumentResult, type DocumentTask, digestDocuments } from './build-assembled.ts';
import { type LicenceField, licenceOfField } from './build-licences.ts';
import { sha256 } from './sha256.ts';

/** What is wanted of a file, as a sum. 0 = only whether it is a pointer to somewhere else. */
export const Want = {
  /** The fields of a SKILL.md, its links and, if it is valid, its search document. */
  skill: 1,
  /** A search document. */
  search: 2,
  /** Title and summary. */
  introduction: 4,
  /** Links of a Markdown file. */
  links: 8,
  /** Whether it is text. Follows from any of the above. */
  text: 16,
  /** The SHA-256 of its bytes. */
  digest: 32,
  /** What its text hides or asks for: a skill includes it. */
  signals: 64,
  /** Of a SKILL.md: a `license` that says something decides whether the skill is described only. */
  fieldDecides: 128,
  /** Of a SKILL.md: the skill is described only, unless its field decides otherwise. */
  described: 256,
} as const;

/** Whether a SKILL.md is described only. What it says of its licence is asked for only where that matters. */
export function isDescribed(want: number, field: () => LicenceField): boolean {
  const said = (want & Want.fieldDecides) === 0 ? null : licenceOfField(field());
  return said === null ? (want & Want.described) !== 0 : said.kind === 'restrictive';
}

/** What a file turned out to be, as a sum. */
export const Found = {
  text: 1,
  pointer: 2,
  missing: 4,
  skill: 8,
  /** It was not read: the bytes that may be read had run out. */
  refused: 16,
} as const;

/** Files to read, in the order of their entries. */
export interface ReadTask {
  readonly entries: Int32Array;
  readonly paths: readonly string[];
  /** 20 bytes a file. */
  readonly oids: Uint8Array;
  readonly wants: Uint16Array;
}

export interface ReadResult {
  /** `Found` of each file. */
  readonly found: Uint8Array;
  readonly skills: readonly { readonly entry: number; readonly facts: SkillFacts }[];
  readonly introductions: readonly { readonly entry: number; readonly introduction: Introduction }[];
  /** Bytes of the files that pointers stand for. */
  readonly pointers: readonly { readonly entry: number; readonly size: number }[];
  /** Only of files that have any. */
  readonly links: readonly { readonly entry: number; readonly targets: readonly string[] }[];
  readonly diagnostics: readonly Diagnostic[];
  /** Pieces that became full. */
  readonly pieces: readonly SegmentPiece[];
  /** SHA-256 of each file, zero where it is not wanted or not there; empty where none is wanted. */
  readonly sha256: Uint8Array;
}

export interface Introduction {
  readonly title?: string;
  readonly summary?: string;
  /** Both as another index holds them. */
  readonly encoded?: Uint8Array;
}

/** A part of the search segment, in which each document has the number of its entry. */
export interface SegmentPiece {
  readonly bytes: Uint8Array;
  readonly entries: Int32Array;
}

export interface ReaderSetup {
  readonly git: GitRepository;
  /** Bytes of one file that are searched. */
  readonly indexedBytesPerFile: number;
  /** Bytes of the largest file that is read. */
  readonly readFileBytes: number;
}

export interface Reader {
  read(task: ReadTask): Promise<ReadResult>;
  assemble(task: DocumentTask): Promise<DocumentResult>;
  finish(): Promise<readonly SegmentPiece[]>;
  close(): Promise<void>;
}

/** Text in one piece: enough that few pieces are merged, little enough that postings stay small in memory. */
const PIECE_BYTES = 96 * 1024 ** 2;

export function createReader(setup: ReaderSetup, signal: AbortSignal): Reader {
  let piece = new PieceBuilder();
  return {
    async read(task) {
      const result = newResult(task);
      await streamObjects(
        setup.git,
        task.oids,
        (item, content) => {
          readFile(setup, task, item, content, result, piece);
          if (piece.bytes < PIECE_BYTES) return;
          result.pieces.push(piece.finish());
          piece = new PieceBuilder();
        },
        { signal, maxBytes: setup.readFileBytes },
      );
      return result;
    },
    assemble: (task) => digestDocuments(setup.git, task, signal),
    async finish() {
      const last = piece;
      piece = new PieceBuilder();
      return last.isEmpty ? [] : [last.finish()];
    },
    async close() {},
  };
}

class PieceBuilder {
  bytes = 0;
  readonly #builder = new SegmentBuilder();
  readonly #entries: number[] = [];
  #last = -1;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  add(entry: number, name: string, description: string, details: string, body: Uint8Array): void {
    this.#entries.push(entry);
    this.#last = Math.max(this.#last, entry);
    this.#builder.add(entry, { name, description, details, body });
    this.bytes += body.length;
  }

  finish(): SegmentPiece {
    return { bytes: this.#builder.finish(this.#last + 1), entries: Int32Array.from(this.#entries) };
  }
}

type Growing = {
  -readonly [Key in keyof ReadResult]: ReadResult[Key] extends readonly (infer Item)[]
    ? Item[]
    : ReadResult[Key];
};

function newResult({ entries, wants }: ReadTask): Growing {
  const isDigested = wants.some((want) => (want & Want.digest) !== 0);
  return {
    found: new Uint8Array(entries.length),
    skills: [],
    introductions: [],
    pointers: [],
    links: [],
    diagnostics: [],
    pieces: [],
    sha256: new Uint8Array(isDigested ? entries.length * SHA256_BYTES : 0),
  };
}

function readFile(
  setup: ReaderSetup,
  task: ReadTask,
  item: number,
  content: Uint8Array | null,
  result: Growing,
  piece: PieceBuilder,
): void {
  const entry = task.entries[item] ?? 0;
  const path = task.paths[item] ?? '';
  const want = task.wants[item] ?? 0;
  const report = (found: Diagnostic) => result.diagnostics.push(found);
  if (content === null) {
    result.found[item] = Found.missing;
    report(diagnostic('object_missing', { path }));
    return;
  }
  const pointer = readLfsPointer(content);
  if (pointer !== null) {
    result.found[item] = Found.pointer;
    result.pointers.push({ entry, size: pointer.size });
    report(diagnostic('lfs_pointer', { path, size: pointer.size }));
    return;
  }
  if ((want & Want.digest) !== 0) result.sha256.set(sha256(content), item * SHA256_BYTES);
  if ((want & ~Want.digest) === 0) return;
  const decoded = decodeUtf8(content);
  if (!decoded.ok) {
    report(diagnostic('not_utf8', { path, format: decoded.looksLike, ...decoded.at }));
    return;
  }
  const { text } = decoded;
  result.found[item] = Found.text;
  if ((want & Want.skill) !== 0) {
    const reading = readSkillFile(text, path);
    const { value: skill, bodyOffset } = reading;
    if (skill !== null && isDescribed(want, () => skill)) {
      // Nothing of the body goes further: no word to search for, no link, nothing that was noticed in it; and no path of
      // what it includes.
      const below = bodyLine(text, bodyOffset);
      for (const found of reading.diagnostics)
        if ((found.line ?? 0) < below && found.code !== 'dropped_include') report(found);
      result.found[item] = Found.text | Found.skill;
      const { scripts: _, ...fields } = skill;
      result.skills.push({ entry, facts: fields });
      piece.add(entry, skill.name, skill.description, path, new Uint8Array());
      return;
    }
    for (const found of reading.diagnostics) report(found);
    const markdown = readMarkdown(text, path, { title: false, ...(skill === null ? {} : { bodyOffset }) });
    for (const found of markdown.diagnostics) report(found);
    if (markdown.value.links.length > 0) result.links.push({ entry, targets: markdown.value.links });
    if (skill === null) return;
    result.found[item] = Found.text | Found.skill;
    result.skills.push({ entry, facts: skill });
    const from = content.length === text.length ? bodyOffset : utf8Length(text.slice(0, bodyOffset));
    const { name, description } = skill;
    const body = searched(content, setup.indexedBytesPerFile).subarray(from);
    piece.add(entry, name, description, skillDetails(skill, path), body);
    return;
  }
  if ((want & Want.signals) !== 0) for (const found of textSignals(text, path, 0)) report(found);
  const introduces = (want & Want.introduction) !== 0;
  let introduction: Introduction = {};
  if (introduces && isJsonPath(path)) introduction = readJsonIntroduction(text);
  else if (introduces || (want & Want.links) !== 0) {
    const { value, diagnostics } = readMarkdown(text, path, { title: introduces });
    const { links, ...rest } = value;
    introduction = rest;
    // Without that want they are known: it was read as a SKILL.md before.
    if ((want & Want.links) !== 0) {
      for (const found of diagnostics) report(found);
      if (links.length > 0) result.links.push({ entry, targets: links });
    }
  }
  if (introduction.title !== undefined || introduction.summary !== undefined)
    result.introductions.push({ entry, introduction });
  if ((want & Want.search) !== 0) {
    const body = searched(content, setup.indexedBytesPerFile);
    piece.add(entry, introduction.title ?? '', introduction.summary ?? '', path, body);
  }
}

/** What a skill says beside its name, description and body, and where it stands. */
function skillDetails(facts: SkillFacts, path: string): string {
  return [facts.compatibility ?? '', ...Object.values(facts.metadata ?? {}), path].join('\n');
}

/** The first bytes of a text, ended between two characters. */
function searched(content: Uint8Array, limit: number): Uint8Array {
  if (content.length <= limit) return content;
  let end = limit;
  while (end > 0 && ((content[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return content.subarray(0, end);
}
