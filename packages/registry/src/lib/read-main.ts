// What the endpoint would serve of the bytes of a SKILL.md. Source: format, section 2.
import { decodeUtf8 } from '@skillquay/core/decode';
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic, SkillFacts } from '@skillquay/core/facts';
import { readSkillFile } from '@skillquay/core/skill-file';

export type ReadMain =
  | { readonly ok: true; readonly facts: SkillFacts }
  /** What is missing is missing from line 1 on. */
  | { readonly ok: false; readonly problem: Diagnostic & { readonly line: number } };

/** Recovered front matter is served, so it is fine here. */
export function readMain(bytes: Uint8Array, path: string): ReadMain {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) {
    const { line, column } = decoded.at;
    const problem = diagnostic('not_utf8', { path, column, format: decoded.looksLike });
    return { ok: false, problem: { ...problem, line } };
  }
  const { value, diagnostics } = readSkillFile(decoded.text, path);
  if (value !== null) return { ok: true, facts: value };
  const error = diagnostics.find(({ severity }) => severity === 'error');
  const problem = error ?? diagnostic('no_front_matter', { path });
  return { ok: false, problem: { ...problem, line: problem.line ?? 1 } };
}
