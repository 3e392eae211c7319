// Puts the documents of skills together and digests them; the documents themselves are not kept. One task is one look
// into the objects, in whatever thread has time. Source: format, section 8.
import type { ContextPart } from '@skillquay/core/answers';
import { decodeUtf8 } from '@skillquay/core/decode';
import { readLfsPointer } from '@skillquay/core/lfs';
import { assembleDocument } from '@skillquay/core/skill-document';
import { streamObjects } from '@skillquay/git/objects';
import type { GitRepository } from '@skillquay/git/repository';
import { SHA256_BYTES } from '../tables.ts';
import { contextPart } from './context-part.ts';
import { sha256 } from './sha256.ts';

/** A document to be made. */
export interface DocumentPlan {
  readonly skill: number;
  /** Of its SKILL.md. */
  readonly path: string;
  /** All that stands before the context. */
  readonly head: string;
  /** Positions among the shared files of the task, in the order of the document. */
  readonly rules: readonly number[];
  readonly includes: readonly number[];
}

export interface DocumentTask {
  readonly plans: readonly DocumentPlan[];
  /** SKILL.md of each plan, 20 bytes each. */
  readonly oids: Uint8Array;
  /** Rules and included files, each once. */
  readonly sharedPaths: readonly string[];
  readonly sharedOids: Uint8Array;
}

export interface DocumentResult {
  /** Of each plan; zero where a file it needs could not be read. */
  readonly sha256: Uint8Array;
  /** Bytes, 0 likewise. */
  readonly size: Uint32Array;
}

export async function digestDocuments(
  git: GitRepository,
  task: DocumentTask,
  signal: AbortSignal,
): Promise<DocumentResult> {
  const { plans, oids, sharedPaths, sharedOids } = task;
  const shared: (string | null)[] = [];
  const keep = (i: number, content: Uint8Array | null) => {
    shared[i] = textOf(content);
  };
  if (sharedPaths.length > 0) await streamObjects(git, sharedOids, keep, { signal });
  const result = {
    sha256: new Uint8Array(plans.length * SHA256_BYTES),
    size: new Uint32Array(plans.length),
  };
  await streamObjects(
    git,
    oids,
    (i, content) => {
      const plan = plans[i];
      const text = textOf(content);
      if (plan === undefined || text === null) return;
      const parts = partsOf(task, plan, shared, text);
      if (parts === null) return;
      const document = Buffer.from(assembleDocument(plan.head, parts));
      result.sha256.set(sha256(document), i * SHA256_BYTES);
      result.size[i] = document.length;
    },
    { signal },
  );
  return result;
}

function partsOf(
  { sharedPaths }: DocumentTask,
  plan: DocumentPlan,
  shared: readonly (string | null)[],
  instructions: string,
): ContextPart[] | null {
  const parts: ContextPart[] = [];
  const add = (kind: ContextPart['kind'], path: string, text: string | null | undefined): boolean => {
    if (text === null || text === undefined) return false;
    const part = contextPart(kind, path, text);
    if (part !== null) parts.push(part);
    return true;
  };
  const addShared = (kind: ContextPart['kind']) => (at: number) =>
    add(kind, sharedPaths[at] ?? '', shared[at]);
  const isWhole =
    plan.rules.every(addShared('rules')) &&
    add('instructions', plan.path, instructions) &&
    plan.includes.every(addShared('included'));
  return isWhole ? parts : null;
}

function textOf(content: Uint8Array | null): string | null {
  if (content === null || readLfsPointer(content) !== null) return null;
  const decoded = decodeUtf8(content);
  return decoded.ok ? decoded.text : null;
}
