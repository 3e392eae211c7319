// What the endpoint would serve of the bytes of a SKILL.md. Source: format, section 2.
import { decodeUtf8 } from '@skillquay/core/decode';
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic, SkillFacts } from '@skillquay/core/facts';
import { readSkillFile } from '@skillquay/core/skill-file';

export type ReadMain =
  | { readonly ok: true; readonly facts: SkillFacts }
  | { readonly ok: false; readonly problem: Diagnostic };

/** Recovered front matter is served, so it is fine here. */
export function readMain(bytes: Uint8Array, path: string): ReadMain {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) {
    const place = { path, line: decoded.at.line, column: decoded.at.column };
    return { ok: false, problem: diagnostic('not_utf8', { ...place, format: decoded.looksLike }) };
  }
  const { value, diagnostics } = readSkillFile(decoded.text, path);
  if (value !== null) return { ok: true, facts: value };
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return { ok: false, problem: error ?? diagnostic('no_front_matter', { path, line: 1 }) };
}
